"""Misdeals, revokes, mixed tricks and missing cards, as they are entered (I1, I5–I8)."""

from __future__ import annotations

import pytest
from scoresheet.sheets import (
    EXPOSED,
    done,
    drawing,
    enter,
    hearts,
    open_sheet,
    points,
    refused,
    revoked,
    rules_of,
    score,
    sheet_of,
)

from volte.cards import Card
from volte.referee.actions import Misdeal
from volte.referee.scores import RowKind
from volte.rules import Direction
from volte.scorekeeper.model import (
    Correct,
    Counted,
    Enter,
    LostDeal,
    NameFirstDealer,
    Settle,
    StoppedDeal,
    Taken,
    coming,
    needs_of,
    too_late,
)


@pytest.mark.parametrize("cause", list(Misdeal))
def test_I1_the_dealer_loses_the_deal_and_the_player_to_the_left_deals(cause: Misdeal) -> None:
    sheet = done(open_sheet(rules_of("coeurs-cinq-coups")), NameFirstDealer(3))
    before = coming(sheet)
    assert before is not None
    assert (before.number, before.dealer) == (1, 3)
    sheet = enter(sheet, LostDeal(cause))
    after = coming(sheet)
    assert after is not None
    assert (after.number, after.dealer, after.cutter, after.eldest) == (1, 0, 3, 1)
    row = sheet.table.rows[0]
    assert (row.kind, row.cause, row.dealer, row.number) == (RowKind.MISDEAL, cause, 3, None)
    assert sheet.table.totals == (0, 0, 0, 0)


def test_I1_the_direction_of_the_pass_stays_that_of_the_deal() -> None:
    sheet = sheet_of("dame-de-pique", hearts("3 4 6 -", queen=0), EXPOSED, EXPOSED)
    deal = coming(sheet)
    assert deal is not None
    assert (deal.number, deal.direction, deal.count) == (2, Direction.RIGHT, 3)


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_I5_the_offender_scores_the_total_and_the_others_nothing(players: int) -> None:
    sheet = sheet_of("coeurs", revoked(1), players=players)
    assert score(sheet) == tuple(25 * (seat == 1) for seat in range(players))
    assert sheet.table.rows[0].kind is RowKind.REVOKE


def test_I5_two_offenders_score_it_each() -> None:
    assert score(sheet_of("coeurs-moyenne", revoked(2, 0))) == (26, 0, 26, 0)


def test_I5_everybody_can_have_revoked() -> None:
    assert score(sheet_of("coeurs", revoked(0, 1, 2, 3))) == (25, 25, 25, 25)


def test_I5_in_a_match_of_one_deal_that_is_the_match() -> None:
    sheet = sheet_of("coeurs", revoked(1))
    assert sheet.table.over
    assert sheet.table.winners == (0, 2, 3)
    assert sheet.table.due[0].seats == (0, 2, 3)  # M2: 25 stakes for three, one of them by lot
    assert sorted(drawing(sheet).table.net or ()) == [-25, 8, 8, 9]


def test_I5_the_jack_and_the_slam_are_forgotten() -> None:
    assert score(sheet_of("salon-valet", revoked(1))) == (0, 26, 0, 0)


def test_I6_the_same_offender_pays_once_a_deal() -> None:
    sheet = open_sheet(rules_of("coeurs"))
    assert refused(sheet, Enter(revoked(1, 1))).reason == "offender_twice"
    both = StoppedDeal(revoked=(1,), mixed=(1,))
    assert score(enter(sheet, both)) == (0, 25, 0, 0)


def test_I6_a_revoke_can_be_claimed_until_the_next_deal_and_until_the_settlement() -> None:
    sheet = sheet_of("coeurs-moyenne", *[hearts("3 4 6 -", queen=1)] * 5)
    assert too_late(sheet, 4)
    assert not too_late(sheet, 5)
    claimed = done(sheet, Correct(5, revoked(0)))
    assert claimed.table.rows[4].points == (26, 0, 0, 0)
    accepted = done(drawing(sheet), Settle())
    assert too_late(accepted, 5)
    assert refused(accepted, Correct(5, revoked(0))).reason == "sheet_accepted"


