"""The last tricks are solved as by a plain search of every way to play them."""

from __future__ import annotations

from dataclasses import replace as changed
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import because, deal_of, dealt, few, match, recounted, rulesets, seeds
from kit.kernels import KNOWN, any_table, endings, solvable, tiny
from kit.oracle import Ends
from kit.stanzas import read_stanza, stanzas

from volte.cards import Card
from volte.game import DealState, MatchState, Phase
from volte.kernel import DEAL, KernelFault, Records, position
from volte.kernel.compiler import INTERPRETED
from volte.kernel.deals import solve, solve_cards
from volte.kernel.layout import MOST_LEFT
from volte.rules import Moon, MoonRule, Ruleset, SlamRule, make_ruleset

TRICKS: Final = {3: 3, 4: 3 - INTERPRETED, 5: 2, 6: 2, 7: 2}
"""Tricks at the end of a deal that are played in every way, by number of seats."""

tiny_rulesets, tiny_wider = tiny(TRICKS)
tiny_and_wider = tiny_wider.map(solvable)

MOONS: Final = tuple(
    Moon(moon, slam, needs_jack)
    for moon, slam, needs_jack in (
        (MoonRule.OTHERS_PLUS, SlamRule.REVERSAL, False),
        (MoonRule.OTHERS_PLUS, SlamRule.REVERSAL, False),
        (MoonRule.OTHERS_PLUS, SlamRule.DOUBLE, True),
        (MoonRule.SHOOTER_MINUS, SlamRule.REVERSAL, True),
        (MoonRule.SHOOTER_MINUS, SlamRule.DOUBLE, False),
        (MoonRule.SHOOTER_CHOOSES, SlamRule.OFF, True),
    )
)

Points = tuple[int, ...]


# Both searches


def best_points(deal: DealState) -> Points:
    """Points of every seat if each plays for its margin from here on, by the plain search."""
    return Ends().of(deal).points


def points_behind(deal: DealState) -> dict[Card, Points]:
    """Points by that search behind each legal card."""
    return {card: end.points for card, end in Ends().behind(deal).items()}


def check(rules: Ruleset, deals: list[DealState]) -> None:
    rows = np.concatenate([position(deal) for deal in deals])
    assert solve(rules, rows).tolist() == [list(best_points(deal)) for deal in deals]


def check_last_tricks(rules: Ruleset, seed: int) -> None:
    check(rules, endings(rules, seed, TRICKS[rules.players]))


@given(any_table().map(solvable) | recounted(rulesets()), seeds)
@settings(max_examples=few(5, 120))
def test_the_last_tricks_of_any_deal(rules: Ruleset, seed: int) -> None:
    check_last_tricks(rules, seed)


@given(tiny_rulesets | recounted(tiny_rulesets) | tiny_and_wider, seeds)
@settings(max_examples=few(5, 120))
def test_tiny_deals_from_the_first_card_on(rules: Ruleset, seed: int) -> None:
    check_last_tricks(rules, seed)


@given(tiny_rulesets | rulesets() | tiny_and_wider, st.sampled_from(MOONS), seeds)
@settings(max_examples=few(5, 120))
def test_moons_and_slams_in_the_making(rules: Ruleset, moon: Moon, seed: int) -> None:
    check_last_tricks(changed(rules, moon=moon), seed)


@pytest.mark.parametrize(("preset", "players"), KNOWN)
def test_the_last_tricks_at_every_table(preset: str, players: int) -> None:
    rules = solvable(make_ruleset(preset, {"players": players}))
    for seed in range(few(1, 3)):
        check_last_tricks(rules, seed)


@given(rulesets(st.just(3)), seeds)
@settings(max_examples=few(4, 10))
def test_positions_that_come_up_again(rules: Ruleset, seed: int) -> None:
    check(rules, endings(rules, seed, tricks=4)[:1])


