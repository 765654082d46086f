"""Tables and score sheets of a browser in one file, to take along: written, and read strictly.

Whatever somebody opens may have been made by anybody. A file is read whole before anything of it is
kept: it is bounded, every log is folded, every match and sheet is judged by the rules, and what can
be worked out from a log is worked out from it.
"""

from __future__ import annotations

import asyncio
import logging
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from volte.boards.seeds import board_of_seed, read_address
from volte.cards import VolteError
from volte.fair import SECRET_BYTES, House
from volte.forms.fields import Wrong
from volte.forms.preferences import PREFERENCES, filled_in, twice_used
from volte.game import MatchStarted, Player
from volte.game.codec import encode
from volte.names import clean_name
from volte.notation import format_record, parse_record
from volte.notation.reader import master_of
from volte.rules import of_deals
from volte.say.catalogue import language_of
from volte.scorekeeper.model import Header, decode_entry, decode_header, draws_here
from volte.scorekeeper.model.file import judged_all
from volte.scorekeeper.web.sheets import (
    MOST_ENTRIES,
    MOST_SHEETS,
    STATE,
    StoredSheet,
    listing_of_sheet,
)
from volte.solo.kept import UNREADABLE, KeptStore, KeptStream
from volte.solo.room import ME
from volte.store import AT_TABLES, Listing, MatchRow, Person, Unavailable
from volte.table import TableEvent, TableState
from volte.table import happenings as hap
from volte.table.happenings import Happening, decode_happening
from volte.table.setup import Setup, check_setup
from volte.table.state import states
from volte.table.stored import listing_of

MOST_BYTES: Final = 10_000_000
"""Most bytes of a file, unpacked."""

MOST_MATCHES: Final = 1000
"""Most matches in a file, and most tables."""

VERSION: Final = 2
"""Version of the files that are written; those of version 1 have no sheets."""

logger: Final = logging.getLogger(__name__)

_PACKED: Final = 31  # a gzip file, as zlib names it
_Id = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{8,40}\Z")]
_Key = Annotated[str, msgspec.Meta(pattern=r"\A[0-9A-Za-z_-]{8,40}\Z")]
_Master = Annotated[bytes, msgspec.Meta(min_length=SECRET_BYTES, max_length=SECRET_BYTES)]
_Time = Annotated[float, msgspec.Meta(ge=0, lt=1e11)]  # in seconds since 1970


class MatchesFileFault(VolteError):
    """A file from which no matches can be taken in."""


class _Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: _Id
    master: _Master
    begun: _Time
    ended: _Time | None


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: _Id
    updated: _Time
    matches: list[_Match]
    log: list[msgspec.Raw]


class _Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: _Key
    updated: _Time
    master: _Master
    log: list[msgspec.Raw]


class _Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    lang: str
    settings: dict[str, str]  # as they are typed into their form


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    person: _Person | None
    tables: list[msgspec.Raw]
    sheets: list[msgspec.Raw] = []
    volte: Literal["matches"] = "matches"
    version: Literal[1, 2] = VERSION


class _Kind(msgspec.Struct, frozen=True):
    volte: Literal["matches"]
    version: int  # of the file, which may be of a newer Volte


Made = TypeVar("Made", _Table, _Sheet)


class Carried(msgspec.Struct, frozen=True):
    """The content of a file, with rows as a store has them."""

    person: Person | None
    streams: tuple[KeptStream, ...]  # tables with their matches, and score sheets


async def packed(store: KeptStore) -> tuple[bytes, int]:
    """The tables and score sheets of a store and its person as a file, and the number of those that
    are not in it: it has no room for them, or they could not be read again.

    What changed last comes first. Raises `Unavailable`.
    """
    person = await store.person(ME)
    file = _File(None if person is None else _written(person), [], [])
    room, matches, left = MOST_BYTES - len(msgspec.json.encode(file)), MOST_MATCHES, 0
    for listing in await store.listings((*AT_TABLES, STATE)):
        made = await _made(store, listing)
        text = b"" if made is None else msgspec.json.encode(made)
        many = len(made.matches) if isinstance(made, _Table) else 0
        texts, most = (
            (file.tables, MOST_MATCHES) if isinstance(made, _Table) else (file.sheets, MOST_SHEETS)
        )
        if not text or len(text) + 1 > room or many > matches or len(texts) == most:
            left += 1
            continue
        texts.append(msgspec.Raw(text))
        room, matches = room - len(text) - 1, matches - many
        await asyncio.sleep(0)  # the table that is played has its turn
    packer = zlib.compressobj(wbits=_PACKED)
    return packer.compress(msgspec.json.encode(file)) + packer.flush(), left


