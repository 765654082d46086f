"""A public class name occurs once in src/volte, but for those that double_names.txt lists."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parent


def test_public_class_names_are_unique() -> None:
    listed = re.findall(r"^(\w+) (\d+)$", (TESTS / "double_names.txt").read_text(), re.MULTILINE)
    names = Counter[str]()
    for file in (TESTS.parent / "src" / "volte").rglob("*.py"):
        names.update(re.findall(r"^class ([A-Z]\w*)", file.read_text("utf-8"), re.MULTILINE))
    double = {name: count for name, count in names.items() if count > 1}
    assert double == {name: int(count) for name, count in listed}
