"""`Batch`: thousands of deals at once, a card at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.cards import CopiedWhole
from volte.kernel.encoding import (
    RANDOM_POLICY,
    Policy,
    check_policies,
    check_range,
    check_rules,
    seated,
)
from volte.kernel.layout import DEAL, MOST_CARDS, OUTCOME, OUTSIDE, KernelFault, Records
from volte.kernel.startup import code
from volte.rules import Ruleset


class Observations(NamedTuple):
    """The view of one seat of each deal, in numbers: see `volte.lab.env.observation`."""

    cards: NDArray[np.uint8]  # `[rows, planes, 54]`
    situation: NDArray[np.int16]  # `[rows, fields]`
    mask: NDArray[np.int8]  # `[rows, 54]`

    @classmethod
    def room(cls, players: int, rows: int) -> Observations:
        """Uninitialised arrays for so many rows, aligned for users who share the memory."""
        return cls(*(_aligned(shape, kind) for shape, kind in _arrays(players, rows)))

    def check(self, players: int, rows: int) -> Observations:
        """Return the arrays. Raises `KernelFault` where a shape, type or memory order is wrong."""
        for name, (shape, kind) in zip(self._fields, _arrays(players, rows), strict=True):
            given: NDArray[Any] = getattr(self, name)
            fits = isinstance(given, np.ndarray) and given.shape == shape and given.dtype == kind
            if not fits or not given.flags.carray:
                raise KernelFault("kernel_array", name=name, shape=str(shape), kind=kind.name)
        return self


MOST_ROWS: Final = 2**24

ALIGNMENT: Final = 64
"""Alignment of arrays in bytes; JAX copies an array that begins elsewhere."""


def _aligned(shape: tuple[int, ...], kind: np.dtype[Any]) -> NDArray[Any]:
    size = prod(shape) * kind.itemsize
    octets = np.empty(size + ALIGNMENT, np.uint8)
    start = -octets.ctypes.data % ALIGNMENT
    return octets[start : start + size].view(kind).reshape(shape)


def _arrays(players: int, rows: int) -> tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]:
    return (
        ((rows, 5 + 3 * players, MOST_CARDS), np.dtype(np.uint8)),
        ((rows, 10 + 3 * players), np.dtype(np.int16)),
        ((rows, MOST_CARDS), np.dtype(np.int8)),
    )


class Batch(CopiedWhole):
    """Deals played side by side, one card each at a step; a pass is picked card by card.

    Seats that have a compiled policy play by themselves: a step goes on until a seat without one is
    on turn. Nothing depends on the number of threads; two threads must not step one batch at once.

    All attributes are read-only:

    - deals: rows of `DEAL`.
    - legal: `uint64[size]`, mask of the cards that the seat on turn may pick or play; 0 once the
      deal is over.
    - finished: `bool[size]`, whether the last step has ended the deal.
    - outcomes: rows of `OUTCOME`, written where a deal ends.
    """

    def __init__(
        self,
        rules: Ruleset,
        size: int,
        seed: int = 0,
        *,
        again: bool = False,
        policies: Sequence[Policy | None] = (),
        rotate: bool = False,
        threads: int = 1,
    ) -> None:
        """Deal the first `size` deals of the seed, the same that `play_deals` plays.

        Args:
            again: whether a deal that is over is followed by another one in its row: deal `i` by
                deal `i + size`.
            policies: one per seat; None where every card comes from outside, as it must at one
                seat at least. Without: None everywhere.
            rotate: whether the policies move a seat to the left whenever everybody has dealt.
            threads: number of threads that share the rows without the interpreter's lock.
        """
        check_rules(rules)
        self.rules = rules
        self.size = size = check_range("size", size, 1, MOST_ROWS)
        self._seats = _seats(rules, policies)
        self._rotate = bool(rotate)
        self._again = bool(again)
        self._deals = np.zeros(size, DEAL)
        self._legal = np.zeros(size, np.uint64)
        self._finished = np.zeros(size, np.bool_)
        self._outcomes = np.zeros(size, OUTCOME)
        self._seeds = np.zeros(size, np.uint64)
        self._steps = np.zeros(size, np.int64)  # from the number of a deal to that of the next
        self._threads = check_range("threads", threads, 1, 1024)
        self._parts = _parts(size, self._threads)
        self._prepare()
        self.reset(seed)

    def _prepare(self) -> None:
        """Make the attributes that a copy makes anew: the table, views of the arrays, threads."""
        self._table = check_rules(self.rules)
        self.deals, self.legal = _read_only(self._deals), _read_only(self._legal)
        self.finished, self.outcomes = _read_only(self._finished), _read_only(self._outcomes)
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None

    def __getstate__(self) -> dict[str, object]:
        made = ("_table", "deals", "legal", "finished", "outcomes", "_pool")
        return {name: value for name, value in self.__dict__.items() if name not in made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    @property
    def turn(self) -> NDArray[np.int64]:
        """`int64[size]`: the seat that has to pick or to play. Read-only."""
        return self.deals["turn"]

    @property
    def moved(self) -> NDArray[np.int64]:
        """`int64[size]`: number of seats that the policies have moved to the left."""
        if not self._rotate:
            return np.zeros(self.size, np.int64)
        players = self.rules.players
        return (self.deals["number"] - 1) // players % players

    def reset(
        self,
        seed: int | Sequence[int] | NDArray[np.integer],
        rows: NDArray[np.bool_] | None = None,
    ) -> None:
        """Deal anew, from the first deal of the seed.

        Args:
            seed: one for all rows; or one per row, which then deals its own deals one by one.
            rows: `bool[size]`, the rows to deal; without, all.
        """
        everywhere = np.ones(self.size, np.bool_)
        chosen = everywhere if rows is None else self._rows("rows", rows, np.bool_)
        given: Any = seed
        if np.ndim(given) == 1:
            seeds = np.array([_checked(each) for each in given], np.uint64)
            numbers, step = np.ones(self.size, np.int64), 1
        else:
            seeds = np.full(self.size, _checked(given), np.uint64)
            numbers, step = np.arange(1, self.size + 1), self.size
        self._seeds[chosen] = self._rows("seed", seeds, np.uint64)[chosen]
        self._deals["number"][chosen] = numbers[chosen]
        self._steps[chosen] = step
        self._finished[chosen] = False
        self._deal(chosen)

    def step(self, cards: NDArray[np.integer], rows: NDArray[np.bool_] | None = None) -> None:
        """Play or pick one card in each deal; finished deals ignore theirs.

        Args:
            cards: `int[size]`, indices of cards.
            rows: `bool[size]`, deals to play on, while the others wait; without, all.

        Raises `KernelFault` when a card is not legal; then nothing has changed.
        """
        step_rows = code("stepping.step")
        chosen = self._rows("cards", cards, np.int64)
        going, moves = self._legal, None
        if rows is not None:  # compiled code leaves deals alone that have no legal card
            moves = self._rows("rows", rows, np.bool_)
            going = np.where(moves, self._legal, np.uint64(0))
        row = code("stepping.first_refused")(going, chosen)
        if row >= 0:
            raise KernelFault("kernel_not_legal", row=int(row), card=int(chosen[row]))

        def step(part: slice) -> None:
            deals, legal, ends = self._deals[part], going[part], self._ends(part)
            step_rows(self._table, deals, chosen[part], legal, *ends)
            if moves is not None:
                np.copyto(self._legal[part], legal, where=moves[part])
            self._play_until(part)

        self._share(step)
        if self._again and self._finished.any():
            self.renew(self._finished)

    def renew(self, rows: NDArray[np.bool_]) -> None:
        """Deal anew in some rows: deal `i` is followed by deal `i + size`, or by the next one, in
        rows with a seed of their own.

        Args:
            rows: `bool[size]`.
        """
        chosen = self._rows("rows", rows, np.bool_)
        self._deals["number"][chosen] += self._steps[chosen]
        self._deal(chosen)

    def _deal(self, rows: NDArray[np.bool_]) -> None:
        """Deal in those rows, each the deal of its number."""
        deal_rows = code("stepping.deal_rows")

        def deal(part: slice) -> None:
            deals, legal = self._deals[part], self._legal[part]
            deal_rows(self._table, self._seeds[part], deals, rows[part], legal)
            self._play_until(part)

        self._share(deal)

    def _play_until(self, part: slice) -> None:
        """Let the compiled policies play, if there are any."""
        if self._seats is None:
            return
        deals, legal, ends = self._deals[part], self._legal[part], self._ends(part)
        play_until = code("playing.play_until")
        play_until(self._table, self._seats, self._rotate, deals, legal, *ends)

    def _ends(self, part: slice) -> tuple[Records, NDArray[np.bool_]]:
        """Arrays for the results of finished deals."""
        return self._outcomes[part], self._finished[part]

    def observe(
        self, seats: NDArray[np.integer] | None = None, out: Observations | None = None
    ) -> Observations:
        """The observations of one seat of each deal.

        Args:
            seats: `int[size]`; without, the seat on turn.
            out: arrays to write into; without, new ones.

        Raises `KernelFault` for seats or arrays that do not fit.
        """
        observers = self._rows("seats", self.turn if seats is None else seats, np.int64)
        if observers.min() < 0 or observers.max() >= self.rules.players:
            raise KernelFault("kernel_seat", players=self.rules.players)
        room = Observations.room(self.rules.players, self.size) if out is None else out
        cards, situation, mask = room.check(self.rules.players, self.size)
        observe = code("stepping.observe")

        def look(part: slice) -> None:
            observe(
                self._table,
                self._deals[part],
                self._legal[part],
                observers[part],
                cards[part].reshape(-1),
                situation[part],
                mask[part].view(np.uint8).reshape(-1),
            )

        self._share(look)
        return room

    def _rows(self, name: str, given: NDArray[Any], kind: type[Any]) -> NDArray[Any]:
        """One value per row, in the type and memory order that compiled code reads."""
        fits = isinstance(given, np.ndarray) and given.shape == (self.size,)
        if not fits or not np.can_cast(given.dtype, kind, "same_kind"):
            shape = str((self.size,))
            raise KernelFault("kernel_array", name=name, shape=shape, kind=np.dtype(kind).name)
        return np.ascontiguousarray(given, kind)

    def _share(self, work: Callable[[slice], None]) -> None:
        """Do the work on every part of the rows."""
        list((self._pool.map if self._pool else map)(work, self._parts))


def _checked(seed: int) -> int:
    return check_range("seed", seed, 0, 2**64 - 1)


def _seats(rules: Ruleset, policies: Sequence[Policy | None]) -> Records | None:
    """The policy of each seat, as rows of `SEAT`; None if all cards come from outside."""
    outside = [policy is None for policy in policies]
    known = [RANDOM_POLICY if policy is None else policy for policy in policies]
    check_policies(rules, known)
    if all(outside):
        return None
    if not any(outside):
        raise KernelFault("kernel_nobody_outside")
    seats = seated(known)
    seats["policy"][outside] = OUTSIDE
    return seats


def _parts(size: int, threads: int) -> list[slice]:
    """Slices of the rows: one per thread, or fewer if there are fewer rows."""
    length = -(-size // threads)
    return [slice(start, min(start + length, size)) for start in range(0, size, length)]


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
