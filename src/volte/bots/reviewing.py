"""Review of a match: what a searching bot would have done, and the worth of the cards.

Every choice is judged by its seat's view at the time alone. The choices that seem costliest are
judged again, in other worlds and more of them, since the dearest of many estimates is mostly too
high. One is reported only if a search that assumes another way of playing agrees. The worth of the
cards, apart from how they were played, is their luck.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cache
from typing import Final

import numpy as np
from msgspec.structs import replace

from volte import game
from volte.bots.apart import Costly, Findings, ReviewQuestion
from volte.bots.candidates import unlike
from volte.bots.judged import DealLuck, Judged, Review, dearest
from volte.bots.learned import PLAYS, learned
from volte.bots.protocol import Clock
from volte.bots.reasons import hint
from volte.bots.search import CODE, CONFIRMING, Search, company
from volte.cards import mask_of
from volte.fair import split
from volte.kernel import KernelFault, position
from volte.kernel.encoding import encode
from volte.kernel.startup import code
from volte.referee import Event, RefereedDeal, decide, evolve, to_act, visible
from volte.referee.events import Misdealt, TakenBack
from volte.rules import MoonRule, Ruleset, SlamRule
from volte.view import View

AFTERWARDS: Final = Clock(simulations=20_000)
"""The usual clock for judging a choice."""

CLOSER: Final = 5
"""Factor by which a second look may spend more than the first."""

LOOKED_AGAIN: Final = 8
"""Choices of a seat that get a second look, `PASSES_AGAIN` of them passes at most."""

PASSES_AGAIN: Final = 2

Listener = Callable[[int, int], None]
"""Function called with the progress so far, and the whole."""


# Luck: from the cards as they were dealt, everybody passes alike; then, with all hands known, the
# deal is played out many times by the same company for every seat

PLAYED_OUT: Final = 400
"""Number of times that a deal is played out to find the worth of its cards."""


def worth_of_cards(deal: game.DealState, leader: View) -> tuple[float, ...] | None:
    """Return the mean points of every seat in the end, if all play alike from the first card on
    and no moon counts: whether one is shot is play, not luck.

    Args:
        deal: with all hands, before the first card.
        leader: the view of the seat with the first lead.

    None where compiled code cannot play it, and where cards are missing from the hands (I8).
    """
    if _short(deal):
        return None
    plain = _without_moons(deal.rules)
    try:
        rules = encode(plain)
    except KernelFault:
        return None
    players = deal.rules.players
    row = position(replace(deal, rules=plain))
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


@cache
def _without_moons(rules: Ruleset) -> Ruleset:
    """Return the rules without moons and slams."""
    moon = dataclasses.replace(rules.moon, moon=MoonRule.OFF, slam=SlamRule.OFF)
    return dataclasses.replace(rules, moon=moon)


def passed_alike(
    state: game.MatchState, views: Mapping[int, View]
) -> tuple[game.MatchState, Mapping[int, View]]:
    """Return the match and its views once every seat has passed as a hint advises: so a pass is
    part of the play, and luck of the deal alone.

    Args:
        state: before the first pass of the deal.
        views: of all seats, then.
    """
    while state.phase is game.Phase.PASSING:
        outcome = decide(state, hint(views[to_act(state)[0]]).action)
        assert not isinstance(outcome, game.Refusal)
        for event in outcome:
            state = evolve(state, event)
            views = {seat: view.see(visible(event, seat)) for seat, view in views.items()}
    return state, views


def _short(deal: game.DealState) -> bool:
    """Whether cards are missing from the hands (I8)."""
    return isinstance(deal, RefereedDeal) and bool(deal.short)


def review(
    log: Sequence[Event],
    seats: Sequence[int],
    clock: Clock = AFTERWARDS,
    listen: Listener = lambda done, whole: None,
    but: Container[int] = (),
) -> Review:
    """Review a match; repeatable for a log, if the clock counts simulations.

    Args:
        log: `MatchStarted` first.
        seats: seats whose choices are judged.
        clock: for each choice.
        listen: see `Listener`.
        but: numbers of events to skip, from 1: choices that somebody else made for the seat.

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
        doubtful += dearest(own, LOOKED_AGAIN, PASSES_AGAIN)
    closer = replace(
        clock,
        milliseconds=clock.milliseconds and CLOSER * clock.milliseconds,
        simulations=clock.simulations and CLOSER * clock.simulations,
    )
    bot, other = Search.judge(seed=1), Search.judge(2, CONFIRMING)
    for done, each in enumerate(doubtful, start=1):
        action = each.done.action
        assert isinstance(action, game.Play | game.Pass)
        found = _judged(bot, each.number, each.view, action, closer)
        if found is not None:
            again[each.number] = replace(found, confirmed=_agrees(other, found, closer))
        listen(4 * len(log) + len(log) * done // len(doubtful), 5 * len(log))
    judged = tuple(again.get(each.number, each) for each in first.judged)
    return Review(judged, tuple(first.deals), first.left_out)


def luck_of(log: Sequence[Event]) -> tuple[DealLuck, ...]:
    """Return the deals of a match that were scored, with what their cards were worth; the same for
    the same log. Raises `KernelFault` where compiled code is needed and cannot be had."""
    return review(log, ()).deals


def get_ready(rules: Ruleset) -> None:
    """Fetch the compiled code for a review. Raises `KernelFault` where it cannot be had."""
    try:
        encode(rules)
    except KernelFault:
        return
    for name in CODE:
        code(name)


def findings(asked: ReviewQuestion, listen: Callable[[int], None]) -> Findings:
    """Review one seat, and return the findings that a playroom stores.

    Args:
        listen: called with the percentage done, each time that it rises.
    """
    percent = 0

    def progress(done: int, whole: int) -> None:
        nonlocal percent
        if 100 * done // whole > percent:
            percent = 100 * done // whole
            listen(percent)

    clock = asked.clock or AFTERWARDS
    found = review(asked.log, (asked.seat,), clock, progress, asked.but)
    reasons: dict[str, tuple[int, int]] = {}
    for each in found.judged:
        spoke, missed = reasons.get(reason := str(each.reasons[0]), (0, 0))
        reasons[reason] = (spoke + 1, missed + each.felt)
    costly = (Costly(each.number, each.done, each.weighed) for each in found.costliest(asked.seat))
    course = ((each.deal, each.trick, each.done.worth) for each in found.judged)
    return Findings(tuple(costly), tuple(course), found.left_out, reasons)


class _Reading:
    """A log read event by event, with its choices and deals judged so far."""

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
        self._valued = False  # whether `_cards` is of the present deal
        self._claimed = False

    def read(self, number: int, event: Event) -> None:
        action = _action(event)
        if action is not None and action.seat in self._seats and number not in self._but:
            self._judge(number, action)
        state = self._state
        if state is not None and state.deal is not None:
            self.judged = _standing(self.judged, state.deal.number, event)
            if isinstance(event, game.Passed) and not self._valued:
                self._value(*passed_alike(state, self._views))
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
            self._claimed = True  # the plays that follow are forced (C1)
        elif isinstance(event, game.Dealt):
            self._valued = False
        elif isinstance(event, game.PlayStarted):
            self._claimed = False
            if not self._valued:
                self._value(state, self._views)
        elif isinstance(event, game.DealScored):
            assert deal is not None
            points, cards = event.score.points, None if _short(deal) else self._cards
            self.deals.append(DealLuck(deal.number, points, state.totals, cards))

    def _value(self, state: game.MatchState, views: Mapping[int, View]) -> None:
        """Work out what the cards are worth, in a state and views before the first card."""
        deal = state.deal
        assert deal is not None
        self._cards, self._valued = worth_of_cards(deal, views[deal.turn]), True


def _agrees(other: Search, found: Judged, clock: Clock) -> bool:
    """Whether the other search, too, finds a cost of the action taken beside the best."""
    if not found.felt:
        return False
    weighed = other.think(found.view, clock, found.done.action).estimates
    done, best = (
        next((each for each in weighed if _same(each.action, wanted.action)), None)
        for wanted in (found.done, found.best)
    )
    return done is not None and best is not None and replace(found, done=done, best=best).felt


def _standing(judged: list[Judged], deal: int, event: Event) -> list[Judged]:
    """Return the choices that stand once cards are taken back (C2, I2 to I4) or misdealt (I1)."""
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
    """Whether there was any other action that is not equivalent."""
    return isinstance(action, game.Pass) or action.card not in view.legal or len(unlike(view)) > 1


def _judged(
    bot: Search, number: int, view: View, action: game.Play | game.Pass, clock: Clock
) -> Judged | None:
    """Judge a choice; None where the bot cannot: at a refereed table some plays are unlawful."""
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
