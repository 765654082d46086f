"""A part of the store: what belongs together is read and written in one place."""

from __future__ import annotations

from volte.store.reader import Reader
from volte.store.writer import Change, Job, Writer


class Part:
    """Reads and writes as `Store` does, and raises what it raises."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def _write(self, *changes: Change) -> None:
        """Keeps all of them, or none. Raises `Conflict` where one has to change a row and does
        not (`statements.MUST_CHANGE`)."""
        await self._writer.write(Job(changes))
