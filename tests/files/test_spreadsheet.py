"""Tables for spreadsheets: no text is a formula there, and numbers stay numbers."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from kit.names import cells

from volte.files.spreadsheet import csv_text

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

texts = st.text(st.sampled_from("=+-@\uff1d\t\r\n ;,'\"\u00a0a1é"), max_size=12)
numbers = st.integers(-999, 999) | st.floats(-99, 99).map(lambda number: round(number, 3))
rows = st.lists(
    st.lists(texts | numbers, max_size=3).flatmap(
        lambda row: texts.map(lambda first: [first, *row])
    )
)


@pytest.mark.parametrize("separator", ",;\t")
@given(rows)
@example([["x", ";=1+1"], ["x;", "=2"]])
@example([["x", 'y;"=1+1', "a\t+1"], ["x", "y;"], ["=1", -1]])
def test_no_text_is_a_formula_whatever_separates_cells(
    separator: str, rows: list[list[object]]
) -> None:
    for row in cells(csv_text(rows), separator):
        for cell in row:
            shown = unicodedata.normalize("NFKC", cell).lstrip(" ")
            assert NUMBER.fullmatch(cell) or not shown.startswith(tuple("=+-@\t\r\n"))


@given(st.lists(st.lists(numbers, min_size=1), max_size=3))
def test_numbers_stay_numbers(rows: list[list[float]]) -> None:
    assert [[float(cell) for cell in row] for row in cells(csv_text(rows))] == rows


def test_a_common_text_stays_as_it_is() -> None:
    row = ["Anne", "Anne; Zoé, 5-3", 'the "best"', "O’Brien", ""]
    assert cells(csv_text([row])) == [row]


def test_a_spreadsheet_knows_that_it_is_UTF_8() -> None:
    assert csv_text([("é",)]).encode().startswith(b"\xef\xbb\xbf")
