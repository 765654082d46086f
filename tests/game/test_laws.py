"""Laws that hold at every step of every match, whatever the table and however it is played."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

import pytest
from hypothesis import given
from rulesets import TABLES, Step, deal_of, log_of, match, rulesets, seeds, start

from volte.cards import CARDS, HEARTS, JACK, QUEEN, mask_of
from volte.game import (
    DealScored,
    Event,
    MatchEnded,
    MatchState,
    Phase,
    Play,
    Played,
    Refusal,
    decide,
    duties_now,
    evolve,
    legal_actions,
    replay,
    to_act,
    visible,
)
from volte.rules import MoonRule, Ruleset, Settlement, SlamRule, breach, make_ruleset
from volte.view import View, project

DEALS = 56
"""Played of every table by one test."""


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(2, 11))]
)
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_the_laws_hold_at_every_table(
    preset: str, players: int, seed: int, record_property: Callable[[str, object], None]
) -> None:
    rules = make_ruleset(preset, {"players": players})
    deals = matches = pot = 0
    while deals < DEALS:
        steps = list(match(rules, seed * 1000 + matches, pot=pot, restless=matches % 3 == 2))
        end = steps[-1].after
        check_every_step(steps)
        check_views(steps, seats=[matches % players])
        check_end(steps, pot)
        deals, matches, pot = deals + len(end.deals), matches + 1, end.pot
    record_property("deals that keep the laws", deals)
    record_property("matches that keep the laws", matches)


def test_the_gate_plays_two_thousand_deals() -> None:
    assert len(TABLES) * DEALS >= 2000
    assert {players for _, players in TABLES} == {3, 4, 5, 6, 7}


@given(rulesets(), seeds)
def test_the_laws_hold_at_any_table(rules: Ruleset, seed: int) -> None:
    steps = list(match(rules, seed, pot=seed % 5, people=(0, 1), restless=True))
    check_every_step(steps)
    check_views(steps, seats=[*range(rules.players), None])
    check_end(steps, seed % 5)


@given(rulesets(), seeds)
def test_a_replay_reaches_the_same_state(rules: Ruleset, seed: int) -> None:
    steps = list(match(rules, seed, restless=True))
    log: list[Event] = [start(rules)]
    for step in steps:
        assert step.before == replay(log)
        log += step.events
    assert steps[-1].after == replay(log)
    assert steps[-1].after.version == len(log)
    assert log == log_of(rules, seed, restless=True)


@given(rulesets(), seeds)
def test_just_the_legal_actions_are_accepted(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    for step in match(rules, seed):
        check_who_is_to_act(step.before)
        if isinstance(step.action, Play):
            check_every_card(step.before)
        elif to_act(step.before):
            action = rng.choice(legal_actions(step.before, rng.choice(to_act(step.before))))
            assert not isinstance(decide(step.before, action), Refusal)


def check_who_is_to_act(state: MatchState) -> None:
    acting = tuple(seat for seat in range(state.rules.players) if legal_actions(state, seat))
    assert acting == to_act(state)


def check_every_card(state: MatchState) -> None:
    """Every card of the pack is played, and the legal ones are accepted."""
    deal = deal_of(state)
    seat, hand = deal.turn, deal.hands[deal.turn]
    legal = [action.card for action in legal_actions(state, seat) if isinstance(action, Play)]
    assert 0 < mask_of(legal) <= hand
    for card in CARDS:
        outcome = decide(state, Play(seat, card))
        if card in legal:
            assert not isinstance(outcome, Refusal)
            assert outcome[0] == Played(seat, card)
            continue
        assert isinstance(outcome, Refusal)
        assert outcome.legal == tuple(legal)
        if hand & card.bit:
            why = breach(hand, card, duties_now(deal))
            assert (outcome.reason, outcome.clause) == ("breach", why)
        else:
            assert (outcome.reason, outcome.clause) == ("not_in_hand", "")


# What every step keeps


def check_every_step(steps: Sequence[Step]) -> None:
    for before, _, events, after in steps:
        assert after.version == before.version + len(events)
        check_cards(after)
        check_score(before, events)
        assert sum(after.net) + after.pot == sum(before.net) + before.pot


def check_cards(state: MatchState) -> None:
    """Every card of the deck lies in just one place."""
    deal = state.deal
    if deal is None:
        return
    places = [*deal.hands, mask_of(deal.trick), deal.kitty, *deal.taken]
    assert sum(places) == state.rules.deck_mask
    assert sum(mask.bit_count() for mask in places) == len(state.rules.cards)
    assert [hand.bit_count() for hand in deal.hands] == list(deal.hand_sizes())


def check_score(before: MatchState, events: Iterable[Event]) -> None:
    state = before
    for event in events:
        if isinstance(event, DealScored):
            assert list(event.points) == points_of(state)
            check_sum(state.rules, event)
        state = evolve(state, event)


def points_of(state: MatchState) -> list[int]:
    """The points of the deal that is over, straight from S1 to S5."""
    rules, deal = state.rules, deal_of(state)
    queen, jack = rules.points.of(QUEEN), rules.points.of(JACK)
    counted = [
        (deal.captured(seat) & HEARTS).bit_count() + queen * bool(deal.captured(seat) & QUEEN.bit)
        for seat in range(rules.players)
    ]
    total = sum(counted)
    points = counted
    penalties = (rules.deck_mask & HEARTS) | (QUEEN.bit & rules.deck_mask if queen else 0)
    for seat in range(rules.players):
        others = [total] * rules.players
        if rules.moon.moon is MoonRule.OTHERS_PLUS and not penalties & ~deal.captured(seat):
            points = others
            points[seat] = 0
    for seat in range(rules.players):
        others = [total] * rules.players
        if rules.moon.slam is SlamRule.REVERSAL and deal.won[seat] == rules.hand_size:
            points = others
            points[seat] = -total
    return [
        count + jack * bool(deal.captured(seat) & JACK.bit) for seat, count in enumerate(points)
    ]


def check_sum(rules: Ruleset, scored: DealScored) -> None:
    """S6: what the points of a deal add up to; with no S4 and S5 a multiple of the total."""
    total = rules.penalty_total
    jack = rules.points.of(JACK) if JACK.bit & rules.deck_mask else 0
    times = 1
    if scored.slam is not None:
        times = rules.players - 2
    elif scored.moon is not None:
        times = rules.players - 1
    assert sum(scored.points) == times * total + jack


def check_views(steps: Sequence[Step], seats: Sequence[int | None]) -> None:
    """The view folded from the visible events equals the projection of the whole state."""
    views = {seat: View(seat, steps[0].before) for seat in seats}
    for step in steps:
        state = step.before
        for event in step.events:
            state = evolve(state, event)
            for seat, view in views.items():
                views[seat] = view.see(visible(event, seat))
                assert views[seat].state == project(state, seat)
                assert views[seat].my_turn == (seat in to_act(state))


def check_end(steps: Sequence[Step], pot: int) -> None:
    end = steps[-1].after
    ended = next(
        event for event in steps[-1].events + steps[-2].events if type(event) is MatchEnded
    )
    assert end.phase is Phase.ENDED
    assert end.totals == tuple(map(sum, zip(*(deal.points for deal in end.deals), strict=True)))
    assert (ended.totals, ended.winners) == (end.totals, end.winners)
    assert sum(end.net) + end.pot == pot
    if end.rules.stakes.settlement is not Settlement.POT:
        assert end.pot == pot
