"""What a bot is: a choice from a view, and nothing more."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time
from typing import Protocol, runtime_checkable

import msgspec

from volte.bots.choosing import both_ways, chosen_moon
from volte.game import ChooseMoon, Pass, Play, SeatAction
from volte.rules import Ruleset
from volte.view import View


class Clock(msgspec.Struct, frozen=True):
    """What a bot may spend on one choice; None where it may spend what it likes.

    Attributes:
        milliseconds: of thinking.
        simulations: deals played out in the head.
        processor: whether the milliseconds are those that the processor works for this process,
            whatever else it does meanwhile; else those of the clock on the wall.
    """

    milliseconds: int | None = None
    simulations: int | None = None
    processor: bool = False

    def now(self) -> float:
        """Seconds that have gone by since some moment, in the time that this clock counts."""
        return process_time() if self.processor else perf_counter()

    def enough(self) -> bool:
        """Whether the choice is wanted now; asked while the bot thinks."""
        return False


class StoppableClock(Clock, frozen=True, kw_only=True):
    """A clock that somebody may stop before its time.

    Attributes:
        stopped: whether somebody has.
    """

    stopped: Callable[[], bool]

    def enough(self) -> bool:
        return self.stopped()


class Estimate(msgspec.Struct, frozen=True):
    """What a bot expects of one action.

    Attributes:
        action: that may be taken.
        points: of the deal, that the seat will have in the end if it takes it; fewer are better.
        margin: the same less the mean of the opponents: what a bot that searches goes by.
        error: one standard error of the margin; None where nothing was drawn by chance.
        worth: what it brings of the match: a part of the win, or stakes; None for a bot that does
            not ask.
    """

    action: Play | Pass | ChooseMoon
    points: float
    margin: float
    error: float | None = None
    worth: float | None = None


class Thought(msgspec.Struct, frozen=True):
    """A choice, and what led to it.

    Attributes:
        action: what the bot does.
        estimates: of the actions it weighed, the best first; of every legal card where it played
            one and searches. Empty where it weighs nothing.
        worlds: ways in which the hidden cards may lie that were looked at.
        simulations: deals played out in the head.
        milliseconds: that it took.
    """

    action: SeatAction
    estimates: tuple[Estimate, ...] = ()
    worlds: int = 0
    simulations: int = 0
    milliseconds: float = 0.0


class Bot(Protocol):
    """A player that is a program. It knows what its view tells, and keeps nothing between choices.

    The same bot, made from the same seed, chooses the same from the same view, unless a clock in
    milliseconds stops it earlier.
    """

    def choose(self, view: View, clock: Clock) -> SeatAction:
        """What the seat whose view it is does; only when it has to pass, to play, or to say how
        its moon counts (`volte.bots.choosing`)."""
        ...


@runtime_checkable
class Thinker(Bot, Protocol):
    """A bot that can tell what it expects of each action."""

    def think(self, view: View, clock: Clock) -> Thought:
        """The choice that `choose` makes, and its estimates."""
        ...


def think(bot: Bot, view: View, clock: Clock) -> Thought:
    """What any bot chooses, with its estimates if it has any."""
    moon = moon_thought(view)
    if moon is not None:
        return moon
    if isinstance(bot, Thinker):
        return bot.think(view, clock)
    begun = clock.now()
    action = bot.choose(view, clock)
    return Thought(action, milliseconds=(clock.now() - begun) * 1000)


def moon_thought(view: View) -> Thought | None:
    """What every bot thinks where it has to say how its moon counts (W7); None where it has not."""
    chosen, ways = chosen_moon(view), both_ways(view)
    if chosen is None or ways is None:
        return None
    told = []
    for minus, scored in zip((False, True), ways, strict=True):
        points, opponents = scored.points, opponents_of(view.deal.rules, chosen.seat)
        mean = sum(points[seat] for seat in opponents) / len(opponents)
        own = points[chosen.seat]
        told.append(Estimate(ChooseMoon(chosen.seat, minus), float(own), own - mean))
    told.sort(key=lambda estimate: estimate.action != chosen)
    return Thought(chosen, tuple(told))


def opponents_of(rules: Ruleset, seat: int) -> tuple[int, ...]:
    """The seats of all other sides (W10)."""
    return tuple(other for other in range(rules.players) if other not in rules.side(seat))
