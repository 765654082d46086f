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
    random_told,
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
from volte.referee.scores import Purpose, RowKind, Table
from volte.rules import Ruleset
from volte.scorekeeper.model import (
    Act,
    Amend,
    Correct,
    Draw,
    Enter,
    NameFirstDealer,
    Open,
    Reopen,
    Seal,
    Settle,
    Share,
    Sheet,
    Told,
    Undo,
    Unseal,
    coming,
    draw,
    draw_all,
    lots_due,
    next_act,
    prove,
    reveal,
    seal,
    summary,
    too_late,
)

PLAIN = hearts("3 4 6 0", queen=1)
MOON = points("0 25 25 25")


# The head


def opening(**head: object) -> Open:
    return replace(Open(rules_of("coeurs"), NAMES[:4]), **head)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (opening(names=NAMES[:3]), "names_given"),
        (opening(names=NAMES[:5]), "names_given"),
        (opening(names=("Anne", "", "Zoé", "Luc")), "name_empty"),
        (opening(names=("Anne", "\t \x00", "Zoé", "Luc")), "name_empty"),
        (opening(names=("Anne", " anne ", "Zoé", "Luc")), "name_twice"),
        (opening(names=("A" * 41, "B", "C", "D")), "too_long_here"),
        *(
            (opening(date=date), "not_a_date")
            for date in ("21.11.2026", "2026-13-01", "20261121", "2026-W47-6")
        ),
        *(
            (opening(stake=stake), "not_a_stake")
            for stake in ("0", "0.00", "-1", "1e3", "abc", "1.23456", "٣", "1,,2", "NaN")
        ),
        (opening(pot=25), "pot_not_played_for"),
        (opening(dealer=4), "no_player_there"),
        (Enter(PLAIN), "sheet_not_open"),
    ],
)
def test_what_no_sheet_begins_with(act: Act, reason: str) -> None:
    assert refused(None, act).reason == reason


def test_a_sheet_is_opened_once_and_names_and_title_are_tidied() -> None:
    names = ("  Anne  Marie ", "Zo\u200bé", "Luc", "D")
    sheet = done(None, opening(names=names, title=" a\n b "))
    assert (sheet.names[0], sheet.title) == ("Anne Marie", "a b")
    assert "\u200b" not in sheet.names[1]
    assert refused(sheet, opening()).reason == "sheet_open_already"
    assert lots_due(sheet)


# Corrections


def test_an_earlier_deal_is_corrected_and_all_later_totals_follow() -> None:
    sheet = sheet_of("coeurs-cinq-coups", PLAIN, MOON)
    sheet = done(sheet, Correct(1, hearts("4 3 6 0", queen=0), by="Zoé", why="mal compté"))
    assert [row.totals for row in sheet.table.rows] == [(16, 3, 6, 0), (16, 28, 31, 25)]
    (correction,) = sheet.lines[0].corrections
    assert (correction.told, correction.by, correction.why) == (PLAIN, "Zoé", "mal compté")
    assert [row.corrected for row in sheet.table.rows] == [1, 0]


def test_a_deal_becomes_a_misdeal_or_is_struck_out_and_the_numbers_follow() -> None:
    named = done(open_sheet(rules_of("coeurs-cinq-coups")), NameFirstDealer(0))
    sheet = done(enter(named, PLAIN, PLAIN), Correct(1, EXPOSED))
    assert [(row.number, row.dealer) for row in sheet.table.rows] == [(None, 0), (1, 1)]
    assert sheet.table.totals == (3, 16, 6, 0)
    sheet = done(enter(named, PLAIN, PLAIN, EXPOSED), Correct(2, None, why="entered twice"))
    rows = [(row.line, row.number, row.kind, row.dealer) for row in sheet.table.rows]
    assert rows == [
        (1, 1, RowKind.PLAYED, 0),
        (2, None, RowKind.STRUCK, None),
        (3, None, RowKind.MISDEAL, 1),
    ]
    deal = coming(sheet)
    assert deal is not None
    assert (deal.number, deal.dealer) == (2, 2)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Correct(0, EXPOSED), "no_such_line"),
        (Correct(3, EXPOSED), "no_such_line"),
        (Correct(1, PLAIN), "nothing_changed"),
        (Correct(1, hearts("3 4 6 -", queen=1)), "nothing_changed"),
        (Correct(1, hearts("3 4 7 0", queen=1)), "hearts_do_not_add_up"),
        (Correct(1, EXPOSED, why="x" * 201), "too_long_here"),
        (Amend(), "nothing_changed"),
        (Amend(title=""), "nothing_changed"),
        (Amend(names=("Anne", "anne", "B", "C")), "name_twice"),
        (Amend(names=()), "names_given"),
        (NameFirstDealer(4), "no_player_there"),
    ],
)
def test_a_correction_is_judged_like_an_entry(act: Act, reason: str) -> None:
    assert refused(sheet_of("coeurs-cinq-coups", PLAIN, PLAIN), act).reason == reason


