"""Search: play every candidate out in many worlds, and choose the best.

A world is a possible deal of the hidden cards (`volte.bots.worlds`). Each candidate is played in
the same worlds, and all seats play by a quick policy from there to the end of the deal. Candidates
are compared by their worth in the match (`volte.bots.prospects`), or else by the margin: the seat's
points less the mean of its opponents'. So a moon of one's own is worth its whole price, and
another's is worth stopping.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan, nan
from typing import Final, Self

import numpy as np
from msgspec.structs import asdict, replace
from numpy.typing import NDArray

from volte.bots.candidates import (
    CARE,
    GREAT_CARE,
    Care,
    handed_out,
    passes,
    preferred,
    queen_eaters,
    unlike,
)
from volte.bots.casual import Casual
from volte.bots.learned import PLAYS, learned
from volte.bots.odds import Weights
from volte.bots.prospects import prospects
from volte.bots.protocol import Budget, Clock, Estimate, Thought, moon_thought, opponents_of
from volte.bots.race import Race, points_tell
from volte.bots.rough import WORLDS, RoughSearch, plays
from volte.bots.worlds import Dealer, Likely, here, in_turn, spread, worth_weighing
from volte.cards import mask_of
from volte.fair import read_seed, split
from volte.game import Pass, Phase, Play, SeatAction
from volte.kernel import KernelFault
from volte.kernel.encoding import Policy, encode, seated
from volte.kernel.layout import CASUAL, INSTINCT, Records
from volte.kernel.startup import code, coming
from volte.referee import RefereedDeal
from volte.view import View


@dataclass(frozen=True)
class Style:
    """Settings of a search, and its usual effort."""

    rollouts: int = INSTINCT  # policy that plays deals out: `INSTINCT` or `CASUAL`
    guesses: bool = True  # whether worlds are weighed by the likelihood of the others' plays
    # Whether they are weighed so only where a card might take the unseen queen of spades
    guesses_queen: bool = False
    solves: bool = True  # whether the last tricks of a deal are solved exactly, and not played out
    passes: bool = True  # whether the pass is searched as well; else it is that of `casual`
    matches: bool = True  # whether it plays for the match, and not for the points of the deal
    leaves_out: bool = True  # whether candidates that are surely worse are no longer played out
    stops: bool = True  # whether it ends when more worlds could hardly change the choice
    # Whether a `preferred` card is played that it cannot tell apart from the best
    prefers: bool = False
    care: Care = CARE  # certainty wanted for both
    usual: Clock = Clock(simulations=20_000)  # limit where the clock sets none
    most_worlds: int = 1_000_000  # most worlds it plays in, whatever the clock allows
    # Simulations for a pass, in rounds that keep the better half of the sets; None for a race
    for_pass: int | None = None
    rough_worlds: int = WORLDS  # most worlds where compiled code cannot play


FLAT: Final = Style(
    CASUAL,
    guesses=False,
    solves=False,
    passes=False,
    matches=False,
    leaves_out=False,
    stops=False,
)
"""Plain flat Monte Carlo: the mark that `expert` is measured by."""

STRONG: Final = Style(
    guesses=False,
    guesses_queen=True,
    prefers=True,
    usual=Clock(simulations=6_400),
    most_worlds=480,
    for_pass=2_800,
    rough_worlds=30,
)
EXPERT: Final = Style()
CONFIRMING: Final = dataclasses.replace(EXPERT, rollouts=CASUAL)
"""Style for a second opinion: it assumes that the others play as `casual`."""

STYLES: Final = {"flat": FLAT, "strong": STRONG, "expert": EXPERT}

LESS: Final = {
    "strong-points": dataclasses.replace(STRONG, matches=False),
    "expert-points": dataclasses.replace(EXPERT, matches=False),
    "expert-even": dataclasses.replace(EXPERT, matches=False, guesses=False),
    "expert-casual": dataclasses.replace(EXPERT, matches=False, rollouts=CASUAL),
    "flat-brief": dataclasses.replace(FLAT, stops=True, care=GREAT_CARE),
}
"""Levels without one part, whose worth shows in play against the full level.

