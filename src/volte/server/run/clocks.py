"""Checks of this node's clock against the database's and against the time that has passed."""

from __future__ import annotations

import asyncio
import time
from asyncio import Task
from typing import Final

from volte.store import Unavailable
from volte.store.second_look import SET
from volte.store.store import Store
from volte.web.logs import get_logger

LOOKING: Final = 5.0  # seconds between two looks at the clocks, and at due jobs

log = get_logger("volte.server")


class Clocks:
    """Compares the clocks every few seconds; jobs that are due wait while they disagree."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._difference = 0.0  # seconds by which this clock is ahead of that of the database
        self._known = 0  # number of lines of the last look, which have been logged
        self._task: Task[None] | None = None

    def begin(self) -> None:
        """Start the task, within a running loop."""
        self._task = asyncio.create_task(self._run(), name="clocks")

    async def end(self) -> None:
        """End the task that compares the node's clock with the others'."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def wrong(self) -> list[str]:
        """A line for each fault of the clocks; people can play all the same."""
        found = []
        if abs(self._difference) > SET:
            side = "ahead of" if self._difference > 0 else "behind"
            seconds = round(abs(self._difference))
            found.append(f"the clock of this node is {seconds} seconds {side} that of the database")
        if (ahead := self._store.second_look.ahead) > SET:
            found.append(f"the clock of this node was set ahead by {round(ahead)} seconds just now")
        return found

    async def look(self) -> None:
        """Compare the clocks, and log new faults. Raises `Unavailable`."""
        await self._store.second_look.look()
        before = time.time()
        there = await self._store.nodes.clock()
        if there is not None:
            self._difference = min(max(there, before), time.time()) - there
        wrong = self.wrong()
        if len(wrong) > self._known:
            log.warning("clock_wrong", why="; ".join(wrong))
        self._known = len(wrong)

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except Unavailable:
                pass  # others log it
            except Exception as error:
                log.error("clocks_failed", exc_info=error)
            await asyncio.sleep(LOOKING)
