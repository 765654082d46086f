"""Claims (C1) against every continuation of small deals."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple
from rules.counting import counted
from rulesets import after, deal_of, dealt, match, play, refused, seeds, take, wider_rulesets

from volte.game import Claim, Claimed, MatchState, Phase, legal_actions
from volte.game.claims import claim_holds
from volte.rules import Ruleset

Outcome = tuple[object, ...]


def outcomes(state: MatchState, deals: int) -> set[Outcome]:
    """What the deal can still come to, by playing all of it; two are enough."""
    if state.phase is Phase.CHOOSING or len(state.deals) > deals:
        return {outcome(state, deals)}
    found: set[Outcome] = set()
    for action in legal_actions(state, deal_of(state).turn):
        found |= outcomes(after(state, action), deals)
        if len(found) > 1:
            break
    return found


def outcome(state: MatchState, deals: int) -> Outcome:
    """The score of that deal, or what its shooter may choose to make of it (W7)."""
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


def test_C1_the_rest_is_played_by_itself() -> None:
    state = dealt("coeurs", "C: AK H: A", "C: 32 H: 3", "C: 54 H: 5")
    step = take(state, Claim(0))
    assert step.events[0] == Claimed(0)
    assert step.after.phase is Phase.ENDED
    assert step.after.deals[-1].points == (0, 3, 3)


def test_C1_anybody_may_claim_and_at_any_time_in_play() -> None:
    state = play(dealt("coeurs", "C: AK H: A", "C: 32 H: 3", "C: 54 H: 5"), "AC")
    for seat in range(3):
        assert after(state, Claim(seat)).deals[-1].points == (0, 3, 3)


def test_C1_not_where_a_score_can_still_change() -> None:
    state = dealt("coeurs", "C: A2", "C: 3 H: 2", "D: 3 H: 3")
    assert refused(state, Claim(0)).reason == "claim_not_proved"


def test_C1_not_while_the_jack_is_out() -> None:
    hands = ("H: A C: 25", "H: 2 C: 3 D: J", "H: 3 C: 4 D: 2")
    state = play(dealt("coeurs", *hands, jack_points=-10, moon="off"), "AH 2H 3H")
    assert refused(state, Claim(0)).clause == "C1"
    state = play(dealt("coeurs", *hands, moon="off"), "AH 2H 3H")
    assert after(state, Claim(0)).deals[-1].points == (3, 0, 0)


def test_C1_not_while_a_slam_can_still_be_made() -> None:
    hands = ("H: A C: 2", "H: 2 C: 3", "H: 3 D: 4")
    state = play(dealt("coeurs", *hands, slam="reversal"), "AH 2H 3H")
    assert after(state, Claim(0)).deals[-1].points == (0, 3, 3)  # the three of clubs is sure
    hands = ("H: A C: 25", "H: 2 C: 3 D: 6", "H: 3 D: 45")
    state = play(dealt("coeurs", *hands, slam="reversal"), "AH 2H 3H")
    assert refused(state, Claim(0)).clause == "C1"
    sure = play(dealt("coeurs", *hands), "AH 2H 3H")
    assert after(sure, Claim(0)).deals[-1].moon == 0


def test_C1_not_while_the_kitty_can_go_to_another() -> None:
    hands = ("C: 25 D: 2", "C: 34 D: 3", "C: 6 S: 23")
    assert refused(dealt("coeurs", *hands, kitty="H: 2 S: Q"), Claim(0)).clause == "C1"
    state = play(dealt("coeurs", *hands, kitty="H: 2 S: Q"), "2C 3C 6C")
    assert after(state, Claim(1)).deals[-1].moon == 2


def test_C1_not_outside_play() -> None:
    state = dealt("coeurs", "C: AK H: A", "C: 32 H: 3", "C: 54 H: 5", pass_count=1)
    assert refused(state, Claim(0)).reason == "not_playing_now"
    ended = after(dealt("coeurs", "C: A", "C: 2", "H: 2"), Claim(1))
    assert refused(ended, Claim(0)).reason == "not_playing_now"
    assert refused(state, Claim(3)).reason == "no_such_seat"


def test_C1_a_hand_that_takes_everything_is_seen_at_once() -> None:
    hands = ("C: AKQJT98765432", "D: AKQJT98765432", "S: AKQJT98765432", "H: AKQJT98765432")
    state = dealt("coeurs", *hands, moon="off", queen_discard="free")
    assert after(state, Claim(0)).deals[-1].points == (25, 0, 0, 0)


def test_C1_however_many_cards_are_left_once_all_points_are_taken() -> None:
    ranks = "AKQJT98765432"
    free = [f"{rank}D{pack}" for pack in ("", "'") for rank in ranks]
    free += [f"{rank}S{pack}" for pack in ("", "'") for rank in ranks if rank != "Q"]
    others = (f"{ranks[seat]}H " + " ".join(free[seat * 5 - 5 : seat * 5]) for seat in range(1, 10))
    state = play(dealt("coeurs", "AH 2C 3C 4C 5C 6C", *others), "AH KH QH JH TH 9H 8H 7H 6H 5H 2C")
    assert after(state, Claim(4)).deals[-1].moon == 0
