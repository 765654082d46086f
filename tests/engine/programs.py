"""Outside programs for tests: Python in one word of a command."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Final

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "engine.py"

ENGINE: Final = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "volte":
        print("volte 1\\nid name Test\\nready", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        {go}
"""
"""An engine that does as `go` says once it is asked to choose."""


def python(source: str) -> str:
    """The command that runs this Python."""
    return shlex.join([sys.executable, "-c", source])


def engine(go: str) -> str:
    """The command of an engine that does this when it is asked."""
    return python(ENGINE.format(go=go))


def example() -> str:
    return shlex.join([sys.executable, "-W", "error", str(EXAMPLE)])


def volte(*options: str) -> str:
    """The command of Volte's own engine."""
    return shlex.join([sys.executable, "-m", "volte", "engine", *options])
