"""Refereed tables: what people do there at the same time, clause by clause."""

from __future__ import annotations

import pytest
from kit.tables import ANNE, BRUNO, CLEO, Refereed, dealt, started

from volte import game, referee, table
from volte.cards import Card
from volte.game import Play
from volte.referee import (
    Accept,
    ClaimRevoke,
    Cut,
    Laid,
    Object,
    Objected,
    Reckoned,
    RevokeClaimed,
    TakeBack,
    TakenBack,
    TurnDown,
)
from volte.table import Why
from volte.table import commands as cmd
from volte.table import happenings as hap


def revoked() -> Refereed:
    """Bruno has discarded a heart on clubs though he holds clubs; the trick is full."""
    at = dealt()
    at.play(0, "4C 3H 6C 7C")
    return at


def turned_down() -> Refereed:
    """The same trick is gathered: the seat of the 7 of clubs has taken it."""
    at = revoked()
    at.act(TurnDown(3))
    return at


def reckoned(**options: str) -> Refereed:
    """The deal is over, and has been played honestly."""
    at = dealt(**options)
    at.honestly_until(Reckoned)
    return at


# In time and too late


def test_I4_a_revoke_is_put_right_until_the_trick_is_turned_down() -> None:
    at = revoked()
    assert at.do(BRUNO, cmd.Act(TakeBack(1))) == (TakenBack(1, "I4", (Laid(1, Card("3H")),)),)
    assert at.refusal(BRUNO, Play(1, Card("3H"))).clause == "T1"
    at.play(1, "5C")
    at.act(TurnDown(3))
    assert at.refusal(BRUNO, TakeBack(1)).reason == "nothing_to_put_right"


def test_I3_a_revoke_is_put_right_when_somebody_objects_in_time() -> None:
    at = revoked()
    assert at.do(ANNE, cmd.Act(Object(0, 1)))[0] == Objected(0, 1, "T1")
    at.play(1, "5C")
    at.act(TurnDown(3))
    assert at.refusal(ANNE, Object(0, 1)).reason == "no_card_there"


def test_I5_a_revoke_claimed_later_stops_the_deal() -> None:
    at = turned_down()
    claimed, stopped = at.do(ANNE, cmd.Act(ClaimRevoke(0, 1, 1)))
    assert claimed == RevokeClaimed(0, 1, 1, "T1")
    assert stopped == Reckoned((0, at.match.rules.penalty_total, 0, 0), offenders=(1,))


def test_I6_it_is_claimed_until_the_cut_and_not_after() -> None:
    at = turned_down()
    at.honestly_until(Reckoned)
    seen = at.state.version
    at.act(Cut(3))
    at.take(table.decide_house(at.state, game.DealCards(at.match.rules.cards)))
    assert at.match.phase == "playing"
    too_late = at.refusal(ANNE, ClaimRevoke(0, 1, 1), seen)
    assert (too_late.reason, too_late.clause) == ("too_late_to_claim", "I6")
    assert at.refusal(ANNE, ClaimRevoke(0, 1, 1)).reason == "no_such_trick"


def test_I6_between_the_cut_and_the_deal_it_is_too_late_as_well() -> None:
    at = turned_down()
    at.honestly_until(Reckoned)
    at.act(Cut(3))
    assert at.refusal(ANNE, ClaimRevoke(0, 1, 1)).reason == "too_late_to_claim"


def test_I9_a_false_claim_costs_nothing_and_is_recorded() -> None:
    at = turned_down()
    before = at.match
    assert at.do(BRUNO, cmd.Act(ClaimRevoke(1, 2, 1))) == (RevokeClaimed(1, 2, 1, ""),)
    assert at.match.lying == before.lying
    assert at.state.moved < at.state.version


def test_I2_a_card_out_of_turn_is_asked_back_and_the_deal_goes_on() -> None:
    at = dealt()
    at.do(BRUNO, cmd.Act(Play(1, Card("5C"))))  # the lead is Anne's
    at.play(2, "6C")
    assert at.do(ANNE, cmd.Act(Object(0, 1))) == (
        Objected(0, 1, "I2"),
        TakenBack(1, "I2", (Laid(1, Card("5C"), early=True), Laid(2, Card("6C")))),
    )
    at.play(2, "6C")  # as somebody has to lead: it lies there, out of turn as well
    assert at.match.lying.leader == 2


# Two people act at once