async def _made(store: KeptStore, listing: Listing) -> _Table | _Sheet | None:
    """A table or a sheet for a file; None for one that could not be read again.

    Raises `Unavailable`.
    """
    stream, updated = listing.table, listing.updated
    try:
        rows, entries = await store.matches_at(stream), await store.read(stream)
        log = [msgspec.Raw(entry.data) for entry in entries]
        if listing.state == STATE:
            master = decode_header(bytes(log.pop(0))).master
            sheet = _Sheet(stream.rpartition("/")[2], updated, master, log)
            _judged_sheet(sheet)
            return sheet
        matches = [_Match(row.id, row.master, row.begun, row.ended) for row in rows]
        table = _Table(stream, updated, matches, log)
        _judged(table)
    except Unavailable:
        raise
    except Exception as error:
        logger.error("not_packed", extra={"stream": stream}, exc_info=error)
        return None
    return table


async def unpacked(data: bytes) -> Carried:
    """The content of a file. Raises `MatchesFileFault`, whatever is wrong with it."""
    text = _text(data)
    try:
        newer = msgspec.json.decode(text, type=_Kind).version > VERSION
    except UNREADABLE:
        raise MatchesFileFault("not_matches_file") from None
    if newer:
        raise MatchesFileFault("matches_file_newer")
    try:
        file = msgspec.json.decode(text, type=_File)
        tables = [msgspec.json.decode(each, type=_Table) for each in file.tables]
        sheets = [msgspec.json.decode(each, type=_Sheet) for each in file.sheets]
        person = None if file.person is None else _read(file.person)
    except UNREADABLE:
        raise MatchesFileFault("not_matches_file") from None
    many = max(len(tables), sum(len(each.matches) for each in tables))
    ids = {*(each.id for each in tables), *(each.id for each in sheets)}
    twice = len(ids) < len(tables) + len(sheets)
    if many > MOST_MATCHES or len(sheets) > MOST_SHEETS or twice:
        raise MatchesFileFault("matches_file_too_large")
    found = await _rows("matches_file_damaged", _judged, tables)
    found += await _rows("sheets_file_damaged", _judged_sheet, sheets)
    return Carried(person, tuple(found))


async def _rows(
    reason: str, judged: Callable[[Made], KeptStream], among: Sequence[Made]
) -> list[KeptStream]:
    """The rows of what is in a file. Raises `MatchesFileFault` for that reason."""
    found = list[KeptStream]()
    for number, each in enumerate(among, 1):
        try:
            found.append(judged(each))
        except Exception as error:  # folding trusts its entries, so any may come of forged ones
            raise MatchesFileFault(reason, number=number) from error
        await asyncio.sleep(0)
    return found


def _judged_sheet(made: _Sheet) -> KeptStream:
    """The rows of a score sheet that Volte may have written. Raises anything, where it may not."""
    house, log = House(made.master), [bytes(each) for each in made.log]
    sheet = judged_all(decode_entry(each) for each in log)
    if not draws_here(sheet, house) or len(log) >= MOST_ENTRIES:
        raise ValueError("not a sheet of this house")
    stored = StoredSheet(made.id, ME, "", 0, sheet, house, frozenset())
    listing = replace(listing_of_sheet(stored), updated=made.updated)
    return KeptStream(listing, (), (encode(Header(made.master)), *log))


def _text(data: bytes) -> bytes:
    """The text of a file. Raises `MatchesFileFault` where it is none, or too long."""
    unpacker = zlib.decompressobj(wbits=_PACKED)
    try:
        text = unpacker.decompress(data, MOST_BYTES + 1)
    except zlib.error:
        raise MatchesFileFault("not_matches_file") from None
    if len(text) > MOST_BYTES:
        raise MatchesFileFault("matches_file_too_large")
    if not unpacker.eof or unpacker.unused_data:
        raise MatchesFileFault("not_matches_file")
    return text


def _written(person: Person) -> _Person:
    """A person with their settings as they are typed into their form."""
    chosen = person.settings
    known = ((name, field) for name, field in PREFERENCES.items() if name in chosen)
    settings = {name: field.shown(chosen[name]) for name, field in known}
    return _Person(person.name, person.lang, settings)


