"""The protocol of bots, a choice from a view; and a bot as the owner of a seat in a match."""

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
    # Whether milliseconds are processor time of this process, whatever else the machine does; else
    # they are wall time
    processor: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("milliseconds", "simulations"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise VolteError("no_such_number", option=name, least=0, value=value)

    def now(self) -> float:
        """Seconds since a fixed moment, in the kind of time that this clock counts."""
        return process_time() if self.processor else perf_counter()

    def enough(self) -> bool:
        """Whether the bot has to choose at once; called while it thinks."""
        return False


class StoppableClock(Clock, frozen=True, kw_only=True):
    """A clock that may be stopped before its time."""

    stopped: Callable[[], bool]  # returns whether the clock has been stopped

    def enough(self) -> bool:
        return self.stopped()


def asked(view: View) -> View:
    """Return the view if its seat has to act; raise `VolteError` `not_asked` otherwise."""
    if not view.my_turn:
        raise VolteError("not_asked")
    return view


RESERVE: Final = 2.0
"""Milliseconds of wall time held in reserve, a fifth where there are fewer than ten: a busy system
takes the core away for four at a time."""


class Budget:
    """Counts simulations and milliseconds against a clock that limits at least one of them.

    Thinking time starts when the budget is made.
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
        """Time since thinking began, in milliseconds."""
        return (self._now() - self._begun) * 1000

    def allows(self, part: float) -> bool:
        """Whether less than the given part of the milliseconds has gone by."""
        if self._enough():
            return False
        return self._milliseconds is None or self.milliseconds < part * self._milliseconds

    def affords(self, simulations: int) -> int:
        """Return how many of the given simulations may be spent next.

        A limit in milliseconds allows all or none, by the time that each has taken so far. Time
        before the first simulation is preparation, and not counted as theirs.
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
    """A bot's estimate of one action."""

    action: game.Play | game.Pass | game.ChooseMoon  # a legal action
    # Expected points of the seat for the whole deal, if it takes the action; fewer are better
    points: float
    margin: float  # points less the opponents' mean; bots that search compare actions by it
    # One standard error of the margin; None where nothing was drawn by chance
    error: float | None = None
    # Worth in the match: a part of the win, or stakes; None from a bot that does not reckon it
    worth: float | None = None
    moon: float | None = None  # part of its worlds in which the seat takes all; None where unknown


class Thought(msgspec.Struct, frozen=True):
    """A choice, with the estimates that led to it."""

    action: game.SeatAction  # the bot's choice
    # For the actions weighed, the best first; a search that plays weighs every legal card. Empty
    # where the bot weighs none
    estimates: tuple[Estimate, ...] = ()
    worlds: int = 0  # number of worlds (possible deals of the hidden cards) that were searched
    simulations: int = 0  # deals played out in the head
    milliseconds: float = 0.0  # of thinking


class Bot(Protocol):
    """A player that is a program. It knows only its view, and remembers nothing between choices.

    The same bot, made from the same seed, chooses the same from the same view, unless a clock in
    milliseconds stops it earlier.
    """

    def choose(self, view: View, clock: Clock) -> game.SeatAction:
        """Return the action of the view's seat; called only when it has to pass, to play, or to
        choose how its moon counts (`chosen_moon`)."""
        ...


@runtime_checkable
class Thinker(Bot, Protocol):
    """A bot that can give its estimates of actions."""

    def think(self, view: View, clock: Clock) -> Thought:
        """Return the choice that `choose` makes, with its estimates."""
        ...


def think(bot: Bot, view: View, clock: Clock) -> Thought:
    """Return the choice of any bot, with its estimates if it has any."""
    moon = moon_thought(view)
    if moon is not None:
        return moon
    if isinstance(bot, Thinker):
        return bot.think(view, clock)
    begun = clock.now()
    action = bot.choose(view, clock)
    return Thought(action, milliseconds=(clock.now() - begun) * 1000)


def moon_thought(view: View) -> Thought | None:
    """Return the thought of any bot on how its moon counts (W7); None where it has no choice."""
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
    """Return the generator for one choice, so that a resumed match goes on as it would have."""
    return SplitMix64(split(split(seed, view.seat or 0), view.state.version))


# The shooter's choice how a moon counts (W7), alike for every bot


def chosen_moon(view: View) -> game.ChooseMoon | None:
    """Return the seat's choice how its moon counts; None where it has none to make."""
    ways = both_ways(view)
    if ways is None or view.seat is None:
        return None
    return game.ChooseMoon(
        view.seat, minus=takes_off(view.state.rules, view.state.deals, *ways, view.seat)
    )


def both_ways(view: View) -> tuple[Score, Score] | None:
    """Return the scores with the moon on the others and off the shooter; None without a choice."""
    seat, state = view.seat, view.state
    if seat is None or state.shooter != seat:
        return None
    refereed = state.phase is game.Phase.PLAYING and isinstance(state, RefereedMatch)
    if state.phase is not game.Phase.CHOOSING and not refereed:
        return None
    deal = view.deal
    # The only cards unseen when the deal is over are a kitty that another seat has taken.
    shown = replace(deal, kitty=deal.kitty or view.unseen)
    plus, minus = (
        game.score_of(state.rules, state.deals, shown, minus=way) for way in (False, True)
    )
    return plus, minus


def takes_off(
    rules: Ruleset, before: Sequence[Score], plus: Score, minus: Score, seat: int
) -> bool:
    """Whether the shooter does best to take the moon off its own points.

    A match that is won at once beats one that goes on, and that beats one that is lost; then the
    lead over the others counts (they may fall back to half of the limit, W9). If both ways are
    equal, the moon goes on the others where the shooter then has the lowest total, as that brings
    the end nearer, or where there is a pot, which no seat below zero draws from (M6).

    Args:
        before: the deals before.
        plus, minus: the score with the moon on the others, and off the shooter.
        seat: the shooter.
    """
    on, off = (_prospect(rules, (*before, scored), seat) for scored in (plus, minus))
    if on != off:
        return off > on
    sums = totals(rules, (*before, plus))
    return rules.stakes.settlement is not Settlement.POT and sums[seat] > min(sums)


def _prospect(rules: Ruleset, deals: Sequence[Score], seat: int) -> tuple[int, int]:
    """Standing of a match for a seat; greater is better.

    First 2 where it has won, 1 where the match goes on, 0 where it has lost; then the sum, over
    all seats, of points by which each has more than this seat.
    """
    sums = totals(rules, deals)
    outcome = 1
    if match_over(rules, deals):
        outcome = 2 if seat in winners(rules, deals) else 0
    return (outcome, sum(sums) - rules.players * sums[seat])


# A seat of a driven match; at a refereed table every bot is honest


def revokes_to_claim(view: View) -> Iterator[ClaimRevoke]:
    """Yield claims of revokes that the seat has seen proved and not yet paid for (I5, I6, I9)."""
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
    """Return what else the seat has to do: turn down, cut, accept (I4, I6) or choose (W7)."""
    match = view.state
    if view.seat is None or not isinstance(match, RefereedMatch):
        return None
    over = match.phase is game.Phase.PLAYING and (match.reckoned is not None or match.lying.full)
    actions = legal_actions(match, view.seat) if over else ()
    return chosen_moon(view) or (actions[0] if actions else None)


class BotOwner(CopiedWhole):
    """Owner of a seat for `volte.game.Driver`: keeps the view, and asks the bot."""

    def __init__(self, bot: Bot, seat: int, clock: Clock | None = None) -> None:
        self.seat = seat
        self.view: View | None = None  # None before the match has begun
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
        """Return the bot's choice. As a stand-in it lets others take back their plays.

        At a refereed table it first claims revokes that are proved, once for each seat and deal.
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
        """Raise `RuntimeError`: a refused bot is at fault, and would be asked again for ever."""
        raise RuntimeError(f"the bot at seat {self.seat} was refused: {refusal}")
