"""Faces at the table: a picture or the initials of a player, in a colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from zlib import crc32

from volte.bots import CHARACTERS
from volte.game import Player
from volte.names import plain

INITIALS: Final = "initials"
AUTO: Final = "auto"

PICTURES: Final = (
    *("cat", "owl", "fox", "hare", "bear", "fish"),
    *("bee", "snail", "star", "moon", "leaf", "cup"),
)
"""Our own drawings: the symbols `face-cat` and so on of the sprite."""

HUES: Final = tuple(map(str, range(10)))
"""The colours of faces and lines, `--hue-0` to `--hue-9` of the style sheet."""


NO_SETTINGS: Final[Mapping[int, Mapping[str, Any]]] = {}


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
    """The face of a bot: the character's of its level or name, else one made from its name."""
    key = level if level in CHARACTERS else plain(name)
    if key in CHARACTERS:
        return Face(key, [*CHARACTERS].index(key) % len(HUES))
    number = crc32(name.encode())
    return Face(PICTURES[number % len(PICTURES)], number % len(HUES))


def faces_of(
    players: Sequence[Player], settings: Mapping[int, Mapping[str, Any]] = NO_SETTINGS
) -> tuple[Face, ...]:
    """The faces of a table's players, by seat, in different colours.

    A colour goes to whoever has chosen it, then to a bot; the next one in its place to others.

    Args:
        settings: seat → settings of the person there; people without any need not be in it.
    """
    faces = [
        face_of(player.name, settings.get(seat, {}))
        if player.person
        else face_of_bot(player.name, player.level)
        for seat, player in enumerate(players)
    ]

    def rank(seat: int) -> int:
        player = players[seat]
        chosen = player.person and settings.get(seat, {}).get("hue") in HUES
        return 0 if chosen else 1 + player.person if player.name else 3

    free = set(range(len(HUES)))
    for seat in sorted(range(len(players)), key=rank):
        hues = ((faces[seat].hue + step) % len(HUES) for step in range(len(HUES)))
        faces[seat] = faces[seat]._replace(hue=next(filter(free.__contains__, hues), 0))
        free.discard(faces[seat].hue)
    return tuple(faces)
