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
from volte.table.workers import NoChoice, Worker
from volte.web.logs import get_logger
from volte.web.refused import Refused
from volte.web.work import Whose, WorkQueue

SIGN: Final = 3.0  # seconds between two signs of the work
DEAD: Final = 30.0  # seconds without one, after which nobody works on it any more
LONGEST: Final = 1800.0  # seconds that a review may take
USUAL: Final = 60.0  # seconds that one takes, before it is known
MOST: Final = 64  # that may wait

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
        """Whether this server can review anything: it takes the extra `strong`."""
        return strong_installed()

    def check(self, whose: Whose) -> None:
        """Raises `Refused` for somebody who has so many waiting that no more is accepted."""
        self._work.check(whose)

    async def begin(self, match: str, whose: Whose, question: ReviewQuestion) -> None:
        """Has a match reviewed for somebody, unless that goes on already. Raises `Unavailable` and
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
        """Waits until nothing is left to do."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Breaks off what is going on: people may ask for it again."""
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
        """Makes a review; None where it has failed."""
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
