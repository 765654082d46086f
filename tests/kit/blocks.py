"""The code in the fences of the pages: Python, and commands typed at a prompt."""

from __future__ import annotations

import re
import sys
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
    """A block of code between fences."""

    language: str  # empty where none is given
    text: str
    runs: bool  # False if a comment before it says that it is not run


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


def as_module(page: Path) -> str:
    """All Python of a page, typed at a prompt or not; lines keep their numbers in the page."""
    text = page.read_text(encoding="utf-8")
    lines = [""] * text.count("\n")
    for found in FENCE.finditer(text):
        if found[2].strip() == "python" and not NOT_RUN.match(found[1]):
            first, block = text.count("\n", 0, found.start(3)), found[3].splitlines()
            if ">>>" in found[3]:
                block = [line[4:] if line.startswith((">>>", "...")) else "" for line in block]
            lines[first : first + len(block)] = block
    return "\n".join(lines)


def run(program: str) -> dict[str, Any]:
    """Run a script, and return the names that it defines."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(program, "<page>", "exec"), names)
    return names


def write_modules(folder: Path) -> None:
    """Write a module for each page with Python in it, which a type checker can read."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in PAGES:
        if any(block.language == "python" for block in blocks(page)):
            name = "_".join(page.relative_to(ROOT).with_suffix("").parts)
            text = as_module(page)
            (folder / f"{name.replace('-', '_')}.py").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_modules(Path(sys.argv[1]))
