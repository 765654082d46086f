"""A playroom as SQLite and PostgreSQL keep it today: opened, exported, worked out anew, forgotten.

`sqlite.sql` and `postgresql.sql` are dumps of one playroom, made once and never again. What comes
of them is the same for both, and stands in the other files of `databases`, which
VOLTE_REMAKE_GOLDENS=1 writes anew.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any, Final, TypeVar
from zipfile import ZipFile

import asyncpg
import pytest
from kit.browsing import Visitor
from kit.sites import open_house
from net.held import HERE, hold

from volte.cli import volte as whole_command
from volte.console.command import run
from volte.evenings.evening import decode_event as decode_evening_event
from volte.game.codec import encode
from volte.scorekeeper.model import decode_entry, decode_header
from volte.store import Store
from volte.table.happenings import decode_happening

pytestmark = pytest.mark.full

T = TypeVar("T")
Row = dict[str, Any]

TOKENS: Final = [letter * 43 for letter in "abcd"]
"""Of a session of each person; their hashes are in the dumps."""

DUMPED: Final = 1795681700.0
"""A time after the dumps were made, in seconds since 1970."""

FAR: Final = 4102444800.0
"""When what lasts in them ends."""

SQLITE_SCHEMA: Final = """
    SELECT type, name, tbl_name AS "table", replace(sql, char(10), ' ') AS sql
    FROM sqlite_master ORDER BY type, name
"""
POSTGRESQL_SCHEMA: Final = (
    """
    SELECT table_name, column_name, ordinal_position, data_type, is_nullable, column_default
    FROM information_schema.columns
    WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position
    """,
    """
    SELECT tablename, indexname, replace(indexdef, current_schema() || '.', '') AS definition
    FROM pg_indexes WHERE schemaname = current_schema() ORDER BY tablename, indexname
    """,
    """
    SELECT conrelid::regclass::text AS "table", conname,
        replace(pg_get_constraintdef(oid), current_schema() || '.', '') AS definition
    FROM pg_constraint
    WHERE connamespace = current_schema()::regnamespace ORDER BY 1, 2
    """,
)


class Playroom:
    """A database, looked into by SQL."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.file = url.removeprefix("sqlite:///") if url.startswith("sqlite:") else ""

    def load(self) -> None:
        """Puts the playroom of the dump there."""
        name = "sqlite.sql" if self.file else "postgresql.sql"
        dump = (HERE / "databases" / name).read_text(encoding="utf-8")
        if self.file:
            Path(self.file).parent.mkdir(exist_ok=True)
            with closing(connect(self.file)) as made:
                made.executescript(dump)
        else:
            asyncio.run(self._executed(dump))

    async def _executed(self, script: str) -> None:
        connection = await asyncpg.connect(self.url)
        try:
            await connection.execute(script)
        finally:
            await connection.close()

    def asked(self, query: str) -> list[Row]:
        """The rows of a query."""
        if self.file:
            with closing(connect(self.file)) as opened:
                cursor = opened.execute(query)
                names = [column[0] for column in cursor.description]
                return [dict(zip(names, row, strict=True)) for row in cursor]
        return asyncio.run(self._asked(query))

    async def _asked(self, query: str) -> list[Row]:
        connection = await asyncpg.connect(self.url)
        try:
            return [dict(row) for row in await connection.fetch(query)]
        finally:
            await connection.close()

    @property
    def tables(self) -> list[str]:
        schema = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        if not self.file:
            schema = "SELECT tablename AS name FROM pg_tables"
            schema += " WHERE schemaname = current_schema() ORDER BY name"
        return sorted(row["name"] for row in self.asked(schema))

    @property
    def schema(self) -> list[Row]:
        """The tables, with all that belongs to them."""
        queries = (SQLITE_SCHEMA,) if self.file else POSTGRESQL_SCHEMA
        return [
            {key: str(value).strip() for key, value in row.items()}
            for query in queries
            for row in self.asked(query)
        ]

    def rows(self, *tables: str, without: Sequence[str] = ()) -> str:
        """The rows of these tables, or of all, a line each and in one order for all databases."""
        lines = []
        for table in tables or self.tables:
            for row in self.asked(f'SELECT * FROM "{table}"'):
                kept = {key: _plain(value) for key, value in row.items() if key not in without}
                lines.append(f"{table} {json.dumps(kept, ensure_ascii=False, sort_keys=True)}\n")
        return "".join(sorted(lines))

    def stored(self, story: Callable[[Store], Awaitable[T]]) -> T:
        """What comes of a story with the open store."""

        async def told() -> T:
            async with await Store.open(self.url) as store:
                return await story(store)

        return asyncio.run(told())


