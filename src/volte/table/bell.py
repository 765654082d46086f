"""A bell for one who waits, of whom there are as many as connections."""

from __future__ import annotations

import asyncio
from asyncio import Future


class Bell:
    """Rung once or often, it wakes whoever waits, or lets them pass the next time.

    Unlike `asyncio.Event` it is for one, is silent again once it has been heard, and takes next
    to no memory.
    """

    __slots__ = ("_heard", "_rung")

    def __init__(self) -> None:
        self._rung = False
        self._heard: Future[None] | None = None

    def ring(self) -> None:
        """Wakes them."""
        self._rung = True
        if self._heard is not None and not self._heard.done():
            self._heard.set_result(None)

    async def wait(self) -> None:
        """Waits until it has been rung since it was heard last."""
        while not self._rung:
            self._heard = asyncio.get_running_loop().create_future()
            try:
                await self._heard
            finally:
                self._heard = None
        self._rung = False
