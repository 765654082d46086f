"""The referee's rulings, clause by clause: I1 to I7 and I9, and what is settled then."""

from __future__ import annotations

from typing import Final

import pytest
from kit.deals import dealt as dealt_without_referee
from kit.refereed import after, cards, deal_out, dealt, event, hand, play, refused, take, turned

from volte import game
from volte.cards import Card, CardSet
from volte.referee import (
    Accept,
    Action,
    ClaimRevoke,
    Cut,
    DealCut,
    DeclareMisdeal,
    Misdeal,
    Misdealt,
    MixTricks,
    Object,
    Objected,
    Reckoned,
    RefereedMatch,
    RevokeClaimed,
    TakeBack,
    TakenBack,
    TricksMixed,
    TurnDown,
    stopped,
)
from volte.rules import Irregularities, Score, Value, make_ruleset

THREE: Final = ("C: 2 D: 2", "C: 3 D: 3", "C: 4 H: 4")
ONE_DEAL: Final[dict[str, Value]] = {"match_end": "deals:1"}


def points(state: RefereedMatch) -> tuple[int, ...]:
    """What the deal counts as things stand."""
    assert state.reckoned is not None
    return state.reckoned.points


# What is refused


@pytest.mark.parametrize(
    ("played", "action", "reason", "clause"),
    [
        ("2C", DeclareMisdeal(Misdeal.EXPOSED), "too_late_for_a_misdeal", "I1"),
        ("2C", game.Play(0, Card("2D")), "already_played", "I2"),
        ("2C", Object(1, 1), "own_card", "I2"),
        ("2C", Object(1, 2), "no_card_there", "I2"),
        ("2C", game.AskUndo(0), "no_undo_here", "I2"),
        ("2C 4C", TakeBack(2), "nothing_to_put_right", "I4"),
        ("2C 4C", TurnDown(2), "trick_not_full", "I4"),
        ("2C 3C 4C", TurnDown(0), "not_yours_to_turn_down", "I4"),
        ("2C 3C 4C", game.Play(0, Card("2D")), "not_turned_down", "I4"),
        ("2C 3D 4C 4H", TakeBack(1), "nothing_to_put_right", "I4"),
        ("2C 3D 4C 4H", Cut(2), "nothing_to_cut", "I6"),
        # Every card is played, since tricks prove what hands held
        ("", game.Claim(0), "no_claims_here", "I7"),
        ("2C 3D 4C 4H", ClaimRevoke(2, 2, 2), "not_yet_turned_down", "I9"),
        ("2C 3D 4C 4H", ClaimRevoke(0, 1, 2), "not_yet_turned_down", "I9"),
        ("2C 3D 4C 4H", ClaimRevoke(0, 1, 3), "no_such_trick", "I9"),
        ("2C 3D 4C 4H", ClaimRevoke(0, 1, 0), "no_such_trick", "I9"),
        ("2C 3D 4C 4H", ClaimRevoke(0, 7, 1), "no_such_seat", ""),
    ],
)
def test_what_is_refused(played: str, action: Action, reason: str, clause: str) -> None:
    refusal = refused(play(dealt(*THREE), played), action)
    assert (refusal.reason, refusal.clause) == (reason, clause)


# I1: misdeals


@pytest.mark.parametrize("why", Misdeal)
def test_I1_a_misdeal_costs_the_dealer_the_deal_and_the_left_neighbour_deals(why: Misdeal) -> None:
    state = dealt(*THREE)
    assert event(state, DeclareMisdeal(why), Misdealt) == Misdealt(2, why)
    again = after(state, DeclareMisdeal(why))
    assert (again.phase, again.dealer, again.deals) == (game.Phase.DEALING, 0, ())
    dealt_again = deal_out(again, *THREE)
    assert (dealt_again.lying.number, dealt_again.lying.leader) == (1, 1)


