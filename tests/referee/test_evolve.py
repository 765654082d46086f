"""Laws that hold at every step of every refereed match, whatever anybody does there."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from kit.refereed import Step, match, start
from kit.strategies import any_rulesets, seeds

from volte import referee
from volte.cards import mask_of
from volte.game import (
    ChooseMoon,
    DealScored,
    MatchStarted,
    MatchState,
    NameDealer,
    Pass,
    Phase,
    Play,
    Settled,
)
from volte.game import decide as decide_lawfully
from volte.game import evolve as evolve_lawfully
from volte.game.actions import DealCards, DrawDealer, DrawLots, Refusal
from volte.rules import Irregularities, Ruleset, Score
from volte.rules.scoring import expected_sum
from volte.view import View, project

refereed = any_rulesets().map(lambda rules: replace(rules, irregularities=Irregularities.REFEREED))
"""Any table that can be played, with a referee."""


@given(refereed, seeds, st.sampled_from((0.1, 0.5, 0.8)))
def test_every_match_comes_to_its_end(rules: Ruleset, seed: int, wild: float) -> None:
    *_, last = match(rules, seed, wild)
    assert last.after.phase is Phase.ENDED
    assert referee.to_act(last.after) == ()


@given(refereed, seeds)
def test_cards_are_conserved(rules: Ruleset, seed: int) -> None:
    for step in match(rules, seed):
        deal = step.after.deal
        if isinstance(deal, referee.RefereedDeal):
            table = mask_of(each.card for each in deal.laid)
            parts = [*deal.hands, *deal.taken, deal.held, deal.kitty, table]
            assert sum(parts) == deal.rules.deck_mask  # nothing twice, nothing lost
            assert deal.hand_sizes() == tuple(hand.bit_count() for hand in deal.hands)


@given(refereed, seeds)
def test_points_add_up_unless_the_deal_was_stopped(rules: Ruleset, seed: int) -> None:
    *_, last = match(rules, seed)
    state = last.after
    assert isinstance(state, referee.RefereedMatch)
    for scored, offenders in zip(state.deals, state.offenders, strict=True):
        if offenders:
            assert scored == referee.stopped(rules, offenders)
        else:
            assert sum(scored.points) == expected_sum(rules, scored)


@given(refereed, seeds)
def test_settlements_balance(rules: Ruleset, seed: int) -> None:
    steps = list(match(rules, seed))
    for step in steps:
        for event in step.events:
            if isinstance(event, Settled):
                came = sum(event.paid) + step.before.pot
                assert sum(event.drawn) + event.pot == came
    assert sum(steps[-1].after.net) + steps[-1].after.pot == 0


@given(refereed, seeds)
def test_a_view_is_what_the_seat_may_know_of_the_state(rules: Ruleset, seed: int) -> None:
    seats = [*range(rules.players), None]
    views = {seat: View.of(seat, [referee.visible(start(rules), seat)]) for seat in seats}
    for step in match(rules, seed):
        for seat in seats:
            views[seat] = views[seat].see(*(referee.visible(event, seat) for event in step.events))
            assert views[seat].state == project(step.after, seat)


@given(refereed, seeds)
@settings(max_examples=settings().max_examples // 2)
def test_a_replay_reaches_the_same_state(rules: Ruleset, seed: int) -> None:
    log: list[referee.Event] = [start(rules)]
    for step in match(rules, seed):
        log += step.events
        assert step.after == referee.replay(log)
        assert step.after.version == len(log)


@given(refereed, seeds)
@settings(max_examples=settings().max_examples // 2)
def test_what_the_cards_prove_is_true_and_every_shown_revoke_is_proved(
    rules: Ruleset, seed: int
) -> None:
    for step in match(rules, seed):
        if not isinstance(step.after.deal, referee.RefereedDeal):
            continue
        deal = step.after.deal
        true = {(each.seat, each.trick) for each in deal.breaches if each.revoke}
        for seat in range(rules.players):
            view = project(step.after, seat).deal
            assert isinstance(view, referee.RefereedDeal)
            assert {(each.seat, each.trick) for each in referee.shown_revokes(view)} <= true
        known = {(each.seat, each.trick) for each in referee.shown_revokes(deal)}
        assert known <= true
        done = {(each.seat, each.trick) for each in deal.breaches if each.clause == "T1"}
        assert {each for each in done if each[1] < deal.trick_number} <= known


# Where nobody errs


@given(refereed, seeds)
def test_a_deal_in_which_nobody_errs_scores_as_an_enforced_one(rules: Ruleset, seed: int) -> None:
    steps = list(match(rules, seed, wild=0))
    end = lawfully(rules, steps)
    state = steps[-1].after
    assert (state.deals, state.net, state.pot) == (end.deals, end.net, end.pot)
    assert (state.winners, state.phase) == (end.winners, end.phase)
    assert scores(steps) == list(end.deals)


LAWFUL = (Play, Pass, ChooseMoon, DealCards, DrawDealer, DrawLots, NameDealer)


def lawfully(rules: Ruleset, steps: list[Step]) -> MatchState:
    """The same cards played at a table where what is unlawful is refused."""
    first = start(rules)
    enforced = replace(rules, irregularities=Irregularities.ENFORCED)
    state = evolve_lawfully(None, MatchStarted(enforced, first.players))
    for step in steps:
        if isinstance(step.action, LAWFUL):
            outcome = decide_lawfully(state, step.action)
            assert not isinstance(outcome, Refusal)
            for event in outcome:
                state = evolve_lawfully(state, event)
    return state


def scores(steps: list[Step]) -> list[Score]:
    return [event.score for step in steps for event in step.events if isinstance(event, DealScored)]
