"""Turns: one thing at a time for each of many keys."""

from __future__ import annotations

from asyncio import Lock
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Turns of this node, such as of people; nothing is kept of those that are over."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Lock, int]] = {}  # by key, and how many have one or wait

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the context."""
        lock, number = self._known.get(key, (Lock(), 0))
        self._known[key] = lock, number + 1
        try:
            async with lock:
                yield
        finally:
            lock, number = self._known.pop(key)
            if number > 1:
                self._known[key] = lock, number - 1
