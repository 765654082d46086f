"""Lots that everybody can check: sealed, drawn, revealed, proved (D1, M2, M5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from scoresheet.sheets import (
    HOUSE,
    done,
    enter,
    hearts,
    lots,
    open_sheet,
    refused,
    revoked,
    rules_of,
    seeds,
    sheet_of,
)

from volte.fair import House, Verdict
from volte.referee.scores import Purpose
from volte.scorekeeper.model import (
    Draw,
    Seal,
    Share,
    Unseal,
    draw,
    draw_all,
    lots_due,
    next_act,
    prove,
    reveal,
    seal,
)


def test_D1_the_house_seals_draws_and_reveals() -> None:
    sheet = open_sheet(rules_of("coeurs"))
    acts = draw_all(sheet, HOUSE)
    assert [type(act) for act in acts] == [Seal, Draw, Unseal]
    sheet = done(sheet, *acts)
    assert sheet.first_dealer is not None
    assert next_act(sheet, HOUSE) is None
    (proof,) = prove(sheet)
    assert (proof.verdict, proof.purpose) == (Verdict.PROVED, Purpose.DEALER)


def test_shares_of_the_players_change_the_lots() -> None:
    sealed = done(open_sheet(rules_of("coeurs")), seal(open_sheet(rules_of("coeurs")), HOUSE))
    alone, shared = draw(sealed, HOUSE), done(sealed, Share(2, b"tralala"))
    assert draw(shared, HOUSE) != alone
    after = done(shared, draw(shared, HOUSE))
    after = done(after, reveal(after, HOUSE))
    assert prove(after)[0].verdict is Verdict.PROVED


@given(seeds)
def test_whoever_draws_otherwise_than_sealed_cannot_reveal(seed: int) -> None:
    sheet = open_sheet(rules_of("coeurs"))
    house = House.from_seed(seed)
    sheet = done(sheet, seal(sheet, house))
    honest = draw(sheet, house)
    wrong = lots("0 2C, 1 3C, 2 4C, 3 5C")
    if honest.rounds == wrong:
        return
    cheated = done(sheet, Draw(wrong, seal=1))
    assert refused(cheated, reveal(cheated, house)).reason == "secret_is_wrong"
    assert prove(cheated)[0].verdict is Verdict.REVEAL_MISSING


def test_another_secret_is_not_the_sealed_one() -> None:
    sheet = open_sheet(rules_of("coeurs"))
    for act in draw_all(sheet, HOUSE)[:2]:
        sheet = done(sheet, act)
    assert refused(sheet, Unseal(1, bytes(32))).reason == "secret_is_wrong"
    assert refused(sheet, Unseal(1, b"short")).reason == "secret_is_wrong"


def test_seals_are_a_chain_with_lots_each() -> None:
    sheet = sheet_of("coeurs-cagnotte", hearts("3 10 0 0", queen=1), match_end="deals:9")
    sheet = done(sheet, *draw_all(sheet, HOUSE))
    sheet = enter(sheet, hearts("0 0 6 7", queen=2), hearts("0 0 5 8", queen=2))
    while lots_due(sheet):
        sheet = done(sheet, *draw_all(sheet, HOUSE))
    proofs = [(proof.number, proof.line, proof.verdict) for proof in prove(sheet)]
    assert proofs == [(1, 1, Verdict.PROVED), (2, 2, Verdict.PROVED), (3, 3, Verdict.PROVED)]


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Seal(2, bytes(32)), "seal_not_due"),
        (Seal(1, bytes(31)), "not_a_seal"),
        (Share(0, b"x"), "no_share_due"),
        (Draw(lots("0 2C, 1 3C, 2 4C, 3 5C"), seal=1), "seal_not_due"),
        (Unseal(1, bytes(32)), "secret_not_due"),
    ],
)
def test_what_is_not_due_is_refused(act: Seal, reason: str) -> None:
    assert refused(open_sheet(rules_of("coeurs")), act).reason == reason


def test_one_seal_at_a_time_and_one_share_each() -> None:
    sheet = done(open_sheet(rules_of("coeurs")), seal(open_sheet(rules_of("coeurs")), HOUSE))
    assert refused(sheet, Seal(2, bytes(32))).reason == "seal_not_due"
    assert refused(sheet, Share(0, b"x" * 65)).reason == "share_length"
    assert refused(sheet, Share(0, b"")).reason == "share_length"
    sheet = done(sheet, Share(0, b"x"))
    assert refused(sheet, Share(0, b"y")).reason == "no_share_due"
    assert refused(sheet, Share(4, b"y")).reason == "no_player_there"


def test_no_lots_where_none_are_due() -> None:
    sheet = sheet_of("coeurs", hearts("3 4 6 -", queen=1))
    assert refused(sheet, Seal(1, bytes(32))).reason == "no_lots_are_due"
    assert refused(sheet, Draw(lots("0 2C"))).reason == "no_lots_are_due"


def test_M5_tied_lots_draw_again_until_there_is_an_order() -> None:
    sheet = sheet_of("coeurs-moyenne", revoked(0), match_end="deals:1")
    assert refused(sheet, Draw(lots("1 4S, 2 4D, 3 AS"))).reason == "lots_against_the_rules"
    sheet = done(sheet, Draw(lots("1 4S, 2 4D, 3 AS / 1 2H, 2 3H")))
    assert sheet.table.net == (-19, 6, 6, 7)
