"""What the options shared by several commands stand for."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from volte.notation.record import MOST_BYTES, RecordFault, content_of
from volte.rules import (
    PRESETS,
    Ruleset,
    Value,
    described,
    load_ruleset,
    make_ruleset,
    read_setting,
)

STDIN: Final = Path("-")
"""What stands for standard input in place of a file."""


def given(file: Path) -> bytes:
    """The text of a file, or of standard input. Raises `RecordFault`."""
    if file != STDIN:
        return content_of(file)
    if sys.stdin is None:  # closed by whoever started the program
        return b""
    try:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    except OSError as error:
        raise RecordFault("record_not_read", path=str(file), why=error.strerror) from None


def chosen_rules(
    rules: str | None, settings: Sequence[str], players: str | None, seats: int = 0
) -> Ruleset:
    """The ruleset of `--rules`, `--set` and `--players`. Raises `RulesetFault`.

    Args:
        seats: how many are named, for when nothing else says how many play; 0 for none.
    """
    changes: dict[str, Value] = dict(map(read_setting, settings))
    if players is not None:
        changes["players"] = players
    elif seats:
        changes.setdefault("players", seats)
    if rules is None or rules in PRESETS or not _is_file(rules):
        return make_ruleset(rules, changes)
    name, differences = described(load_ruleset(Path(rules)))
    return make_ruleset(name, {**differences, **changes})


def _is_file(rules: str) -> bool:
    return rules.endswith(".toml") or os.path.exists(rules)
