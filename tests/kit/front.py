"""Packages that programs may import; and matches of `volte.Match` that go on by chance."""

from __future__ import annotations

import random
import re
from importlib import import_module
from pathlib import Path
from typing import Final

import volte
from volte.game import Phase

API: Final = Path(__file__).parents[2] / "docs" / "api"

PROMISED: Final[tuple[str, ...]] = tuple(
    name
    for page in sorted(API.glob("*.md"))
    for name in re.findall(r"automodule:: (\S+)$", page.read_text("utf-8"), re.MULTILINE)
    if hasattr(import_module(name), "__all__")
)
"""The packages that docs/api has: the names in their `__all__` are promised."""


def on_by_chance(
    match: volte.Match, steps: int, seed: int, until: Phase = Phase.ENDED
) -> volte.Match:
    """Go on with a match for `steps` random lawful actions, or until a phase; return the match."""
    draws = random.Random(seed)
    for _ in range(steps):
        if match.turn is None or match.phase is until:
            break
        match.do(draws.choice(match.actions))
    return match
