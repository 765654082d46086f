"""A table in the store: its log, read back; its line in the lobby; the rows of its matches."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final, Protocol

import msgspec
from msgspec.structs import replace

from volte import game
from volte.fair import House
from volte.game import Refusal
from volte.rules import described
from volte.store import Entry, Listing, MatchRow
from volte.store.recent import Recent
from volte.table import happenings as hap
from volte.table.happenings import Happening, decode_happening
from volte.table.setup import Access, OpenSeats, Watching, bots_make_room
from volte.table.state import TableState
from volte.table.viewpoints import MatchLog

LISTED: Final = (
    *(hap.Opened, hap.Changed, hap.Sat, hap.BotSat, hap.Stood, hap.Swapped, hap.HandedOver),
    *(hap.SeatWanted, hap.SeatDenied, hap.SeatForgone, hap.MovedOn),
    *(hap.Paused, hap.Unpaused, hap.Closed, game.MatchStarted, game.DealScored),
    *(game.Settled, game.MatchEnded, game.Revealed),
)
"""Happenings that change a table's line in the lobby."""


AWAITED: Final = 1800.0
"""Seconds after its time for which a planned table waits for people, who are reminded of it; then
it is closed if nobody is there."""


class TableStore(Protocol):
    """A store of tables: a stream of entries for each, its line in the lobby, and its matches.

    `volte.store.store.Store` is one. Every method raises `Unavailable` while the store cannot be
    used.
    """

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
        """Adds entries after version `expected`, the stream's last; 0 where it has none yet.

        Returns once all is stored for good: entries, listing and matches together, or none of
        them. Raises `Conflict` where the stream ends elsewhere, and `Gone` where a person is gone
        for whom it is stored (`volte.store.acting`). After `Unavailable` it is not known whether
        anything was stored: read the stream.
        """

    async def read(self, stream: str, after: int = 0, until: int | None = None) -> list[Entry]:
        """The entries of a stream after version `after`, up to version `until`."""

    async def listing(self, table: str) -> Listing | None:
        """The line of a table in the lobby, by its id; None where there is none."""

    async def matches_at(self, table: str) -> list[MatchRow]:
        """The matches of a table, in their order."""

    async def public(self) -> list[Listing]:
        """The open tables that the lobby may list, the latest change first."""


class SummarySeat(msgspec.Struct, frozen=True):
    """A seat in the lobby; a free one has no name."""

    name: str
    person: bool
    level: str
    total: int
    asked: bool = False  # whether somebody has asked for this bot's seat, or waits for it


class TableSummary(msgspec.Struct, frozen=True):
    """The summary of a table for the lobby; `Listing.summary` holds it as JSON."""

    preset: str  # the named ruleset that is nearest to the table's rules
    changes: dict[str, object]  # the options in which the table's rules differ, with their values
    seats: tuple[SummarySeat, ...]
    deal: int  # number of the present deal, or of the last one; 0 before any
    totals: bool  # whether there has been a match, so that the totals mean something
    watching: Watching
    clock: int
    hints: bool
    rated: bool = False
    evening: str = ""
    board: str = ""
    open_seats: OpenSeats = OpenSeats.FREE
    meeting: bool = False
    planned: float | None = None  # in seconds since 1970
    onward: str = ""  # once it is closed, the id of the table where its people go on
    company: tuple[str, ...] = ()
    """While it is open and public, ids of the people who have a seat or have asked for one."""


def read_summary(listing: Listing) -> TableSummary:
    """The summary in a line of the lobby. Raises `msgspec.ValidationError`."""
    return msgspec.json.decode(listing.summary, type=TableSummary)


def onward_of(listing: Listing) -> str:
    """The id of the table where the people of a closed one go on; empty for none."""
    return read_summary(listing).onward if listing.state == "closed" else ""


def seats_to_take(listing: Listing, summary: TableSummary, invited: bool = False) -> int:
    """The number of seats that a newcomer could take, or ask for. `invited`: by the host."""
    invited = summary.meeting or invited or listing.access in (Access.LINK, Access.PASSWORD)
    if summary.open_seats is OpenSeats.INVITED and not invited:
        return 0
    if summary.rated and listing.state != "waiting":  # those who began a rated match finish it
        return 0
    bots_too = invited or summary.open_seats is OpenSeats.ALL
    open_now = [seat for seat in summary.seats if not (seat.person or seat.asked)]
    return sum(bots_too or not seat.level for seat in open_now)


