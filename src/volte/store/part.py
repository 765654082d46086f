"""A part of the store: what belongs together is read and written in one place."""

from __future__ import annotations

from typing import Any

from volte.store.reader import Reader
from volte.store.writer import Change, Job, Writer


class Part:
    """Reads and writes as `Store` does, and raises what it raises."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def export(self, person: str) -> dict[str, Any]:
        """What this part keeps about a person, for them to take away as JSON: no secrets."""
        return {}

    def forgetting(self, person: str) -> tuple[Change, ...]:
        """What is to be written so that it no longer does; what others need stays, unnamed."""
        return ()

    async def _write(self, *changes: Change) -> None:
        """Keeps all of them, or none. Raises `Conflict` where one has to change a row and does
        not (`statements.MUST_CHANGE`)."""
        await self._writer.write(Job(changes))
