"""Score sheets in the store: each is a stream of entries, and a listing of its owner.

A sheet has a stream of its own, the header first and then its entries, and nothing is on the
sheet that is not kept. The line says whose it is, and who may watch.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.fair import House
from volte.game.codec import encode
from volte.rules import described
from volte.scorekeeper import model
from volte.store import Conflict, Listing, Store
from volte.web.refused import Refused
from volte.web.visit import Visit

STATE: Final = "sheet"  # what the lines of sheets are, beside those of tables that wait or play
MOST_SHEETS: Final = 200  # of one person
MOST_ENTRIES: Final = 2000  # on one sheet: an evening has some twenty
REMEMBERED: Final = 200  # sheets that this process has at hand

LONGEST_CAUSE: Final = 64


class Moved(Exception):
    """Somebody has written on the sheet meanwhile; nothing was done."""

    def __init__(self, stored: StoredSheet) -> None:
        super().__init__(stored.id)
        self.stored = stored  # the sheet as it is now


class Folded(msgspec.Struct, frozen=True):
    """A sheet's stream, read up to a version."""

    version: int = 0
    master: bytes = b""  # of the house whose lots are drawn
    sheet: model.Sheet | None = None
    causes: frozenset[str] = frozenset()  # of its entries, so that nothing is done twice


class StoredSheet(msgspec.Struct, frozen=True):
    """A sheet of the store, and whose it is."""

    id: str
    owner: str  # id of the person who writes on it
    key: str  # of the address for those who watch; empty where nobody may
    version: int  # of the stream
    sheet: model.Sheet
    house: House
    causes: frozenset[str]

    def shows(self, key: str) -> bool:
        """Whether that key lets somebody watch."""
        return bool(self.key) and hmac.compare_digest(self.key.encode(), key.encode())


class StoredSummary(msgspec.Struct, frozen=True):
    """What stands in `Listing.summary` of a sheet, as JSON."""

    names: tuple[str, ...]
    state: str
    deals: int
    totals: tuple[int, ...]
    key: str
    date: str = ""
    preset: str = ""
    stake: str = ""
    currency: str = ""


class Sheets:
    """All sheets of the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._at_hand: OrderedDict[str, Folded] = OrderedDict()

    async def listed(self, person: str) -> list[Listing]:
        """The listings of somebody's sheets, the latest first."""
        return await self._store.listings((STATE,), host=person, limit=MOST_SHEETS)

    async def find(self, key: str) -> StoredSheet:
        """The sheet of that id. Raises `Refused` 404."""
        plain = key.isascii() and len(key) <= LONGEST_CAUSE
        listing = await self._store.listing(_stream(key)) if plain else None
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
        """A new sheet of that person's; the first act opens it.

        Args:
            key: its id, if it is to be opened once, however often it is asked for.

        Raises `SheetFault` and `Refused`.
        """
        if len(await self.listed(person)) >= MOST_SHEETS:
            raise Refused(429, "too_many_sheets", most=MOST_SHEETS)
        house = House.fresh()
        entries, sheet = _done(None, house, *acts)
        key = key or secrets.token_urlsafe(12)
        stored = StoredSheet(key, person, "", 0, sheet, house, frozenset())
        data = [*map(encode, (model.Header(house.master), *entries))]
        with suppress(Conflict):  # somebody was first
            await self._store.append(_stream(key), 0, data, listing=_listing(stored))
        return await self.find(key)

    async def do(self, stored: StoredSheet, seen: int, cause: str, *acts: model.Act) -> StoredSheet:
        """Does acts to a sheet and stores them; nothing where that form has been handled before.

        Args:
            seen: the version that the person had before their eyes.
            cause: of this one form; whatever has it already is not done again.
            acts: kept together, or not at all.

        Raises `SheetFault`, and `Moved` where others were first.
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
        """Draws the lots that are due first, when those at the table have added to the chance.

        Raises as `do`.
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
        """Makes an address for those who watch, or makes it invalid."""
        if shown == bool(stored.key):
            return stored
        changed = replace(stored, key=secrets.token_urlsafe(9) if shown else "")
        return await self._append(changed, (), "")

    async def _append(
        self, stored: StoredSheet, entries: Sequence[model.Entry], cause: str
    ) -> StoredSheet:
        """Stores the entries. Raises `Moved`."""
        if stored.version + len(entries) > MOST_ENTRIES:
            raise model.SheetFault("sheet_full", most=MOST_ENTRIES)
        data = [encode(each) for each in entries]
        try:
            await self._store.append(
                _stream(stored.id), stored.version, data, cause=cause, listing=_listing(stored)
            )
        except Conflict:
            found = await self.find(stored.id)
            if cause and cause in found.causes:
                return found
            raise Moved(found) from None
        return await self.find(stored.id)

    async def _read(self, key: str) -> Folded:
        """Reads what is new of a stream."""
        folded = self._at_hand.get(key, Folded())
        for each in await self._store.read(_stream(key), folded.version):
            if each.version == 1:
                folded = Folded(1, model.decode_header(each.data).master)
                continue
            sheet = model.evolve(folded.sheet, model.decode_entry(each.data))
            causes = folded.causes | {each.cause} if each.cause else folded.causes
            folded = Folded(each.version, folded.master, sheet, causes)
        self._at_hand[key] = folded
        self._at_hand.move_to_end(key)
        if len(self._at_hand) > REMEMBERED:
            self._at_hand.popitem(last=False)
        return folded


def sheets_of(visit: Visit) -> Sheets:
    """The sheets of the playroom that was asked."""
    return visit.room[Sheets]


async def own_sheet(visit: Visit) -> StoredSheet:
    """The sheet of the address, for its owner alone: nobody else learns that it is there.

    Raises `Refused`.
    """
    who = visit.someone()
    stored = await sheets_of(visit).find(visit.path_params["sheet"])
    if stored.owner != who.id:
        raise Refused(404, "no_sheet")
    return stored


def read_line(listing: Listing) -> StoredSummary:
    """The summary in the listing of a sheet. Raises `msgspec.ValidationError`."""
    return msgspec.json.decode(listing.summary, type=StoredSummary)


def _listing(stored: StoredSheet) -> Listing:
    short = model.summary(stored.sheet)
    sheet, (preset, _) = stored.sheet, described(stored.sheet.rules)
    line = StoredSummary(
        *(short.names, short.state, short.deals, short.totals, stored.key),
        *(short.date, preset, sheet.stake, sheet.currency),
    )
    access = "link" if stored.key else "private"
    return Listing(
        *(_stream(stored.id), short.title, stored.owner, access, STATE),
        summary=msgspec.json.encode(line),
        updated=time.time(),
    )


def _stream(key: str) -> str:
    """The name of a sheet's stream; ids of tables have no slash."""
    return f"sheet/{key}"


def _done(
    sheet: model.Sheet | None, house: House, *acts: model.Act
) -> tuple[list[model.Entry], model.Sheet]:
    """What acts bring about. Where lots are due after them, their chance is sealed at once, so
    that it is fixed before anybody adds to it.

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