class WayIn(StrEnum):
    """A thing that a newcomer can do at a table."""

    SEAT = "seat"  # take a free seat
    BOT = "bot"  # take a bot's seat, in the middle of a deal with the next one
    ASK = "ask"  # ask the host for a bot's seat
    WATCH = "watch"


def ways_in(
    listing: Listing, summary: TableSummary, invited: bool = False, full: bool = False
) -> tuple[WayIn, ...]:
    """The ways in for a newcomer to a table: at most one to a seat, then to watch.

    Args:
        invited: by the host.
        full: whether it has no seat for the newcomer, whoever sits there.
    """
    plays, ways = listing.state != "waiting", list[WayIn]()
    if not full and seats_to_take(listing, summary, invited):
        free = not all(seat.name for seat in summary.seats)
        ways.append(WayIn.SEAT if free else WayIn.BOT if bots_make_room(summary) else WayIn.ASK)
    if plays and summary.watching is not Watching.NOBODY:
        ways.append(WayIn.WATCH)
    return tuple(ways)


def can_be_entered(listing: Listing) -> bool:
    """Whether the lobby lists a table: people are there, or are to come at a planned time, and a
    newcomer finds a seat, or a match that goes on and may be watched.
    """
    summary = read_summary(listing)
    over = listing.state == "waiting" and summary.totals
    people = any(seat.person for seat in summary.seats) or summary.planned is not None
    if listing.state == "paused" or over or not people:
        return False
    return bool(ways_in(listing, summary))


def is_awaited(listing: Listing, now: float) -> bool:
    """Whether a table is planned for a time that is to come, or has come a short while ago."""
    return listing.planned is not None and now < listing.planned + AWAITED


def listing_of(table: str, state: TableState, password: str) -> Listing:
    """The line of a table in the lobby, as it is now."""
    setup, match = state.setup, state.match
    preset, changes = described(setup.rules)
    totals = match.totals if match is not None else (0,) * len(state.seats)
    seats = tuple(
        SummarySeat(seat.name, bool(seat.person), seat.level, total, bool(seat.asker))
        for seat, total in zip(state.seats, totals, strict=True)
    )
    open_to_all = setup.access is Access.PUBLIC and not (state.closed or setup.evening)
    summary = TableSummary(
        preset=preset,
        changes=dict(changes),
        seats=seats,
        deal=match.deal.number if match is not None and match.deal is not None else 0,
        totals=match is not None,
        watching=setup.watching,
        clock=setup.clock,
        hints=setup.hints,
        rated=setup.rated,
        evening=setup.evening,
        board=setup.board,
        open_seats=setup.open_seats,
        meeting=setup.meeting,
        planned=setup.planned,
        onward=state.onward,
        company=state.company if open_to_all else (),
    )
    activity = "paused" if state.paused else "playing"
    activity = activity if state.under_way else "waiting"
    return Listing(
        table,
        setup.name,
        state.host,
        setup.access.value,
        "closed" if state.closed else activity,
        msgspec.json.encode(summary),
        password,
        time.time(),
        setup.planned if match is None and not state.closed else None,
    )


def row_after(
    row: MatchRow | None,
    table: str,
    happenings: Sequence[Happening],
    state: TableState,
    house: Callable[[], House],
) -> MatchRow | None:
    """The row of the present match after some happenings.

    Args:
        row: the row before them.
        state: the table after them.
        house: makes the dealer of a new match.
    """
    if any(isinstance(each, game.MatchStarted) for each in happenings):
        people = tuple(seat.person for seat in state.seats)
        row = MatchRow(
            secrets.token_hex(10),
            table,
            state.match_began,
            house().master,
            time.time(),
            people,
            began=people,
            rated=state.setup.rated and state.match is not None and state.match.cards is None,
        )
    if row is None or row.last:
        return row
    players = list(row.players)
    for each in happenings:
        if isinstance(each, hap.Sat) and state.under_way:
            players[each.seat] = each.person
    row = replace(row, players=tuple(players))
    if state.closed or not state.under_way:
        return replace(row, last=state.version, ended=time.time())
    return row


