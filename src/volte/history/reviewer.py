"""Reviews made for people, one after the other, in a process of their own.

The bots at tables do not wait for that process: they use others. It ends when no review is left.
The progress of a review is in the store, so that any node can show it, and notice if the node that
worked on it has died.
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
from volte.history.rows import FAILED, StoredReview
from volte.history.store import Reviews
from volte.store import Unavailable
from volte.store.store import Store
from volte.table.workers import NoChoice, Worker
from volte.web.logs import get_logger
from volte.web.refused import Refused
from volte.web.work import Whose, WorkQueue

SIGN: Final = 3.0  # interval between two signs of life in the store, in seconds
DEAD: Final = 30.0  # time without a sign after which a review counts as broken off, in seconds
LONGEST: Final = 1800.0  # limit for one review, in seconds
USUAL: Final = 60.0  # expected time of a review, before any has been made, in seconds
MOST: Final = 64  # most reviews that may wait

log = get_logger("volte.server")


class Reviewer:
    """Makes the reviews that people ask this node for, one at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._work = WorkQueue("reviews", 1, MOST, USUAL)
        self._under_way: dict[tuple[str, str], StoredReview] = {}
        self._tasks = set[Task[None]]()
        self._signs: Task[None] | None = None
        self._worker: Worker | None = None

    @property
    def able(self) -> bool:
        """Whether this server can make reviews: it needs the extra `strong`."""
        return strong_installed()

    def check(self, whose: Whose) -> None:
        """Raise `Refused` if no more review is accepted from that person."""
        self._work.check(whose)

    async def begin(self, match: str, whose: Whose, question: ReviewQuestion) -> None:
        """Begin a review for a person, unless it is under way. Raises `Unavailable` and
        `Refused`."""
        _, person = key = match, whose[1]
        if key in self._under_way:
            return
        self.check(whose)
        begun = StoredReview(match, person, question.seat, time.time(), 0)
        self._under_way[key] = begun
        try:
            await self._store[Reviews].begin(begun)
        except BaseException:
            del self._under_way[key]
            raise
        task = asyncio.create_task(
            self._make(whose, begun, question), name="review", context=Context()
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self._signs is None or self._signs.done():
            self._signs = asyncio.create_task(
                self._sign(), name="signs of reviews", context=Context()
            )

    async def idle(self) -> None:
        """Wait until no review is left."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Break off the reviews under way: people may ask for them again."""
        tasks = self._tasks | ({self._signs} if self._signs is not None else set())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _make(self, whose: Whose, begun: StoredReview, question: ReviewQuestion) -> None:
        try:
            async with self._work.turn(whose):
                await self._finish(begun, await self._look_back(begun, question))
        except Refused:  # others are served first
            await self._finish(begun, None)

    async def _look_back(self, begun: StoredReview, question: ReviewQuestion) -> Findings | None:
        """Make a review; None if it fails."""
        found = None
        try:
            if self._worker is None:
                self._worker = await Worker.begin()
                await self._worker.ready()
            async with asyncio.timeout(LONGEST):
                found = await self._worker.look_back(question, self._progress(begun))
        except (NoChoice, TimeoutError) as error:
            log.error("review_failed", error=type(error).__name__)
        finally:
            last = found is None or len(self._work) == 1  # else the worker stays for the next one
            if self._worker is not None and last:
                worker, self._worker = self._worker, None
                await worker.end()
        return found

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
        except Unavailable:  # the person may ask for it again
            log.warning("review_waits_for_store")

    async def _sign(self) -> None:
        """Sign in the store, at intervals, for the reviews that wait or are made here."""
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
    """Whether a node still works on the review."""
    unfinished = review.found is None and review.percent != FAILED
    return unfinished and review.at > time.time() - DEAD


def found_by(review: StoredReview) -> Findings:
    """The findings of a finished review."""
    return msgspec.convert(review.found, Findings, dec_hook=read_card)