def _plain(value: object) -> object:
    """Bytes as the text that they are, or in hexadecimal digits."""
    if not isinstance(value, bytes):
        return value
    try:
        text = value.decode("ascii")
    except UnicodeDecodeError:
        return f"0x{value.hex()}"
    return text if text.isprintable() else f"0x{value.hex()}"


@pytest.fixture
def playroom(database: str) -> Playroom:
    loaded = Playroom(database)
    loaded.load()
    return loaded


async def nothing(_: Store) -> None:
    """Opens the store, and closes it again."""


def test_opening_a_playroom_of_today_changes_nothing(playroom: Playroom) -> None:
    before = playroom.schema
    playroom.stored(nothing)
    assert playroom.schema == before
    hold(playroom.rows(), "databases", "rows.txt")


def test_a_new_playroom_has_the_tables_of_today(
    playroom: Playroom, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if playroom.file:
        new = Playroom(f"sqlite:///{tmp_path / 'new.sqlite'}")
        new.stored(nothing)
        assert new.schema == playroom.schema
        return
    before = playroom.schema
    asyncio.run(playroom._executed("".join(f'DROP TABLE "{t}" CASCADE;' for t in playroom.tables)))
    assert playroom.tables == []
    playroom.stored(nothing)
    assert playroom.schema == before


# What is kept


def read_back(stream: str, sheets: set[str], data: bytes, version: int) -> bytes:
    """An entry, read and written again by the codec of its stream."""
    if stream in sheets:
        if version == 1:
            return encode(decode_header(data))
        return encode(decode_entry(data))
    if stream.startswith("evening/"):
        return encode(decode_evening_event(data))
    return encode(decode_happening(data))


def test_every_log_is_read_and_written_as_it_stands(playroom: Playroom) -> None:
    listed = playroom.asked("SELECT \"table\" FROM listings WHERE state = 'sheet'")
    sheets = {row["table"] for row in listed}
    streams = [row["stream"] for row in playroom.asked("SELECT DISTINCT stream FROM entries")]
    assert len(streams) > 5

    async def logs(store: Store) -> Iterator[str]:
        lines = []
        for stream in sorted(streams):
            for entry in await store.read(stream):
                assert read_back(stream, sheets, entry.data, entry.version) == entry.data
                lines.append(f"{stream} {entry.version} {entry.cause} {entry.data.decode()}\n")
        return iter(lines)

    hold("".join(playroom.stored(logs)), "databases", "logs.txt")


def taken(address: str, token: str) -> Iterator[str]:
    """All that somebody takes away, file by file."""
    with Visitor(address) as visitor:
        visitor.client.cookies.set("volte", token)
        answer = visitor.post("/me/data").answer
        assert answer.headers["content-type"] == "application/zip"
        with ZipFile(io.BytesIO(answer.content)) as packed:
            for name in sorted(packed.namelist()):
                told = re.sub(r"\b\d{10}\.\d+", _moment, packed.read(name).decode())
                yield f"== {name}\n{told.rstrip()}\n"


def _moment(seconds: re.Match[str]) -> str:
    """A time in the dumps, or that this test is later than they are."""
    return seconds[0] if float(seconds[0]) < DUMPED or float(seconds[0]) == FAR else "LATER"


def test_everybody_takes_away_what_they_took_away(playroom: Playroom, tmp_path: Path) -> None:
    settings = {"talk_days": 36_000, "session_days": 36_000, "conducting": 3600.0, "grace": 600.0}
    told = ""
    with open_house(tmp_path, database=playroom.url, **settings) as house:
        for token in TOKENS:
            told += f"==== {token[0]}\n" + "".join(taken(house.address, token))
    hold(told, "databases", "taken.txt")


# What is done


def typed(*args: str) -> None:
    assert run(whole_command, args) == 0


def test_results_and_ratings_are_worked_out_as_they_were(playroom: Playroom) -> None:
    typed("reckon", "--yes", "--database", playroom.url)
    told = playroom.rows("reckoned", "results", "ratings", without=["at"])
    hold(told, "databases", "reckoned.txt")


def test_whoever_is_deleted_leaves_what_they_left(playroom: Playroom) -> None:
    typed("people", "delete", "zoé", "--yes", "--database", playroom.url)
    hold(playroom.rows(), "databases", "deleted.txt")