def test_I2_an_objection_that_crosses_a_card_is_heard() -> None:
    at = dealt()
    at.play(0, "4C")
    at.act(Play(3, Card("7C")))
    seen = at.state.version
    at.play(1, "5C")
    at.do(ANNE, cmd.Act(Object(0, 3)), seen)
    assert at.match.lying.lies(3) is None


def test_I2_an_objection_to_a_card_that_lies_there_no_more_is_stale() -> None:
    at = dealt()
    at.play(0, "4C")
    at.act(Play(3, Card("7C")))
    seen = at.state.version
    at.do(BRUNO, cmd.Act(Object(1, 3)))
    at.play(1, "5C 6C 7C")
    assert at.refusal(ANNE, Object(0, 3), seen).reason == "stale"
    at.do(ANNE, cmd.Act(Object(0, 3)))  # mistaken, and recorded
    assert at.log[-1] == Objected(0, 3, "")


def test_I6_a_claim_that_crosses_a_card_or_a_whole_trick_is_heard() -> None:
    at = turned_down()
    seen = at.state.version
    at.honestly_until(game.TrickTaken)
    at.do(ANNE, cmd.Act(ClaimRevoke(0, 1, 1)), seen)
    assert at.match.lying.offenders == (1,)


def test_I4_putting_right_crosses_the_cards_of_others() -> None:
    at = dealt()
    at.play(0, "4C 3H")
    seen = at.state.version
    at.play(2, "6C 7C")
    at.do(BRUNO, cmd.Act(TakeBack(1)), seen)
    assert at.match.lying.lies(1) is None


def test_a_card_crosses_the_early_card_of_another() -> None:
    at = dealt()
    at.play(0, "4C")
    seen = at.state.version
    at.act(Play(3, Card("7C")))
    at.do(BRUNO, cmd.Act(Play(1, Card("5C"))), seen)
    assert at.match.lying.trick[:2] == (Card("4C"), Card("5C"))


def test_a_card_for_a_trick_that_is_gone_is_stale() -> None:
    at = dealt()
    at.play(0, "4C")
    seen = at.state.version
    at.play(1, "5C 6C 7C")
    at.act(TurnDown(3))
    assert at.refusal(BRUNO, Play(1, Card("KC")), seen).reason == "stale"


def test_a_lead_that_crosses_the_lead_of_another_is_stale() -> None:
    """What was meant to lead would follow, and may revoke."""
    at = dealt()
    seen = at.state.version
    at.act(Play(2, Card("3D")))
    assert at.refusal(ANNE, Play(0, Card("2H")), seen).reason == "stale"


def test_I4_whoever_has_not_seen_the_full_trick_does_not_turn_it_down_by_a_lead() -> None:
    at = dealt()
    at.play(0, "AC 5C 6C")
    seen = at.state.version
    at.play(3, "7C")
    assert at.refusal(ANNE, Play(0, Card("4C")), seen).reason == "stale"
    at.do(ANNE, cmd.Act(Play(0, Card("4C"))))
    assert [type(each) for each in at.log[-2:]] == [game.TrickTaken, game.Played]


def test_I4_a_mistaken_objection_does_not_hold_the_trick_up() -> None:
    at = dealt()
    at.play(0, "AC 5C 6C 7C")
    seen = at.state.version
    at.do(BRUNO, cmd.Act(Object(1, 2)))
    at.do(ANNE, cmd.Act(TurnDown(0)), seen)


def test_I6_whoever_cuts_has_seen_what_the_deal_counts_now() -> None:
    at = turned_down()
    at.honestly_until(Reckoned)
    at.let_sit(CLEO, 3)
    seen = at.state.version
    at.do(ANNE, cmd.Act(ClaimRevoke(0, 1, 1)))
    assert at.refusal(CLEO, Cut(3), seen).reason == "stale"
    at.do(CLEO, cmd.Act(Cut(3)))
    assert at.match.deals[0].points == (0, at.match.rules.penalty_total, 0, 0)


def test_I6_all_accept_at_once_and_anew_after_a_claim() -> None:
    at = turned_down_in_the_last_deal()
    seen = at.state.version
    at.do(BRUNO, cmd.Act(Accept(1)))
    at.do(ANNE, cmd.Act(Accept(0)), seen)
    seen = at.state.version
    at.do(ANNE, cmd.Act(ClaimRevoke(0, 1, 1)))
    assert at.match.accepted == 0
    assert at.refusal(BRUNO, Accept(1), seen).reason == "stale"
    for seat in range(4):
        at.act(Accept(seat))
    assert at.match.phase == "ended"
    assert at.match.offenders == ((1,),)