@pytest.mark.full
@given(rulesets(st.integers(3, 4)), seeds)
@settings(max_examples=few(5, 120))
def test_positions_that_come_up_often(rules: Ruleset, seed: int) -> None:
    check(rules, endings(rules, seed, tricks=4)[:1])


@given(rulesets() | tiny_rulesets, seeds)
@settings(max_examples=few(5, 20))
def test_every_card_of_a_choice(rules: Ruleset, seed: int) -> None:
    *deals, over = endings(rules, seed, TRICKS[rules.players])
    assert solve_cards(rules, position(over)) == {}
    for deal in deals:
        assert solve_cards(rules, position(deal)) == points_behind(deal)


# Single endings


def best(state: MatchState) -> list[int]:
    [points] = solve(state.rules, position(deal_of(state))).tolist()
    assert tuple(points) == best_points(deal_of(state))
    return [int(point) for point in points]


@pytest.mark.parametrize("text", stanzas(__file__, "endings.txt"))
def test_what_comes_of_an_ending(text: str) -> None:
    stanza, worth = read_stanza(text), dict[str, Points]()
    for line in stanza.lines:
        match line.split():
            case ["best", *points]:
                assert best(stanza.state) == [*map(int, points)]
            case ["not", "best", *points]:
                assert best(stanza.state) != [*map(int, points)]
            case ["behind", card, *points]:
                worth[card] = tuple(map(int, points))
            case _:
                raise ValueError(line)
    behind = solve_cards(stanza.state.rules, row(stanza.state))
    assert not worth or {card.text: points for card, points in behind.items()} == worth


def row(state: MatchState) -> Records:
    return position(deal_of(state))


# The door


def reason(rules: Ruleset, rows: Records) -> KernelFault:
    with pytest.raises(KernelFault) as caught:
        solve(rules, rows)
    with pytest.raises(KernelFault, check=because(caught.value.reason)):
        solve_cards(rules, rows)
    return caught.value


def first_with(rules: Ruleset, phase: Phase) -> MatchState:
    return next(step.after for step in match(rules, 1) if step.after.phase is phase)


def test_whole_hands_are_refused() -> None:
    rules = make_ruleset("microsoft")
    fault = reason(rules, row(first_with(rules, Phase.PLAYING)))
    assert fault.reason == "kernel_too_early"
    assert fault.params == {"row": 0, "left": 52, "most": MOST_LEFT}


def test_hands_before_the_pass_are_refused() -> None:
    rules = make_ruleset("microsoft")
    assert reason(rules, row(first_with(rules, Phase.PASSING))).reason == "kernel_not_playing"


def test_what_is_no_position_is_refused() -> None:
    rules = make_ruleset("microsoft")
    rows = row(first_with(rules, Phase.PLAYING))
    rows["turn"] = 7
    assert reason(rules, rows).reason == "kernel_turn"


def test_cards_are_solved_for_one_deal() -> None:
    with pytest.raises(KernelFault, check=because("kernel_range")):
        solve_cards(make_ruleset("microsoft"), np.zeros(0, DEAL))


@pytest.mark.parametrize(
    ("name", "value"), [("partners", 2), ("no_tricks", -5), ("kitty", "last_trick")]
)
def test_rules_that_the_search_does_not_know_are_refused(name: str, value: str | int) -> None:
    rules = make_ruleset("coeurs", {"players": 5 if name == "kitty" else 4, name: value})
    fault = reason(rules, np.zeros(0, DEAL))
    assert (fault.reason, fault.params) == ("kernel_option", {"option": name, "value": value})


@pytest.mark.skipif(INTERPRETED, reason="takes hours as plain Python")
def test_the_longest_search_has_room() -> None:
    """There are as many cards as may be left, at as few seats as possible."""
    deck = [f"{rank}{suit}" for suit in "CDH" for rank in "23456TJ"]
    assert len(deck) == MOST_LEFT
    state = dealt("coeurs", *(" ".join(deck[seat::3]) for seat in range(3)), moon="off")
    assert sum(solve(state.rules, row(state))[0].tolist()) == 7
