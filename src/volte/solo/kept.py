"""The store of a browser: rows as a server's database has them, each a text of a `Keeper`."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from volte.forms.preferences import PREFERENCES
from volte.solo.keeper import Keeper, KeptChange, MemoryKeeper
from volte.store import LISTED, OPEN, Conflict, Entry, Listing, MatchRow, Person, Unavailable

Row = TypeVar("Row", Listing, MatchRow, Person)

UNREADABLE: Final = (msgspec.DecodeError, ValueError, RecursionError)
"""Errors of reading a text that is damaged, or that somebody else has written."""


class KeptEntry(msgspec.Struct, frozen=True):
    """An entry as it is kept, its data as the JSON that they are; its key has its version."""

    data: msgspec.Raw
    cause: str
    at: float


class KeptStream(msgspec.Struct, frozen=True):
    """A whole stream: a table with its matches, a score sheet, or a record that was opened."""

    listing: Listing
    matches: tuple[MatchRow, ...]
    log: tuple[bytes, ...]


class DamagedStream(Exception):
    """A stream whose log or matches cannot be read."""


class KeptStore:
    """The tables, matches, score sheets and people of a browser.

    A method that returns has written for good. Every method raises `Unavailable` while nothing can
    be read or kept. Rows that cannot be read are set aside, with all that belongs to them: they
    stay, under other keys.

    Args:
        keeper: None keeps everything for as long as this object lives.
        aside: called for each stream or person that has just been set aside.
    """

    def __init__(
        self, keeper: Keeper | None = None, aside: Callable[[], None] = lambda: None
    ) -> None:
        self._keeper = keeper or MemoryKeeper()
        self.aside = aside
        self._keys = dict[str, str]()  # of the rows of matches, by match
        self._changing = asyncio.Lock()  # one change of a person at a time

    # Streams

    async def append(
        self,
        stream: str,
        expected: int,
        entries: Sequence[bytes],
        *,
        cause: str = "",
        listing: Listing | None = None,
        matches: Sequence[MatchRow] = (),
    ) -> None:
        """Adds entries after version `expected`, the stream's last; see `Store.append`."""
        now, rows = time.time(), [*([listing] if listing is not None else ()), *matches]
        kept = {key_of(row): written(row) for row in rows}
        for version, data in enumerate(entries, expected + 1):
            kept[_entry(stream, version)] = written(KeptEntry(msgspec.Raw(data), cause, now))
        there = _entry(stream, expected) if expected else ""
        await self._keeper.keep(KeptChange(there, _entry(stream, expected + 1), kept=kept))

    async def read(self, stream: str, after: int = 0, until: int | None = None) -> list[Entry]:
        """The entries of a stream after version `after`, up to version `until`.

        Raises `DamagedStream`.
        """
        beginnings, first = [f"entry/{stream}/"], 1
        if until is not None:  # only the hundreds in which they are, of a table that may be long
            hundreds = range(after // 100, until // 100 + 1)
            beginnings = [f"entry/{stream}/{hundred:04}" for hundred in hundreds]
            first = max(hundreds.start * 100, 1)
        texts, entries = dict[str, str](), list[Entry]()
        for beginning in beginnings:
            texts |= await self._keeper.texts(beginning)
        for version, (key, text) in enumerate(texts.items(), first):
            try:
                entry = msgspec.json.decode(text, type=KeptEntry)
            except UNREADABLE as error:
                raise DamagedStream(stream) from error
            if key != _entry(stream, version):
                raise DamagedStream(stream)
            entries.append(Entry(version, bytes(entry.data), entry.cause, entry.at))
        return [each for each in entries if after < each.version <= (until or each.version)]

    # Tables and matches

    async def listing(self, table: str) -> Listing | None:
        """The line of a table, by its id; None where there is none."""
        return next(iter(await self._rows(Listing, f"listing/{table}/")), None)

    async def listings(
        self, states: Collection[str] = (), *, host: str = "", limit: int | None = None
    ) -> list[Listing]:
        """The listings in some states, or in any; of one host, or of all; latest first."""
        found = [
            row
            for row in await self._rows(Listing, "listing/")
            if (not states or row.state in states) and host in ("", row.host)
        ]
        return sorted(found, key=lambda row: row.updated, reverse=True)[:limit]

    async def public(self) -> list[Listing]:
        """The open tables that a lobby may list, the latest change first."""
        return [each for each in await self.listings(OPEN) if each.access in LISTED]

    async def listings_at(self, tables: Collection[str]) -> dict[str, Listing]:
        """Table → its line, for those of the tables that there are."""
        found = {table: await self.listing(table) for table in tables}
        return {table: row for table, row in found.items() if row is not None}

    async def matches(self) -> list[MatchRow]:
        """Rows of the matches of all tables and opened records, in no order."""
        rows = await self._rows(MatchRow, "match/")
        self._keys = {row.id: key_of(row) for row in rows}
        return rows

    async def match(self, match: str) -> MatchRow | None:
        """The row of a match, by its id; None where there is none."""
        if match not in self._keys:
            await self.matches()
        rows = await self._rows(MatchRow, self._keys[match]) if match in self._keys else ()
        return next(iter(rows), None)

    async def worked_out(self) -> dict[str, str]:
        """Texts that were worked out of matches, by match."""
        texts = await self._keeper.texts("result/")
        keys = {row.id: _result(row) for row in await self.matches()}
        return {match: texts[key] for match, key in keys.items() if key in texts}

    async def put_worked_out(self, row: MatchRow, text: str) -> None:
        """Stores a text that was worked out of a match, unless the match has gone meanwhile."""
        with suppress(Conflict):
            await self._keeper.keep(KeptChange(there=key_of(row), kept={_result(row): text}))

    async def matches_at(self, table: str) -> list[MatchRow]:
        """The matches of a table, in their order. Raises `DamagedStream`."""
        texts = await self._keeper.texts(f"match/{table}/")
        try:
            return [_read(MatchRow, key, text) for key, text in texts.items()]
        except UNREADABLE as error:
            raise DamagedStream(table) from error

    async def add(self, streams: Iterable[KeptStream], person: Person | None = None) -> int:
        """Adds streams and a person, all or none; those that are here already stay as they are.

        Returns the number of new streams.
        """
        kept, count = dict[str, str](), 0
        if person is not None and await self.person(person.id) is None:
            kept[key_of(person)] = written(person)
        for stream in streams:
            name, at = stream.listing.table, stream.listing.updated
            if await self._keeper.texts(f"entry/{name}/"):
                continue
            count += 1
            rows: list[Listing | MatchRow] = [stream.listing, *stream.matches]
            kept |= {key_of(row): written(row) for row in rows}
            for version, data in enumerate(stream.log, 1):
                kept[_entry(name, version)] = written(KeptEntry(msgspec.Raw(data), "", at))
        await self._keeper.keep(KeptChange(kept=kept))
        return count

    async def forget(self, stream: str) -> None:
        """Deletes a stream, with its listing, its log and its matches."""
        await self._keeper.keep(KeptChange(forgotten=_all_of(stream)))

    async def set_aside(self, stream: str) -> None:
        """Sets a stream aside, with its listing, its log and its matches."""
        await self._set_aside(_all_of(stream))

    async def try_again(self, version: str) -> None:
        """Puts back what was set aside, once for each version of Volte: another one may read it.

        A stream or person stays aside where there is one with that id by now.
        """
        if (await self._keeper.texts("version")).get("version") == version:
            return
        kept, moved = {"version": version}, list[str]()
        # One group for each stream or person that was set aside.
        groups = defaultdict[tuple[str, ...], dict[str, str]](dict)
        for key, text in (await self._keeper.texts("aside/")).items():
            _, time_set, place = key.split("/", 2)
            groups[time_set, *_whole(place)][place] = text
        for (time_set, *beginnings), texts in groups.items():
            found = [await self._keeper.texts(each) for each in beginnings]
            if not any(found) and kept.keys().isdisjoint(texts):
                kept |= texts
                moved += [f"aside/{time_set}/{place}" for place in texts]
        await self._keeper.keep(KeptChange(forgotten=tuple(moved), kept=kept))

    # People

    async def person(self, person: str) -> Person | None:
        """The row of a person, by id, without settings that are damaged; None where there is
        none."""
        row = next(iter(await self._rows(Person, f"person/{person}/")), None)
        if row is None:
            return None
        sound = {name: value for name, value in row.settings.items() if _taken(name, value)}
        return replace(row, settings=sound)

    async def put_person(self, person: Person) -> None:
        """Stores a person, in place of any with the same id."""
        await self._keeper.keep(KeptChange(kept={key_of(person): written(person)}))

    async def change_person(self, person: str, change: Callable[[Person], Person]) -> Person | None:
        """Changes a person; see `Store.change_person`."""
        async with self._changing:
            before = await self.person(person)
            if before is None:
                return None
            after = change(before)
            await self.put_person(after)
            return after

    async def _rows(self, kind: type[Row], beginning: str) -> list[Row]:
        """The rows of some keys, without those that cannot be read, which are set aside."""
        rows, damaged = list[Row](), set[tuple[str, ...]]()
        for key, text in (await self._keeper.texts(beginning)).items():
            try:
                rows.append(_read(kind, key, text))
            except UNREADABLE:
                damaged.add(_whole(key))
        for each in damaged:
            with suppress(Unavailable):  # it stays where it is, and is found again
                await self._set_aside(each)
        return rows

    async def _set_aside(self, beginnings: tuple[str, ...]) -> None:
        """Keeps texts under other keys, where nothing reads them."""
        place, kept = f"aside/{time.time():.3f}", dict[str, str]()
        for each in beginnings:
            for key, text in (await self._keeper.texts(each)).items():
                kept[f"{place}/{key}"] = text
        await self._keeper.keep(KeptChange(forgotten=beginnings, kept=kept))
        self.aside()


def written(row: msgspec.Struct) -> str:
    """A row as the text that is kept."""
    return msgspec.json.encode(row).decode()


def key_of(row: Listing | MatchRow | Person) -> str:
    """The key under which a row is kept."""
    match row:
        case Listing():
            return f"listing/{row.table}/"
        case MatchRow():
            return f"match/{row.table}/{row.first:06}/"
        case Person():
            return f"person/{row.id}/"


def _result(row: MatchRow) -> str:
    """The key of what was worked out of a match."""
    return f"result/{row.table}/{row.first:06}/"


def _entry(stream: str, version: int) -> str:
    return f"entry/{stream}/{version:06}/"


def _taken(setting: str, value: object) -> bool:
    """Whether a setting may have the value; those that this Volte does not know may have any."""
    if setting not in PREFERENCES:
        return True
    field = PREFERENCES[setting]
    try:
        return bool(field.read(field.shown(value)) == value)
    except Exception:  # a damaged value is of any type
        return False


def _all_of(stream: str) -> tuple[str, ...]:
    """The beginnings of all keys of a stream."""
    return f"listing/{stream}/", f"match/{stream}/", f"result/{stream}/", f"entry/{stream}/"


def _whole(key: str) -> tuple[str, ...]:
    """The beginnings of all keys of the stream or the person to which a key belongs."""
    kind, _, name = key.removesuffix("/").partition("/")
    if kind == "person":
        return (key,)
    return _all_of(name if kind == "listing" else name.rpartition("/")[0])


def _read(kind: type[Row], key: str, text: str) -> Row:
    """The row of a key. Raises one of `UNREADABLE`."""
    row = msgspec.json.decode(text, type=kind)
    if key_of(row) != key:
        raise ValueError(key)
    return row
