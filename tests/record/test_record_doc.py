"""docs/records.md says what is so."""

from __future__ import annotations

import doctest
from pathlib import Path

from volte.notation import FORMS, format_record, parse_record

PAGE = Path(__file__).parents[2] / "docs" / "records.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_examples_are_records_as_the_program_writes_them() -> None:
    _, *blocks = TEXT.split("```volte\n")
    assert len(blocks) == 2
    for block in blocks:
        example = block.split("```")[0]
        record = parse_record(example)
        assert record.finished
        assert format_record(record.log) == example


def test_every_word_is_explained() -> None:
    for word in FORMS:
        assert f"\n| `{word}" in TEXT or f"`, `{word}" in TEXT


def test_the_python_is_true() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 0
    assert found.failed == 0
