"""The examples in the docstrings, in README.md and in the tutorials say what is so."""

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
"""The modules that have examples; only these are gone through."""
PAGES: Final = ("README.md", "docs/your-bot.md", "docs/your-rules.md")
"""The pages whose blocks are all run, from top to bottom."""


@pytest.mark.parametrize("module", MODULES)
def test_every_example_says_what_is_so(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_a_page_says_what_is_so(page: str) -> None:
    file = TESTS.parent / page
    blocks = re.findall("^```python\n(.*?)^```", file.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    assert all(block.startswith(">>> ") for block in blocks)
    results = doctest.testfile(str(file), module_relative=False, encoding="utf-8")
    assert not results.failed


def test_examples_are_found_in_the_source_and_among_the_tests() -> None:
    assert "kit.deals" in MODULES
    assert "volte.cards.card_set" in MODULES