@given(rulesets(), seeds)
def test_a_corrected_sheet_is_the_one_that_was_entered_right_at_first(
    rules: Ruleset, seed: int
) -> None:
    rng = random.Random(seed)
    wrong, right = open_sheet(rules), open_sheet(rules)
    told: list[Told] = []
    while len(told) < 4 and not wrong.table.over and not right.table.over:
        told.append(random_told(rules, rng))
        wrong, right = enter(wrong, random_told(rules, rng)), enter(right, told[-1])
    for line, each in enumerate(told, start=1):
        if right.lines[line - 1].told != wrong.lines[line - 1].told:
            wrong = done(wrong, Correct(line, each))
    assert uncorrected(wrong) == uncorrected(right)


def uncorrected(sheet: Sheet) -> Table:
    """The table without its marks of corrections."""
    rows = (replace(row, corrected=0) for row in sheet.table.rows)
    return replace(sheet.table, rows=tuple(rows))


# The end moves


def test_E2_a_match_that_a_correction_ends_earlier_keeps_what_came_after_uncounted() -> None:
    sheet = sheet_of("dame-de-pique", *[revoked(0)] * 3, revoked(1), revoked(2))
    assert not sheet.table.over
    sheet = done(sheet, Correct(4, revoked(0), why="it was Anne"))
    assert (sheet.table.over, sheet.table.totals) == (True, (104, 0, 0, 0))
    assert [row.beyond for row in sheet.table.rows] == [False] * 4 + [True]
    assert sheet.table.rows[4].points == (0, 0, 26, 0)
    assert summary(sheet).deals == 4
    back = done(sheet, Correct(4, revoked(1)))
    assert (back.table.over, back.table.totals) == (False, (78, 26, 26, 0))


def test_E2_a_match_that_a_correction_reopens_goes_on() -> None:
    sheet = sheet_of("dame-de-pique", *[revoked(0)] * 4)
    assert sheet.table.over
    sheet = done(sheet, Correct(2, revoked(1)))
    assert (sheet.table.over, sheet.table.winners, coming(sheet) is None) == (False, (), False)
    assert enter(sheet, revoked(0)).table.over


def test_E1_a_misdeal_that_was_a_deal_makes_one_too_many() -> None:
    sheet = sheet_of("coeurs", EXPOSED, PLAIN)
    sheet = done(sheet, Correct(1, MOON))
    assert sheet.table.totals == (0, 25, 25, 25)
    assert [row.beyond for row in sheet.table.rows] == [False, True]


# Lots


def tied() -> Sheet:
    """A pot that Chloé and David share, the odd stake Chloé's."""
    sheet = sheet_of("coeurs-cagnotte", hearts("3 10 0 0", queen=1), match_end="deals:9")
    return done(sheet, Draw(lots("2 AS, 3 KD")))


def test_lots_that_no_longer_fit_are_dropped_and_those_that_do_are_kept() -> None:
    sheet = tied()
    assert sheet.table.rows[0].stakes == (-3, -22, 13, 12)
    same = done(sheet, Correct(1, hearts("2 11 0 0", queen=1)))
    assert same.table.rows[0].stakes == (-2, -23, 13, 12)
    other = done(sheet, Correct(1, hearts("0 0 3 10", queen=3)))
    assert other.table.rows[0].stakes is None
    assert other.table.due[0].seats == (0, 1)
    back = done(other, Correct(1, hearts("3 10 0 0", queen=1)))
    assert back.table.rows[0].stakes == (-3, -22, 13, 12)  # nobody draws twice for the same


