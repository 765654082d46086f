"""Score sheets in the store: each is a stream of entries, with a listing for its owner.

The stream has the header first and then the entries; a sheet shows only entries that are stored.
The listing says who owns the sheet, and who may watch.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import reduce
from hashlib import sha256
from typing import Final, NamedTuple, Protocol, Self

import msgspec
from msgspec.structs import replace

from volte.fair import House
from volte.game.codec import encode
from volte.rules import described
from volte.scorekeeper import model
from volte.store import Conflict, Listing
from volte.store import Entry as StoredEntry
from volte.store.recent import Recent
from volte.web.refused import Refused

STATE: Final = "sheet"  # state of the listings of sheets, to tell them from those of tables
MOST_SHEETS: Final = 200  # of one person
MOST_ENTRIES: Final = 2000  # on one sheet: an evening has some twenty
LONGEST_FILE: Final = 400  # lines of a file with a sheet: judging more takes seconds
REMEMBERED: Final = 200  # sheets cached by this process

LONGEST_CAUSE: Final = 64


class SheetStore(Protocol):
    """The part of a store in which sheets are; see `volte.store.store.Store`."""

    async def append(
        self,
        stream: str,
        expected: int,
        entries: Sequence[bytes],
        *,
        cause: str = "",
        listing: Listing | None = None,
    ) -> None: ...

    async def read(self, stream: str, after: int = 0) -> list[StoredEntry]: ...

    async def listing(self, table: str) -> Listing | None: ...

    async def listings(
        self, states: Collection[str] = (), *, host: str = "", limit: int = ...
    ) -> list[Listing]: ...


class Moved(Exception):
    """Somebody else has written on the sheet meanwhile; nothing was done."""

    def __init__(self, stored: StoredSheet) -> None:
        super().__init__(stored.id)
        self.stored = stored  # the present sheet


class Folded(msgspec.Struct, frozen=True):
    """A sheet's stream, folded up to a version."""

    version: int = 0
    master: bytes = b""  # secret of the `House` that draws lots
    sheet: model.Sheet | None = None
    causes: frozenset[str] = frozenset()  # of its entries, so that no form is handled twice


class StoredSheet(msgspec.Struct, frozen=True):
    """A sheet of the store, with its owner."""

    id: str
    owner: str  # id of the person who writes on it
    key: str  # of the address for watchers; empty where nobody may watch
    version: int  # of the stream
    sheet: model.Sheet
    house: House
    causes: frozenset[str]

    def shows(self, key: str) -> bool:
        """Whether a key allows watching the sheet."""
        return bool(self.key) and hmac.compare_digest(self.key.encode(), key.encode())


class StoredSummary(msgspec.Struct, frozen=True):
    """The content of `Listing.summary` for a sheet, stored as JSON."""

    names: tuple[str, ...]
    state: str
    deals: int
    totals: tuple[int, ...]
    key: str
    date: str = ""
    preset: str = ""
    stake: str = ""
    currency: str = ""


class ListedSheet(NamedTuple):
    """A sheet in the list of its owner."""

    id: str
    title: str
    summary: StoredSummary

    @classmethod
    def of(cls, listing: Listing) -> Self:
        """The sheet of a listing. Raises `msgspec.ValidationError`."""
        return cls(listing.table.rpartition("/")[2], listing.name, read_line(listing))