def test_I1_a_misdeal_may_be_noticed_while_cards_are_passed() -> None:
    state = dealt(*THREE, options={"pass_count": 1})
    passed = after(state, game.Pass(0, (Card("2C"),)))
    assert after(passed, DeclareMisdeal(Misdeal.COUNT)).phase is game.Phase.DEALING


# I2: cards out of turn


def test_I2_a_card_played_out_of_turn_lies_there_until_its_turn_comes() -> None:
    state = play(dealt(*THREE), "2C 4C")
    assert state.lying.trick == (Card("2C"),)
    assert [each.card for each in state.lying.waiting] == [Card("4C")]
    assert (state.lying.turn, hand(state, 2)) == (1, CardSet("4H"))
    assert play(state, "3C").lying.trick == (Card("2C"), Card("3C"), Card("4C"))


def test_I2_it_is_taken_back_when_somebody_asks() -> None:
    state = play(dealt(*THREE), "2C 4C")
    assert event(state, Object(0, 2), Objected) == Objected(0, 2, "I2")
    taken_back = event(state, Object(0, 2), TakenBack)
    assert (taken_back.seat, taken_back.clause) == (2, "I2")
    back = after(state, Object(0, 2))
    assert (back.lying.waiting, hand(back, 2)) == ((), CardSet("C: 4 H: 4"))


def test_I2_after_taking_it_back_one_waits_for_ones_turn_and_plays_lawfully() -> None:
    state = play(dealt(*THREE), "2C 4C")
    back = after(state, Object(1, 2))
    assert refused(back, game.Play(2, Card("4C"))).reason == "not_your_turn"
    assert refused(play(back, "3C"), game.Play(2, Card("4H"))).clause == "T1"
    assert play(back, "3C 4C").lying.full


def test_I2_once_the_last_card_of_the_trick_lies_on_the_table_it_stands() -> None:
    state = play(dealt(*THREE), "2C 4C 3C")
    assert event(state, Object(0, 2), Objected).clause == ""
    assert turned(state).lying.leader == 2


def test_I2_one_that_stands_costs_nothing() -> None:
    state = turned(turned(dealt(*THREE), "2C 4C 3C"), "4H 2D 3D")
    assert points(state) == (0, 0, 1)


def test_I2_the_first_card_sets_the_suit_also_when_it_was_led_out_of_turn() -> None:
    state = play(dealt(*THREE), "3D")
    assert (state.lying.leader, state.lying.turn) == (1, 2)
    full = play(state, "4H 2D")
    assert full.lying.taker == 1
    assert turned(full).lying.breaches == ()


def test_I2_with_a_lead_taken_back_what_followed_it_goes_back_as_well() -> None:
    state = play(dealt("C: 2 D: 2", "C: 3 D: 3", "H: 4 D: 4"), "3D 4D")
    back = after(state, Object(0, 1))
    assert (back.lying.leader, back.lying.turn, back.lying.laid) == (0, 0, ())
    assert [hand(back, seat) for seat in range(3)] == [
        CardSet("C: 2 D: 2"),
        CardSet("C: 3 D: 3"),
        CardSet("H: 4 D: 4"),
    ]


def test_I2_to_object_where_nothing_is_wrong_is_told_and_changes_nothing() -> None:
    state = play(dealt(*THREE), "2C 3C")
    step = take(state, Object(2, 1))
    assert step.events == (Objected(2, 1, ""),)
    assert step.after.deal == state.deal


# I3: what is a revoke


def revoked() -> RefereedMatch:
    """Seat 1 has discarded a diamond on clubs although it holds one; the trick is turned down."""
    return turned(dealt(*THREE), "2C 3D 4C")


def test_I3_not_to_follow_suit_when_able_is_a_revoke() -> None:
    assert event(revoked(), ClaimRevoke(0, 1, 1), RevokeClaimed).clause == "T1"


