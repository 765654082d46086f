"""Hidden hands as they may lie: every deal that a view allows is as likely as any other.

What a view allows is `View.possible`, exactly: voids and what else the plays have proved, cards
passed on, the kitty, and how many cards every place has room for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.cards import PACK_SIZE
from volte.kernel.encoding import KernelFault, check_range
from volte.kernel.layout import CONTRADICTION, MOST_SEATS, NO_ROOM, PLAN
from volte.kernel.startup import code
from volte.view import KITTY, View

Worlds = NDArray[np.uint64]
"""`uint64[worlds, players + 1]`: mask of each hand, seat by seat, and of the kitty."""

MOST_SEED = 2**64 - 1


class Sight(NamedTuple):
    """What a view says about where the cards are.

    Attributes:
        known: by column of a world, mask of the cards that are seen there.
        places: those that are not seen: the seats, clockwise from the observer's left, and `KITTY`
            last.
        room: by place, the cards that it holds.
        could: by place, mask of the cards that it can hold.
    """

    known: tuple[int, ...]
    places: tuple[int, ...]
    room: tuple[int, ...]
    could: tuple[int, ...]


def sight(view: View) -> Sight:
    """What a view says; only once cards have been dealt."""
    deal, possible = view.deal, view.possible
    players = deal.rules.players
    start = 0 if view.seat is None else view.seat + 1
    around = [(start + place) % players for place in range(players)]
    places = tuple(place for place in (*around, KITTY) if place in possible)
    room = (*deal.hand_sizes(), deal.rules.kitty_size)  # place -1 is the last
    return Sight(
        known=(
            *(hand if seat == view.seat else 0 for seat, hand in enumerate(deal.hands)),
            deal.kitty,
        ),
        places=places,
        room=tuple(room[place] for place in places),
        could=tuple(possible[place] for place in places),
    )


class Plan:
    """All deals that a sight allows, counted and ready to be drawn from.

    Attributes:
        sight: that is planned.
        ways: how many deals there are: exact up to 2**53, and to 14 digits beyond.
    """

    def __init__(self, sight: Sight) -> None:
        """Raises `KernelFault` where no deal fits, or the kernel has no room for it."""
        _check(sight)
        self.sight = sight
        self._plan = np.zeros(1, PLAN)
        row = self._plan[0]
        row["columns"] = len(sight.known)
        row["fixed"][: len(sight.known)] = sight.known
        columns = [place if place != KITTY else len(sight.known) - 1 for place in sight.places]
        size = code("worlds.lay_out")(
            np.array(sight.room, np.int64),
            np.array(sight.could, np.uint64),
            np.array(columns, np.int64),
            self._plan,
        )
        if size == NO_ROOM:
            raise KernelFault("kernel_worlds_room")
        if size != CONTRADICTION:
            self._values = np.empty(size, np.float64)
            code("worlds.count_ways")(self._plan, self._values)
        self.ways = float(row["ways"])
        if not self.ways:
            raise KernelFault("kernel_no_world")
        self._draw = code("worlds.draw")

    def draw(self, seed: int, first: int, worlds: Worlds) -> None:
        """Fills in worlds number `first` (from 0) and on of a seed.

        Args:
            worlds: `uint64[any, players + 1]`, in C order.

        Raises `KernelFault` for any other array.
        """
        fits = worlds.ndim == 2 and worlds.shape[1] == len(self.sight.known)
        if not fits or worlds.dtype != np.uint64 or not worlds.flags.carray:
            shape = f"(…, {len(self.sight.known)})"
            raise KernelFault("kernel_array", name="worlds", kind="uint64", shape=shape)
        self._draw(self._plan, self._values, np.uint64(seed), np.uint64(first), worlds)


def _check(sight: Sight) -> None:
    players = len(sight.known) - 1
    if players > MOST_SEATS:
        raise KernelFault("kernel_seats", most=MOST_SEATS, players=players)
    if any(mask >> PACK_SIZE for mask in (*sight.known, *sight.could)):
        raise KernelFault("kernel_packs")


class Dealer:
    """Deals worlds of a view, one batch after the other.

    Attributes:
        plan: of the view.
        dealt: how many worlds have been dealt.
    """

    def __init__(self, view: View, seed: int) -> None:
        """See `worlds`."""
        self.plan = Plan(sight(view))
        self.dealt = 0
        self._seed = check_range("seed", seed, 0, MOST_SEED)

    @property
    def ways(self) -> float:
        """How many deals the view allows."""
        return self.plan.ways

    def draw(self, count: int) -> Worlds:
        """The next worlds."""
        worlds = np.empty((count, len(self.plan.sight.known)), np.uint64)
        self.plan.draw(self._seed, self.dealt, worlds)
        self.dealt += count
        return worlds


def worlds(view: View, count: int, seed: int, first: int = 0) -> Worlds:
    """Deals that the view allows, at random and independent of each other.

    Args:
        count: how many.
        seed: 0 to 2**64 - 1. World number `i` depends on the view, the seed and `i` alone.
        first: number of the first, from 0.

    Returns one row for each: masks of the hands, seat by seat, and of the kitty, 0 where there is
    none; cards that have been played are nowhere. Raises `KernelFault`.
    """
    dealer = Dealer(view, seed)
    dealer.dealt = check_range("first", first, 0, 2**62)
    return dealer.draw(check_range("count", count, 0, 2**40))
