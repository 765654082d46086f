"""A match looked back on: what a bot that searches would have done, and what the cards were worth.

Every choice is judged from what its seat saw then, and no more. What seems to have cost most is
looked at again, in other worlds and more of them: the dearest of many guesses is mostly a guess too
high. It is told only where a search agrees that takes the others to play in another way. What the
cards were worth, apart from how they were played, is their luck.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Final

import msgspec
import numpy as np
from msgspec.structs import astuple, replace

from volte import game
from volte.bots.candidates import unlike
from volte.bots.learned import PLAYS, learned
from volte.bots.prospects import DOUBT, FALLBACK
from volte.bots.protocol import Clock, Estimate
from volte.bots.reasons import Reason, hint, reason_of
from volte.bots.search import CODE, Search, company
from volte.cards import mask_of
from volte.fair import split
from volte.kernel import KernelFault, position
from volte.kernel.encoding import encode
from volte.kernel.layout import CASUAL
from volte.kernel.startup import code
from volte.referee import Event, RefereedDeal, evolve, visible
from volte.referee.events import Misdealt, TakenBack
from volte.rules import Ruleset, Settlement
from volte.view import View

AFTERWARDS: Final = Clock(simulations=20_000)
"""The usual clock for judging a choice."""

CLOSER: Final = 5
"""How many times as much is spent on a second look."""

LOOKED_AGAIN: Final = 8
"""Choices of a seat that get a second look, `PASSES_AGAIN` of them passes at most."""

PASSES_AGAIN: Final = 2

MOST_TOLD: Final = 5
"""Choices of a seat that are shown as the costliest, one of them a pass at most."""

LEAST_POINTS: Final = 0.1
"""Fewer points are not worth showing; of a match, `DOUBT` is the least."""

Listener = Callable[[int, int], None]
"""Called with the progress so far, and the whole."""


# Luck: with all hands known, the deal is played out many times by the same company for every seat

PLAYED_OUT: Final = 400
"""How often a deal is, to tell what its cards are worth."""


class Parts(msgspec.Struct, frozen=True):
    """What the points of a seat are made of: the share, luck and play come to them together."""

    points: float  # that it had
    share: float  # what a hand at that table was worth on average
    luck: float  # by how much its cards were worse than that
    play: float  # what it had beyond the worth of its cards, by what it did and the others did

    @property
    def cards(self) -> float:
        return self.share + self.luck


class DealLuck(msgspec.Struct, frozen=True):
    """A deal that has been played."""

    number: int
    points: tuple[int, ...]  # by seat
    totals: tuple[int, ...]  # by seat, with these
    # By seat, what its cards would have come to, had everybody played alike; None where unknown
    cards: tuple[float, ...] | None

    def parts(self, seat: int) -> Parts | None:
        """What the points of a seat are made of; None where that is unknown."""
        if self.cards is None:
            return None
        share, cards = float(np.mean(self.cards)), self.cards[seat]
        return Parts(self.points[seat], share, cards - share, self.points[seat] - cards)


def together(deals: Iterable[DealLuck], seat: int) -> Parts | None:
    """What the points of a seat are made of, in all deals where that is known."""
    parts = [each for deal in deals if (each := deal.parts(seat)) is not None]
    if not parts:
        return None
    return Parts(*map(sum, zip(*map(astuple, parts), strict=True)))


def worth_of_cards(deal: game.DealState, leader: View) -> tuple[float, ...] | None:
    """What every seat has in the end on average, if all play alike from the first card on.

    Args:
        deal: with all hands, before the first card.
        leader: what whoever leads to it knows.

    None where compiled code cannot play it, and where cards are missing from the hands (I8).
    """
    if isinstance(deal, RefereedDeal) and deal.short:
        return None
    try:
        rules = encode(deal.rules)
    except KernelFault:
        return None
    players = deal.rules.players
    row = position(deal)
    worlds = np.array([[*deal.hands, deal.kitty]] * PLAYED_OUT, np.uint64)
    first = hint(leader).action
    assert isinstance(first, game.Play)
    points = np.empty((PLAYED_OUT, 1, players))
    code("playouts.play_out")(
        rules,
        company(players),
        learned(PLAYS),
        row,
        worlds,
        np.array([first.card.bit], np.uint64),
        np.uint64(split(deal.number, players)),
        0,
        points,
    )
    return tuple(float(mean) for mean in points[:, 0].mean(axis=0))


# Choices


class Judged(msgspec.Struct, frozen=True):
    """A choice, and what the bot thinks of it."""

    number: int  # of the event that it is, from 1
    deal: int  # from 1
    trick: int  # from 1; 0 for a pass
    seat: int
    view: View  # what the seat knew
    done: Estimate  # what it did, as the bot sees it
    best: Estimate  # what the bot would have done
    weighed: tuple[Estimate, ...] = ()  # all that it has weighed, the best first
    # Whether it was looked at again, and a search with other opponents in mind agrees that it cost
    # something
    confirmed: bool = False

    @property
    def behind(self) -> float:
        """By how many points against the others it ends worse than the best; below zero where it
        ends better in points, and only the match speaks against it."""
        return self.done.margin - self.best.margin

    @property
    def points(self) -> float:
        """`behind`, but never below zero."""
        return max(0.0, self.behind)

    @property
    def error(self) -> float:
        """Two standard errors of these points, were both drawn apart."""
        return 2 * float(np.hypot(self.done.error or 0.0, self.best.error or 0.0))

    @property
    def lost(self) -> float | None:
        """What it cost in the match: a part of the win, or stakes; None where that is unknown."""
        if self.done.worth is None or self.best.worth is None:
            return None
        return max(0.0, self.best.worth - self.done.worth)

    @property
    def wins(self) -> bool:
        """Whether what is lost is a part of the win; else it is stakes."""
        return self.view.deal.rules.stakes.settlement is Settlement.NONE

    @property
    def cost(self) -> float:
        """What choices of a match are compared by: points count where the match hardly does."""
        if self.lost is None:
            return self.points
        return self.lost + FALLBACK * DOUBT[self.wins] * self.points

    @property
    def costs_points(self) -> bool:
        """Whether it surely cost points, and not next to nothing."""
        return self.behind > max(self.error, LEAST_POINTS)

    @property
    def saves_points(self) -> bool:
        return -self.behind > max(self.error, LEAST_POINTS)

    @property
    def costs_match(self) -> bool:
        """Whether it cost something of the match, and not next to nothing."""
        return (self.lost or 0.0) >= DOUBT[self.wins]

    @property
    def felt(self) -> bool:
        """Whether it cost anything that is worth telling."""
        return self.costs_points or self.costs_match

    @property
    def reason(self) -> Reason:
        assert isinstance(self.best.action, game.Play | game.Pass)
        return reason_of(self.view, self.best.action)


class Review(msgspec.Struct, frozen=True):
    """A match that has been looked back on."""

    judged: tuple[Judged, ...]  # every choice of those seats that was one, in order
    deals: tuple[DealLuck, ...]  # those that were scored
    left_out: int = 0  # choices of theirs that the bot could not judge

    def costliest(self, seat: int, most: int = MOST_TOLD) -> tuple[Judged, ...]:
        """The choices of a seat that cost most, the worst first; none that cost nothing."""
        own = [each for each in self.judged if each.seat == seat and each.confirmed]
        return tuple(_dearest(own, most, passes=1))

    def parts(self, seat: int) -> Parts | None:
        """Of all deals that can be taken apart, together; None where none can."""
        return together(self.deals, seat)


def review(
    log: Sequence[Event],
    seats: Sequence[int],
    clock: Clock = AFTERWARDS,
    listen: Listener = lambda done, whole: None,
    but: Container[int] = (),
) -> Review:
    """Looks back on a match. The same log gives the same, where the clock counts simulations.

    Args:
        log: `MatchStarted` first.
        seats: whose choices are judged.
        clock: for each of them.
        listen: see `Listener`.
        but: numbers of events, from 1, that are nobody's choice who is spoken to.

    Raises `KernelFault` where compiled code is needed and cannot be had.
    """
    first = _Reading(seats, clock, but)
    for number, event in enumerate(log, start=1):
        first.read(number, event)
        listen(4 * number, 5 * len(log))
    again: dict[int, Judged] = {}
    doubtful: list[Judged] = []
    for seat in seats:
        own = [each for each in first.judged if each.seat == seat and each.felt]
        doubtful += _dearest(own, LOOKED_AGAIN, PASSES_AGAIN)
    closer = replace(
        clock,
        milliseconds=clock.milliseconds and CLOSER * clock.milliseconds,
        simulations=clock.simulations and CLOSER * clock.simulations,
    )
    bot, other = Search.judge(seed=1), Search.judge(seed=2, rollouts=CASUAL)
    for done, each in enumerate(doubtful, start=1):
        action = each.done.action
        assert isinstance(action, game.Play | game.Pass)
        found = _judged(bot, each.number, each.view, action, closer)
        if found is not None:
            again[each.number] = replace(found, confirmed=_agrees(other, found, closer))
        listen(4 * len(log) + len(log) * done // len(doubtful), 5 * len(log))
    judged = tuple(again.get(each.number, each) for each in first.judged)
    return Review(judged, tuple(first.deals), first.left_out)


def get_ready(rules: Ruleset) -> None:
    """Fetches the compiled code that is needed. Raises `KernelFault` where it cannot be had."""
    try:
        encode(rules)
    except KernelFault:
        return
    for name in CODE:
        code(name)


class _Reading:
    """A log read event by event, and what it has brought so far."""

    def __init__(self, seats: Sequence[int], clock: Clock, but: Container[int]) -> None:
        self.judged: list[Judged] = []
        self.deals: list[DealLuck] = []
        self.left_out = 0
        self._seats = seats
        self._clock = clock
        self._but = but
        self._bot = Search.judge()
        self._state: game.MatchState | None = None
        self._views: dict[int, View] = {}
        self._cards: tuple[float, ...] | None = None
        self._claimed = False

    def read(self, number: int, event: Event) -> None:
        action = _action(event)
        if action is not None and action.seat in self._seats and number not in self._but:
            self._judge(number, action)
        state = self._state
        if state is not None and state.deal is not None:
            self.judged = _standing(self.judged, state.deal.number, event)
        self._state = state = evolve(state, event)
        for seat in range(state.rules.players):
            seen, views = visible(event, seat), self._views
            views[seat] = views[seat].see(seen) if seat in views else View.of(seat, [seen])
        self._look_at_deal(state, event)

    def _judge(self, number: int, action: game.Play | game.Pass) -> None:
        view = self._views[action.seat]
        if self._claimed or not _is_choice(view, action):
            return
        found = _judged(self._bot, number, view, action, self._clock)
        if found is None:
            self.left_out += 1
        else:
            self.judged.append(found)

    def _look_at_deal(self, state: game.MatchState, event: Event) -> None:
        deal = state.deal
        if isinstance(event, game.Claimed):
            self._claimed = True  # what follows plays itself (C1)
        elif isinstance(event, game.PlayStarted):
            assert deal is not None
            self._claimed = False
            self._cards = worth_of_cards(deal, self._views[deal.turn])
        elif isinstance(event, game.DealScored):
            assert deal is not None
            points = event.score.points
            self.deals.append(DealLuck(deal.number, points, state.totals, self._cards))


def _dearest(judged: list[Judged], most: int, passes: int) -> list[Judged]:
    """The worst of them, the worst first, with so many passes at most."""
    order = sorted(judged, key=lambda each: (-each.cost, each.number))
    left_out = {each.number for each in [each for each in order if not each.trick][passes:]}
    return [each for each in order if each.number not in left_out][:most]


def _agrees(other: Search, found: Judged, clock: Clock) -> bool:
    """Whether the other search, too, finds that what was done cost something beside the best."""
    if not found.felt:
        return False
    weighed = other.think(found.view, clock, found.done.action).estimates
    done, best = (
        next((each for each in weighed if _same(each.action, wanted.action)), None)
        for wanted in (found.done, found.best)
    )
    return done is not None and best is not None and replace(found, done=done, best=best).felt


def _standing(judged: list[Judged], deal: int, event: Event) -> list[Judged]:
    """Those that are left once something has been taken back (C2, I2 to I4) or misdealt (I1)."""
    if not isinstance(event, game.PlayTakenBack | game.PassTakenBack | TakenBack | Misdealt):
        return judged

    def stands(each: Judged) -> bool:
        if each.deal != deal:
            return True
        match event:
            case game.PassTakenBack():
                return each.seat != event.seat or bool(each.trick)
            case game.PlayTakenBack():
                return each.done.action != game.Play(event.seat, event.card)
            case TakenBack():
                return each.done.action not in [
                    game.Play(laid.seat, laid.card) for laid in event.cards
                ]
        return False

    return [each for each in judged if stands(each)]


def _action(event: Event) -> game.Play | game.Pass | None:
    if isinstance(event, game.Played):
        return game.Play(event.seat, event.card)
    if isinstance(event, game.Passed) and event.cards is not None:
        return game.Pass(event.seat, event.cards)
    return None


def _is_choice(view: View, action: game.Play | game.Pass) -> bool:
    """Whether there was anything else to do that is not the same."""
    return isinstance(action, game.Pass) or action.card not in view.legal or len(unlike(view)) > 1


def _judged(
    bot: Search, number: int, view: View, action: game.Play | game.Pass, clock: Clock
) -> Judged | None:
    """None where the bot cannot tell: at a refereed table not everything is played in turn."""
    if isinstance(action, game.Play) and action.card not in view.legal:
        return None
    thought = bot.think(view, clock, action)
    done = next((each for each in thought.estimates if _same(each.action, action)), None)
    if done is None:
        return None
    trick = 0 if isinstance(action, game.Pass) else view.deal.trick_number
    weighed = thought.estimates
    return Judged(number, view.deal.number, trick, action.seat, view, done, weighed[0], weighed)


def _same(one: game.SeatAction, other: game.SeatAction) -> bool:
    if isinstance(one, game.Pass) and isinstance(other, game.Pass):
        return mask_of(one.cards) == mask_of(other.cards)
    return one == other
