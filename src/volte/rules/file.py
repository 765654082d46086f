"""Rulesets in TOML files: a preset's name, and options by name."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

from volte.files import read_file, replace_file
from volte.names import NameFault, clean_name, meant
from volte.rules.options import OPTIONS, Value
from volte.rules.presets import PRESETS, described, make_ruleset
from volte.rules.ruleset import Ruleset
from volte.rules.validity import RulesetFault

MOST_BYTES: Final = 2**14
"""Longest text read as a ruleset, in bytes: the TOML reader may take time in its square."""

TOO_LONG: Final = "a number is too long, or too many brackets are open"


Rules: TypeAlias = Ruleset | str | os.PathLike[str]
"""Rules as callers give them: a ruleset, or the name of a preset or of a TOML file."""


def ruleset_named(rules: Rules | None, settings: Mapping[str, Value] | None = None) -> Ruleset:
    """The rules that somebody asks for, with options changed.

    Names of presets and options are read as people type them (`volte.names.meant`). Where no person
    types them, as in records and in messages, `make_ruleset` takes them to the letter.

    Args:
        rules: without them, the usual preset for the number of players.
        settings: options to change; `name` is the name of the rules.

    Raises `RulesetFault`.

    >>> ruleset_named("Dame de pique", {"queen-points": 12})
    ruleset('dame-de-pique', queen_points=12)
    """
    if rules is None:
        return _named(None, settings or {})
    if isinstance(rules, str):
        preset = meant(rules, PRESETS)
        is_file = preset.lower().endswith(".toml") or os.path.exists(preset)
        if preset in PRESETS or not is_file:
            return _named(preset, settings or {})
    chosen = rules if isinstance(rules, Ruleset) else load_ruleset(Path(rules))
    if not settings:
        return chosen
    name, differences = described(chosen)
    return _named(name, {**differences, NAME: chosen.name, **_options_meant(settings)})


NAME: Final = "name"
"""The setting that is no option: the name of the rules."""

PRESET: Final = "preset"
"""The key of a file for the preset that its settings change."""


def _named(preset: str | None, settings: Mapping[str, Value]) -> Ruleset:
    settings = _options_meant(settings)
    name = settings.pop(NAME, "")
    if not isinstance(name, str):
        raise RulesetFault("name_no_text").at(NAME)
    rules = make_ruleset(preset, settings)
    try:
        return replace(rules, name=name and clean_name(name))
    except NameFault as fault:
        raise RulesetFault(fault.reason, **fault.params).at(NAME) from None


def _options_meant(settings: Mapping[str, Value], *besides: str) -> dict[str, Value]:
    """Settings that people typed, by the true names of the options. Raises `RulesetFault`."""
    known = (NAME, *besides, *OPTIONS)
    by_option = {meant(name, known): value for name, value in settings.items()}
    if len(by_option) < len(settings):
        options = [meant(name, known) for name in settings]
        raise RulesetFault("option_twice", option=next(x for x in options if options.count(x) > 1))
    return by_option


def load_ruleset(path: Path) -> Ruleset:
    """The ruleset of a file. Raises `RulesetFault` for a file that holds none."""
    try:
        content = read_file(path, MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise RulesetFault("file_too_large", path=str(path), most=MOST_BYTES)
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RulesetFault("file_not_text", path=str(path)) from None
    except OSError as error:
        raise RulesetFault("file_not_read", path=str(path), why=error.strerror) from None
    return parse_ruleset(text, str(path))


def parse_ruleset(text: str, source: str = "") -> Ruleset:
    """The ruleset of a TOML text. Raises `RulesetFault`, which names the file it comes from."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesetFault("file_not_toml", path=source, why=str(error)) from None
    except (ValueError, RecursionError):
        raise RulesetFault("file_not_toml", path=source, why=TOO_LONG) from None
    try:
        settings = _options_meant(content, PRESET)
        named = settings.pop(PRESET, None)
        if not isinstance(named, str | None):
            raise RulesetFault("no_such_preset", preset=named, presets=tuple(PRESETS)).at(PRESET)
        return _named(named if named is None else meant(named, PRESETS), settings)
    except RulesetFault as fault:
        if not source:
            raise
        reason = "file_wrong_at" if fault.field else "file_wrong"
        raise RulesetFault(reason, path=source, key=fault.field, fault=fault) from None


def save_ruleset(rules: Ruleset, path: Path) -> None:
    """Write the ruleset to a file. Raises `RulesetFault` when it cannot be written."""
    try:
        replace_file(path, format_ruleset(rules).encode())
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
    lines += [f"{NAME} = {json.dumps(rules.name, ensure_ascii=False)}"] if rules.name else []
    lines += [f"{option} = {_toml(value)}" for option, value in differences.items()]
    return "\n".join(lines) + "\n"


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(f'"{word}"' for word in value) + "]"
    return str(value) if isinstance(value, int) else f'"{value}"'