def row_broken_off(
    row: MatchRow | None, before: TableState, happenings: Sequence[Happening]
) -> MatchRow | None:
    """The row, ended, of a match that is broken off as another one begins; None without one.

    Args:
        row: the row of the match before the happenings.
        before: the table before them.
    """
    begun = (isinstance(each, game.MatchStarted) for each in happenings)
    number = next((place for place, begins in enumerate(begun) if begins), None)
    if number is None or row is None or row.last:
        return None
    return replace(row, last=before.version + number, ended=time.time())


def row_without(row: MatchRow | None, person: str) -> MatchRow | None:
    """The row of a match without the id of a person who is deleted."""
    if row is None:
        return None
    players, began = (
        tuple("" if each == person else each for each in seats)
        for seats in (row.players, row.began)
    )
    return replace(row, players=players, began=began)


MOST_REPLIES: Final = 200
"""Replies that are remembered for a person; docs/wire.md promises this number."""

MOST_PERSONS: Final = 100  # people whose replies are remembered at a table
AT_A_TIME: Final = 500  # entries that are folded before other tasks have their turn


class CommandReply(msgspec.Struct, frozen=True):
    """The table's reply to a command: done, or refused with a reason."""

    number: int  # number of the table's last happening when the command was done or refused
    refusal: Refusal | None = None  # reason why it was not done; None where it was


class ReplyCache:
    """Replies by cause (`PERSON:MESSAGE`), so that a command sent again is not done twice."""

    def __init__(self) -> None:
        self._replies = Recent[str, Recent[str, CommandReply]](MOST_PERSONS)

    def get(self, cause: str) -> CommandReply | None:
        """The reply to a message that has come before; None for a new one."""
        replies = self._replies.get(cause.partition(":")[0])
        return replies.get(cause) if replies is not None else None

    def put(self, cause: str, reply: CommandReply) -> None:
        """Remembers a reply; does nothing where the cause is empty."""
        if not cause:
            return
        person = cause.partition(":")[0]
        replies = self._replies.get(person) or Recent(MOST_REPLIES)
        replies[cause] = reply
        self._replies[person] = replies

    def update(self, other: ReplyCache) -> None:
        """Remembers the replies of another cache as well."""
        for replies in other._replies.values():
            for cause, reply in replies.items():
                self.put(cause, reply)


class StoredTable:
    """A table as it is in the store: its log, replies, and match row. A live table builds on it."""

    def __init__(self) -> None:
        self.log = MatchLog()
        self.replies = ReplyCache()
        self.row: MatchRow | None = None  # row of the present match, or of the last one

    @property
    def state(self) -> TableState:
        assert self.log.state is not None
        return self.log.state

    def take(self, entries: Sequence[Entry]) -> tuple[Happening, ...]:
        """Folds further entries of the log; they must not end within those of one command.

        Raises `msgspec.ValidationError` for an entry that is no happening.
        """
        happenings = [decode_happening(entry.data) for entry in entries]
        self.log.add(happenings)
        for entry in entries:
            self.replies.put(entry.cause, CommandReply(entry.version))
        return tuple(happenings)

    def become(self, other: StoredTable) -> None:
        """Takes over a table read anew; refusals, which are in no log, stay remembered."""
        self.log.become(other.log)
        self.replies.update(other.replies)
        self.row = other.row


async def read_table(store: TableStore, table: str) -> StoredTable | None:
    """A table from the store; None where there is none. Raises `Unavailable`."""
    entries = await store.read(table)
    if not entries:
        return None
    stored = StoredTable()
    for first in range(0, len(entries), AT_A_TIME):
        stored.take(entries[first : first + AT_A_TIME])
        await asyncio.sleep(0)
    stored.row = row_of(await store.matches_at(table), stored.state)
    return stored


def row_of(rows: Sequence[MatchRow], state: TableState) -> MatchRow | None:
    """The row of the table's present match, or of its last one; None without a match."""
    return next((row for row in rows if row.first == state.match_began), None)