def turned_down_in_the_last_deal() -> Refereed:
    at = dealt(match_end="deals:1")
    at.play(0, "4C 3H 6C 7C")
    at.act(TurnDown(3))
    at.honestly_until(Reckoned)
    return at


# Who may do what


def test_C1_C2_nobody_claims_the_rest_or_takes_back_by_consent() -> None:
    at = dealt()
    at.play(0, "4C")
    at.let_sit(CLEO, 2)
    assert at.refusal(ANNE, game.Claim(0)).reason == "no_claims_here"
    assert at.refusal(ANNE, game.AskUndo(0)).reason == "no_undo_here"


def test_nobody_acts_for_another_seat_nor_without_one() -> None:
    at = revoked()
    for action in (TakeBack(1), TurnDown(3), Object(2, 1), ClaimRevoke(2, 1, 1), Cut(3)):
        assert at.refusal(ANNE, action).reason == "not_your_seat"
        assert at.refusal(CLEO, action).reason == "not_seated"


@pytest.mark.parametrize("against", [4, 9])
def test_a_seat_that_is_not_there_is_refused(against: int) -> None:
    at = revoked()
    assert at.refusal(ANNE, Object(0, against)).reason == "no_such_seat"
    assert at.refusal(ANNE, ClaimRevoke(0, against, 1)).reason == "no_such_seat"


def test_at_other_tables_there_is_no_referee() -> None:
    at = started()
    at.play_until(game.Phase.PLAYING)
    for action in (Object(0, 1), TakeBack(0), TurnDown(0), ClaimRevoke(0, 1, 1), Cut(0)):
        outcome = at.decide(ANNE, cmd.Act(action))
        assert isinstance(outcome, game.Refusal)
        assert outcome.reason == "no_referee"


def test_a_person_who_takes_over_a_seat_may_put_its_revoke_right() -> None:
    at = revoked()
    at.do(BRUNO, cmd.Stand())
    at.let_sit(CLEO, 1)
    at.do(CLEO, cmd.Act(TakeBack(1)))
    at.check_secrecy()


def test_whoever_acts_is_back() -> None:
    at = revoked()
    at.do(BRUNO, cmd.Away())
    assert at.do(BRUNO, cmd.Act(TakeBack(1)))[0] == hap.CameBack(1)
    assert at.state.seats[1].stand_in is not Why.OWN


def test_nothing_is_done_while_the_match_waits() -> None:
    at = turned_down()
    at.do(BRUNO, cmd.Pause())
    assert at.refusal(ANNE, ClaimRevoke(0, 1, 1)).reason == "paused"


def test_the_cut_brings_the_next_deal_and_next_says_only_that_nothing_is_claimed() -> None:
    at = reckoned()
    assert not at.state.between_deals
    assert at.state.awaits_cut
    assert at.do(ANNE, cmd.Next()) == (hap.Readied(0),)
    at.act(Cut(3))
    assert not at.state.between_deals
    assert at.refused(ANNE, cmd.Next()) == "not_between_deals"
    last = reckoned(match_end="deals:1")
    assert last.refused(ANNE, cmd.Next()) == "not_between_deals"


def test_only_the_last_card_of_a_hand_is_no_choice() -> None:
    at = dealt("C: A4", "C: K5", "C: Q H: 3", "C: J7")
    at.play(0, "AC 5C")
    refused = table.play_forced(at.state, 2)  # the queen is the only lawful card
    assert isinstance(refused, game.Refusal)
    at.play(2, "QC 7C")
    at.act(TurnDown(0))
    assert table.play_forced(at.state, 0) == (game.Played(0, Card("4C")),)


def test_D3_the_last_secret_is_told_once_all_have_accepted() -> None:
    at = Refereed(dealt(match_end="deals:1").state.setup)
    at.do(ANNE, cmd.Sit(0))
    at.do(ANNE, cmd.Start())
    at.honestly_until(Reckoned)
    assert at.match.proof is not None
    assert at.match.revealed == 0
    assert referee.to_act(at.match) == (0, 1, 2, 3)
    at.honestly_until(game.Revealed)
    assert at.match.phase == "ended"
    assert not at.state.under_way
