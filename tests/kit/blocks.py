"""The code in the fences of the pages: what is Python, what is typed at a prompt."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = (
    *sorted(ROOT.glob("*.md")),
    *sorted(ROOT.glob("docs/**/*.md")),
    *(ROOT / place / "README.md" for place in ("benchmarks", "deploy")),
)
NOT_RUN: Final = re.compile(r"<!-- not run: .+ -->")
FENCE: Final = re.compile(r"((?:^<!--[^\n]*-->\n+)?)^```([^\n]*)\n(.*?)^```$", re.M | re.S)


class Block(NamedTuple):
    """What stands in one fence."""

    language: str  # empty where none is given
    text: str
    runs: bool  # whether no comment before it says that it is not run


def blocks(page: Path) -> list[Block]:
    """All blocks of a page."""
    return [
        Block(language.strip(), text, not NOT_RUN.match(before))
        for before, language, text in FENCE.findall(page.read_text(encoding="utf-8"))
    ]


def programs(page: Path) -> str:
    """The Python of a page that shows no prompt, as one script: later blocks use earlier ones."""
    return "\n".join(
        block.text
        for block in blocks(page)
        if block.language == "python" and block.runs and ">>>" not in block.text
    )


def run(program: str) -> dict[str, Any]:
    """The names that a script leaves behind."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(program, "<page>", "exec"), names)
    return names
