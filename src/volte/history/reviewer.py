"""Matches looked back on for people, one after the other, in a process that is there for that.

The bots of the tables do not wait for it: it is none of theirs, and ends when there is no more to
do. How far a review is stands in the store, so that any node can say it, and notices if whoever
made it has died.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import Task
from collections.abc import Callable
from contextvars import Context
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.bots.apart import Findings, ReviewQuestion
from volte.extras import strong_installed
from volte.game.codec import card_text, read_card
from volte.history.store import FAILED, Reviews, StoredReview
from volte.store import Store, Unavailable
from volte.table.workers import FairQueue, NoChoice, Worker
from volte.web.logs import get_logger

SIGN: Final = 3.0  # seconds between two signs of the work
DEAD: Final = 30.0  # seconds without one, after which nobody works on it any more
LONGEST: Final = 1800.0  # seconds that a review may take

log = get_logger("volte.server")


class Reviewer:
    """Makes the reviews that people ask this node for; their owners take turns."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue = FairQueue[tuple[StoredReview, ReviewQuestion]]()
        self._under_way: dict[tuple[str, str], StoredReview] = {}
        self._task: Task[None] | None = None
        self._signs: Task[None] | None = None

    @property
    def able(self) -> bool:
        """Whether this server can review anything: it takes the extra `strong`."""
        return strong_installed()

    async def begin(self, match: str, person: str, question: ReviewQuestion) -> None:
        """Has a match reviewed for somebody, unless that goes on already. Raises `Unavailable`."""
        key = match, person
        if key in self._under_way:
            return
        begun = StoredReview(match, person, question.seat, time.time(), 0)
        self._under_way[key] = begun
        try:
            await self._store[Reviews].begin(begun)
        except BaseException:
            del self._under_way[key]
            raise
        self._queue.put(person, (begun, question))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="reviews", context=Context())
        if self._signs is None or self._signs.done():
            self._signs = asyncio.create_task(
                self._sign(), name="signs of reviews", context=Context()
            )

    async def idle(self) -> None:
        """Waits until nothing is left to do."""
        while self._task is not None and not self._task.done():
            await asyncio.wait({self._task})

    async def close(self) -> None:
        """Breaks off what is going on: people may ask for it again."""
        tasks = {task for task in (self._task, self._signs) if task is not None}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _run(self) -> None:
        worker: Worker | None = None
        try:
            while self._queue:
                begun, question = self._queue.take()
                try:
                    if worker is None:
                        worker = await Worker.begin()
                        await worker.ready()
                    async with asyncio.timeout(LONGEST):
                        found = await worker.look_back(question, self._progress(begun))
                    await self._finish(begun, found)
                except (NoChoice, TimeoutError) as error:
                    log.error("review_failed", error=type(error).__name__)
                    if worker is not None:
                        await worker.end()
                        worker = None
                    await self._finish(begun, None)
        finally:
            if worker is not None:
                await worker.end()

    def _progress(self, begun: StoredReview) -> Callable[[int], None]:
        def progress(percent: int) -> None:
            key = begun.match, begun.person
            self._under_way[key] = replace(begun, percent=percent)

        return progress

    async def _finish(self, begun: StoredReview, found: Findings | None) -> None:
        stored = None if found is None else msgspec.to_builtins(found, enc_hook=card_text)
        percent = FAILED if found is None else 100
        done = replace(begun, at=time.time(), percent=percent, found=stored)
        self._under_way.pop((begun.match, begun.person), None)
        try:
            await self._store[Reviews].go_on(done)
        except Unavailable:  # it is asked for again
            log.warning("review_waits_for_store")

    async def _sign(self) -> None:
        """Says in the store that those that wait or are made here go on."""
        while self._under_way:
            await asyncio.sleep(SIGN)
            for key in [*self._under_way]:
                review = self._under_way.get(key)
                try:
                    if review is not None:
                        await self._store[Reviews].go_on(replace(review, at=time.time()))
                except Unavailable:
                    log.warning("review_waits_for_store")


def goes_on(review: StoredReview) -> bool:
    """Whether somebody still works on it."""
    unfinished = review.found is None and review.percent != FAILED
    return unfinished and review.at > time.time() - DEAD


def found_by(review: StoredReview) -> Findings:
    """What a finished review has come to."""
    return msgspec.convert(review.found, Findings, dec_hook=read_card)