def test_I3_not_to_discard_the_queen_at_the_first_chance_is_a_revoke() -> None:
    state = turned(dealt("C: 2 D: 2", "S: Q D: 3", "C: 4 H: 4"), "2C 3D 4C")
    assert event(state, ClaimRevoke(0, 1, 1), RevokeClaimed).clause == "T5"


def test_I3_where_the_queen_is_free_keeping_her_is_none() -> None:
    hands = ("C: 2 D: 2", "S: Q D: 3", "C: 4 H: 4")
    state = turned(dealt(*hands, options={"queen_discard": "free"}), "2C 3D 4C")
    assert event(state, ClaimRevoke(0, 1, 1), RevokeClaimed).clause == ""


OTHER_BREACHES: dict[str, tuple[tuple[str, ...], dict[str, Value], str]] = {
    "T3": (("C: 2 D: 2", "H: 3 D: 3", "C: 4 S: Q"), {"first_trick_points": "barred"}, "2C 3H 4C"),
    "T4": (("H: 2 D: 2", "H: 3 D: 3", "C: 4 S: Q"), {"hearts_lead": "once_broken"}, "2H 3H 4C"),
    "T6": (("C: 2 D: 2", "S: Q D: 3", "C: 4 H: 4"), {"queen_discard": "barred"}, "2C QS 4C"),
    "T7": (("C: 2 D: 2", "H: 3 D: 3", "C: 4 S: Q"), {"hearts_from_trick": 2}, "2C 3H 4C"),
}
"""Hands, the option, and a trick whose first or second card breaks the duty."""


@pytest.mark.parametrize("clause", OTHER_BREACHES)
def test_I3_any_other_breach_is_put_right_when_somebody_objects(clause: str) -> None:
    hands, options, trick = OTHER_BREACHES[clause]
    state = play(dealt(*hands, options=options), trick)
    culprit = 0 if clause == "T4" else 1
    assert event(state, Object(2, culprit), Objected) == Objected(2, culprit, clause)
    assert event(state, Object(2, culprit), TakenBack).clause == "I3"
    back = after(state, Object(2, culprit))
    assert back.lying.turn == culprit
    wrong = Card(trick.split()[culprit])
    assert refused(back, game.Play(culprit, wrong)).clause == clause


@pytest.mark.parametrize("clause", OTHER_BREACHES)
def test_I3_and_stands_without_penalty_once_the_trick_is_turned_down(clause: str) -> None:
    hands, options, trick = OTHER_BREACHES[clause]
    state = turned(dealt(*hands, options=options), trick)
    culprit = 0 if clause == "T4" else 1
    assert event(state, ClaimRevoke(2, culprit, 1), RevokeClaimed).clause == ""
    assert after(state, ClaimRevoke(2, culprit, 1)).reckoned is None


@pytest.mark.parametrize("clause", OTHER_BREACHES)
def test_I3_whoever_broke_another_duty_does_not_put_it_right_unasked(clause: str) -> None:
    hands, options, trick = OTHER_BREACHES[clause]
    state = play(dealt(*hands, options=options), trick)
    assert refused(state, TakeBack(0 if clause == "T4" else 1)).reason == "nothing_to_put_right"


def test_I3_with_a_lead_put_right_the_others_play_once_more() -> None:
    hands, options, trick = OTHER_BREACHES["T4"]
    back = after(play(dealt(*hands, options=options), trick), Object(2, 0))
    assert (back.lying.laid, back.lying.broken) == ((), False)
    assert play(back, "2D 3D 4C").lying.full


# I4: correcting a revoke


def test_I4_a_revoke_may_be_put_right_until_the_trick_is_turned_down() -> None:
    state = play(dealt(*THREE), "2C 3D 4C")
    assert event(state, TakeBack(1), TakenBack).clause == "I4"
    back = after(state, TakeBack(1))
    assert (back.lying.turn, hand(back, 1)) == (1, CardSet("C: 3 D: 3"))
    assert refused(back, game.Play(1, Card("3D"))).clause == "T1"
    done = turned(back, "3C")
    assert event(done, ClaimRevoke(0, 1, 1), RevokeClaimed).clause == ""


