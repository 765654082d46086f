"""Laws that hold at every step of every refereed match, whatever anybody does there."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from kit.deals import check_cards
from kit.refereed import Step, match, start
from kit.strategies import any_rulesets, seeds

from volte import referee
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
def test_the_laws_hold_whatever_anybody_does(rules: Ruleset, seed: int, wild: float) -> None:
    log: list[referee.Event] = [start(rules)]
    seats = [*range(rules.players), None]
    views = {seat: View.of(seat, [referee.visible(log[0], seat)]) for seat in seats}
    for step in match(rules, seed, wild):
        log += step.events
        check_cards(step.after)
        check_settlements(step)
        check_shown_revokes(step.after)
        for seat in seats:
            shown = [referee.visible(event, seat) for event in step.events]
            views[seat] = views[seat].see(*shown)
            assert views[seat].state == project(step.after, seat)
    end = step.after
    assert (end.phase, referee.to_act(end)) == (Phase.ENDED, ())
    assert (referee.replay(log), end.version) == (end, len(log))
    assert sum(end.net) + end.pot == 0
    check_sums(end)


def check_settlements(step: Step) -> None:
    for event in step.events:
        if isinstance(event, Settled):
            assert sum(event.drawn) + event.pot == sum(event.paid) + step.before.pot


def check_sums(end: MatchState) -> None:
    """Check that the points of every deal add up, or are those of a stopped deal."""
    assert isinstance(end, referee.RefereedMatch)
    for scored, offenders in zip(end.deals, end.offenders, strict=True):
        if offenders:
            assert scored == referee.stopped(end.rules, offenders)
        else:
            assert sum(scored.points) == expected_sum(end.rules, scored)


def check_shown_revokes(state: MatchState) -> None:
    """Check that shown revokes are true, and that all cards show each of the tricks before."""
    deal = state.deal
    if not isinstance(deal, referee.RefereedDeal):
        return
    true = {(each.seat, each.trick) for each in deal.breaches if each.revoke}
    for seat in range(state.rules.players):
        view = project(state, seat).deal
        assert isinstance(view, referee.RefereedDeal)
        assert {(each.seat, each.trick) for each in referee.shown_revokes(view)} <= true
    known = {(each.seat, each.trick) for each in referee.shown_revokes(deal)}
    assert known <= true
    done = {(each.seat, each.trick) for each in deal.breaches if each.clause == "T1"}
    assert {each for each in done if each[1] < deal.trick_number} <= known


# Without errors


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
    """Play the same cards at a table that refuses unlawful acts; return its last state."""
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