def test_lots_stand_and_cannot_be_taken_back() -> None:
    assert refused(tied(), Undo()).reason == "lots_stand"
    sheet = done(open_sheet(rules_of("coeurs")), Draw(lots("0 2S, 1 4D, 2 4H, 3 AH")))
    assert refused(sheet, Undo()).reason == "lots_stand"


# Undo


def test_the_last_entry_is_taken_back_and_stays_on_record() -> None:
    first = sheet_of("coeurs-cinq-coups", PLAIN)
    sheet = done(enter(first, MOON), Undo())
    assert (sheet.table, sheet.lines) == (first.table, first.lines)
    assert len(sheet.entries) == len(first.entries) + 2
    assert sheet.undone == (3,)


def test_undo_goes_back_one_by_one() -> None:
    sheet = sheet_of("coeurs-cinq-coups", PLAIN)
    sheet = done(sheet, Correct(1, EXPOSED), NameFirstDealer(2), Amend(title="Chez Zoé"), Undo())
    assert (sheet.title, sheet.first_dealer) == ("", 2)
    sheet = done(sheet, Undo())
    assert (sheet.first_dealer, sheet.lines[0].told) == (None, EXPOSED)
    sheet = done(sheet, Undo())
    assert sheet.lines[0].told == PLAIN
    sheet = done(sheet, Undo())
    assert sheet.lines == ()
    assert refused(sheet, Undo()).reason == "nothing_to_take_back"
    assert enter(sheet, PLAIN).table.totals == (3, 16, 6, 0)


def test_a_seal_that_nothing_was_drawn_by_is_in_nobody_s_way() -> None:
    sheet = sheet_of("coeurs-cagnotte", hearts("3 10 0 0", queen=1), match_end="deals:9")
    sealed = done(sheet, Seal(1, bytes(32)), Share(0, b"Anne"))
    back = done(sealed, Undo())
    assert (back.lines, len(back.seals)) == ((), 1)
    assert enter(back, PLAIN).table.totals == (3, 16, 6, 0)


@given(sheets(), seeds)
def test_what_is_undone_leaves_no_trace_in_the_table(sheet: Sheet, seed: int) -> None:
    if sheet.table.over:
        return
    after = enter(sheet, random_told(sheet.rules, random.Random(seed)))
    back = done(after, Undo())
    for name in ("table", "lines", "first_dealer", "draws", "seals", "names", "accepted"):
        assert getattr(back, name) == getattr(sheet, name)


# The settlement


def test_I6_a_revoke_can_be_claimed_until_the_next_deal_and_until_the_settlement() -> None:
    sheet = sheet_of("coeurs-moyenne", *[PLAIN] * 5)
    assert (too_late(sheet, 4), too_late(sheet, 5)) == (True, False)
    claimed = done(sheet, Correct(5, revoked(0)))
    assert claimed.table.rows[4].points == (26, 0, 0, 0)
    assert too_late(done(drawing(sheet), Settle()), 5)


@pytest.mark.parametrize(
    "act",
    [Correct(1, EXPOSED), Undo(), Enter(PLAIN), NameFirstDealer(0), Amend(title="x"), Settle()],
)
def test_I6_once_accepted_nothing_is_changed_unless_the_sheet_is_reopened(act: Act) -> None:
    sheet = done(sheet_of("coeurs", PLAIN), Settle())
    assert (sheet.accepted, summary(sheet).state) == (True, "accepted")
    assert refused(sheet, act).reason == "sheet_accepted"
    again = done(sheet, Reopen(by="Anne", why="a heart under the table"))
    assert not again.accepted
    assert done(again, Correct(1, EXPOSED)).table.totals == (0, 0, 0, 0)


def test_I6_nothing_is_accepted_before_the_end_or_before_the_lots() -> None:
    going = sheet_of("coeurs-cinq-coups", PLAIN)
    assert refused(going, Settle()).reason == "sheet_not_over"
    sheet = sheet_of("coeurs", revoked(1))
    assert refused(sheet, Settle()).reason == "lots_are_due"
    assert done(drawing(sheet), Settle()).accepted
    assert refused(sheet, Reopen()).reason == "sheet_not_accepted"


