"""The processes that share a PostgreSQL, and which of them looks after which table.

A process lives as long as its row in `processes` stands. It says every moment that it is there,
and holds an advisory lock of its own, which PostgreSQL frees the moment the process dies. Whoever
finds one dead takes its row away: from then on its tables are anybody's, and whoever writes first
in `owners` has them. A process that was only cut off finds its own row gone, and begins anew.

None of this keeps a log whole: its key does, stream and version. Two owners of a table cannot both
go on from the same entry.
"""

from __future__ import annotations

import asyncio
from asyncio import Event
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Final

import asyncpg
import msgspec
from sqlalchemy import literal_column, select

from volte.store.bus import Connect
from volte.store.part import Part
from volte.store.reader import Reader
from volte.store.schema import LISTINGS, OWNERS, PROCESSES
from volte.store.trouble import Conflict, Unavailable
from volte.store.writer import Change, Writer

ANSWERING: Final = 3.0
"""Seconds for PostgreSQL to answer a process that says that it is there."""

RECENT: Final = 10.0
"""Seconds of silence after which a process counts as gone, for whoever is no process."""

NOW: Final = "extract(epoch FROM clock_timestamp())::float8"
KEY: Final = "('x' || {id})::bit(64)::bigint"
"""The advisory lock of a process: its id, which is 16 hexadecimal digits."""

BEGUN: Final = f"INSERT INTO processes VALUES ($1, $2, $3, {NOW}, {NOW})"
LOCKED: Final = f"SELECT pg_try_advisory_lock({KEY.format(id='$1::text')})"
SEEN: Final = f"UPDATE processes SET seen = {NOW} WHERE id = $1 RETURNING 1"
ENDED: Final = "DELETE FROM processes WHERE id = $1"
DEAD: Final = f"""
    DELETE FROM processes WHERE id <> $1 AND (
        seen < {NOW} - $2::float8 OR (seen < {NOW} - $3::float8 AND NOT EXISTS (
            SELECT FROM pg_locks
            WHERE locktype = 'advisory' AND objsubid = 1 AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND (classid::bigint << 32 | objid::bigint) = {KEY.format(id="processes.id")}
        ))
    ) RETURNING id
"""


class Process(msgspec.Struct, frozen=True):
    """A process of a playroom.

    Attributes:
        id: 16 hexadecimal digits.
        address: `HOST:PORT`, at which the other processes reach it.
        secret: which they show it there.
    """

    id: str
    address: str
    secret: bytes


class Expelled(Exception):
    """The others have counted this process as dead."""


class Attendance:
    """One connection, by which a process is there. Every method raises `Unavailable`.

    Attributes:
        lost: set once the connection is.
    """

    def __init__(self, connection: Any, process: Process) -> None:
        self.lost = Event()
        self._connection = connection
        self._process = process
        self._locked = False
        connection.add_termination_listener(lambda _: self.lost.set())

    async def begin(self) -> None:
        """Comes into being."""
        own = self._process
        with _in_trouble():
            await self._connection.execute("SET synchronous_commit TO off")
            await self._lock()
            await self._connection.execute(
                BEGUN, own.id, own.address, own.secret, timeout=ANSWERING
            )

    async def go_on(self) -> None:
        """Is there. Raises `Expelled`."""
        with _in_trouble():
            if not self._locked:
                await self._lock()
            if not await self._connection.fetchval(SEEN, self._process.id, timeout=ANSWERING):
                raise Expelled

    async def bury(self, cut_off: float, late: float) -> list[str]:
        """Takes the dead away; the answer is their ids.

        Args:
            cut_off: seconds of silence after which one is dead, even if PostgreSQL holds its lock.
            late: the same for one whose lock is free.
        """
        with _in_trouble():
            dead = await self._connection.fetch(
                DEAD, self._process.id, cut_off, late, timeout=ANSWERING
            )
        return [row["id"] for row in dead]

    async def end(self) -> None:
        """Is no more; its tables are anybody's."""
        with _in_trouble():
            await self._connection.execute(ENDED, self._process.id, timeout=ANSWERING)

    async def _lock(self) -> None:
        """Tries to hold the lock: one's own connection of before may still have it."""
        key = self._process.id
        self._locked = await self._connection.fetchval(LOCKED, key, timeout=ANSWERING)


