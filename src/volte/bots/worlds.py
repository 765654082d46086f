"""Worlds, possible deals of the hidden cards: equally likely, or weighed by the plays seen.

`View.possible` gives exactly the places that a view allows: by voids and other proofs from plays,
cards passed on, the kitty, and the room in every place. `Dealer` draws from these worlds evenly,
`Likely` by how likely each makes the plays of the other seats.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise, starmap
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.bots.learned import GUESSES, learned
from volte.bots.protocol import Budget, Clock
from volte.cards import CLUBS, PACK_SIZE
from volte.fair import SplitMix64
from volte.game import DealState, Phase
from volte.kernel import layout, position
from volte.kernel.encoding import check_range, encode, step
from volte.kernel.startup import code
from volte.view import KITTY, View

Worlds = NDArray[np.uint64]
"""`uint64[worlds, players + 1]`: mask of each hand, seat by seat, and of the kitty."""

_PACK: Final = (1 << PACK_SIZE) - 1


class Sight(NamedTuple):
    """Knowledge of a view about the places of cards."""

    known: tuple[int, ...]  # by column of a world, mask of the cards that are seen there
    places: tuple[int, ...]  # hidden places: seats from the observer's left on, and `KITTY`
    room: tuple[int, ...]  # by place, the number of cards that it holds
    could: tuple[int, ...]  # by place, mask of the cards that it can hold


def sight(view: View) -> Sight:
    """Return the sight of a view; only once cards have been dealt."""
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


class WorldPlan:
    """All worlds that a sight allows, counted and ready to be drawn from."""

    def __init__(self, sight: Sight) -> None:
        """Raise `KernelFault` where no world fits, or the kernel has no room for the plan."""
        players = len(sight.known) - 1
        if players > layout.MOST_SEATS:
            raise layout.KernelFault("kernel_seats", most=layout.MOST_SEATS, players=players)
        if any(mask >> PACK_SIZE for mask in (*sight.known, *sight.could)):
            raise layout.KernelFault("kernel_packs")
        self.sight = sight
        self._plan = np.zeros(1, layout.PLAN)
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
        if size == layout.NO_ROOM:
            raise layout.KernelFault("kernel_worlds_room")
        if size != layout.CONTRADICTION:
            self._values = np.empty(size, np.float64)
            code("worlds.count_ways")(self._plan, self._values)
        # Number of worlds that the sight allows: exact up to 2**53, and to 14 digits beyond
        self.ways = float(row["ways"])
        if not self.ways:
            raise layout.KernelFault("kernel_no_world")
        self._draw = code("worlds.draw")

    def draw(self, seed: int, first: int, worlds: Worlds) -> None:
        """Fill in worlds from number `first` (from 0) on, drawn by a seed.

        Args:
            worlds: `uint64[any, players + 1]`, in C order, to be filled.

        Raises `KernelFault` for any other array.
        """
        fits = worlds.ndim == 2 and worlds.shape[1] == len(self.sight.known)
        if not fits or worlds.dtype != np.uint64 or not worlds.flags.carray:
            shape = f"(…, {len(self.sight.known)})"
            raise layout.KernelFault("kernel_array", name="worlds", kind="uint64", shape=shape)
        self._draw(self._plan, self._values, np.uint64(seed), np.uint64(first), worlds)


class Dealer:
    """Deals worlds of a view, at random and independent of each other, one batch after the other.

    World number `i` depends on the view, the seed and `i` alone. Raises `KernelFault`.
    """

    def __init__(self, view: View, seed: int) -> None:
        self.plan = WorldPlan(sight(view))
        self.dealt = 0  # number of worlds dealt
        self._seed = check_range("seed", seed, 0, 2**64 - 1)

    def draw(self, count: int) -> Worlds:
        """Return one row for each world: masks of the hands, seat by seat, and of the kitty, 0
        where there is none; cards that have been played are left out."""
        worlds = np.empty((count, len(self.plan.sight.known)), np.uint64)
        self.plan.draw(self._seed, self.dealt, worlds)
        self.dealt += count
        return worlds


# Plays of a deal


class Past(NamedTuple):
    """The plays of a deal, in order."""

    start: layout.Records  # one row of `DEAL` as play began, with empty hands
    cards: NDArray[np.uint64]  # `uint64[plays]`, masks
    seats: NDArray[np.int64]  # `int64[plays]`


def past(deal: DealState) -> Past:
    """Return the plays of a deal so far."""
    players = deal.rules.players
    leaders = [(trick.leader, trick.cards) for trick in deal.tricks] + [(deal.leader, deal.trick)]
    plays = [
        ((leader + place) % players, card.bit)
        for leader, cards in leaders
        for place, card in enumerate(cards)
    ]
    start = np.zeros(1, layout.DEAL)
    row = start[0]
    row["number"] = deal.number
    row["dealer"] = deal.dealer
    row["step"] = step(deal.direction, players)
    row["phase"] = layout.PLAYING
    row["turn"] = row["leader"] = row["winner"] = leaders[0][0]
    row["kitty_taker"] = -1
    if deal.opening is not None:
        row["opening"] = deal.opening.bit
        lower = deal.rules.deck_mask & CLUBS & (deal.opening.bit - 1) & _PACK
        row["excluded"][:players] = lower
    return Past(
        start,
        np.array([bit for _, bit in plays], np.uint64),
        np.array([seat for seat, _ in plays], np.int64),
    )


def in_turn(deal: DealState) -> bool:
    """Whether the taker of each trick has led the next one.

    False at a refereed table where a lead out of turn stands (I2): then the plays cannot be
    replayed by turns.
    """
    leaders = [*(trick.leader for trick in deal.tricks[1:]), deal.leader]
    return not deal.tricks or leaders == [trick.winner for trick in deal.tricks]


def here(view: View) -> layout.Records:
    """Return one row of `DEAL` where the seat has to act, without cards hidden from it."""
    row = position(view.deal, totals=view.state.totals)
    others = [seat for seat in range(view.deal.rules.players) if seat != view.seat]
    row[0]["coming"][others] &= row[0]["given"][view.seat]
    row[0]["hands"][others] = row[0]["given"][others] = 0
    if view.deal.kitty_taker != view.seat:
        row[0]["kitty"] = 0
    if view.state.phase is Phase.PASSING:
        row[0]["phase"] = layout.PASSING
        row[0]["turn"] = view.seat
        row[0]["given"] = row[0]["coming"] = 0
    return row


# Worlds by their likelihood

SLIP: Final = 0.02
"""Chance that a player is assumed to play any card at all, so that no play is proof."""

FINE: Final = 2**30
"""Number of possible starting points for the systematic resampling."""

LEAST: Final = 200
MOST: Final = 50_000
"""Least and most worlds that are weighed by the plays seen."""

PER_MILLISECOND: Final = 100
PER_SIMULATION: Final = 50
"""Worlds weighed for each millisecond, or for a hundred simulations, that may be spent."""

PORTION: Final = 100
"""Worlds that each thread weighs between two looks at the clock; an eighth of all weighed so far
where that is more."""

WEIGHING: Final = 0.25
"""Part of the time after which no more worlds are weighed."""

EACH: Final = 4
"""Number of times, about, that each world is drawn where there are few."""


class Likely:
    """Worlds drawn by their likelihood, given all plays of the others in this deal."""

    def __init__(self, view: View, seed: int, most: int, budget: Budget, threads: int) -> None:
        """
        Args:
            most: number of worlds to weigh at most; fewer where time runs out.
        """
        worlds, logs = _weighed(view, Dealer(view, seed), most, budget, threads)
        self._worlds = worlds
        self._sums = np.cumsum(np.exp(logs - logs.max()))
        self._draws = SplitMix64(seed)

    def draw(self, count: int) -> Worlds:
        """Draw worlds as evenly as their weights allow (systematic resampling)."""
        start = self._draws.below(FINE) / FINE
        places = (np.arange(count) + start) * (self._sums[-1] / count)
        picked: Worlds = self._worlds[np.searchsorted(self._sums, places, side="right")]
        return picked


def _weighed(
    view: View, dealer: Dealer, most: int, budget: Budget, threads: int
) -> tuple[Worlds, NDArray[np.float64]]:
    """Return worlds, and the logarithms of their likelihoods."""
    rules, plays = encode(view.deal.rules), past(view.deal)
    weigh = code("instinct.weigh")
    wanted = int(min(most, max(1.0, EACH * dealer.plan.ways)))
    worlds = np.empty((wanted, view.deal.rules.players + 1), np.uint64)
    logs = np.zeros(wanted)

    def weigh_some(some: slice) -> None:
        weigh(
            rules,
            learned(GUESSES),
            plays.start,
            plays.cards,
            plays.seats,
            view.seat,
            SLIP,
            drawn[some],
            found[some],
        )

    done = 0
    while done < wanted and (not done or budget.allows(WEIGHING)):
        some = slice(done, min(done + max(PORTION * threads, done // 8), wanted))
        drawn, found = worlds[some], logs[some]
        drawn[:] = dealer.draw(len(drawn))
        spread(threads, weigh_some, len(drawn))
        done = some.stop
    return worlds[:done], logs[:done]


def worth_weighing(clock: Clock) -> int:
    """Return the number of worlds to weigh at most, by the limits of the clock.

    Of a thousand worlds in the middle of a deal no more than fifty count for much.
    """
    if clock.milliseconds is not None:
        return min(MOST, max(LEAST, PER_MILLISECOND * clock.milliseconds))
    return min(MOST, max(LEAST, (clock.simulations or 0) * PER_SIMULATION // 100))


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "volte-search")


def spread(threads: int, work: Callable[[slice], None], count: int, step: int = 1) -> None:
    """Do work on `count` rows, in one slice for each thread; its exceptions pass through.

    The first slice is done in this thread: waking another takes as long as playing ten deals out.

    Args:
        step: all slices begin at a multiple of it.
    """
    blocks = -(-count // step)
    shares = max(1, min(threads, blocks))
    ends = [min(blocks * share // shares * step, count) for share in range(shares + 1)]
    own, *others = starmap(slice, pairwise(ends))
    promised = [_pool(threads - 1).submit(work, other) for other in others]
    try:
        work(own)
    finally:
        wait(promised)
    for each in promised:
        each.result()