# Sealed lots


@pytest.fixture
def opened() -> Sheet:
    """Les Cœurs, before the first dealer is drawn."""
    return open_sheet(rules_of("coeurs"))


@pytest.fixture
def sealed(opened: Sheet) -> Sheet:
    return done(opened, seal(opened, HOUSE))


def test_D1_the_house_seals_draws_and_reveals(opened: Sheet) -> None:
    acts = draw_all(opened, HOUSE)
    assert [type(act) for act in acts] == [Seal, Draw, Unseal]
    sheet = done(opened, *acts)
    assert sheet.first_dealer is not None
    assert next_act(sheet, HOUSE) is None
    (proof,) = prove(sheet)
    assert (proof.verdict, proof.purpose) == (Verdict.PROVED, Purpose.DEALER)


def test_shares_of_the_players_change_the_lots(sealed: Sheet) -> None:
    shared = done(sealed, Share(2, b"tralala"))
    assert draw(shared, HOUSE) != draw(sealed, HOUSE)
    after = done(shared, draw(shared, HOUSE))
    assert prove(done(after, reveal(after, HOUSE)))[0].verdict is Verdict.PROVED


@given(seeds)
def test_whoever_draws_otherwise_than_sealed_cannot_reveal(seed: int) -> None:
    sheet, house = open_sheet(rules_of("coeurs")), House.from_seed(seed)
    sheet = done(sheet, seal(sheet, house))
    wrong = lots("0 2C, 1 3C, 2 4C, 3 5C")
    if draw(sheet, house).rounds == wrong:
        return
    cheated = done(sheet, Draw(wrong, seal=1))
    assert refused(cheated, reveal(cheated, house)).reason == "secret_is_wrong"
    assert prove(cheated)[0].verdict is Verdict.REVEAL_MISSING


def test_another_secret_is_not_the_sealed_one(opened: Sheet) -> None:
    sheet = done(opened, *draw_all(opened, HOUSE)[:2])
    for secret in (bytes(32), b"short"):
        assert refused(sheet, Unseal(1, secret)).reason == "secret_is_wrong"


def test_seals_are_a_chain_with_lots_each() -> None:
    sheet = sheet_of("coeurs-cagnotte", hearts("3 10 0 0", queen=1), match_end="deals:9")
    sheet = done(sheet, *draw_all(sheet, HOUSE))
    sheet = enter(sheet, hearts("0 0 6 7", queen=2), hearts("0 0 5 8", queen=2))
    while lots_due(sheet):
        sheet = done(sheet, *draw_all(sheet, HOUSE))
    proofs = [(proof.number, proof.line, proof.verdict) for proof in prove(sheet)]
    assert proofs == [(number, number, Verdict.PROVED) for number in (1, 2, 3)]


def test_what_is_not_due_is_refused(opened: Sheet, sealed: Sheet) -> None:
    shared, over = done(sealed, Share(0, b"x")), sheet_of("coeurs", PLAIN)
    for sheet, act, reason in (
        (opened, Seal(2, bytes(32)), "seal_not_due"),
        (opened, Seal(1, bytes(31)), "not_a_seal"),
        (opened, Share(0, b"x"), "no_share_due"),
        (opened, Draw(lots("0 2C, 1 3C, 2 4C, 3 5C"), seal=1), "seal_not_due"),
        (opened, Unseal(1, bytes(32)), "secret_not_due"),
        (sealed, Seal(2, bytes(32)), "seal_not_due"),  # one at a time
        (sealed, Share(0, b"x" * 65), "share_length"),
        (sealed, Share(0, b""), "share_length"),
        (shared, Share(0, b"y"), "no_share_due"),  # one each
        (shared, Share(4, b"y"), "no_player_there"),
        (over, Seal(1, bytes(32)), "no_lots_are_due"),
        (over, Draw(lots("0 2C")), "no_lots_are_due"),
    ):
        assert refused(sheet, act).reason == reason, act
