"""Figures written into the pages of docs/: blocks that say how they were measured."""

from __future__ import annotations

import shlex
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
CASUAL: Final = (
    "src/volte/bots/candidates.py",
    "src/volte/bots/casual.py",
    "src/volte/bots/odds.py",
    "src/volte/bots/standing.py",
    "src/volte/kernel/casual.py",
    "src/volte/kernel/casual_moons.py",
    "src/volte/kernel/casual_odds.py",
    "src/volte/kernel/casual_pass.py",
    "src/volte/kernel/play.py",
)
"""Sources of `casual` and its compiled twin."""
SEARCH: Final = (
    *CASUAL,
    "src/volte/bots/learned",
    "src/volte/bots/prospects.py",
    "src/volte/bots/race.py",
    "src/volte/bots/search.py",
    "src/volte/bots/worlds.py",
    "src/volte/kernel/endgame.py",
    "src/volte/kernel/features.py",
    "src/volte/kernel/instinct.py",
    "src/volte/kernel/playouts.py",
    "src/volte/kernel/worlds.py",
)
"""Sources of the bots that search."""

PROGRAM: Final = f"benchmarks/{Path(sys.argv[0]).name}"


def put(page: str, text: str, *sources: str, part: str = "") -> None:
    """Put the text of this program into a page, between its marks, below how it was measured.

    Args:
        page, sources: paths from the root; the figures depend on the latter, files and folders.
        part: names the marks where the program has several.
    """
    path, program = ROOT / page, PROGRAM + (part and f", {part}")
    begin, end = (f"<!-- made by {program}: {each} -->" for each in ("begin", "end"))
    before, _, rest = path.read_text(encoding="utf-8").partition(begin)
    _, found, after = rest.partition(end)
    assert found, f"{page} has no place for {begin}"
    block = f"{begin}\n\n{_measured(sources)}\n\n{text}\n\n{end}"
    path.write_text(before + block + after, encoding="utf-8", newline="\n")


def _measured(sources: tuple[str, ...]) -> str:
    """A line that tests/docs/test_figures.py reads: the day, the commit and the command."""
    asked = ["git", "-C", str(ROOT), "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    command = shlex.join(["python", PROGRAM, *sys.argv[1:]])
    return f"Measured {date.today()} at {commit}: `{command}`. <!-- of {' '.join(sources)} -->"
