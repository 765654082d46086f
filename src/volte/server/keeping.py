"""What is kept from one scene to the next, for one connection or for all of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from volte.table import Seat
from volte.web.faces import Face, face_of, face_of_bot

Part = TypeVar("Part")


class Kept:
    """Parts of the last scene: what is the same in the next one is not made anew."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[object, tuple[Any, ...]]] = {}

    def once(self, name: str, key: object, make: Callable[[], Iterable[Part]]) -> tuple[Part, ...]:
        """A part of the scene, made anew only where its key is another than the last time."""
        known = self._kept.get(name)
        if known is not None and known[0] == key:
            return known[1]
        made = tuple(make())
        self._kept[name] = key, made
        return made


class Shared(Kept):
    """What all connections to a table are shown alike. What somebody alone knows is in its key.

    Attributes:
        faces: of people, by id, where they are not what follows from the name.
    """

    def __init__(self) -> None:
        super().__init__()
        self.faces: dict[str, Face] = {}

    def face(self, seat: Seat) -> Face:
        """The face of whoever has that seat."""
        if seat.level:
            return face_of_bot(seat.name)
        return self.faces.get(seat.person) or face_of(seat.name, {})
