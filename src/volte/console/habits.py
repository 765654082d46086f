"""Habits of the person at this machine, in a file: what is not asked or told again."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from volte.files import replace_file


class Habits(msgspec.Struct, frozen=True, omit_defaults=True):
    """Answers that are saved, and sentences that have been told."""

    screen_reader: bool | None = None  # None if they have not been asked
    moved: frozenset[str] = frozenset()  # letters of which they know that they have moved


def habits() -> Habits:
    """Read the habits; the usual ones where there is no file that can be read."""
    with suppress(OSError, RuntimeError, msgspec.DecodeError):
        return msgspec.json.decode(_place().read_bytes(), type=Habits)
    return Habits()


def keep(changed: Habits) -> None:
    """Save the habits; if they cannot be written, they are the old ones the next time."""
    with suppress(OSError, RuntimeError):
        _place().parent.mkdir(parents=True, exist_ok=True)
        replace_file(_place(), msgspec.json.encode(changed, order="sorted"))


def uses_reader() -> bool | None:
    """Whether a screen reader is used, by the environment or the saved answer; None if unknown."""
    if "ACCESSIBLE" in os.environ:  # some text for yes, none for no
        return bool(os.environ["ACCESSIBLE"])
    return habits().screen_reader


_TOLD = set[tuple[Path, str]]()


def told_once(name: str) -> bool:
    """Whether something is to be told that has not been told at this machine; it is noted."""
    try:
        told = _place(), name
    except RuntimeError:  # a user without a home
        told = Path(), name
    known = habits()
    if name in known.moved or told in _TOLD:
        return False
    _TOLD.add(told)  # where nothing can be written, it is told once in this process
    keep(msgspec.structs.replace(known, moved=known.moved | {name}))
    return True


def _place() -> Path:
    import platformdirs  # here, as most commands need no folder

    return platformdirs.user_data_path("volte", appauthor=False) / "terminal.json"
