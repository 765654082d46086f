"""Where a choice is made: what the queue asks of a thread as of a process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from volte.bots.apart import BotAnswer, BotQuestion, thought_of
from volte.bots.protocol import Bot

MakeBot = Callable[[str, int], Bot]
"""Makes a bot of a level from a seed."""


class Lost(Exception):
    """No choice comes of it; the words say why, without cards."""


class Runner(Protocol):
    """Makes one choice at a time."""

    async def choose(self, question: BotQuestion) -> BotAnswer:
        """What came of it. Raises `Lost` where the runner cannot go on."""
        ...

    async def end(self) -> None:
        """It is not needed any more, or has to be given up."""
        ...


class InThread:
    """A thread of this process, for bots that think so little that to send it would cost more."""

    def __init__(self, bots: MakeBot) -> None:
        self._bots = bots
        self._thread = ThreadPoolExecutor(1, "bots")

    async def choose(self, question: BotQuestion) -> BotAnswer:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, thought_of, question, self._bots)

    async def end(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