def test_I7_mixed_tricks_cost_the_total_whoever_revoked() -> None:
    sheet = sheet_of("coeurs", StoppedDeal(mixed=(3,)))
    assert score(sheet) == (0, 0, 0, 25)
    assert sheet.table.rows[0].kind is RowKind.MIXED


def test_I7_a_revoke_that_other_tricks_prove_costs_its_player_the_total_as_well() -> None:
    sheet = sheet_of("coeurs", StoppedDeal(revoked=(1,), mixed=(3,)))
    assert score(sheet) == (0, 25, 0, 25)
    row = sheet.table.rows[0]
    assert (row.kind, row.revoked, row.mixed) == (RowKind.MIXED, (1,), (3,))


def test_I7_nobody_stops_a_deal_without_a_name() -> None:
    sheet = open_sheet(rules_of("coeurs"))
    assert refused(sheet, Enter(StoppedDeal())).reason == "no_offender"
    fault = refused(sheet, Enter(StoppedDeal(mixed=(4,))))
    assert (fault.reason, fault.params) == ("no_player_there", {"number": 5, "players": 4})


# Missing cards


def test_I8_missing_hearts_are_left_out_of_the_check() -> None:
    five = (Card("5H"),)
    assert needs_of(rules_of("coeurs"), five).hearts == 12
    assert score(sheet_of("coeurs", Taken((3, 4, 5, None), 1, missing=five))) == (3, 16, 5, 0)
    assert score(sheet_of("coeurs", Counted((3, 16, 5, None), missing=five))) == (3, 16, 5, 0)


def test_I8_without_the_queen_nobody_has_taken_her() -> None:
    queen = (Card("QS"),)
    sheet = open_sheet(rules_of("coeurs"))
    assert score(enter(sheet, Taken((3, 4, 6, None), missing=queen))) == (3, 4, 6, 0)
    wrong = Enter(Taken((3, 4, 6, None), queen=1, missing=queen))
    assert refused(sheet, wrong).reason == "queen_counts_nothing"


def test_I8_S3_all_that_are_there_are_a_moon() -> None:
    cards = (Card("QS"), Card("AH"))
    assert score(sheet_of("coeurs", Taken((12, 0, 0, 0), missing=cards))) == (0, 12, 12, 12)


def test_I8_M3_the_moon_of_a_match_costs_the_total_of_its_pack() -> None:
    sheet = sheet_of("coeurs", Taken((12, 0, 0, 0), 0, missing=(Card("AH"),)))
    assert sheet.table.net == (72, -24, -24, -24)


def test_I8_the_next_deal_is_played_with_what_it_is_played_with() -> None:
    sheet = sheet_of("coeurs-cinq-coups", Taken((3, 4, 5, None), 1, missing=(Card("5H"),)))
    assert refused(sheet, Enter(hearts("3 4 5 0", queen=1))).reason == "hearts_do_not_add_up"


@pytest.mark.parametrize(
    ("missing", "reason"),
    [
        ("2C", "missing_counts_nothing"),
        ("JD", "missing_counts_nothing"),
        ("QS QS", "missing_twice"),
        ("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS", "missing_too_many"),
    ],
)
def test_I8_what_cannot_be_missing(missing: str, reason: str) -> None:
    cards = tuple(map(Card, missing.split()))
    sheet = open_sheet(rules_of("coeurs"))
    assert refused(sheet, Enter(Taken((0, 0, 0, 0), missing=cards))).reason == reason


def test_I8_by_points_too() -> None:
    sheet = open_sheet(rules_of("coeurs"))
    fault = refused(sheet, Enter(Counted((3, 16, 6, 0), missing=(Card("AH"),))))
    assert (fault.reason, fault.params) == (
        "points_or_moon",
        {"given": 25, "due": 24, "moon": 72},
    )
    assert score(enter(sheet, points("3 16 6 0"))) == (3, 16, 6, 0)