def test_I4_the_cards_of_the_others_stay_where_they_lie() -> None:
    back = after(play(dealt(*THREE), "2C 3D 4C"), TakeBack(1))
    assert [each.card for each in back.lying.laid] == [Card("2C"), Card("4C")]
    assert play(back, "3C").lying.trick == (Card("2C"), Card("3C"), Card("4C"))


def test_I4_somebody_may_ask_for_it() -> None:
    state = play(dealt(*THREE), "2C 3D")
    assert event(state, Object(0, 1), Objected).clause == "T1"
    assert after(state, Object(0, 1)).lying.turn == 1


def test_I4_only_the_winner_turns_the_trick_down() -> None:
    state = play(dealt(*THREE), "2C 3C 4C")
    assert event(state, TurnDown(2), game.TrickTaken) == game.TrickTaken(2)


def test_I4_the_winner_who_leads_has_turned_it_down() -> None:
    state = play(dealt(*THREE), "2C 3C 4C")
    assert [type(each).__name__ for each in take(state, game.Play(2, Card("4H"))).events] == [
        "TrickTaken",
        "Played",
    ]


def test_I4_the_kitty_goes_with_the_first_trick() -> None:
    state = turned(dealt(*THREE, kitty="H: 5"), "2C 3C 4C")
    assert state.lying.captured(2) & cards("5H")
    assert turned(state, "4H 2D 3D").lying.reckoned is not None


# I5, I6: claims


def test_I5_a_revoke_found_later_stops_the_deal_at_once() -> None:
    state = after(revoked(), ClaimRevoke(0, 1, 1))
    assert points(state) == (0, 1, 0)  # one heart is in this deck
    assert refused(state, game.Play(2, Card("4H"))).reason == "not_playing_now"


@pytest.mark.parametrize(("queen", "total"), [(12, 25), (13, 26)])
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_I5_the_offender_scores_the_penalty_total_and_the_others_nothing(
    players: int, queen: int, total: int
) -> None:
    rules = make_ruleset("coeurs", {"players": players, "queen_points": queen})
    scored = stopped(rules, {1})
    assert scored.points == tuple(total if seat == 1 else 0 for seat in range(players))
    assert (scored.moon, scored.slam) == (None, None)


def test_I5_two_offenders_score_it_each() -> None:
    state = turned(dealt(*THREE), "2C 3D 4H")
    state = after(state, ClaimRevoke(0, 1, 1), ClaimRevoke(0, 2, 1))
    assert state.reckoned is not None
    assert (state.reckoned.points, state.lying.offenders) == ((0, 1, 1), (1, 2))


def test_I5_it_is_that_deal_only() -> None:
    state = after(revoked(), ClaimRevoke(0, 1, 1), Cut(2))
    assert (state.phase, state.dealer, state.offenders) == (game.Phase.DEALING, 0, ((1,),))
    assert [deal.points for deal in state.deals] == [(0, 1, 0)]


def test_I5_in_a_one_deal_match_that_is_the_match() -> None:
    state = turned(dealt(*THREE, options=ONE_DEAL), "2C 3D 4C")
    state = after(state, ClaimRevoke(0, 1, 1), Accept(0), Accept(1), Accept(2))
    assert (state.phase, state.winners) == (game.Phase.SETTLING, (0, 2))


def test_I6_a_revoke_may_be_claimed_when_all_tricks_are_played() -> None:
    state = turned(revoked(), "4H 2D 3C")
    assert points(state) == (0, 0, 1)
    claimed = after(state, ClaimRevoke(2, 1, 1))
    assert points(claimed) == (0, 1, 0)