`flat-brief` lacks no strength: it stops where `flat` would go on to the same choice."""

BY_LEVEL: Final = STYLES | LESS

SLICE: Final = 200
"""Deals that are played out between two looks at the clock, at least: about a millisecond."""

SLICES: Final = 16
"""Divisor of the deals played so far, for the number until the next look at the clock."""

PART: Final = 16
"""Worlds that share a seed, and so stay together whatever the number of threads."""

ENDING: Final = {3: 4, 4: 3, 5: 3, 6: 2, 7: 2}
"""Last tricks, by the number of seats, that are solved in about the time of playing them out."""

AS_GOOD: Final = 0.25
"""Most by which a preferred card may cost more than the best, beside one standard error."""

MOST_LOST: Final = 0.5
"""Most points of the deal that it may lose, also where the match makes them cheap."""

FEWEST_PASSES: Final = 8
"""Least number of sets of cards that are compared for a pass."""

LEAST_VENTURED: Final = 2.0
"""Least points, and at least two standard errors, by which passing low for a moon must gain."""

CODE: Final = (
    *("worlds.lay_out", "worlds.count_ways", "worlds.draw", "playouts.play_out"),
    *("instinct.weigh", "playouts.forecast", "playing.deals_to_end"),
)
"""Names of the compiled functions that a search needs."""

Options = dict[int, tuple[Play | Pass, ...]]
"""Candidates as masks, each with the actions that it stands for."""


class Search:
    """A bot that searches.

    It plays as `rough` where the kernel does not know the rules; and as `casual` while code is
    being fetched in the background, where no world agrees with the plays, as a rule has been
    broken, and while a card lies on the table before its turn (I2).
    """

    def __init__(self, style: Style = EXPERT, seed: int = 0, threads: int = 1) -> None:
        """
        Args:
            threads: number of threads that share a search; the result does not depend on it.
        """
        self._style = style
        self._seed = read_seed(seed)
        self._threads = threads
        self._casual = Casual()
        self._rough = RoughSearch(seed, style.rough_worlds)

    @classmethod
    def judge(cls, seed: int = 0, style: Style = EXPERT) -> Self:
        """Make a search that judges choices of others: it plays every candidate out to the end."""
        return cls(dataclasses.replace(style, leaves_out=False, stops=False), seed)

    def choose(self, view: View, clock: Clock) -> SeatAction:
        return self.think(view, clock).action

    def think(self, view: View, clock: Clock, also: SeatAction | None = None) -> Thought:
        """Return the choice, with an estimate of each candidate.

        Args:
            also: a pass to be estimated in any case.
        """
        moon = moon_thought(view)
        if moon is not None:
            return moon
        if clock.milliseconds is None and clock.simulations is None:
            usual = self._style.usual
            clock = replace(clock, milliseconds=usual.milliseconds, simulations=usual.simulations)
        budget = Budget(clock)
        try:
            if not _is_compiled(view):
                thought = self._rough.think(view, clock)
            elif any(map(coming, CODE)):
                thought = Thought(self._casual.choose(view, clock))
            else:
                for name in CODE:
                    code(name)
                budget = Budget(clock)  # the time to fetch the code is not counted
                thought = self._think(view, clock, budget, also)
        except KernelFault:
            thought = Thought(self._casual.choose(view, clock))
        return replace(thought, milliseconds=budget.milliseconds)

    def _think(self, view: View, clock: Clock, budget: Budget, also: SeatAction | None) -> Thought:
        options: Options
        foreseen: dict[int, float] = {}
        if isinstance(view.deal, RefereedDeal) and view.deal.waiting:
            return Thought(self._casual.choose(view, clock))
        if view.state.phase is Phase.PLAYING:
            options = {bit: plays(view.seat, cards) for bit, cards in unlike(view).items()}
        elif self._style.passes:
            foreseen = passes(view, _most_passes(clock))
            options = {mask: (Pass(view.seat, handed_out(view, mask)),) for mask in foreseen}
            if isinstance(also, Pass):
                options[mask_of(also.cards)] = (also,)
        else:
            return Thought(self._casual.choose(view, clock))
        if len(options) == 1:
            return Thought(next(iter(options.values()))[0])
        seed = split(split(self._seed, view.seat), view.state.version)
        return Hunt(
            view, options, self._style, clock, budget, seed, self._threads, foreseen
        ).thought()


@dataclass
class Hunt:
    """One search, in which candidates race in worlds drawn for it.

    Raises `KernelFault` where the kernel cannot play the ruleset.
    """

    view: View
    options: Options
    style: Style
    clock: Clock
    budget: Budget  # effort left by the clock
    seed: int  # of this choice alone
    threads: int  # number of threads that share the search
    foreseen: Mapping[int, float] = field(default_factory=dict)  # by set of cards, see `passes`

    def __post_init__(self) -> None:
        view, style = self.view, self.style
        deal = view.deal
        playing = view.state.phase is Phase.PLAYING
        self.candidates = list(self.options)
        self.rules = encode(deal.rules)
        self.players = deal.rules.players
        self.company = company(self.players, style.rollouts)
        self.here = here(view)
        self.ending = ENDING[self.players] if style.solves else 0
        self.seat = view.seat
        self.total = points_tell(deal.rules)
        self.prospects = prospects(view) if style.matches else None
        opponents = opponents_of(deal.rules, view.seat)
        self.race = Race(
            len(self.options),
            view.seat,
            opponents,
            style.care,
            [self.foreseen.get(candidate, nan) for candidate in self.candidates],
            self.total,
        )
        guesses = style.guesses or (style.guesses_queen and playing and queen_eaters(view))
        if guesses and playing and (deal.tricks or deal.trick) and in_turn(deal):
            self.worlds: Dealer | Likely = Likely(
                view, self.seed, worth_weighing(self.clock), self.budget, self.threads
            )
        else:
            self.worlds = Dealer(view, self.seed)

    def thought(self) -> Thought:
        if self.style.for_pass is not None and self.foreseen:
            self._halve(self.style.for_pass)
        else:
            self._run_race()
        estimates = tuple(
            estimate for number in self._order() for estimate in self._estimates(number)
        )
        return Thought(estimates[0].action, estimates, self.race.worlds, self.budget.spent)

    def _order(self) -> list[int]:
        """Candidates, the chosen one first, then the best first."""
        order = self.race.order
        if self.foreseen:
            return self._not_ventured(order)
        if self.style.prefers:
            chosen = self._preferred_to(order[0])
            order.sort(key=lambda number: number != chosen)
        return order

    def _preferred_to(self, best: int) -> int:
        """The lowest card preferred to the best that may do as well; or else the best."""
        cards = preferred(self.view, self.candidates[best])
        for number in self.race.running.tolist():
            if self.candidates[number] & cards:
                gap, error = self.race.gap(best, number)
                points = self.race.margins[number] - self.race.margins[best]
                if gap - error <= AS_GOOD and points <= MOST_LOST:
                    return number
        return best

    def _not_ventured(self, order: list[int]) -> list[int]:
        """The order of passes; but a pass for a moon comes first only if it surely gains."""
        race = self.race
        ventures = {
            number
            for number, candidate in enumerate(self.candidates)
            if isnan(self.foreseen.get(candidate, 0.0))
        }
        if order[0] in ventures:
            best = next(number for number in order if number not in ventures)
            gain, error = race.gap(order[0], best)
            if gain < max(LEAST_VENTURED, 2 * error):
                order.sort(key=ventures.__contains__)
        return order

    def _halve(self, most: int) -> None:
        """Play rounds of equal effort, each keeping the better half; the last one compares two."""
        race = self.race
        rounds = max(1, (len(self.candidates) - 1).bit_length())
        most = self.budget.affords(most)
        for _ in range(rounds):
            if race.worlds:
                race.leave((len(race.running) + 1) // 2)
            running = len(race.running)
            count = self.budget.affords(max(most // rounds // running, 1) * running) // running
            if not count and race.worlds:
                break
            self.add(count or 1)

    def _run_race(self) -> None:
        race, style = self.race, self.style
        while not (style.stops and race.settled):
            running = len(race.running)
            wanted = max(1, max(SLICE, race.simulations // SLICES) // running) * running
            count = self.budget.affords(wanted) // running
            count = min(count or int(not race.worlds), style.most_worlds - race.worlds)
            if count < 1:
                break
            self.add(count)
            if style.leaves_out:
                race.rule_out()

    def add(self, worlds: int) -> None:
        """Play the running candidates out in a number of new worlds, and add the results."""
        points = self._played_out(worlds)
        if self.prospects is None:
            self.race.add(points)
        else:
            self.race.add(points, *self.prospects.costs(points, self.seat))
        self.budget.spent = self.race.simulations

    def _played_out(self, count: int) -> NDArray[np.float64]:
        """Return the points of all seats in `count` new worlds, `[worlds, running, players]`."""
        race = self.race
        worlds = self.worlds.draw(count)
        bits = np.array(self.candidates, np.uint64)[race.running]
        points = np.empty((count, len(bits), self.players))
        play_out = code("playouts.play_out")

        def play(share: slice) -> None:
            for start in range(share.start, share.stop, PART):
                part = slice(start, min(start + PART, share.stop))
                play_out(
                    self.rules,
                    self.company,
                    learned(PLAYS),
                    self.here,
                    worlds[part],
                    bits,
                    np.uint64(split(self.seed, race.worlds + start)),
                    self.ending,
                    points[part],
                )

        spread(self.threads, play, count, PART)
        return points

    def _estimates(self, number: int) -> list[Estimate]:
        """Return the estimates of all actions that a candidate stands for."""
        race = self.race
        found = (race.points[number], race.margins[number], race.errors[number])
        points, margin, error = map(float, found)
        worth = float(race.worth[number]) if self.prospects is not None else None
        moon = None if self.total is None else float(race.moons[number])
        actions = self.options[self.candidates[number]]
        return [Estimate(each, points, margin, error, worth, moon) for each in actions]


def company(players: int, rollouts: int = INSTINCT) -> Records:
    """Return a row of players for playing deals out, all with one policy and `casual`'s weights."""
    return seated([Policy(rollouts, tuple(asdict(Weights()).items()))] * players)


def _most_passes(clock: Clock) -> int:
    """Return the number of sets of cards to compare: few enough to play each out often."""
    if clock.milliseconds is not None:
        return max(FEWEST_PASSES, clock.milliseconds // 4)
    return max(FEWEST_PASSES, (clock.simulations or 0) // 800)


def _is_compiled(view: View) -> bool:
    """Whether the kernel knows the rules of the view's deal."""
    try:
        encode(view.deal.rules)
    except KernelFault:
        return False
    return True
