"""Search: every candidate is played out in many worlds, and the one that does best is chosen.

A world is a way in which the hidden cards may lie (`volte.bots.worlds`). Each candidate is played
in the same worlds, everybody playing by a quick policy from there to the end of the deal. What
counts is what this is worth in the match (`volte.bots.prospects`), or else the margin: the seat's
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

from volte.bots.candidates import CARE, GREAT_CARE, Care, handed_out, passes, unlike
from volte.bots.casual import Casual
from volte.bots.learned import PLAYS, learned
from volte.bots.odds import Weights
from volte.bots.prospects import prospects
from volte.bots.protocol import Budget, Clock, Estimate, Thought, moon_thought, opponents_of
from volte.bots.race import Race
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
    """How a bot searches, and what it spends on it."""

    rollouts: int = INSTINCT  # who plays the deals out; or `CASUAL`
    guesses: bool = True  # whether worlds count by how likely they make what the others have played
    solves: bool = True  # whether the last tricks of a deal are solved exactly, and not played out
    passes: bool = True  # whether the pass is searched as well; else it is that of `casual`
    matches: bool = True  # whether it plays for the match, and not for the points of the deal
    leaves_out: bool = True  # whether it plays no more out what is surely worse
    stops: bool = True  # whether it ends when nothing that matters is open any more
    care: Care = CARE  # when that is sure
    usual: Clock = Clock(simulations=20_000)  # what it spends where the clock says nothing
    most_worlds: int = 1_000_000  # that it looks at, whatever the clock says
    # Simulations of a pass, in rounds that leave the better half of the sets; without, it is a race
    for_pass: int | None = None
    rough_worlds: int = WORLDS  # the same where compiled code cannot play


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
    usual=Clock(simulations=6_400),
    most_worlds=480,
    for_pass=700,
    rough_worlds=30,
)
EXPERT: Final = Style()
CONFIRMING: Final = dataclasses.replace(EXPERT, rollouts=CASUAL)
"""For a second opinion: it takes the others to be `casual`."""

STYLES: Final = {"flat": FLAT, "strong": STRONG, "expert": EXPERT}

LESS: Final = {
    "strong-points": dataclasses.replace(STRONG, matches=False),
    "expert-points": dataclasses.replace(EXPERT, matches=False),
    "expert-even": dataclasses.replace(EXPERT, matches=False, guesses=False),
    "expert-casual": dataclasses.replace(EXPERT, matches=False, rollouts=CASUAL),
    "flat-brief": dataclasses.replace(FLAT, stops=True, care=GREAT_CARE),
}
"""Levels less a part: what that part is worth shows against the level that has it.

`flat-brief` lacks no strength, only the time after which `flat` would choose as it does."""

BY_LEVEL: Final = STYLES | LESS

SLICE: Final = 200
"""Deals that are played out between two looks at the clock, at least: about a millisecond."""

SLICES: Final = 16
"""A look at the clock waits for as many deals as all before it, divided by this."""

PART: Final = 16
"""Worlds that have a seed of their own, and so stay together whatever the number of threads."""

ENDING: Final = {3: 4, 4: 3, 5: 3, 6: 2, 7: 2}
"""By the number of seats, tricks that are solved in about the time that it takes to play them."""

FEWEST_PASSES: Final = 8
"""Sets of cards that are looked at, at least."""

LEAST_VENTURED: Final = 2.0
"""Points that passing low for a moon must be better by, besides two standard errors."""

CODE: Final = (
    *("worlds.lay_out", "worlds.count_ways", "worlds.draw", "playouts.play_out"),
    *("instinct.weigh", "playouts.forecast", "playing.deals_to_end"),
)
"""The compiled code that is needed."""

Options = dict[int, tuple[Play | Pass, ...]]
"""Candidates as masks, and the actions that each stands for."""


class Search:
    """A bot that searches.

    Where the kernel cannot play, and as long as its code is being fetched in the background, it
    plays as `casual` does; also where no world agrees with what was played, as somebody has broken
    a rule, and while a card lies on the table before its turn (I2).
    """

    def __init__(self, style: Style = EXPERT, seed: int = 0, threads: int = 1) -> None:
        """
        Args:
            threads: that share a search; it finds the same whatever their number.
        """
        self._style = style
        self._seed = read_seed(seed)
        self._threads = threads
        self._casual = Casual()
        self._rough = RoughSearch(seed, style.rough_worlds)

    @classmethod
    def judge(cls, seed: int = 0, style: Style = EXPERT) -> Self:
        """One that looks at what others have done: every candidate is played out."""
        return cls(dataclasses.replace(style, leaves_out=False, stops=False), seed)

    def choose(self, view: View, clock: Clock) -> SeatAction:
        return self.think(view, clock).action

    def think(self, view: View, clock: Clock, also: SeatAction | None = None) -> Thought:
        """The choice, and what each candidate is expected to come to.

        Args:
            also: what is to be looked at in any case.
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
                budget = Budget(clock)  # whatever it took to get the code is not counted
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
    """One search: candidates race in worlds that are drawn for it.

    Raises `KernelFault` where the kernel cannot play the ruleset.
    """

    view: View
    options: Options
    style: Style
    clock: Clock
    budget: Budget  # what is left of the clock
    seed: int  # of this choice alone
    threads: int  # that share it
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
        self.prospects = prospects(view) if style.matches else None
        opponents = opponents_of(deal.rules, view.seat)
        self.race = Race(
            len(self.options),
            view.seat,
            opponents,
            style.care,
            [self.foreseen.get(candidate, nan) for candidate in self.candidates],
        )
        if style.guesses and playing and (deal.tricks or deal.trick) and in_turn(deal):
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
        """The best first; but nothing is passed for a moon that is not likely to pay."""
        race, order = self.race, self.race.order
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
        """Rounds that take as long, each leaving the better half; the last one compares two."""
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
        """Plays the running candidates out in so many more worlds."""
        points = self._played_out(worlds)
        if self.prospects is None:
            self.race.add(points)
        else:
            self.race.add(points, *self.prospects.costs(points, self.seat))
        self.budget.spent = self.race.simulations

    def _played_out(self, count: int) -> NDArray[np.float64]:
        """Everybody's points, `[worlds, running, players]`, in so many more worlds."""
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
        """Of every action that a candidate stands for."""
        race = self.race
        found = (race.points[number], race.margins[number], race.errors[number])
        points, margin, error = map(float, found)
        worth = float(race.worth[number]) if self.prospects is not None else None
        actions = self.options[self.candidates[number]]
        return [Estimate(each, points, margin, error, worth) for each in actions]


def company(players: int, rollouts: int = INSTINCT) -> Records:
    """Who plays the deals out, by that policy; everybody passes as `casual` does."""
    return seated([Policy(rollouts, tuple(asdict(Weights()).items()))] * players)


def _most_passes(clock: Clock) -> int:
    """How many sets of cards to look at: few enough that each is played out often."""
    if clock.milliseconds is not None:
        return max(FEWEST_PASSES, clock.milliseconds // 4)
    return max(FEWEST_PASSES, (clock.simulations or 0) // 800)


def _is_compiled(view: View) -> bool:
    """Whether the kernel knows the rules of that table."""
    try:
        encode(view.deal.rules)
    except KernelFault:
        return False
    return True
