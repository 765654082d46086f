"""Outside engines as people name them: `NAME=COMMAND`."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterable, Sequence
from typing import Final

from volte.bots import MARKS, is_ours
from volte.cards import VolteError

_NAME: Final = re.compile(r"[\w.+-]+")

LONGEST_ENGINE_NAME: Final = 40
"""Longest name of an engine at a table, in characters."""


def named_command(text: str) -> tuple[str, str]:
    """The name, empty where there is none, and the command. Raises `VolteError` `engine_command`.

    >>> named_command("old=./engine -x"), named_command("./engine a=b")
    (('old', './engine -x'), ('', './engine a=b'))
    """
    name, equals, command = text.partition("=")
    if not (equals and _NAME.fullmatch(name)):
        name, command = "", text
    try:
        words = shlex.split(command) if command.isprintable() else []
    except ValueError:
        words = []
    if not words:
        raise VolteError("engine_command", text=text)
    return name, command.strip()


def named_engines(texts: Sequence[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """The command of every engine, by the name under which people ask for it at tables.

    Args:
        taken: names of others at the table, beside the levels.

    Raises `VolteError` `engine_command`, `engine_without_name` and `engine_name_taken`.
    """
    found: dict[str, str] = {}
    for text in texts:
        name, command = named_command(text)
        if not name or len(name) > LONGEST_ENGINE_NAME:
            raise VolteError("engine_without_name", text=text, most=LONGEST_ENGINE_NAME)
        if is_ours(name) or name in (*MARKS, *taken, *found):
            raise VolteError("engine_name_taken", name=name)
        found[name] = command
    return found


def check_program(command: str) -> None:
    """Raise `VolteError` `engine_program_missing` if this machine has no such program."""
    program = shlex.split(command)[0]
    if shutil.which(program) is None:
        raise VolteError("engine_program_missing", program=program)
