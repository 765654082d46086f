"""Bots think here, off the loop, so that no table waits for them but their own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic
from typing import Final

from volte.bots.protocol import Bot, Clock
from volte.referee import SeatAction, legal_actions
from volte.table.seating import USUAL
from volte.view import View

MakeBot = Callable[[str, int], Bot]
"""Makes a bot of a level from a seed."""

CLOSING: Final = 5.0
"""Seconds that an end waits for bots that think."""

log: Final = logging.getLogger(__name__)


@dataclass(eq=False)
class _Choice:
    """One choice of a bot: when it began, and whether it is made."""

    level: str
    seed: int
    view: View
    clock: Clock
    begun: float | None = None


class Thinking:
    """A few threads for all the bots of all the tables.

    Args:
        bots: makes them.
        threads: how many choose at the same time.
        hurried: seconds that they have together, each its part, when many wait to choose;
            else each has what its level usually takes.
        longest: seconds after which a bot is not waited for any more.
    """

    def __init__(self, bots: MakeBot, threads: int, hurried: float, longest: float) -> None:
        self._bots = bots
        self._number = threads
        self._hurried = hurried
        self._longest = longest
        self._waiting = 0
        self._choices: set[_Choice] = set()
        self._threads = ThreadPoolExecutor(threads, "bots")

    async def choose(self, level: str, seed: int, view: View) -> SeatAction:
        """The choice of such a bot for the seat whose view it is, and which has to choose.

        For a bot that fails, or thinks for ever, the first thing that is legal: the table goes on.
        """
        choice = _Choice(level or USUAL, seed, view, self._clock())
        self._waiting += 1
        future = asyncio.get_running_loop().run_in_executor(self._threads, self._choose, choice)
        try:
            while not future.done():
                await asyncio.wait({future}, timeout=self._longest)
                begun = choice.begun
                if not future.done() and begun and monotonic() > begun + self._longest:
                    log.error("a bot of level %s thinks for too long", choice.level)
                    return any_action(view)
            return future.result()
        finally:
            self._waiting -= 1
            future.cancel()

    async def close(self) -> None:
        """Returns when nothing is being thought any more, but for bots that are lost."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        ends = monotonic() + CLOSING
        while self._choices and monotonic() < ends:
            await asyncio.sleep(0.005)

    def _clock(self) -> Clock:
        if self._waiting < self._number:
            return Clock()
        part = self._hurried * self._number / (self._waiting + 1)
        return Clock(milliseconds=max(int(part * 1000), 1))

    def _choose(self, choice: _Choice) -> SeatAction:
        choice.begun = monotonic()
        self._choices.add(choice)
        try:
            return self._bots(choice.level, choice.seed).choose(choice.view, choice.clock)
        except Exception as error:
            log.error("a bot of level %s has failed: %s", choice.level, type(error).__name__)
            return any_action(choice.view)
        finally:
            self._choices.discard(choice)


def any_action(view: View) -> SeatAction:
    """The first thing that the seat may do."""
    assert view.seat is not None
    return legal_actions(view.state, view.seat)[0]
