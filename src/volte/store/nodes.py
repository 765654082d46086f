"""The nodes that share a PostgreSQL, and the owner of each table among them.

A node lives as long as its row in `nodes` exists. It updates that row all the time, and holds an
advisory lock of its own, which PostgreSQL frees the moment the node dies. A node that finds another
one dead deletes its row: from then on any node may own its tables, the first that writes in
`owners`. A node that was only cut off finds its own row gone, and begins anew.

Logs do not depend on this, but on their key (stream and version): two owners of a table cannot both
go on from the same entry.
"""

from __future__ import annotations

import asyncio
from asyncio import Event
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Final

import msgspec
from sqlalchemy import (
    ColumnElement,
    Index,
    Text,
    delete,
    exists,
    literal,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from volte.store.bus import LOST, Connect
from volte.store.errors import Conflict, Unavailable
from volte.store.part import Part, Reader
from volte.store.rows import OPEN
from volte.store.schema import LISTINGS, table
from volte.store.trouble import POSTGRES_ERRORS, store_error
from volte.store.writer import Writer, one

ANSWERING: Final = 3.0  # seconds for PostgreSQL to answer a node

RECENT: Final = 10.0
"""Seconds of silence after which a node counts as gone for a program that is no node."""

PROMPT: Final = "SET synchronous_commit TO off"
"""A setting for the connection of a node, whose signs of life need not wait for the disk."""

NOW: Final = "extract(epoch FROM clock_timestamp())::float8"
KEY: Final = "('x' || {id})::bit(64)::bigint"
"""The advisory lock of a node: its id, which is 16 hexadecimal digits."""

BEGUN: Final = f"INSERT INTO nodes VALUES ($1, $2, {NOW}, {NOW})"
LOCKED: Final = f"SELECT pg_try_advisory_lock({KEY.format(id='$1::text')})"
SEEN: Final = f"UPDATE nodes SET seen = {NOW} WHERE id = $1 RETURNING 1"
ENDED: Final = "DELETE FROM nodes WHERE id = $1"
DEAD: Final = f"""
    DELETE FROM nodes WHERE id <> $1 AND (
        seen < {NOW} - $2::float8 OR (seen < {NOW} - $3::float8 AND NOT EXISTS (
            SELECT FROM pg_locks
            WHERE locktype = 'advisory' AND objsubid = 1 AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND (classid::bigint << 32 | objid::bigint) = {KEY.format(id="nodes.id")}
        ))
    ) RETURNING id
"""


class Node(msgspec.Struct, frozen=True):
    """A node of a playroom, from its start to its end."""

    id: str  # 16 hexadecimal digits, new at each start
    name: str  # name under which browsers reach it, at `/node/NAME/`


NODES: Final = table(
    "nodes", {"id": str, "name": str, "begun": float, "seen": float}, "id", unique="name"
)

OWNERS: Final = table(
    "owners", {"table": str, "node": str}, "table", Index("owners_by_node", "node")
)


class Expelled(Exception):
    """The other nodes have declared this node dead."""


class NameTaken(Exception):
    """Another living node has this name."""


class Attendance:
    """The connection by which a node shows that it lives. Every method raises `Unavailable`."""

    def __init__(self, connection: Any, node: Node) -> None:
        self.lost = Event()  # set once the connection is lost
        self._connection = connection
        self._node = node
        self._locked = False
        connection.add_termination_listener(lambda _: self.lost.set())

    async def begin(self) -> None:
        """Registers the node. Raises `NameTaken`."""
        own = self._node
        with _in_trouble():
            await self._lock()
            try:
                await self._connection.execute(BEGUN, own.id, own.name, timeout=ANSWERING)
            except POSTGRES_ERRORS as error:
                if isinstance(store_error(error), Conflict):
                    raise NameTaken(own.name) from None
                raise

    async def go_on(self) -> None:
        """Gives a sign of life. Raises `Expelled`."""
        with _in_trouble():
            if not self._locked:
                await self._lock()
            if not await self._connection.fetchval(SEEN, self._node.id, timeout=ANSWERING):
                raise Expelled

    async def bury(self, cut_off: float, late: float) -> list[str]:
        """Deletes the rows of dead nodes, and returns their ids.

        Args:
            cut_off: seconds of silence after which a node is dead, even if its lock is held.
            late: seconds of silence after which a node is dead if its lock is free.
        """
        with _in_trouble():
            dead = await self._connection.fetch(
                DEAD, self._node.id, cut_off, late, timeout=ANSWERING
            )
        return [row["id"] for row in dead]

    async def end(self) -> None:
        """Removes the node; any other may own its tables then."""
        with _in_trouble():
            await self._connection.execute(ENDED, self._node.id, timeout=ANSWERING)

    async def _lock(self) -> None:
        """Tries to take the node's lock, which its last connection may still hold."""
        key = self._node.id
        await self._connection.execute(PROMPT, timeout=ANSWERING)
        self._locked = await self._connection.fetchval(LOCKED, key, timeout=ANSWERING)


class Nodes(Part):
    """The nodes of a database and the tables that they own.

    Args:
        connect: makes a connection to PostgreSQL; None where there is one node.
    """

    def __init__(self, reader: Reader, writer: Writer, connect: Connect | None) -> None:
        super().__init__(reader, writer)
        self._connect = connect

    @property
    def alone(self) -> bool:
        """Whether there can be only one node, as on SQLite."""
        return self._connect is None

    @asynccontextmanager
    async def attendance(self, node: Node) -> AsyncIterator[Attendance]:
        """A connection by which a node shows that it lives. Raises `Unavailable`."""
        assert self._connect is not None
        with _in_trouble():
            async with asyncio.timeout(ANSWERING):
                connection = await self._connect()
        try:
            yield Attendance(connection, node)
        finally:
            with suppress(*LOST):
                connection.terminate()

    async def take(self, table: str, node: str) -> bool:
        """Makes a node the owner of an open table, unless another living node owns it. True if it
        is the owner then."""
        lives = exists().where(NODES.c.id == node)
        is_open = exists().where(LISTINGS.c.table == table, LISTINGS.c.state.in_(OPEN))
        row = select(literal(table), literal(node)).where(lives, is_open)
        owner = insert(OWNERS).from_select(["table", "node"], row)
        owner = owner.on_conflict_do_update(
            index_elements=[OWNERS.c.table],
            set_={"node": owner.excluded.node},
            where=or_(OWNERS.c.node == owner.excluded.node, _DEAD),
        )
        try:
            await self._write(one(owner, table))
        except Conflict:
            return False
        return True

    async def give_up(self, table: str, node: str) -> None:
        """Ends a node's ownership of a table."""
        owner = update(OWNERS).where(OWNERS.c.table == table, OWNERS.c.node == node)
        # No node has this id: if a match goes on, the table is found among those of dead nodes.
        await self._write(owner.values(node=""))

    async def forget_idle(self) -> None:
        """Forgets the dead owners of tables where nothing goes on."""
        playing = exists().where(LISTINGS.c.table == OWNERS.c.table, LISTINGS.c.state == "playing")
        idle = select(OWNERS.c.table).where(_DEAD, ~playing)
        idle = idle.with_for_update(skip_locked=True)
        await self._write(delete(OWNERS).where(OWNERS.c.table.in_(idle)))

    async def clock(self) -> float | None:
        """Seconds since 1970 by the clock of PostgreSQL; None for SQLite, which has no other."""
        there: ColumnElement[float] = literal_column(NOW)
        return None if self.alone else (await self._reader.rows(select(there)))[0][0]

    async def count(self) -> int:
        """The number of nodes that share the database."""
        return 1 if self.alone else len(await self._reader.rows(select(NODES.c.id)))

    async def owner(self, table: str) -> tuple[Node, float] | None:
        """The living node that owns a table, with the seconds since its last sign of life; None
        where there is none."""
        silent: ColumnElement[float] = literal_column(f"{NOW} - nodes.seen")
        query = select(NODES.c.id, NODES.c.name, silent).join(OWNERS, OWNERS.c.node == NODES.c.id)
        rows = await self._reader.rows(query.where(OWNERS.c.table == table))
        return (Node(*rows[0][:2]), rows[0][2]) if rows else None

    async def somebody(self) -> bool:
        """Whether any node has given a sign of life in the last `RECENT` seconds."""
        query = select(NODES.c.id).where(NODES.c.seen > literal_column(f"{NOW} - {RECENT}"))
        return not self.alone and bool(await self._reader.rows(query.limit(1)))

    async def owned(self, node: str) -> frozenset[str]:
        """Ids of the tables that a living node owns."""
        return frozenset(await self._column(_OWNED.where(OWNERS.c.node == node)))

    async def living(self, tables: Collection[str]) -> frozenset[str]:
        """The given tables that a living node owns."""
        rows = await self._among(_OWNED, OWNERS.c.table, tables)
        return frozenset(row.table for row in rows)

    async def orphans(self, limit: int) -> list[str]:
        """Ids of tables where a match goes on, but whose owner is dead."""
        query = select(OWNERS.c.table).join(LISTINGS, LISTINGS.c.table == OWNERS.c.table)
        query = query.outerjoin(NODES, OWNERS.c.node == NODES.c.id)
        query = query.where(NODES.c.id.is_(None), LISTINGS.c.state == "playing")
        return await self._column(query.limit(limit))


_OWNED: Final = select(OWNERS).join(NODES, OWNERS.c.node == NODES.c.id)
# The column is named as text, since SQLAlchemy correlates nothing in ON CONFLICT.
_DEAD: Final = ~exists().where(NODES.c.id == literal_column("owners.node", Text))
"""The condition that the owner of a table is no living node."""


@contextmanager
def _in_trouble() -> Iterator[None]:
    try:
        yield
    except LOST as error:
        raise Unavailable(str(error) or type(error).__name__) from error