def _read(carried: _Person) -> Person:
    """The row of a person, without settings that this Volte does not have, or take.

    Raises `ValueError` for a name or a language that cannot be.
    """
    name, lang = clean_name(carried.name), language_of(carried.lang)
    if name != carried.name or lang is None:
        raise ValueError("not a person")
    settings = dict[str, Any]()
    for known in PREFERENCES.keys() & carried.settings.keys() - {"lang"}:
        with suppress(Wrong):
            settings[known] = PREFERENCES[known].read(carried.settings[known])
    for one, other in [*twice_used(filled_in(settings))]:
        for each in (one, other):
            settings.pop(each, None)
    return Person(ME, name, lang, settings, time.time())


def _judged(table: _Table) -> KeptStream:
    """The rows of a table whose log Volte may have written. Raises anything, where it may not."""
    log = [decode_happening(bytes(each)) for each in table.log]
    folded = list(states(None, log))
    for happening, state in zip(log, folded, strict=True):
        _check(happening, state)
    begun = [place for place, each in enumerate(log) if isinstance(each, MatchStarted)]
    slices = [slice(*each) for each in pairwise([*begun, len(log)])]
    rows = [
        _match_row(table.id, match, part.start + 1, log[part], folded[part])
        for match, part in zip(table.matches, slices, strict=True)
    ]
    listing = replace(listing_of(table.id, folded[-1], ""), updated=table.updated)
    return KeptStream(listing, tuple(rows), tuple(bytes(each) for each in table.log))


def _check(happening: Happening, state: TableState) -> None:
    """Check a happening and the table after it. Raises `ValueError` and `VolteError`.

    The events of matches are judged beside, by `_match_row`.
    """
    seats = state.seats
    match happening:
        case MatchStarted():
            players = (Player(seat.name, bool(seat.person), seat.level) for seat in seats)
            rules = state.setup.rules
            rules = of_deals(rules, len(state.decks)) if state.decks else rules
            right = happening.rules == rules and happening.players == tuple(players)
        case hap.Opened() | hap.Changed():
            setup = happening.setup
            check_setup(replace(setup, board=""))
            right = not setup.rated and state.host == ME and _is_of_board(setup)
            clean_name(state.host_name)
        case hap.Sat() | hap.BotSat():
            right = 0 <= happening.seat < len(seats) and clean_name(happening.name) != ""
        case hap.Swapped():
            right = {happening.one, happening.other} <= set(range(len(seats)))
        case hap.CardsGiven():
            cards = sorted(state.setup.rules.cards)
            right = all(sorted(deck) == cards for deck in happening.decks)
            right = right and 0 <= happening.dealer < len(seats) and bool(happening.decks)
        case hap.Stood() | hap.StoodIn() | hap.CameBack() | hap.Readied():
            right = 0 <= happening.seat < len(seats)
        case hap.ClockAccepted() | hap.TimeGiven():
            right = 0 <= happening.seat < len(seats)
        case hap.Paused() | hap.Unpaused() | hap.Closed() | hap.MovedOn():
            right = True
        case _:
            right = not isinstance(happening, TableEvent)
    if not right or not {seat.person for seat in seats} <= {"", ME}:
        raise ValueError("not a table of one person")


def _is_of_board(setup: Setup) -> bool:
    """Whether a table plays no deal by an address, or plays it by its rules."""
    deal = read_address(setup.board) if setup.board else None
    return not setup.board or (
        deal is not None and board_of_seed(setup.board, deal).deal.rules == setup.rules
    )


def _match_row(
    table: str,
    match: _Match,
    first: int,
    log: Sequence[Happening],
    folded: Sequence[TableState],
) -> MatchRow:
    """The row of a match that is lawful. Raises `RecordFault`, and `ValueError`."""
    events = tuple(each for each in log if not isinstance(each, TableEvent))
    over = (
        number for number, state in enumerate(folded, first) if state.closed or not state.under_way
    )
    last = next(over, 0)
    record = parse_record(format_record(events, None if last else match.master))
    master_of(record)
    if record.log != events or (match.ended is None) == bool(last):
        raise ValueError("not the events of a match")
    began = tuple(seat.person for seat in folded[0].seats)
    players = list(began)
    for happening in log[: last - first] if last else log:
        if isinstance(happening, hap.Sat):
            players[happening.seat] = happening.person
    return MatchRow(
        match.id, table, first, match.master, match.begun, tuple(players), last, match.ended, began
    )
