"""Queues for work so long that others would notice it: hashes, records, pictures, reviews."""

from __future__ import annotations

import asyncio
from asyncio import Future
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from math import ceil
from time import monotonic
from typing import Final, TypeVar

from volte.table.queues import FairQueue
from volte.web.refused import Refused
from volte.web.tally import LIMITED

Result = TypeVar("Result")

Whose = tuple[str, str]
"""The address that work is done for, as the limits count it, and the id of the person."""

SHARE: Final = 4  # an address may have a quarter of the queue, and a person a quarter of that
USUAL: Final = 0.02  # seconds of one piece of work, until some have been measured


class WorkQueue:
    """A queue of dear work, in turn by address, and within an address by person.

    One piece is done for an address at a time, so that others never have to wait for all its
    pieces. A person or an address with too much waiting is refused; if the queue is full, the one
    with most waiting loses its last piece, so that nobody can keep others out.

    Args:
        name: label of its refusals in the metrics.
        at_once: pieces that are done at the same time.
        most: pieces that may wait.
        usual: seconds of one piece, until some have been measured.
    """

    def __init__(self, name: str, at_once: int, most: int = 256, usual: float = USUAL) -> None:
        self._name = name
        self._at_once = at_once
        self._most = most
        self._usual = usual
        self._queue = FairQueue[Future[None]]()
        self._served: dict[str, float] = {}  # when the piece in work began, by address
        self._took: dict[str, float] = {}  # seconds of the last piece, by address with work left

    def __len__(self) -> int:
        """Number of pieces that wait or are being done."""
        return len(self._queue) + len(self._served)

    async def do(self, whose: Whose, work: Callable[[], Result]) -> Result:
        """Do the work in a thread when its turn comes; return its result. Raises `Refused`."""
        async with self.turn(whose):
            return await asyncio.to_thread(work)

    @asynccontextmanager
    async def turn(self, whose: Whose) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the context. Raises `Refused`."""
        self.check(whose)
        address, ticket = whose[0], asyncio.get_running_loop().create_future()
        self._queue.put(whose, ticket)
        if len(self._queue) > self._most:
            longest, last = self._queue.longest, ticket
            if self._queue.waiting(longest[:1]) > self._queue.waiting((address,)):
                last = self._queue.last(longest)
            else:
                longest = whose
            self._queue.drop(longest, last)
            if not last.done():  # else its waiter has just been cancelled
                last.set_exception(self._refused(503, "busy", str(longest[0])))
        self._call()
        try:
            await ticket
            yield
        finally:
            if not self._queue.drop(whose, ticket) and _was_called(ticket):
                self._took[address] = monotonic() - self._served.pop(address)
                self._usual += (self._took[address] - self._usual) / 8
                self._call()
            if address not in self._served and not self._queue.waiting((address,)):
                self._took.pop(address, None)

    def check(self, whose: Whose) -> None:
        """Raise `Refused` if the person or address has so much waiting that no more is accepted."""
        address, _ = whose
        most = self._most // SHARE
        if self._queue.waiting(whose) >= most // SHARE or self._queue.waiting((address,)) >= most:
            raise self._refused(429, "too_many", address)

    def _refused(self, status: int, reason: str, address: str) -> Refused:
        LIMITED[self._name] += 1
        return Refused(status, reason, seconds=ceil(self.seconds(address)))

    def seconds(self, address: str) -> float:
        """Estimate the seconds until all waiting work of an address is done, in turn with that of
        other addresses and if none is added. Without waiting work: until everybody else had a
        turn."""

        def work(each: str, most: int) -> float:
            return min(self._asked(each), most) * self._took.get(each, self._usual)

        own = max(self._asked(address), 1)
        others = {*self._served, *map(str, self._queue)} - {address}
        all_work = work(address, own) + sum(work(each, own) for each in others)
        return max(work(address, own), all_work / self._at_once)

    def _asked(self, address: str) -> int:
        return self._queue.waiting((address,)) + (address in self._served)

    def _call(self) -> None:
        """Give a turn to the next tickets, for as long as there is room."""
        while len(self._served) < self._at_once:
            address = next((each for each in self._queue if each not in self._served), None)
            if address is None:
                return
            ticket = self._queue.take(address)
            if not ticket.done():  # as above
                self._served[str(address)] = monotonic()
                ticket.set_result(None)


def _was_called(ticket: Future[None]) -> bool:
    return ticket.done() and not ticket.cancelled() and ticket.exception() is None
