"""Matches as they end, taken one at a time by whoever works something out of them."""

from __future__ import annotations

import asyncio
from asyncio import Task

from volte.store.store import Store


class EndedMatches:
    """Takes the matches that end at this node, and looks at intervals for those left behind.

    Args:
        looking: interval between two looks, in seconds.
        task: name of the task that does it.
    """

    def __init__(self, store: Store, looking: float, task: str) -> None:
        self._store = store
        self._looking = looking
        self._name = task
        self._due: asyncio.Queue[str] = asyncio.Queue()
        self._looked = asyncio.Event()
        self._task: Task[None] | None = None

    def begin(self) -> None:
        """Begin with what is left over; then take matches as they end."""
        self._store.listen(self._due.put_nowait)
        self._task = asyncio.create_task(self._run(), name=self._name)

    async def close(self) -> None:
        """Stop; the next node that looks, or the next start, does what is left."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def idle(self) -> None:
        """Wait until nothing is left to do."""
        await self._looked.wait()
        await self._due.join()

    async def attend(self, match: str) -> None:
        """Work out a match that has ended; with an empty id, look for those left behind. Log a
        failure, so that one match does not hold up the others."""
        raise NotImplementedError

    async def look_first(self) -> None:
        """Look for what is left over when it begins."""
        await self.attend("")

    async def _run(self) -> None:
        await self.look_first()
        self._looked.set()
        while True:
            try:
                async with asyncio.timeout(self._looking):
                    match = await self._due.get()
            except TimeoutError:
                self._due.put_nowait("")  # counted like a match, so that `idle` waits for it
                continue
            await self.attend(match)
            self._due.task_done()