class Sheets:
    """All sheets of the store."""

    def __init__(self, store: SheetStore) -> None:
        self._store = store
        self._at_hand = Recent[str, Folded](REMEMBERED)

    async def listed(self, person: str) -> list[ListedSheet]:
        """A person's sheets, the latest first."""
        found = await self._store.listings((STATE,), host=person, limit=MOST_SHEETS)
        return [ListedSheet.of(each) for each in found]

    async def find(self, key: str) -> StoredSheet:
        """Find a sheet by its id. Raises `Refused` 404."""
        plain = key.isascii() and len(key) <= LONGEST_CAUSE
        listing = await self._store.listing(stream_of(key)) if plain else None
        if listing is None:
            raise Refused(404, "no_sheet")
        folded = await self._read(key)
        if folded.sheet is None:
            raise Refused(404, "no_sheet")
        return StoredSheet(
            id=key,
            owner=listing.host,
            key=read_line(listing).key,
            version=folded.version,
            sheet=folded.sheet,
            house=House(folded.master),
            causes=folded.causes,
        )

    async def open(self, person: str, *acts: model.Act, key: str = "") -> StoredSheet:
        """Begin a sheet for a person; the first act opens it.

        Args:
            key: its id, so that a repeated request opens no second sheet; random if empty.

        Raises `SheetFault` and `Refused`.
        """
        house = House.fresh()
        _, sheet = _done(None, house, *acts)
        return await self._begin(person, key or secrets.token_urlsafe(12), sheet, house)

    async def take_in(self, person: str, sheet: model.Sheet, master: bytes) -> StoredSheet:
        """Keep a sheet of a file for a person, who may go on with it; once for each file.

        Args:
            master: secret from which lots are drawn on it; empty where the file does not have it.

        Raises `SheetFault` and `Refused`.
        """
        house = House(master) if master else House.fresh()
        key = sha256(f"{person}\n{model.to_record(sheet)}".encode()).hexdigest()[:16]
        if model.open_seal(sheet) and not model.draws_here(sheet, house):
            sheet = model.without_open_seal(sheet)
        if not model.draws_here(sheet, house):
            raise model.SheetFault("drawn_elsewhere")
        _, sheet = _done(sheet, house)
        return await self._begin(person, key, sheet, house)

    async def _begin(self, person: str, key: str, sheet: model.Sheet, house: House) -> StoredSheet:
        """Store a sheet under an id, unless it is there already. Raises `Refused`."""
        if await self._store.listing(stream_of(key)) is None:
            if len(await self.listed(person)) >= MOST_SHEETS:
                raise Refused(429, "too_many_sheets", most=MOST_SHEETS)
            stored = StoredSheet(key, person, "", 0, sheet, house, frozenset())
            data = [*map(encode, (model.Header(house.master), *sheet.entries))]
            with suppress(Conflict):  # the same request has come before
                await self._store.append(stream_of(key), 0, data, listing=listing_of_sheet(stored))
        return await self.find(key)

    async def do(self, stored: StoredSheet, seen: int, cause: str, *acts: model.Act) -> StoredSheet:
        """Do acts on a sheet and store them; do nothing if the form has been handled before.

        Args:
            seen: version of the sheet that the person saw.
            cause: id of the form; acts with a known cause are not done again.
            acts: stored together, or not at all.

        Raises `SheetFault`, and `Moved` if somebody else has written meanwhile.
        """
        if cause in stored.causes:
            return stored
        if seen != stored.version:
            raise Moved(stored)
        entries, sheet = _done(stored.sheet, stored.house, *acts)
        return await self._append(replace(stored, sheet=sheet), entries, cause)

    async def draw(
        self, stored: StoredSheet, seen: int, cause: str, *shares: model.Share
    ) -> StoredSheet:
        """Draw the lots that are due first, with the bytes added by players.

        Raises the same as `do`.
        """
        if cause in stored.causes or seen != stored.version:
            return await self.do(stored, seen, cause)
        if not model.lots_due(stored.sheet):
            raise model.SheetFault("no_lots_are_due")
        sealing, sheet = _done(stored.sheet, stored.house)
        sharing, sheet = _done(sheet, stored.house, *shares)
        drawing, sheet = _done(sheet, stored.house, *model.draw_all(sheet, stored.house))
        return await self._append(
            replace(stored, sheet=sheet), [*sealing, *sharing, *drawing], cause
        )

    async def show(self, stored: StoredSheet, shown: bool) -> StoredSheet:
        """Make an address for watchers, or make it invalid."""
        while shown != bool(stored.key):
            changed = replace(stored, key=secrets.token_urlsafe(9) if shown else "")
            try:
                return await self._append(changed, (), "")
            except Moved as moved:
                stored = moved.stored
        return stored

    async def _append(
        self, stored: StoredSheet, entries: Sequence[model.Entry], cause: str
    ) -> StoredSheet:
        """Store the entries. Raises `Moved`, and `SheetFault` for a full sheet."""
        if stored.version + len(entries) > MOST_ENTRIES:
            raise model.SheetFault("sheet_full", most=MOST_ENTRIES)
        data = [encode(each) for each in entries]
        try:
            await self._store.append(
                stream_of(stored.id),
                stored.version,
                data,
                cause=cause,
                listing=listing_of_sheet(stored),
            )
        except Conflict:
            found = await self.find(stored.id)
            if cause and cause in found.causes:
                return found
            raise Moved(found) from None
        return await self.find(stored.id)

    async def _read(self, key: str) -> Folded:
        """Fold the new entries of a stream into the cached sheet."""
        folded = self._at_hand.get(key, Folded())
        fresh = await self._store.read(stream_of(key), folded.version)
        if not fresh:
            return folded
        master = folded.master or model.decode_header(fresh[0].data).master
        made = [model.decode_entry(each.data) for each in fresh if each.version > 1]
        if folded.sheet is None:
            sheet = model.fold(made) if made else None
        else:
            sheet = reduce(model.evolve, made, folded.sheet)
        causes = folded.causes | {each.cause for each in fresh if each.cause}
        self._at_hand[key] = folded = Folded(fresh[-1].version, master, sheet, causes)
        return folded


def read_line(listing: Listing) -> StoredSummary:
    """The summary in the listing of a sheet. Raises `msgspec.ValidationError`."""
    return msgspec.json.decode(listing.summary, type=StoredSummary)


def listing_of_sheet(stored: StoredSheet) -> Listing:
    """The listing of a sheet, changed just now."""
    short = model.summary(stored.sheet)
    sheet, (preset, _) = stored.sheet, described(stored.sheet.rules)
    line = StoredSummary(
        *(short.names, short.state, short.deals, short.totals, stored.key),
        *(short.date, preset, sheet.stake, sheet.currency),
    )
    access = "link" if stored.key else "private"
    return Listing(
        *(stream_of(stored.id), short.title, stored.owner, access, STATE),
        summary=msgspec.json.encode(line),
        updated=time.time(),
    )


def stream_of(key: str) -> str:
    """The name of a sheet's stream; ids of tables have no slash."""
    return f"sheet/{key}"


def _done(
    sheet: model.Sheet | None, house: House, *acts: model.Act
) -> tuple[list[model.Entry], model.Sheet]:
    """The entries of acts, and the sheet after them. If lots are due then, a seal is added at
    once, so that the secret is fixed before anybody adds to the chance.

    Raises `SheetFault`.
    """
    entries: list[model.Entry] = []
    for act in acts:
        entry = model.decide(sheet, act)
        if isinstance(entry, model.SheetFault):
            raise entry
        entries.append(entry)
        sheet = model.evolve(sheet, entry)
    assert sheet is not None
    following = model.next_act(sheet, house)
    if isinstance(following, model.Seal):
        sealing, sheet = _done(sheet, house, following)
        entries += sealing
    return entries, sheet
