"""Writing: whatever waits to be written is written in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from time import perf_counter, time
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, CursorResult

from volte.store.heard import Nobody, Observer
from volte.store.ready import Ready, made_ready
from volte.store.rows import storable
from volte.store.statements import KEPT, MUST_CHANGE, Statements
from volte.store.trouble import Conflict, Unavailable, told
from volte.store.writing import Added, Writing

MOST_TOGETHER: Final = 256
"""Jobs of one transaction."""

FEW: Final = 16
"""Entries of a job that is written by one statement with others: SQLite takes 32,766 values."""

KEPT_NAME: Final = "kept"
"""Of the statement that asks which places have an entry."""

Place = tuple[str, int]
"""A stream, and a version in it."""


class Change(NamedTuple):
    """One execution of a statement.

    Attributes:
        name: of the statement.
        key: changes by the same statement are made in the order of their keys.
    """

    name: str
    key: tuple[Any, ...]
    values: dict[str, Any]


@dataclass(eq=False)
class Job:
    """What is written whole, or not at all.

    Attributes:
        stream: the one that is appended to; empty where none is.
        expected: the version that must be its last.
        entries: what is appended to it.
        done: set once it is written, or failed.
    """

    changes: Sequence[Change]
    stream: str = ""
    expected: int = 0
    entries: Sequence[Added] = ()
    done: asyncio.Future[None] = field(default_factory=asyncio.Future)

    @property
    def texts(self) -> Iterator[str]:
        """All of them that it brings into the database."""
        for change in self.changes:
            yield from (value for value in change.values.values() if isinstance(value, str))
        yield self.stream
        yield from {entry.cause for entry in self.entries}


def appending(
    stream: str,
    expected: int,
    data: Sequence[bytes],
    changes: Sequence[Change] = (),
    cause: str = "",
) -> Job:
    """Entries after version `expected` of a stream, and what is changed with them."""
    now, versions = time(), enumerate(data, expected + 1)
    entries = [Added(stream, version, each, cause, now, expected) for version, each in versions]
    return Job(changes, stream, expected, entries)


class Writer:
    """Joins the jobs that wait into one transaction.

    While a group is written, the next one gathers, so that the more there is to write, the less
    each costs. A job that fails never harms the others of its group: they are then tried one by
    one.

    Attributes:
        observer: hears of every transaction.
    """

    def __init__(self, writing: Writing, statements: Statements) -> None:
        self._writing = writing
        self._statements = statements | {KEPT_NAME: KEPT[writing.engine.dialect.name]}
        self._ready: dict[tuple[str, ...], Ready] = {}
        self._ranks = {name: rank for rank, name in enumerate(statements)}
        self._waiting: asyncio.Queue[Job | None] = asyncio.Queue()
        self._running = asyncio.create_task(self._run())
        self._closed = False
        self.observer: Observer = Nobody()

    async def write(self, job: Job) -> None:
        """Returns once the job is kept for good.

        Raises `Conflict`, `Unavailable`, or whatever is wrong with the values: `ValueError` for
        a text that no database takes.
        """
        for text in job.texts:
            if not storable(text):
                raise ValueError(f"this text cannot be kept: {text!r}")
        if self._closed:
            raise Unavailable("the store is closed")
        self._waiting.put_nowait(job)
        await job.done

    async def close(self) -> None:
        """Writes what waits, and no more."""
        if not self._closed:
            self._closed = True
            self._waiting.put_nowait(None)
        await self._running

    async def _run(self) -> None:
        last = False
        while not last:
            group = [await self._waiting.get()]
            while not self._waiting.empty() and len(group) < MOST_TOGETHER:
                group.append(self._waiting.get_nowait())
            last = None in group
            jobs = [job for job in group if job is not None and not job.done.cancelled()]
            if jobs:
                await self._write(jobs)

    async def _write(self, jobs: Sequence[Job]) -> None:
        """What only appends, as nearly all does, goes by one statement, and the rest after it."""
        plain, others = _told_apart(jobs)
        if plain and not await self._added(plain):
            others = [*plain, *others]
        if others:
            await self._changed(others)

    async def _added(self, jobs: Sequence[Job]) -> bool:
        """Whether they have been seen to; where not, nothing of them was written."""
        begun = perf_counter()
        try:
            done = await self._writing.add([entry for job in jobs for entry in job.entries])
        except Exception as error:
            if not isinstance(told(error), Unavailable):
                return False  # it must be found out which of them it was
            self._failed(jobs, told(error))
            return True
        if done:
            self._kept(jobs, begun)
        return done

    async def _changed(self, jobs: Sequence[Job]) -> None:
        """In one transaction; one by one, if that does not succeed."""
        begun = perf_counter()
        try:
            refused = await self._writing.run(partial(self._together, jobs))
        except Exception as error:
            if len(jobs) == 1 or isinstance(told(error), Unavailable):
                self._failed(jobs, told(error))
            else:
                for job in jobs:
                    await self._changed([job])
        else:
            self._kept(jobs, begun, refused)

    def _kept(self, jobs: Sequence[Job], begun: float, refused: Collection[Job] = ()) -> None:
        self.observer.written(len(jobs), perf_counter() - begun)
        for job in jobs:
            _finish(job, Conflict(job.stream) if job in refused else None)

    def _failed(self, jobs: Sequence[Job], error: Exception) -> None:
        if isinstance(error, Unavailable):
            self.observer.failed("write")
        for job in jobs:
            _finish(job, error)

    def _together(self, jobs: Sequence[Job], connection: Connection) -> set[Job]:
        """Writes them in the transaction under way; the answer is those that came too late."""
        refused = self._too_late(connection, jobs)
        changes = [change for job in jobs if job not in refused for change in _changes(job)]
        changes.sort(key=lambda change: (self._ranks[change.name], change.key))
        for alike, same in groupby(changes, key=_alike):
            self._execute(connection, alike[0], [change.values for change in same])
        return refused

    def _execute(self, connection: Connection, name: str, rows: Sequence[dict[str, Any]]) -> None:
        if name not in MUST_CHANGE:
            self._sent(connection, name, rows)
            return
        for row in rows:
            if self._sent(connection, name, [row]).rowcount != 1:
                raise Conflict(name)

    def _sent(
        self, connection: Connection, name: str, rows: Sequence[dict[str, Any]]
    ) -> CursorResult[Any]:
        """Executes a statement for rows that all have the same names."""
        known = (name, *rows[0])
        ready = self._ready.get(known)
        if ready is None:
            ready = made_ready(self._statements[name], connection.dialect, list(rows[0]))
            self._ready[known] = ready
        return connection.exec_driver_sql(ready.sql, [ready.values(row) for row in rows])

    def _too_late(self, connection: Connection, jobs: Sequence[Job]) -> set[Job]:
        """The jobs whose stream does not end where they expect it to.

        Entries are never deleted: where one is, all before it are.
        """
        taken = self._taken(connection, [job for job in jobs if job.stream])
        late = set()
        for job in jobs:
            last = (job.stream, job.expected)
            if job.stream and ((job.expected and last not in taken) or _after(last, 1) in taken):
                late.add(job)
            else:
                taken |= {_after(last, step) for step in range(1, len(job.entries) + 1)}
        return late

    def _taken(self, connection: Connection, jobs: Sequence[Job]) -> set[Place]:
        """Of the places that matter to these jobs, those that have an entry."""
        places = [
            {"stream": job.stream, "version": job.expected + step}
            for job in jobs
            for step in (0, 1)
        ]
        if not places:
            return set()
        asked = {"places": msgspec.json.encode(places).decode()}
        found = self._sent(connection, KEPT_NAME, [asked])
        return {(row.stream, row.version) for row in found}


def _told_apart(jobs: Sequence[Job]) -> tuple[list[Job], list[Job]]:
    """Those that only append, one to each stream; and the others, which come after them."""
    plain, others, streams = list[Job](), list[Job](), set[str]()
    for job in jobs:
        few = 0 < len(job.entries) <= FEW and not job.changes
        (plain if few and job.stream not in streams else others).append(job)
        streams.add(job.stream)
    return plain, others


def _changes(job: Job) -> Iterator[Change]:
    for entry in job.entries:
        values = entry._asdict()
        del values["expected"]
        yield Change("entry", (entry.stream, entry.version), values)
    yield from job.changes


def _alike(change: Change) -> tuple[str, ...]:
    return change.name, *change.values


def _after(place: Place, steps: int) -> Place:
    return place[0], place[1] + steps


def _finish(job: Job, error: Exception | None) -> None:
    if job.done.done():  # whoever waited has been cancelled
        return
    if error is None:
        job.done.set_result(None)
    else:
        job.done.set_exception(error)
