"""Hints that the nodes of a database publish to each other: to look at something again.

The database holds the news itself, so a lost hint causes a delay and no other harm. On PostgreSQL
hints go by NOTIFY, after the news has been committed, and never in the same transaction, since all
writers would then wait for each other. On SQLite there is one node.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import Event, Task
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from volte.store.trouble import POSTGRES_ERRORS

Handler = Callable[[str], None]
Connect = Callable[[], Awaitable[Any]]  # makes a connection of asyncpg

AGAIN: Final = (0.1, 0.5, 1.0, 2.0)
"""Reconnect delays in seconds; the last one repeats."""

LOOKING: Final = 5.0  # seconds after which an idle connection is tested

ANSWERING: Final = 5.0  # seconds for PostgreSQL to answer

MOST_WAITING: Final = 10_000
"""Hints that wait for the connection. If there are more, one hint to look at everything replaces
them."""

EVERYTHING: Final = "*"  # the topic of a hint that some others have been lost

CHANNEL: Final = "SELECT 'volte_' || md5(current_schema())"
UNFLUSHED: Final = "SET synchronous_commit TO off"
"""A setting by which a NOTIFY does not wait for the disk, since all others wait for its lock until
it is committed. A hint lost in a crash does no harm: no connection survives the crash either."""
PUBLISH: Final = "SELECT pg_notify($1, hint) FROM unnest($2::text[]) AS hint"

LOST: Final[tuple[type[Exception], ...]] = (OSError, *POSTGRES_ERRORS)
"""Errors of a connection that cannot be made, or is lost."""

log: Final = logging.getLogger(__name__)


class Bus:
    """Publishes hints to all nodes, and calls the handlers that have subscribed to a topic.

    Args:
        connect: makes a connection to PostgreSQL, which is used for nothing else; None where
            there is one node. It is made for the first hint or subscription.
    """

    def __init__(self, connect: Connect | None = None) -> None:
        self._connect = connect
        self._handlers: dict[str, list[Handler]] = {}
        self._waiting: deque[str] = deque()
        self._woken = Event()
        self._closing = Event()
        self._task: Task[None] | None = None

    def subscribe(self, topic: str, handler: Handler) -> None:
        """Has the handler called with the key of every hint of that topic.

        An empty key tells it to look at everything, since hints may have been missed.
        """
        self._handlers.setdefault(topic, []).append(handler)
        self._begin()

    async def publish(self, topic: str, key: str) -> None:
        """Publishes a hint to all nodes; the handlers of this one have run when this returns.

        Call it after the news has been written. It never fails: while the database is away, the
        hint waits for it.
        """
        self._handle(topic, key)
        if self._connect is None or self._closing.is_set():
            return
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            self._waiting.append(f"{EVERYTHING} ")
        self._waiting.append(f"{topic} {key}")
        self._begin()
        self._woken.set()

    async def close(self) -> None:
        """Publishes the waiting hints, where that is possible, and accepts no more."""
        self._closing.set()
        self._woken.set()
        if self._task is None:
            return
        await asyncio.wait({self._task}, timeout=ANSWERING)
        self._task.cancel()
        await asyncio.wait({self._task})

    def _begin(self) -> None:
        if self._connect is not None and self._task is None and not self._closing.is_set():
            self._task = asyncio.create_task(self._run(self._connect), name="bus")

    def _handle(self, topic: str, key: str) -> None:
        if topic == EVERYTHING:
            for each in self._handlers:
                self._handle(each, "")
        for handler in self._handlers.get(topic, ()):
            try:
                handler(key)
            except Exception:
                log.exception("hint_not_followed", extra={"topic": topic})

    # The connection

    async def _run(self, connect: Connect) -> None:
        """Keeps a connection while the bus is open, and replaces a lost one."""
        tries = 0
        while not self._closing.is_set() or (self._waiting and not tries):
            try:
                connection = await connect()
            except LOST as error:
                if not tries:  # log only the first failure
                    log.warning("no_hints", extra={"why": type(error).__name__})
            else:
                tries = 0
                await self._use(connection)
            await within(self._closing, AGAIN[min(tries, len(AGAIN) - 1)])
            tries += 1

    async def _use(self, connection: Any) -> None:
        """Uses a connection until it is lost, or the bus is closed."""
        connection.add_termination_listener(lambda _: self._woken.set())
        hints: deque[str] = deque()
        try:
            await connection.execute(UNFLUSHED, timeout=ANSWERING)
            channel = await connection.fetchval(CHANNEL, timeout=ANSWERING)
            await connection.add_listener(channel, self._notified)
            self._handle(EVERYTHING, "")
            while not connection.is_closed() and (self._waiting or not self._closing.is_set()):
                self._woken.clear()
                hints, self._waiting = self._waiting, deque()
                # Without hints, this tests whether the connection is still there.
                await connection.execute(PUBLISH, channel, list(hints), timeout=ANSWERING)
                hints.clear()
                if not (self._waiting or self._closing.is_set()):
                    await within(self._woken, LOOKING)
        except LOST as error:
            log.warning("hints_interrupted", extra={"why": type(error).__name__})
        finally:
            self._waiting.extendleft(reversed(hints))
            connection.terminate()

    def _notified(self, connection: Any, pid: int, _: str, hint: str) -> None:
        """Handles a hint from another node; this node's own hints have been handled already."""
        if pid != connection.get_server_pid():
            topic, _, key = hint.partition(" ")
            self._handle(topic, key)


async def within(event: Event, seconds: float) -> bool:
    """Wait for an event for some seconds. True if it is set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
