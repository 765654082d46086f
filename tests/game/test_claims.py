"""Claims (C1) against every continuation of small deals."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.clauses import counted
from kit.deals import after, deal_of, dealt, match, play, refused
from kit.laws import table_of
from kit.strategies import seeds, wider_rulesets
from msgspec.structs import astuple

from volte.game import Claim, MatchState, Phase, legal_actions
from volte.game.claims import claim_holds
from volte.rules import Ruleset

Outcome = tuple[object, ...]


def outcomes(state: MatchState, deals: int) -> set[Outcome]:
    """Outcomes that the deal can still have, by playing all continuations; stops at two."""
    if state.phase is Phase.CHOOSING or len(state.deals) > deals:
        return {outcome(state, deals)}
    found: set[Outcome] = set()
    for action in legal_actions(state, deal_of(state).turn):
        found |= outcomes(after(state, action), deals)
        if len(found) > 1:
            break
    return found


def outcome(state: MatchState, deals: int) -> Outcome:
    """The score of that deal, or shooter and points before the choice of a moon's way (W7)."""
    if state.phase is Phase.CHOOSING:
        return state.shooter, *counted(state, minus=False).points
    return astuple(state.deals[deals])


@given(wider_rulesets(st.integers(3, 6), most_cards=12), seeds)
def test_C1_a_claim_holds_just_where_every_continuation_scores_the_same(
    rules: Ruleset, seed: int
) -> None:
    rng = random.Random(seed)
    states = [step.after for step in match(rules, seed) if few_cards(step.after)]
    for state in rng.sample(states, min(5, len(states))):
        possible = outcomes(state, len(state.deals))
        assert claim_holds(deal_of(state)) == (len(possible) == 1)
        if len(possible) > 1:
            assert refused(state, Claim(rng.randrange(rules.players))).clause == "C1"
        else:
            claimed = after(state, Claim(rng.randrange(rules.players)))
            assert {outcome(claimed, len(state.deals))} == possible


def few_cards(state: MatchState) -> bool:
    return state.phase is Phase.PLAYING and sum(deal_of(state).hand_sizes()) <= 10


SURE = "C: AK H: A | C: 32 H: 3 | C: 54 H: 5"
JACK = "H: A C: 25 | H: 2 C: 3 D: J | H: 3 C: 4 D: 2"
SLAM = "H: A C: 25 | H: 2 C: 3 D: 6 | H: 3 D: 45"
KITTY = "C: 25 D: 2 | C: 34 D: 3 | C: 6 S: 23 | kitty H: 2 S: Q"
ONE_SUIT_EACH = " | ".join(f"{suit}: AKQJT98765432" for suit in "CDSH")


@pytest.mark.parametrize(
    ("table", "played", "points"),
    [
        (f"coeurs | {SURE}", "AC", (0, 3, 3)),  # at any time in play
        ("coeurs | C: A2 | C: 3 H: 2 | D: 3 H: 3", "", None),  # a score can still change
        (f"coeurs jack_points=-10 moon=off | {JACK}", "AH 2H 3H", None),  # the jack is out
        (f"coeurs moon=off | {JACK}", "AH 2H 3H", (3, 0, 0)),
        (f"coeurs slam=reversal | {SLAM}", "AH 2H 3H", None),  # a slam can still be made
        (f"coeurs | {SLAM}", "AH 2H 3H", (0, 3, 3)),
        ("coeurs slam=reversal | H: A C: 2 | H: 2 C: 3 | H: 3 D: 4", "AH 2H 3H", (0, 3, 3)),
        (f"coeurs | {KITTY}", "", None),  # the kitty can go to another
        (f"coeurs | {KITTY}", "2C 3C 6C", (13, 13, 0)),
        (f"coeurs moon=off queen_discard=free | {ONE_SUIT_EACH}", "", (25, 0, 0, 0)),
    ],
)
def test_C1_anybody_may_claim_what_is_sure(
    table: str, played: str, points: tuple[int, ...] | None
) -> None:
    state = play(table_of(table), played)
    for seat in range(state.rules.players):
        if points is None:
            refusal = refused(state, Claim(seat))
            assert (refusal.reason, refusal.clause) == ("claim_not_proved", "C1")
        else:
            assert after(state, Claim(seat)).deals[-1].points == points


def test_C1_however_many_cards_are_left_once_all_points_are_taken() -> None:
    ranks = "AKQJT98765432"
    free = [f"{rank}D{pack}" for pack in ("", "'") for rank in ranks]
    free += [f"{rank}S{pack}" for pack in ("", "'") for rank in ranks if rank != "Q"]
    others = (f"{ranks[seat]}H " + " ".join(free[seat * 5 - 5 : seat * 5]) for seat in range(1, 10))
    state = play(dealt("coeurs", "AH 2C 3C 4C 5C 6C", *others), "AH KH QH JH TH 9H 8H 7H 6H 5H 2C")
    assert after(state, Claim(4)).deals[-1].moon == 0
