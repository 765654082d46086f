"""Faces at the table: a picture or the initials of a player, in a colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from zlib import crc32

from volte.bots import CHARACTERS, NAMES

INITIALS: Final = "initials"
AUTO: Final = "auto"

PICTURES: Final = (
    *("cat", "owl", "fox", "hare", "bear", "fish"),
    *("bee", "snail", "star", "moon", "leaf", "cup"),
)
"""Our own drawings: the symbols `face-cat` and so on of the sprite."""

HUES: Final = tuple(map(str, range(10)))
"""The colours of the seats, `--seat-0` to `--seat-9` of the style sheet."""


class Face(NamedTuple):
    """The face of a person or a bot, as it is shown at a table."""

    picture: str  # one of `PICTURES`, the key of a character, or `INITIALS`
    hue: int  # number of the colour, 0 to 9


def face_of(name: str, settings: Mapping[str, Any]) -> Face:
    """The face of a person; if none was chosen, their initials in a colour made from the name."""
    picture, hue = settings.get("face"), settings.get("hue")
    return Face(
        picture if picture in PICTURES else INITIALS,
        int(hue) if hue in HUES else crc32(name.encode()) % len(HUES),
    )


def face_of_bot(name: str, level: str = "") -> Face:
    """The face of a bot: a character has its own, other bots get one made from their name."""
    if level in CHARACTERS:
        return Face(level, [*CHARACTERS].index(level) % len(HUES))
    number = NAMES.index(name) if name in NAMES else crc32(name.encode())
    return Face(PICTURES[number % len(PICTURES)], number % len(HUES))
