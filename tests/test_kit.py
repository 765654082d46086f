"""The words that tests share, in `kit` and in tests/README.md."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent


def test_the_readme_says_what_every_word_of_the_kit_is() -> None:
    offered = re.findall(r"import (\w+)", (FOLDER / "kit/__init__.pyi").read_text("utf-8"))
    named = set(re.findall(r"`(\w+)", (FOLDER / "README.md").read_text("utf-8")))
    assert offered
    assert {*offered} - named == set()
