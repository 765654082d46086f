"""What the nodes that share a database tell each other: hints to look again, nothing more.

Whatever is told here also stands in the database: a hint that is lost delays, and does no harm.
On PostgreSQL hints go by NOTIFY, after what they speak of has been kept, and never in the same
transaction, for that would have all writers wait for each other. On SQLite there is one node.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import Event, Task
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

import asyncpg

Handler = Callable[[str], None]
Connect = Callable[[], Awaitable[Any]]
"""Makes a connection of asyncpg."""

AGAIN: Final = (0.1, 0.5, 1.0, 2.0)
"""Seconds until a connection that is lost is made again; the last one again and again."""

LOOKING: Final = 5.0
"""Seconds after which the connection is tried, where nothing has been told by it."""

ANSWERING: Final = 5.0
"""Seconds for PostgreSQL to take what is told."""

MOST_WAITING: Final = 10_000
"""Hints that wait for the connection. Where there are more, everybody is to look at everything."""

EVERYTHING: Final = "*"
"""The topic of a hint that some others have been lost."""

CHANNEL: Final = "SELECT 'volte_' || md5(current_schema())"
UNFLUSHED: Final = "SET synchronous_commit TO off"
"""Whoever tells holds a lock that all others wait for until it is done: not for a disk, at least.
A hint that a crash of the server loses is no loss, as nobody has been connected through it."""
TELL: Final = "SELECT pg_notify($1, hint) FROM unnest($2::text[]) AS hint"

LOST: Final = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)
"""What a connection raises that cannot be made, or goes."""

log: Final = logging.getLogger(__name__)


class Bus:
    """Tells, and hears what is told.

    Args:
        connect: makes a connection to PostgreSQL, which is used for nothing else; None where
            there is one node. None is made before something is told or to be heard.
    """

    def __init__(self, connect: Connect | None = None) -> None:
        self._connect = connect
        self._handlers: dict[str, list[Handler]] = {}
        self._waiting: deque[str] = deque()
        self._woken = Event()
        self._closing = Event()
        self._task: Task[None] | None = None

    def hear(self, topic: str, handler: Handler) -> None:
        """Has the handler called with the key of every hint of that topic.

        With an empty key it is to look at everything: something may have been missed.
        """
        self._handlers.setdefault(topic, []).append(handler)
        self._begin()

    async def tell(self, topic: str, key: str) -> None:
        """Tells all nodes; whoever hears it here has done so when this returns.

        To be said after what it speaks of has been kept. It never fails: while the database is
        away, the others are told once it is back.
        """
        self._heard(topic, key)
        if self._connect is None or self._closing.is_set():
            return
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            self._waiting.append(f"{EVERYTHING} ")
        self._waiting.append(f"{topic} {key}")
        self._begin()
        self._woken.set()

    async def close(self) -> None:
        """Tells what waits, where that is possible, and nothing more."""
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

    def _heard(self, topic: str, key: str) -> None:
        if topic == EVERYTHING:
            for each in self._handlers:
                self._heard(each, "")
        for handler in self._handlers.get(topic, ()):
            try:
                handler(key)
            except Exception:
                log.exception("hint_not_followed", extra={"topic": topic})

    # The connection

    async def _run(self, connect: Connect) -> None:
        """Keeps a connection for as long as the bus is open, one after another."""
        tries = 0
        while not self._closing.is_set() or (self._waiting and not tries):
            try:
                connection = await connect()
            except LOST as error:
                if not tries:  # once is enough
                    log.warning("no_hints", extra={"why": type(error).__name__})
            else:
                tries = 0
                await self._use(connection)
            await _wait(self._closing, AGAIN[min(tries, len(AGAIN) - 1)])
            tries += 1

    async def _use(self, connection: Any) -> None:
        """Tells and hears by a connection until it is lost, or the bus is closed."""
        connection.add_termination_listener(lambda _: self._woken.set())
        hints: deque[str] = deque()
        try:
            await connection.execute(UNFLUSHED, timeout=ANSWERING)
            channel = await connection.fetchval(CHANNEL, timeout=ANSWERING)
            await connection.add_listener(channel, self._notified)
            self._heard(EVERYTHING, "")
            while not connection.is_closed() and (self._waiting or not self._closing.is_set()):
                self._woken.clear()
                hints, self._waiting = self._waiting, deque()
                # Where there is nothing to tell, this tries whether the connection is there.
                await connection.execute(TELL, channel, list(hints), timeout=ANSWERING)
                hints.clear()
                if not (self._waiting or self._closing.is_set()):
                    await _wait(self._woken, LOOKING)
        except LOST as error:
            log.warning("hints_interrupted", extra={"why": type(error).__name__})
        finally:
            self._waiting.extendleft(reversed(hints))
            connection.terminate()

    def _notified(self, connection: Any, pid: int, _: str, hint: str) -> None:
        """Something has come. What was told here has been heard already."""
        if pid != connection.get_server_pid():
            topic, _, key = hint.partition(" ")
            self._heard(topic, key)


async def _wait(event: Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
