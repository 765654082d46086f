"""What the options shared by several commands stand for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from volte.rules import (
    PRESETS,
    Ruleset,
    Value,
    described,
    load_ruleset,
    make_ruleset,
    read_setting,
)


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