def test_I6_until_the_cards_are_cut_for_the_next_deal() -> None:
    state = after(turned(revoked(), "4H 2D 3C"), Cut(2))
    assert refused(state, ClaimRevoke(2, 1, 1)).clause == "I6"
    assert [deal.points for deal in state.deals] == [(0, 0, 1)]


def test_I6_the_next_dealers_right_hand_neighbour_cuts() -> None:
    state = turned(revoked(), "4H 2D 3C")
    assert refused(state, Cut(0)).reason == "not_yours_to_cut"
    assert [type(each) for each in take(state, Cut(2)).events][:2] == [DealCut, game.DealScored]


def test_I6_after_the_last_deal_until_everybody_has_accepted() -> None:
    state = dealt(*THREE, options=ONE_DEAL)
    state = after(turned(turned(state, "2C 3D 4C"), "4H 2D 3C"), Accept(0), Accept(2))
    assert refused(state, Accept(0)).reason == "already_accepted"
    assert refused(state, Cut(2)).reason == "nothing_to_cut"
    claimed = after(state, ClaimRevoke(0, 1, 1))
    assert claimed.accepted == 0  # it is another sheet: everybody accepts it anew
    over = after(state, Accept(1))
    assert over.deals[0].points == (0, 0, 1)
    assert refused(over, ClaimRevoke(0, 1, 1)).reason == "too_late_to_claim"


def test_I6_the_same_offender_pays_once_a_deal() -> None:
    state = turned(turned(dealt("C: 25 D: 2", "C: 36 D: 3", "C: 4 H: 46"), "2C 3D 4H"), "5C 3C 6H")
    state = after(state, ClaimRevoke(0, 2, 1))
    step = take(state, ClaimRevoke(1, 2, 2))
    assert step.events == (RevokeClaimed(1, 2, 2, "T1"),)
    assert step.after.deal == state.deal


# I7: mixed tricks


def two_tricks() -> RefereedMatch:
    """The third seat has taken both tricks so far, and the second has revoked in the first."""
    return turned(turned(dealt("C: 25 D: 2", "C: 36 D: 3", "C: 47 H: 4"), "2C 3D 4C"), "7C 5C 6C")


def test_I7_whoever_has_mixed_their_tricks_gets_the_penalty_total() -> None:
    state = after(two_tricks(), MixTricks(2))
    assert points(state) == (0, 0, 1)


def test_I7_it_is_told_who_revoked_and_whose_tricks_are_mixed() -> None:
    state = after(two_tricks(), ClaimRevoke(0, 1, 1), MixTricks(2), MixTricks(2))
    assert (state.lying.offenders, state.lying.mixed) == ((1, 2), (2,))
    cut = after(state, Cut(2))
    assert (cut.offenders, cut.mixed) == (((1, 2),), ((2,),))


def test_I7_whoever_revoked_and_also_when_the_claim_was_mistaken() -> None:
    state = after(two_tricks(), ClaimRevoke(0, 2, 1), MixTricks(2))
    assert points(state) == (0, 0, 1)


def test_I7_a_revoke_that_other_tricks_prove_costs_its_player_the_total_as_well() -> None:
    state = after(two_tricks(), MixTricks(2), ClaimRevoke(0, 1, 1))
    assert points(state) == (0, 1, 1)


@pytest.mark.parametrize("seat", [0, 2])
def test_I7_fewer_than_two_tricks_of_ones_own_cannot_be_mixed(seat: int) -> None:
    state = revoked()
    assert state.lying.won == (0, 0, 1)
    refusal = refused(state, MixTricks(seat))
    assert (refusal.reason, refusal.clause) == ("too_few_tricks", "I7")
    assert event(two_tricks(), MixTricks(2), TricksMixed).seat == 2
    assert refused(two_tricks(), MixTricks(0)).reason == "too_few_tricks"


# I9: mistaken claims, and revokes of one's own


