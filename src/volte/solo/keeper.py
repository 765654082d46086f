"""Texts kept by key: the little that a browser's database has to do, and its stand-in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

import msgspec

from volte.store import Conflict


class KeptChange(msgspec.Struct, frozen=True):
    """A change of texts, which is made as a whole or not at all."""

    there: str = ""  # a key that must have a text; empty for none
    free: str = ""  # a key that must have none; empty for none
    forgotten: tuple[str, ...] = ()  # beginnings of keys whose texts are deleted first
    kept: dict[str, str] = {}  # texts by key, in place of any with the same key


class Keeper(Protocol):
    """Texts by key, kept for good: in a browser's database, or in this process for a while."""

    async def texts(self, beginning: str) -> Mapping[str, str]:
        """The texts whose keys begin like that, by key and in its order. Raises `Unavailable`."""

    async def keep(self, change: KeptChange) -> None:
        """Makes a change; returns once a crash can no longer undo it.

        Raises `Conflict` where a key is missing or taken, and `Unavailable` where there is no room,
        or another window has the texts: then nothing of it is kept.
        """


class MemoryKeeper:
    """Texts kept for as long as this process lives, where a browser lets nothing be stored."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    async def texts(self, beginning: str) -> Mapping[str, str]:
        """Texts whose keys begin like that, by key and in its order."""
        found = ((key, text) for key, text in self._texts.items() if key.startswith(beginning))
        return dict(sorted(found))

    async def keep(self, change: KeptChange) -> None:
        """Make a change. Raises `Conflict` where a key is missing or taken."""
        await asyncio.sleep(0)  # others have their turn, as while a database writes
        if (change.there and change.there not in self._texts) or change.free in self._texts:
            raise Conflict(change.free)
        if change.forgotten:
            for key in [key for key in self._texts if key.startswith(change.forgotten)]:
                del self._texts[key]
        self._texts |= change.kept
