"""What a bot is: a choice from a view, and nothing more; and a bot at a seat of a driven match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter, process_time
from typing import Final, Protocol, runtime_checkable

import msgspec
from msgspec.structs import replace

from volte import game
from volte.cards import CopiedWhole, VolteError
from volte.cards.public import check_fields, explain
from volte.fair.chance import SplitMix64, split
from volte.game.decide import still_to_consent
from volte.referee import ClaimRevoke, Event, RefereedMatch, legal_actions, shown_revokes
from volte.referee import SeatAction as RefereedAction
from volte.rules import Ruleset, Score, Settlement, match_over, totals, winners
from volte.view import View


class Clock(msgspec.Struct, frozen=True):
    """The most time and simulations that a bot may spend on one choice; None for no limit.

    Raises `VolteError` for fewer than none.
    """

    milliseconds: int | None = None  # of thinking
    simulations: int | None = None  # deals played out in the head
    # Whether the milliseconds are those that the processor works for this process, whatever else it
    # does meanwhile; else those of the clock on the wall
    processor: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("milliseconds", "simulations"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise VolteError("no_such_number", option=name, least=0, value=value)

    def now(self) -> float:
        """Seconds that have gone by since some moment, in the time that this clock counts."""
        return process_time() if self.processor else perf_counter()

    def enough(self) -> bool:
        """Whether the choice is wanted now; asked while the bot thinks."""
        return False


class StoppableClock(Clock, frozen=True, kw_only=True):
    """A clock that somebody may stop before its time."""

    stopped: Callable[[], bool]  # whether somebody has

    def enough(self) -> bool:
        return self.stopped()


def asked(view: View) -> View:
    """The view of a seat that is asked to act. Raises `VolteError` `not_asked` for any other."""
    if not view.my_turn:
        raise VolteError("not_asked")
    return view


RESERVE: Final = 2.0
"""Milliseconds on the wall, or a fifth of fewer than ten, that are not planned with: a busy system
takes the core away for four at a time."""


class Budget:
    """Counts simulations and milliseconds against a clock; the clock says at least one of them.

    Thinking begins when it is made.
    """

    def __init__(self, clock: Clock) -> None:
        self.spent = 0  # simulations so far
        self._simulations = clock.simulations
        self._milliseconds: float | None = clock.milliseconds
        if clock.milliseconds is not None and not clock.processor:
            self._milliseconds = clock.milliseconds - min(RESERVE, clock.milliseconds / 5)
        self._enough = clock.enough
        self._now = clock.now
        self._begun = clock.now()
        self._prepared = 0.0

    @property
    def milliseconds(self) -> float:
        """How long it is since thinking began."""
        return (self._now() - self._begun) * 1000

    def allows(self, part: float) -> bool:
        """Whether that part of the milliseconds is not over yet."""
        if self._enough():
            return False
        return self._milliseconds is None or self.milliseconds < part * self._milliseconds

    def affords(self, simulations: int) -> int:
        """How many of so many simulations may be spent next.

        By the milliseconds it is all or nothing: as many as took so long take so long again. What
        went by before any were spent, went into preparing, and is not counted to them.
        """
        if self._enough():
            return 0
        if self._simulations is not None:
            simulations = min(simulations, self._simulations - self.spent)
        if self._milliseconds is not None:
            now = self.milliseconds
            if not self.spent:
                self._prepared = now
            elif now + (now - self._prepared) * simulations / self.spent > self._milliseconds:
                return 0
        return max(simulations, 0)


class Estimate(msgspec.Struct, frozen=True):
    """What a bot expects of one action."""

    action: game.Play | game.Pass | game.ChooseMoon  # that may be taken
    # Of the deal, that the seat will have in the end if it takes it; fewer are better
    points: float
    margin: float  # the same less the mean of the opponents: what a bot that searches goes by
    # One standard error of the margin; None where nothing was drawn by chance
    error: float | None = None
    # What it brings of the match: a part of the win, or stakes; None for a bot that does not ask
    worth: float | None = None


class Thought(msgspec.Struct, frozen=True):
    """A choice, and what led to it."""

    action: game.SeatAction  # what the bot does
    # Of the actions it weighed, the best first; of every legal card where it played one and
    # searches. Empty where it weighs nothing
    estimates: tuple[Estimate, ...] = ()
    worlds: int = 0  # ways in which the hidden cards may lie that were looked at
    simulations: int = 0  # deals played out in the head
    milliseconds: float = 0.0  # that it took


class Bot(Protocol):
    """A player that is a program. It knows what its view tells, and keeps nothing between choices.

    The same bot, made from the same seed, chooses the same from the same view, unless a clock in
    milliseconds stops it earlier.
    """

    def choose(self, view: View, clock: Clock) -> game.SeatAction:
        """What the seat whose view it is does; only when it has to pass, to play, or to say how
        its moon counts (`chosen_moon`)."""
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
    """The thought of any bot that has to say how its moon counts (W7); None where it has not."""
    chosen, ways = chosen_moon(view), both_ways(view)
    if chosen is None or ways is None:
        return None
    estimates = []
    for minus, scored in zip((False, True), ways, strict=True):
        points, opponents = scored.points, opponents_of(view.deal.rules, chosen.seat)
        mean = sum(points[seat] for seat in opponents) / len(opponents)
        own = points[chosen.seat]
        estimates.append(Estimate(game.ChooseMoon(chosen.seat, minus), float(own), own - mean))
    estimates.sort(key=lambda estimate: estimate.action != chosen)
    return Thought(chosen, tuple(estimates))


def opponents_of(rules: Ruleset, seat: int) -> tuple[int, ...]:
    """The seats of all other sides (W10)."""
    return tuple(other for other in range(rules.players) if other not in rules.side(seat))


def draws_of(seed: int, view: View) -> SplitMix64:
    """The draws that belong to one choice: a match that is resumed goes on as it would have."""
    return SplitMix64(split(split(seed, view.seat or 0), view.state.version))


# How a moon is to count that its shooter may choose for (W7): the same for every bot


def chosen_moon(view: View) -> game.ChooseMoon | None:
    """The choice of a seat for its moon; None where it has none to make."""
    ways = both_ways(view)
    if ways is None or view.seat is None:
        return None
    return game.ChooseMoon(
        view.seat, minus=takes_off(view.state.rules, view.state.deals, *ways, view.seat)
    )


def both_ways(view: View) -> tuple[Score, Score] | None:
    """The score with the moon put on the others, and with it taken off the seat that may choose."""
    seat, state = view.seat, view.state
    if seat is None or state.shooter != seat:
        return None
    refereed = state.phase is game.Phase.PLAYING and isinstance(state, RefereedMatch)
    if state.phase is not game.Phase.CHOOSING and not refereed:
        return None
    deal = view.deal
    # All that a seat has not seen when the deal is over is a kitty that somebody else has taken.
    shown = replace(deal, kitty=deal.kitty or view.unseen)
    plus, minus = (
        game.score_of(state.rules, state.deals, shown, minus=way) for way in (False, True)
    )
    return plus, minus


def takes_off(
    rules: Ruleset, before: Sequence[Score], plus: Score, minus: Score, seat: int
) -> bool:
    """Whether the shooter does best to take the moon off their own points.

    A match that is won at once beats one that goes on, and that beats one that is lost; then what
    counts is how far the others are behind (they may fall back to half of the limit, W9). Where it
    is all the same, the moon goes on the others if the shooter is in front then, as that brings
    the end nearer, or if there is a pot, which nobody draws from with points below zero (M6).

    Args:
        before: the deals before.
        plus, minus: the deal as it would be scored.
        seat: the shooter.
    """
    on, off = (_prospect(rules, (*before, scored), seat) for scored in (plus, minus))
    if on != off:
        return off > on
    sums = totals(rules, (*before, plus))
    return rules.stakes.settlement is not Settlement.POT and sums[seat] > min(sums)


def _prospect(rules: Ruleset, deals: Sequence[Score], seat: int) -> tuple[int, int]:
    """How a match stands for a seat: the greater, the better.

    First 2 where it has won, 1 where the match goes on, 0 where it has lost; then the points that
    all seats together have more than if all had what this one has.
    """
    sums = totals(rules, deals)
    outcome = 1
    if match_over(rules, deals):
        outcome = 2 if seat in winners(rules, deals) else 0
    return (outcome, sum(sums) - rules.players * sums[seat])


# A seat of a driven match; at a refereed table every bot is honest


def revokes_to_claim(view: View) -> Iterator[ClaimRevoke]:
    """Claims of revokes that the seat has seen proved, and that nobody has won yet (I5, I6, I9)."""
    match = view.state
    if view.seat is None or not isinstance(match, RefereedMatch):
        return
    if match.phase is not game.Phase.PLAYING or not match.lying.tricks:
        return
    paid = {view.seat, *match.lying.offenders}
    for shown in shown_revokes(match.lying):
        if shown.seat not in paid:
            paid.add(shown.seat)
            yield ClaimRevoke(view.seat, shown.seat, shown.trick)


def in_order(view: View) -> RefereedAction | None:
    """What else the table waits for: it turns down, cuts or accepts (I4, I6), chooses (W7)."""
    match = view.state
    if view.seat is None or not isinstance(match, RefereedMatch):
        return None
    over = match.phase is game.Phase.PLAYING and (match.reckoned is not None or match.lying.full)
    actions = legal_actions(match, view.seat) if over else ()
    return chosen_moon(view) or (actions[0] if actions else None)


class BotOwner(CopiedWhole):
    """Owns a seat for `volte.game.Driver`: keeps the view, and asks the bot."""

    def __init__(self, bot: Bot, seat: int, clock: Clock | None = None) -> None:
        self.seat = seat
        self.view: View | None = None  # before the match has begun
        self._bot = bot
        self._clock = clock or Clock()
        self._claimed: set[tuple[int, int]] = set()

    def tell(self, events: Sequence[Event]) -> None:
        try:
            self.view = self.view.see(*events) if self.view else View.of(self.seat, events)
        except Exception as error:
            explain(error, BotOwner.tell, self, events)
            raise

    def ask(self) -> RefereedAction:
        """The bot's choice. A bot that sits in for a person lets others take back their plays.

        At a refereed table it claims first what it has seen proved, once for each seat and deal.
        """
        assert self.view is not None
        if self.seat in still_to_consent(self.view.state):
            return game.AnswerUndo(self.seat, allow=True)
        for claim in revokes_to_claim(self.view):
            about = (self.view.deal.number, claim.against)
            if about not in self._claimed:
                self._claimed.add(about)
                return claim
        return in_order(self.view) or self._bot.choose(self.view, self._clock)

    def refused(self, refusal: game.Refusal) -> None:
        """A bot that is refused is at fault: raises `RuntimeError`, or it would ask for ever."""
        raise RuntimeError(f"the bot at seat {self.seat} was refused: {refusal}")
