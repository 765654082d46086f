"""Corrections, undo, the end of a match that moves, the settlement, and lots (D1, I6, M2, M5)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from kit.sheets import (
    EXPOSED,
    HOUSE,
    NAMES,
    done,
    drawing,
    enter,
    hearts,
    lots,
    open_sheet,
    points,
    random_report,
    refused,
    revoked,
    rules_of,
    rulesets,
    seeds,
    sheet_of,
    sheets,
)
from msgspec.structs import replace

from volte.fair import House, Verdict
from volte.rules import Ruleset
from volte.scorekeeper import model
from volte.sheet import Purpose, Table

PLAIN = hearts("3 4 6 0", queen=1)
MOON = points("0 25 25 25")


# The head


def opening(**head: object) -> model.Open:
    return replace(model.Open(rules_of("coeurs"), NAMES[:4]), **head)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (opening(names=NAMES[:3]), "names_given"),
        (opening(names=NAMES[:5]), "names_given"),
        (opening(names=("Anne", "", "Zoé", "Luc")), "name_empty"),
        (opening(names=("Anne", "\t \x00", "Zoé", "Luc")), "name_empty"),
        (opening(names=("Anne", " anne ", "Zoé", "Luc")), "name_twice"),
        (opening(names=("A" * 41, "B", "C", "D")), "too_long_here"),
        (opening(dealer=4), "no_player_there"),
        (model.Enter(PLAIN), "sheet_not_open"),
    ],
)
def test_what_no_sheet_begins_with(act: model.Act, reason: str) -> None:
    assert refused(None, act).reason == reason


def test_a_sheet_is_opened_once_and_names_and_title_are_tidied() -> None:
    names = ("  Anne  Marie ", "Zo\u200bé", "Luc", "D")
    sheet = done(None, opening(names=names, title=" a\n b "))
    assert (sheet.names[0], sheet.title) == ("Anne Marie", "a b")
    assert "\u200b" not in sheet.names[1]
    assert refused(sheet, opening()).reason == "sheet_open_already"
    assert model.lots_due(sheet)


# Corrections


def test_an_earlier_deal_is_corrected_and_all_later_totals_follow() -> None:
    sheet = sheet_of("coeurs-cinq-coups", PLAIN, MOON)
    sheet = done(sheet, model.Correct(1, hearts("4 3 6 0", queen=0), by="Zoé", why="mal compté"))
    assert [row.totals for row in sheet.table.rows] == [(16, 3, 6, 0), (16, 28, 31, 25)]
    (correction,) = sheet.lines[0].corrections
    assert (correction.report, correction.by, correction.why) == (PLAIN, "Zoé", "mal compté")
    for act, reason in (
        (model.Correct(1, hearts("4 3 6 -", queen=0)), "nothing_changed"),
        (model.Correct(1, EXPOSED, why="x" * 201), "too_long_here"),
        (model.Amend(), "nothing_changed"),
        (model.NameFirstDealer(4), "no_player_there"),
    ):
        assert refused(sheet, act).reason == reason


@given(rulesets(), seeds)
def test_a_corrected_sheet_is_the_one_that_was_entered_right_at_first(
    rules: Ruleset, seed: int
) -> None:
    rng = random.Random(seed)
    wrong, right = open_sheet(rules), open_sheet(rules)
    told: list[model.DealReport] = []
    while len(told) < 4 and not wrong.table.over and not right.table.over:
        told.append(random_report(rules, rng))
        wrong, right = enter(wrong, random_report(rules, rng)), enter(right, told[-1])
    for line, each in enumerate(told, start=1):
        if right.lines[line - 1].report != wrong.lines[line - 1].report:
            wrong = done(wrong, model.Correct(line, each))
    assert uncorrected(wrong) == uncorrected(right)


def uncorrected(sheet: model.Sheet) -> Table:
    """The table of a sheet, without the number of corrections in its rows."""
    rows = (replace(row, corrected=0) for row in sheet.table.rows)
    return replace(sheet.table, rows=tuple(rows))


# Undo


def test_a_seal_that_nothing_was_drawn_by_is_in_nobody_s_way() -> None:
    sheet = sheet_of("coeurs-cagnotte", hearts("3 10 0 0", queen=1), match_end="deals:9")
    sealed = done(sheet, model.Seal(1, bytes(32)), model.Share(0, b"Anne"))
    back = done(sealed, model.Undo())
    assert (back.lines, len(back.seals)) == ((), 1)
    assert enter(back, PLAIN).table.totals == (3, 16, 6, 0)


@given(sheets(), seeds)
def test_what_is_undone_leaves_no_trace_in_the_table(sheet: model.Sheet, seed: int) -> None:
    if sheet.table.over:
        return
    after = enter(sheet, random_report(sheet.rules, random.Random(seed)))
    back = done(after, model.Undo())
    for name in ("table", "lines", "first_dealer", "draws", "seals", "names", "accepted"):
        assert getattr(back, name) == getattr(sheet, name)


# The settlement


def test_I6_a_revoke_can_be_claimed_until_the_next_deal_and_until_the_settlement() -> None:
    sheet = sheet_of("coeurs-moyenne", *[PLAIN] * 5)
    assert (model.too_late(sheet, 4), model.too_late(sheet, 5)) == (True, False)
    claimed = done(sheet, model.Correct(5, revoked(0)))
    assert claimed.table.rows[4].points == (26, 0, 0, 0)
    assert model.too_late(done(drawing(sheet), model.Settle()), 5)


# Sealed lots


@pytest.fixture
def opened() -> model.Sheet:
    """Les Cœurs, before the first dealer is drawn."""
    return open_sheet(rules_of("coeurs"))


@pytest.fixture
def sealed(opened: model.Sheet) -> model.Sheet:
    return done(opened, model.seal(opened, HOUSE))


def test_D1_the_house_seals_draws_and_reveals(opened: model.Sheet) -> None:
    acts = model.draw_all(opened, HOUSE)
    assert [type(act) for act in acts] == [model.Seal, model.Draw, model.Unseal]
    sheet = done(opened, *acts)
    assert sheet.first_dealer is not None
    assert model.next_act(sheet, HOUSE) is None
    (proof,) = model.prove(sheet)
    assert (proof.verdict, proof.purpose) == (Verdict.PROVED, Purpose.DEALER)


def test_shares_of_the_players_change_the_lots(sealed: model.Sheet) -> None:
    for act, reason in (
        (model.Share(0, b""), "share_length"),
        (model.Share(4, b"y"), "no_player_there"),
    ):
        assert refused(sealed, act).reason == reason
    shared = done(sealed, model.Share(2, b"tralala"))
    assert model.draw(shared, HOUSE) != model.draw(sealed, HOUSE)
    after = done(shared, model.draw(shared, HOUSE))
    assert model.prove(done(after, model.reveal(after, HOUSE)))[0].verdict is Verdict.PROVED


@given(seeds)
def test_whoever_draws_otherwise_than_sealed_cannot_reveal(seed: int) -> None:
    sheet, house = open_sheet(rules_of("coeurs")), House.from_seed(seed)
    sheet = done(sheet, model.seal(sheet, house))
    wrong = lots("0 2C, 1 3C, 2 4C, 3 5C")
    if model.draw(sheet, house).rounds == wrong:
        return
    cheated = done(sheet, model.Draw(wrong, seal=1))
    assert refused(cheated, model.reveal(cheated, house)).reason == "secret_is_wrong"
    assert model.prove(cheated)[0].verdict is Verdict.REVEAL_MISSING


def test_another_secret_is_not_the_sealed_one(opened: model.Sheet) -> None:
    sheet = done(opened, *model.draw_all(opened, HOUSE)[:2])
    for secret in (bytes(32), b"short"):
        assert refused(sheet, model.Unseal(1, secret)).reason == "secret_is_wrong"


def test_seals_are_a_chain_with_lots_each() -> None:
    sheet = sheet_of("coeurs-cagnotte", hearts("3 10 0 0", queen=1), match_end="deals:9")
    sheet = done(sheet, *model.draw_all(sheet, HOUSE))
    sheet = enter(sheet, hearts("0 0 6 7", queen=2), hearts("0 0 5 8", queen=2))
    while model.lots_due(sheet):
        sheet = done(sheet, *model.draw_all(sheet, HOUSE))
    proofs = [(proof.number, proof.line, proof.verdict) for proof in model.prove(sheet)]
    assert proofs == [(number, number, Verdict.PROVED) for number in (1, 2, 3)]
