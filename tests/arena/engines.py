"""Outside engines for the tests of the arena: a few lines of Python each."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from volte.lab.arena import Contestant

ENGINE = """
import sys

asked = 0
for line in sys.stdin:
    match line.split():
        case ["volte", *_]:
            print("volte 1\\nready", flush=True)
        case ["isready"]:
            print("readyok", flush=True)
        case ["go", *words]:
            asked += 1
            if {wrong} and asked % {wrong} == 0:
                {mischief}
            if "pass" in words:
                count, *hand = words[words.index("pass") + 1 :]
                print("choose pass", *hand[: int(count)], flush=True)
            else:
                print("choose play", words[words.index("play") + 1], flush=True)
        case ["quit"]:
            break
"""
"""Passes and plays the first that it may."""


def engine(folder: Path, name: str = "first", wrong: int = 0, mischief: str = "pass") -> Contestant:
    """An engine that does some mischief each `wrong`th time it is asked; 0 for never."""
    script = folder / f"{name}.py"
    script.write_text(ENGINE.format(wrong=wrong, mischief=mischief))
    return Contestant.outside(f"{name}={shlex.join([sys.executable, str(script)])}")
