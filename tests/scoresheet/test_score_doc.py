"""docs/score.md says what is so; its evening is in test_evening."""

from __future__ import annotations

import doctest
from pathlib import Path

from volte.scorekeeper.model.read import FORMS

PAGE = Path(__file__).parents[2] / "docs" / "score.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_word_is_explained() -> None:
    for word in FORMS:
        assert f"\n| `{word}" in TEXT or f"`, `{word}" in TEXT, word


def test_the_python_is_true() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 4
    assert not found.failed
