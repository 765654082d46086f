"""Rulesets in TOML files: a preset's name, and options by name."""

from __future__ import annotations

import tomllib
from pathlib import Path

from volte.rules.options import Value
from volte.rules.presets import described, make_ruleset
from volte.rules.ruleset import Ruleset
from volte.rules.validity import RulesetFault


def load_ruleset(path: Path) -> Ruleset:
    """The ruleset of a file. Raises `RulesetFault` for a file that holds none."""
    return parse_ruleset(_read(path), str(path))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RulesetFault("file_not_text", path=str(path)) from None
    except OSError as error:
        raise RulesetFault("file_not_read", path=str(path), why=error.strerror) from None


def parse_ruleset(text: str, source: str = "") -> Ruleset:
    """The ruleset of a TOML text. Raises `RulesetFault`."""
    try:
        content = tomllib.loads(text)
        str(content)  # no fault could tell a number of thousands of digits, which raises here
    except (ValueError, RecursionError) as error:
        raise RulesetFault("file_not_toml", path=source, why=str(error)) from None
    name = content.pop("preset", None)
    return make_ruleset(None if name is None else str(name), content)


def save_ruleset(rules: Ruleset, path: Path) -> None:
    """Writes the ruleset to a file. Raises `RulesetFault` when it cannot be written."""
    try:
        path.write_text(format_ruleset(rules), encoding="utf-8")
    except OSError as error:
        raise RulesetFault("file_not_written", path=str(path), why=error.strerror) from None


def format_ruleset(rules: Ruleset) -> str:
    """The ruleset as TOML; `parse_ruleset` reads the same ruleset back.

    >>> print(format_ruleset(make_ruleset("coeurs", {"queen_discard": "free"})), end="")
    preset = "coeurs"
    queen_discard = "free"
    """
    name, differences = described(rules)
    lines = [f'preset = "{name}"']
    lines += [f"{option} = {_toml(value)}" for option, value in differences.items()]
    return "\n".join(lines) + "\n"


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(f'"{word}"' for word in value) + "]"
    return str(value) if isinstance(value, int) else f'"{value}"'