class Processes(Part):
    """Who shares the database.

    Args:
        connect: makes a connection to PostgreSQL; None where there is one process.
    """

    def __init__(self, reader: Reader, writer: Writer, connect: Connect | None) -> None:
        super().__init__(reader, writer)
        self._connect = connect

    @property
    def alone(self) -> bool:
        """Whether there can be only one, as on SQLite."""
        return self._connect is None

    @asynccontextmanager
    async def attendance(self, process: Process) -> AsyncIterator[Attendance]:
        """A connection by which that process is there. Raises `Unavailable`."""
        assert self._connect is not None
        with _in_trouble():
            async with asyncio.timeout(ANSWERING):
                connection = await self._connect()
        try:
            yield Attendance(connection, process)
        finally:
            with suppress(OSError, asyncpg.InterfaceError):
                connection.terminate()

    async def take(self, table: str, process: str) -> bool:
        """Lets the table be that process's, if it is nobody else's who lives."""
        try:
            await self._write(Change("owner", (table,), {"table": table, "process": process}))
        except Conflict:
            return False
        return True

    async def give_up(self, table: str, process: str) -> None:
        """Lets it be nobody's, if it is that process's."""
        await self._write(Change("owner_gone", (table,), {"left": table, "by": process}))

    async def forget_idle(self) -> None:
        """Forgets who had tables where nothing goes on, and who is dead."""
        await self._write(Change("owners_gone", (), {}))

    async def count(self) -> int:
        """How many processes there are."""
        return 1 if self.alone else len(await self._reader.rows(select(PROCESSES.c.id)))

    async def owner(self, table: str) -> Process | None:
        """Who looks after that table; None where nobody does who lives."""
        query = select(PROCESSES.c.id, PROCESSES.c.address, PROCESSES.c.secret)
        query = query.join(OWNERS, OWNERS.c.process == PROCESSES.c.id)
        rows = await self._reader.rows(query.where(OWNERS.c.table == table), table)
        return Process(*rows[0]) if rows else None

    async def somebody(self) -> bool:
        """Whether any process has been there in the last seconds."""
        query = select(PROCESSES.c.id).where(PROCESSES.c.seen > literal_column(f"{NOW} - {RECENT}"))
        return not self.alone and bool(await self._reader.rows(query.limit(1)))

    async def owned(self, process: str) -> frozenset[str]:
        """The tables of that process, while it lives."""
        rows = await self._reader.rows(_OWNED.where(OWNERS.c.process == process))
        return frozenset(table for table, _ in rows)

    async def owners(self, tables: Collection[str]) -> dict[str, str]:
        """By table the id of the process that has it; without those that nobody has who lives."""
        rows = await self._reader.rows_among(_OWNED, OWNERS.c.table, tables)
        return {row.table: row.process for row in rows}

    async def living(self, tables: Collection[str]) -> frozenset[str]:
        """Those of these tables that some process has which lives."""
        return frozenset(await self.owners(tables))

    async def orphans(self, limit: int) -> list[str]:
        """Tables where a match goes on, whose process is dead."""
        query = select(OWNERS.c.table).join(LISTINGS, LISTINGS.c.table == OWNERS.c.table)
        query = query.outerjoin(PROCESSES, OWNERS.c.process == PROCESSES.c.id)
        query = query.where(PROCESSES.c.id.is_(None), LISTINGS.c.state == "playing")
        return [table for (table,) in await self._reader.rows(query.limit(limit))]


_OWNED: Final = select(OWNERS).join(PROCESSES, OWNERS.c.process == PROCESSES.c.id)


@contextmanager
def _in_trouble() -> Iterator[None]:
    try:
        yield
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise Unavailable(str(error) or type(error).__name__) from error
