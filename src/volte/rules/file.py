"""Rulesets in TOML files: a preset's name, and options by name."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path
from typing import Final

from volte.rules.options import Value
from volte.rules.presets import described, make_ruleset
from volte.rules.ruleset import Ruleset
from volte.rules.validity import RulesetFault

MOST_BYTES: Final = 2**14
"""The longest text that is read as a ruleset: the TOML reader may take its length squared."""

NO_FILE: Final = "Not a file"


def read_file(path: Path, most: int) -> bytes:
    """The first `most` bytes of a file. Raises `OSError`, also for what is no ordinary file."""
    try:  # without blocking: a pipe may have nobody at its other end
        number = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
    except ValueError:  # a NUL in its name
        raise OSError(0, NO_FILE) from None
    with open(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(0, NO_FILE)
        return file.read(most)


def replace_file(path: Path, content: bytes) -> None:
    """Puts a whole file in the place of the old one, or leaves that alone and raises `OSError`."""
    part = path.parent / f"{path.name}.part"
    try:
        if path.exists() and not path.is_file():
            raise OSError(0, NO_FILE)
        part.unlink(missing_ok=True)
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except ValueError:  # a NUL in its name
        raise OSError(0, NO_FILE) from None


def load_ruleset(path: Path) -> Ruleset:
    """The ruleset of a file. Raises `RulesetFault` for a file that holds none."""
    try:
        content = read_file(path, MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise RulesetFault("file_too_large", path=str(path), most=MOST_BYTES)
        text = content.decode()
    except UnicodeDecodeError:
        raise RulesetFault("file_not_text", path=str(path)) from None
    except OSError as error:
        raise RulesetFault("file_not_read", path=str(path), why=error.strerror) from None
    return parse_ruleset(text, str(path))


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
    lines += [f"{option} = {_toml(value)}" for option, value in differences.items()]
    return "\n".join(lines) + "\n"


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(f'"{word}"' for word in value) + "]"
    return str(value) if isinstance(value, int) else f'"{value}"'
