"""The page about the environments says what is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from volte.env import card_planes, situation_fields

PAGE = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")


def test_its_programs_run() -> None:
    programs = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    for program in programs:
        exec(program, names)
    assert len(programs) == 4
    assert names["hand"].sum() == 13
    assert names["trick"] == 0


@pytest.mark.parametrize(
    ("heading", "names"), [("Cards", card_planes(3)), ("Situation", situation_fields(3))]
)
def test_it_names_every_plane_and_every_field_in_order(
    heading: str, names: tuple[str, ...]
) -> None:
    section = PAGE.split(f"### {heading}\n")[1].split("\n#")[0]
    told = re.findall(r"^\| `([^`]+)`", section, re.MULTILINE)
    firsts = {re.sub(r" [0-9]$", "", name): name for name in reversed(names)}
    assert told == [firsts[name] for name in reversed(firsts)]
