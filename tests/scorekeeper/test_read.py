"""A sheet as text, which people can read and type, and as CSV and JSON; docs/score.md is right."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import ENGLISH, FRENCH, few
from kit.names import cells, records
from kit.sheets import (
    EXPOSED,
    NAMES,
    done,
    drawing,
    enter,
    hearts,
    open_sheet,
    points,
    revoked,
    rules_of,
    sheet_of,
    sheets,
)

from volte.cards import Card
from volte.notation import RecordFault
from volte.scorekeeper import model
from volte.scorekeeper.model.read import FORMS


def everything_once() -> model.Sheet:
    """A sheet with every kind of entry."""
    act = model.Open(
        rules_of("coeurs-cagnotte", match_end="deals:5"),
        ("Anne", 'Zoé "la Reine"', "O'Neil, Luc", "日本"),
        title="Chez Anne; {dimanche}",
        stake="0.25",
        currency="EUR",
        pot=25,
        date="2026-11-21",
    )
    sheet = done(None, act, model.Seal(1, bytes(32)), model.Share(1, b"tralala"))
    sheet = enter(sheet, hearts("3 10 0 0", queen=1), EXPOSED, model.StoppedDeal((1,), (2,)))
    sheet = enter(sheet, model.Taken((3, 4, 5, 0), 1, missing=(Card("5H"),)), points("0 25 25 25"))
    sheet = done(
        sheet,
        model.Correct(1, EXPOSED),
        model.Undo(),
        model.Correct(2, None, "Luc, père", 'a "misdeal"'),
    )
    return done(sheet, model.Amend(stake="0.50"), model.Amend(names=("A", "B", "C", "D"), title=""))


def test_a_text_round_trips_whatever_stands_in_it() -> None:
    sheet = everything_once()
    assert model.parse_sheet(model.to_record(sheet)) == sheet
    assert model.parse_sheet(model.to_record(sheet).encode()) == sheet


@settings(max_examples=few(5, 60))
@given(sheets())
def test_any_sheet_round_trips_and_is_folded_at_once_as_entry_by_entry(sheet: model.Sheet) -> None:
    assert model.parse_sheet(model.to_record(sheet)) == sheet
    assert model.fold(sheet.entries) == sheet


def test_a_finished_sheet_round_trips() -> None:
    sheet = drawing(open_sheet(rules_of("coeurs-moyenne", match_end="deals:1")))
    sheet = done(
        drawing(enter(sheet, revoked(0))),
        model.Settle(),
        model.Reopen("Anne", "un as"),
        model.Settle(),
    )
    assert model.parse_sheet(model.to_record(sheet)) == sheet


def test_a_text_typed_by_hand_may_leave_out_what_follows() -> None:
    text = """volte sheet 1
    ; a remark
    rules: coeurs players=3
    seat 1: "Anne" {whose house it is}
    seat 2: "Bruno"
    seat 3: "Zoé"

    deal: hearts 3 4 6, queen 2
    totals: 3 16 6
    """
    sheet = model.parse_sheet("\n".join(line.strip() for line in text.split("\n")))
    assert (sheet.table.totals, sheet.table.winners) == ((3, 16, 6), (0,))


HEAD = "Volte sheet 1\nRules: coeurs\n"
DEAL = "Deal 1: hearts 3 4 6 0, queen 2\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "empty_record"),
        ("Volte record 1\n", 1, "not_a_record"),
        ("Volte sheet 2\n", 1, "unknown_version"),
        ("Volte sheet 1\n", 1, "header_missing"),
        ("Volte sheet 1\nRules: poker\n", 2, "bad_rules"),
        (HEAD + "Rules: coeurs\n", 3, "out_of_place"),
        (HEAD + 'Seat 2: "A"\n', 3, "wrong_statement"),
        (HEAD + "Seat 1: A\n", 3, "malformed"),
        (HEAD + 'Seat 1: "A"\n' + DEAL, 4, "header_missing"),
        (HEAD + DEAL.rstrip("\n"), 3, "unfinished_line"),
    ],
)
def test_what_is_wrong_in_a_head_names_its_line(text: str, line: int, reason: str) -> None:
    """`cases.txt` has the faults in other lines."""
    with pytest.raises(RecordFault) as caught:
        model.parse_sheet(text)
    assert (caught.value.line, caught.value.reason) == (line, reason)
    for words in (ENGLISH, FRENCH):
        assert re.fullmatch(r"[^{}]+[.?!”»]", words.fault(caught.value))


@given(st.binary(max_size=60))
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    with pytest.raises(RecordFault):
        model.parse_sheet(data)


@settings(max_examples=few(5, 100))
@given(st.data())
def test_no_changed_text_crashes_the_reader(data: st.DataObject) -> None:
    text = model.to_record(everything_once())
    place = data.draw(st.integers(0, len(text) - 1))
    sign = data.draw(st.sampled_from('0 9,:"\\\n;{}x-−é\0'))
    with suppress(RecordFault):
        model.parse_sheet(text[:place] + sign + text[place + data.draw(st.integers(0, 2)) :])


# CSV and JSON


def test_csv_has_a_row_a_line() -> None:
    sheet = sheet_of("coeurs-cagnotte", hearts("3 4 5 1", queen=1), match_end="deals:3")
    sheet = enter(sheet, EXPOSED, hearts("3 4 6 0", queen=1))
    rows = records(model.to_csv(sheet))
    assert [row["deal"] for row in rows] == ["1", "", "2"]
    assert [row["kind"] for row in rows] == ["played", "misdeal", "played"]
    assert [row["total Bruno"] for row in rows] == ["16", "16", "32"]
    assert [row["stakes David"] for row in rows] == ["-1", "", "50"]
    assert [row["pot"] for row in rows] == ["25", "25", "0"]


def test_csv_ends_with_the_settlement() -> None:
    rows = cells(model.to_csv(sheet_of("coeurs", points("1 5 17 2"))))
    blank = ["", "", "", ""]
    assert rows[-1] == ["", "", "settlement", "", *blank, *TOTALS, *STAKES, ""]


TOTALS = ["1", "5", "17", "2"]
STAKES = ["21", "-4", "-16", "-1"]


def test_a_name_is_no_formula_in_a_spreadsheet() -> None:
    names = ("=1+1", "@x", "-2", "Anne")
    sheet = done(None, model.Open(rules_of("coeurs"), names))
    heading, *_ = cells(model.to_csv(sheet, {"points": "{name}"}))
    assert heading == ["'=1+1", "'@x", "'-2", "Anne"]


def test_json_tells_all() -> None:
    sheet = everything_once()
    told = json.loads(model.to_json(sheet))
    assert (told["format"], told["version"]) == ("volte-sheet", 1)
    assert (told["preset"], told["settings"]) == (
        "coeurs-cagnotte",
        {"match_end": "deals:5"},
    )
    assert len(told["entries"]) == len(sheet.entries)
    assert told["table"]["totals"] == list(sheet.table.totals)
    assert told["names"] == ["A", "B", "C", "D"]
    exact = json.loads(
        model.to_json(enter(open_sheet(rules_of("coeurs"), stake="0.10"), points("1 5 17 2")))
    )
    assert exact["money"] == ["2.10", "-0.40", "-1.60", "-0.10"]
    assert exact["payments"][0] == {"giver": 2, "taker": 0, "stakes": 16}
    assert exact["names"] == list(NAMES[:4])


# docs/score.md

PAGE = Path(__file__).parents[2] / "docs" / "score.md"


def test_the_page_explains_every_word() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for word in FORMS:
        assert f"\n| `{word}" in text or f"`, `{word}" in text, word
