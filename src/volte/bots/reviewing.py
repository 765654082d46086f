"""A match looked back on: what a bot that searches would have done, and what the cards were worth.

Every choice is judged from what its seat saw then, and no more. What the cards were worth is asked
apart: with all hands known, the deal is played out many times by the same company for every seat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
import numpy as np

from volte.bots.casual import hint
from volte.bots.learned import PLAYS, learned
from volte.bots.protocol import Clock, Estimate
from volte.bots.search import Search, company
from volte.cards import mask_of
from volte.fair import split
from volte.game import (
    DealScored,
    DealState,
    MatchState,
    Pass,
    Passed,
    PassTakenBack,
    Play,
    Played,
    PlayStarted,
    PlayTakenBack,
    SeatAction,
)
from volte.kernel import KernelFault, position
from volte.kernel.startup import code
from volte.kernel.table import encode
from volte.referee import Event, RefereedDeal, evolve, visible
from volte.view import View

AFTERWARDS: Final = Clock(simulations=20_000)
"""What is spent on a choice."""

PLAYED_OUT: Final = 400
"""How often a deal is, to tell what its cards are worth."""


class Judged(msgspec.Struct, frozen=True):
    """A choice, and what the bot thinks of it.

    Attributes:
        number: of the event that it is, from 1.
        deal, trick: from 1; the trick is 0 for a pass.
        view: what the seat knew.
        done: what it did, as the bot sees it.
        best: what the bot would have done.
    """

    number: int
    deal: int
    trick: int
    seat: int
    view: View
    done: Estimate
    best: Estimate

    @property
    def points(self) -> float:
        """How much worse than the best, in points against the others; never below zero."""
        return max(0.0, self.done.margin - self.best.margin)

    @property
    def error(self) -> float:
        """Two standard errors of these points, were both drawn apart."""
        return 2 * float(np.hypot(self.done.error or 0.0, self.best.error or 0.0))


class DealTold(msgspec.Struct, frozen=True):
    """A deal that has been played.

    Attributes:
        points: by seat.
        cards: by seat, what its cards would have come to, had everybody played alike; None where
            it cannot be told.
    """

    number: int
    points: tuple[int, ...]
    cards: tuple[float, ...] | None


class Review(msgspec.Struct, frozen=True):
    """A match that has been looked back on.

    Attributes:
        judged: every choice of those seats that was one, in order.
        deals: those that were scored.
        left_out: choices of theirs that the bot could not judge.
    """

    judged: tuple[Judged, ...]
    deals: tuple[DealTold, ...]
    left_out: int = 0

    def costliest(self, seat: int, most: int = 3) -> tuple[Judged, ...]:
        """The choices of a seat that cost most, the worst first; none that cost nothing."""
        own = [each for each in self.judged if each.seat == seat and each.points > each.error]
        own.sort(key=lambda each: (-each.points, each.number))
        return tuple(own[:most])


def review(
    log: Sequence[Event],
    seats: Sequence[int],
    clock: Clock = AFTERWARDS,
    listen: Callable[[int], None] = lambda number: None,
) -> Review:
    """Looks back on a match.

    Args:
        log: `MatchStarted` first.
        seats: whose choices are judged.
        clock: for each of them.
        listen: told the number of every event that has been seen to.
    """
    judge = Search.judge()
    state: MatchState | None = None
    views: dict[int, View] = {}
    judged, deals, worth, left_out = list[Judged](), list[DealTold](), None, 0
    for number, event in enumerate(log, start=1):
        action = _action(event)
        if action is not None and action.seat in seats and not _forced(views[action.seat], action):
            found = _judged(judge, number, views[action.seat], action, clock)
            left_out += found is None
            judged += [found] if found is not None else []
        if isinstance(event, PlayTakenBack | PassTakenBack):
            judged = _standing(judged, event)
        if isinstance(event, DealScored) and state is not None and state.deal is not None:
            deals.append(DealTold(state.deal.number, event.score.points, worth))
        state = evolve(state, event)
        for seat in range(state.rules.players):
            told = visible(event, seat)
            views[seat] = views[seat].see(told) if seat in views else View.of(seat, [told])
        if isinstance(event, PlayStarted):
            assert state.deal is not None
            worth = worth_of_cards(state.deal, views[state.deal.turn])
        listen(number)
    return Review(tuple(judged), tuple(deals), left_out)


def _standing(judged: list[Judged], event: PlayTakenBack | PassTakenBack) -> list[Judged]:
    """Those that are left once something has been taken back (C2)."""

    def gone(each: Judged) -> bool:
        if each.seat != event.seat:
            return False
        if isinstance(event, PassTakenBack):
            return not each.trick
        return each.done.action == Play(event.seat, event.card)

    last = next((each for each in reversed(judged) if gone(each)), None)
    return [each for each in judged if each is not last]


def worth_of_cards(deal: DealState, leader: View) -> tuple[float, ...] | None:
    """What every seat has in the end on average, if all play alike from the first card on.

    Args:
        deal: with all hands, before the first card.
        leader: what whoever leads to it knows.

    None where compiled code cannot play it.
    """
    if isinstance(deal, RefereedDeal):
        return None
    try:
        rules = encode(deal.rules)
    except KernelFault:
        return None
    players = deal.rules.players
    row = position(deal)
    worlds = np.array([[*deal.hands, deal.kitty]] * PLAYED_OUT, np.uint64)
    first = hint(leader).action
    assert isinstance(first, Play)
    points = np.empty((PLAYED_OUT, 1, players))
    code("playouts").play_out(
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


def _action(event: Event) -> Play | Pass | None:
    if isinstance(event, Played):
        return Play(event.seat, event.card)
    if isinstance(event, Passed) and event.cards is not None:
        return Pass(event.seat, event.cards)
    return None


def _forced(view: View, action: Play | Pass) -> bool:
    return isinstance(action, Play) and view.legal.mask == action.card.bit


def _judged(
    bot: Search, number: int, view: View, action: Play | Pass, clock: Clock
) -> Judged | None:
    """None where the bot cannot tell: at a refereed table not everything is played in turn."""
    if isinstance(action, Play) and action.card not in view.legal:
        return None
    thought = bot.think(view, clock, action)
    done = next((each for each in thought.estimates if _same(each.action, action)), None)
    if done is None:
        return None
    trick = 0 if isinstance(action, Pass) else view.deal.trick_number
    best = thought.estimates[0]
    return Judged(number, view.deal.number, trick, action.seat, view, done, best)


def _same(one: SeatAction, other: SeatAction) -> bool:
    if isinstance(one, Pass) and isinstance(other, Pass):
        return mask_of(one.cards) == mask_of(other.cards)
    return one == other
