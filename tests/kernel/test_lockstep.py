"""The kernel and the readable engine play the same match at once, and agree at every step."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

import pytest
from hypothesis import given
from kernel.lockstep import Result, Twin, told
from kernel.tables import KNOWN, any_table
from kit.deals import Step, deal_of, match
from kit.strategies import recounted, rulesets, seeds

from volte.game import DealCards, MatchState, Pass, Phase, Play, legal_cards, to_act
from volte.kernel import position
from volte.rules import Ruleset, make_ruleset, minus_is_open

DEALS = 10
"""Played of every table."""


@given(any_table() | recounted(rulesets()), seeds)
def test_both_engines_agree_at_every_step(rules: Ruleset, seed: int) -> None:
    check_match(match(rules, seed))


@pytest.mark.parametrize(("preset", "players"), KNOWN)
def test_both_engines_agree_at_every_table(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players})
    check_match(takewhile(lambda step: len(step.before.deals) < DEALS, match(rules, seed=players)))


def check_match(steps: Iterable[Step]) -> None:
    """The kernel takes every card that the readable engine takes.

    Passes come in any order there, in the order of the seats here; a twin is taken of every
    position on the way, and goes on from it.
    """
    twins: list[Twin] = []
    for step in steps:
        passing = step.after.phase is Phase.PASSING
        if isinstance(step.action, DealCards):
            twins = [Twin.of(deal_of(step.after))]
        elif isinstance(step.action, Pass) and passing:
            twins.append(Twin.of(deal_of(step.after)))
        elif isinstance(step.action, Pass):
            for twin in twins:
                twin.give(deal_of(step.after).passes)
        elif isinstance(step.action, Play):
            del twins[1:]
            twins[0].play(step.action.card)
        else:
            continue
        for twin in twins[-1:] if passing else twins:
            check_step(twin, step.after)


def check_step(twin: Twin, state: MatchState) -> None:
    """Who is to act, what is legal, the cards, and all that is known about the deal."""
    deal, legal = deal_of(state), int(twin.legal[0])
    assert told(twin.rows) == told(position(deal))
    if state.phase is Phase.PASSING:
        assert int(twin.rows["turn"][0]) == to_act(state)[0]
        assert legal == deal.hands[to_act(state)[0]]
    elif state.phase is Phase.PLAYING:
        assert (int(twin.rows["turn"][0]),) == to_act(state)
        assert legal == legal_cards(deal)
    else:
        assert legal == 0
        result = Result.read(twin.outcomes[0], len(deal.hands))
        assert result == Result.alone(deal)
        if minus_is_open(deal.rules, result.score) is None:
            assert result.score == state.deals[-1]
    assert twin.finished[0] == (len(deal.tricks) == deal.rules.hand_size)
