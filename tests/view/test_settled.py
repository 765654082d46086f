"""What somebody can know to be settled, a referee of claims who sees all cards confirms (C1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesets import TABLES, dealt, few, match, play, seeds, start, wider_rulesets

from volte.game import Claim, MatchState, Refusal, decide, visible
from volte.rules import Ruleset, make_ruleset
from volte.view import View, project, settled


def view_of(state: MatchState, seat: int) -> View:
    return View(seat, project(state, seat))


def known(state: MatchState) -> list[int]:
    """The seats that know that nothing can change any more."""
    return [seat for seat in range(state.rules.players) if settled(view_of(state, seat))]


def check_match(rules: Ruleset, seed: int) -> int:
    """How many moments of a match at random somebody knows to be settled, each confirmed."""
    found = 0
    for step in match(rules, seed, restless=True):
        for seat in known(step.after):
            found += 1
            assert not isinstance(decide(step.after, Claim(seat)), Refusal)
    return found


@given(wider_rulesets(st.integers(3, 6), most_cards=26), seeds)
def test_C1_what_a_seat_knows_to_be_settled_is(rules: Ruleset, seed: int) -> None:
    check_match(rules, seed)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_C1_so_it_is_with_every_preset(name: str, players: int) -> None:
    rules = make_ruleset(name, {"players": players, "match_end": "deals:1"})
    for seed in range(few(1, 20)):
        check_match(rules, seed)


@pytest.mark.parametrize("name", ["coeurs", "dame-de-pique", "microsoft", "omnibus"])
def test_C1_somebody_knows_it_before_the_last_trick(name: str) -> None:
    rules = make_ruleset(name, {"match_end": "deals:1"})
    assert sum(check_match(rules, seed) for seed in range(3))


@given(wider_rulesets(st.just(4), most_cards=20), seeds)
def test_C1_what_others_hold_says_nothing(rules: Ruleset, seed: int) -> None:
    """The view that a seat has folded of what it was shown knows as much as one of all cards."""
    views = [View.of(seat, [start(rules)]) for seat in range(rules.players)]
    for step in match(rules, seed):
        for seat in range(rules.players):
            shown = [visible(event, seat) for event in step.events]
            views[seat] = views[seat].see(*shown)
            assert settled(views[seat]) == settled(view_of(step.after, seat))


def test_C1_whoever_leads_and_takes_all_the_rest_knows_it_alone() -> None:
    state = dealt("coeurs", "C: AK H: A", "C: 32 H: 3", "C: 54 H: 5")
    assert known(state) == [0]
    assert known(play(state, "AC")) == []
    assert known(dealt("coeurs", "C: A2", "C: 3 H: 2", "D: 3 H: 3")) == []


def test_C1_not_while_a_card_that_counts_may_lie_in_the_kitty_or_in_a_hand() -> None:
    hands = ("C: 25 D: 4", "C: 34 D: 3", "C: 6 D: 2 S: 3")
    state = play(dealt("coeurs", *hands, kitty="H: 2 S: Q"), "2C 3C 6C")
    assert known(state) == [2]  # who has taken the kitty, and looked at it
    with_slam = play(dealt("coeurs", *hands, kitty="H: 2 S: Q", slam="reversal"), "2C 3C 6C")
    assert known(with_slam) == []


def test_C1_not_before_the_cards_are_played() -> None:
    assert known(dealt("coeurs", "C: AK H: A", "C: 32 H: 3", "C: 54 H: 5", pass_count=1)) == []
