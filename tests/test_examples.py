"""The examples in docstrings are true; tests/docs/test_blocks.py checks those of pages."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parent
MODULES: Final = tuple(
    ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    for root, folder in ((TESTS.parent / "src", "volte"), (TESTS, "."))
    for path in sorted((root / folder).rglob("*.py"))
    if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
)
"""The modules that have examples."""


@pytest.mark.parametrize("module", MODULES)
def test_every_example_says_what_is_so(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted
    assert not results.failed


def test_examples_are_found_in_the_source_and_among_the_tests() -> None:
    assert "kit.deals" in MODULES
    assert "volte.cards.card_set" in MODULES