def test_I9_a_false_claim_costs_nothing_and_is_recorded() -> None:
    state = revoked()
    step = take(state, ClaimRevoke(0, 2, 1))
    assert step.events == (RevokeClaimed(0, 2, 1, ""),)
    assert step.after.deal == state.deal


def test_I9_a_revoke_of_ones_own_may_be_announced() -> None:
    step = take(revoked(), ClaimRevoke(1, 1, 1))
    assert step.events == (
        RevokeClaimed(1, 1, 1, "T1"),
        Reckoned((0, 1, 0), offenders=(1,)),
    )


def test_I9_it_may_be_announced_until_the_cut_and_not_after() -> None:
    state = turned(revoked(), "4H 2D 3C")
    assert event(state, ClaimRevoke(1, 1, 1), Reckoned).offenders == (1,)
    assert refused(after(state, Cut(2)), ClaimRevoke(1, 1, 1)).clause == "I6"


def test_I9_a_mistaken_word_about_oneself_costs_nothing_either() -> None:
    step = take(revoked(), ClaimRevoke(2, 2, 1))
    assert step.events == (RevokeClaimed(2, 2, 1, ""),)
    assert step.after.deal == revoked().deal


def test_where_nothing_is_refereed_its_acts_are_refused() -> None:
    state = dealt_without_referee("coeurs", "C: 2", "C: 3", "H: 4")
    for action in (TakeBack(0), Object(0, 1), TurnDown(0), ClaimRevoke(0, 1, 1), Cut(0), Accept(0)):
        assert refused(state, action).reason == "no_referee"
    assert refused(state, MixTricks(0)).reason == "no_referee"


def test_the_presets_of_refereed_tables_are_refereed() -> None:
    state = dealt("C: 2", "C: 3", "H: 4", preset="coeurs-table", options={})
    assert isinstance(state, RefereedMatch)
    assert make_ruleset("coeurs-table").irregularities is Irregularities.REFEREED


# Settlements (M1, M5, M6, S3)


@pytest.mark.parametrize(
    ("settlement", "net"),
    [("difference", (1, -2, 1)), ("average", (0, 0, 0)), ("pot", (1, -2, 1))],
)
def test_M1_M5_M6_a_stopped_deal_is_settled_as_it_was_ruled(
    settlement: str, net: tuple[int, int, int]
) -> None:
    hands = ("C: 2 D: 2 S: 2", "C: 3 D: 3 S: 3", "C: 4 H: 45")
    state = turned(dealt(*hands, options={**ONE_DEAL, "settlement": settlement}), "2C 3D 4C")
    state = after(state, ClaimRevoke(0, 1, 1), Accept(0), Accept(1), Accept(2))
    assert (state.deals[0].points, state.net) == ((0, 2, 0), net)


def test_M6_the_jack_of_a_stopped_deal_is_left_out() -> None:
    hands = ("C: 2 D: J S: 2", "C: 3 D: 3 S: 3", "C: 4 H: 45")
    options: dict[str, Value] = {**ONE_DEAL, "settlement": "pot", "jack_points": -10}
    state = turned(dealt(*hands, options=options), "2C 3D 4C")
    state = after(state, ClaimRevoke(0, 1, 1), Accept(0), Accept(1), Accept(2))
    assert (state.deals[0].points, state.net) == ((0, 2, 0), (1, -2, 1))


def test_S3_a_moon_is_reckoned_and_settled_as_ever() -> None:
    state = dealt("H: AK", "H: 2 C: 3", "D: 2 C: 4", options={**ONE_DEAL, "moon": "others_plus"})
    state = turned(turned(state, "AH 2H 2D"), "KH 3C 4C")
    assert state.reckoned == Score((0, 3, 3), moon=0)
    step = take(after(state, Accept(0), Accept(1)), Accept(2))
    assert [type(each) for each in step.events][1:] == [
        game.DealScored,
        game.MatchEnded,
        game.Settled,
    ]
    assert step.after.net == (6, -3, -3)
