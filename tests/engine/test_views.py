"""The law of the protocol: what is told to an engine is what its seat has seen."""

from __future__ import annotations

import random

import pytest
from engine.sessions import (
    cards,
    comparable,
    lines_of,
    reason,
    seen,
    session,
    told,
    told_to,
    view_of,
)
from hypothesis import given
from hypothesis import strategies as st
from kit.rulesets import TABLES
from kit.strategies import few, rulesets, seeds, wider_rulesets

from volte.cards import CARDS
from volte.engine.language import position_lines, rules_line
from volte.game import LotsDrawn, Phase
from volte.rules import Ruleset, make_ruleset

seats = st.integers(0, 9)
tables = rulesets() | wider_rulesets(most_cards=20)


@given(tables, seeds, seats)
def test_a_match_told_event_by_event_is_the_view_of_that_seat(
    rules: Ruleset, seed: int, number: int
) -> None:
    follow(rules, seed, number % rules.players)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_preset_can_be_told(preset: str, players: int) -> None:
    for seat in range(players - few(1, players), players):
        follow(make_ruleset(preset, {"players": players}), seat, seat)


def follow(rules: Ruleset, seed: int, seat: int) -> None:
    """Tells a whole match, and compares whenever the seat has to act and when a deal is over."""
    rng = random.Random(seed)
    heard = told(*told_to(rules, seat))
    for happened in seen(rules, seed, seat):
        for event, view in happened:
            told(*lines_of(event, view, rng), to=heard)
        over = view.state.deal is not None and view.state.phase in (Phase.DEALING, Phase.ENDED)
        if view.my_turn or over:
            ours = comparable(view_of(heard).state, exact=True)
            assert ours == comparable(view.state, exact=True)
    assert view_of(heard).state.phase is Phase.ENDED


@given(tables, seeds, seats)
def test_every_position_can_be_told_in_one_go(rules: Ruleset, seed: int, number: int) -> None:
    seat = number % rules.players
    heard = told(rules_line(rules))
    for *_, (_, view) in seen(rules, seed, seat):
        if view.my_turn:
            told(*position_lines(view), to=heard)
            expected = comparable(view.state)
            assert comparable(view_of(heard).state) == expected


@given(tables, seeds, seats)
def test_while_a_deal_goes_on_its_lines_are_only_added_to(
    rules: Ruleset, seed: int, number: int
) -> None:
    seat, lines, deal = number % rules.players, list[str](), 0
    for *_, (_, view) in seen(rules, seed, seat):
        if view.my_turn:
            before, lines = lines, position_lines(view)
            if view.deal.number == deal:
                assert lines[: len(before)] == before
            deal = view.deal.number


def test_lots_for_the_pot_are_told_before_the_next_deal() -> None:
    """M6: where the stakes cannot be shared equally, nobody is dealt cards before lots are."""
    rules = make_ruleset("coeurs-cagnotte", {"players": 5, "match_end": "deals:4"})
    heard = told(*told_to(rules, 0))
    for happened in seen(rules, 8, 0):
        events = [event for event, _ in happened]
        if isinstance(events[0], LotsDrawn) and len(view_of(heard).state.deals) < 4:
            order = events[0].order
            assert reason(heard, f"deal hand {cards(CARDS[:10])}") == "lots_missing"
            assert (
                reason(heard, f"lots {' '.join(str(seat + 1) for seat in order[1:])}")
                == "told_wrong"
            )
            told(*lines_of(*happened[0]), to=heard)
            assert comparable(view_of(heard).state) == comparable(happened[-1][1].state)
            return
        for event, view in happened:
            told(*lines_of(event, view), to=heard)
    pytest.fail("no lots were drawn")


@given(tables)
def test_rules_are_told_with_every_option(rules: Ruleset) -> None:
    heard = told(rules_line(rules), to=session(make_ruleset("salon", {"players": 6})))
    assert heard.rules == rules
