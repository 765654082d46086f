"""What the store keeps of a table beside its log: its line in the lobby, and its matches."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from volte import game
from volte.fair import House
from volte.game import Refusal
from volte.rules import described
from volte.store import Entry, Listing, MatchRow, Store
from volte.table import happenings as hap
from volte.table.happenings import Happening, decode_happening
from volte.table.setup import Access, OpenSeats, Watching
from volte.table.state import TableState
from volte.table.viewpoints import Sights

LISTED = (
    hap.Opened
    | hap.Changed
    | hap.Sat
    | hap.BotSat
    | hap.Stood
    | hap.Swapped
    | hap.HandedOver
    | hap.Paused
    | hap.Unpaused
    | hap.Closed
    | game.MatchStarted
    | game.DealScored
    | game.Settled
    | game.MatchEnded
    | game.Revealed
)
"""What changes the line in the lobby."""


class SummarySeat(msgspec.Struct, frozen=True):
    """A seat in the lobby; a free one has no name."""

    name: str
    person: bool
    level: str
    total: int


class Summary(msgspec.Struct, frozen=True):
    """What the lobby shows of a table, in `Listing.summary` as JSON.

    Attributes:
        preset: the named ruleset that is nearest to what is played.
        changes: the options in which it differs, with their values.
        deal: number of the present deal, or of the last one; 0 before any.
        totals: whether the totals are of a match that goes on, or of the last one.
    """

    preset: str
    changes: dict[str, object]
    seats: tuple[SummarySeat, ...]
    deal: int
    totals: bool
    watching: Watching
    clock: int
    hints: bool
    rated: bool = False
    evening: str = ""
    open_seats: OpenSeats = OpenSeats.FREE


def read_summary(listing: Listing) -> Summary:
    """The summary of a line. Raises `msgspec.ValidationError`."""
    return msgspec.json.decode(listing.summary, type=Summary)


def seats_to_take(listing: Listing, summary: Summary, invited: bool = False) -> int:
    """How many seats are there for whoever comes.

    Args:
        invited: whether they have come by the host's invitation.
    """
    invited = invited or listing.access in (Access.LINK, Access.PASSWORD)
    if summary.open_seats is OpenSeats.INVITED and not invited:
        return 0
    bots_too = invited or summary.open_seats is OpenSeats.ALL
    return sum(not seat.person and (bots_too or not seat.level) for seat in summary.seats)


def listing_of(table: str, state: TableState, password: str) -> Listing:
    """The line of a table in the lobby, as it is now."""
    setup, match = state.setup, state.match
    preset, changes = described(setup.rules)
    totals = match.totals if match is not None else (0,) * len(state.seats)
    seats = tuple(
        SummarySeat(seat.name, bool(seat.person), seat.level, total)
        for seat, total in zip(state.seats, totals, strict=True)
    )
    deal = match.deal.number if match is not None and match.deal is not None else 0
    summary = Summary(
        preset,
        dict(changes),
        seats,
        deal,
        match is not None,
        setup.watching,
        setup.clock,
        setup.hints,
        setup.rated,
        setup.evening,
        setup.open_seats,
    )
    return Listing(
        table,
        setup.name,
        state.host,
        setup.access.value,
        _word(state),
        msgspec.json.encode(summary),
        password,
        time.time(),
    )


def _word(state: TableState) -> str:
    if state.closed:
        return "closed"
    if not state.under_way:
        return "waiting"
    return "paused" if state.paused else "playing"


def row_after(
    row: MatchRow | None,
    table: str,
    happenings: Sequence[Happening],
    state: TableState,
    house: Callable[[], House],
) -> MatchRow | None:
    """The row of the present match after those happenings; `house` is who deals in a new one.

    Args:
        row: as it was before them.
        state: the table after them.
    """
    if any(isinstance(each, game.MatchStarted) for each in happenings):
        people = tuple(seat.person for seat in state.seats)
        key = secrets.token_hex(10)
        row = MatchRow(
            *(key, table, state.match_began, house().master, time.time(), people),
            began=people,
            rated=state.setup.rated,
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


MOST_CAUSES: Final = 200
"""Answers that are remembered for a person: later than that, nobody asks again."""


MOST_PERSONS: Final = 100
"""People whose answers are remembered at a table."""


AT_A_TIME: Final = 500
"""Entries that are read before others have their turn."""


class Reply(msgspec.Struct, frozen=True):
    """What became of a command.

    Attributes:
        number: of the last happening at the table, when it had been done or refused.
        refusal: why it was not done; None where it was.
    """

    number: int
    refusal: Refusal | None = None


class Causes:
    """The answers given, by person and message, so that nothing is done twice."""

    def __init__(self) -> None:
        self._replies: OrderedDict[str, OrderedDict[str, Reply]] = OrderedDict()

    def get(self, cause: str) -> Reply | None:
        """The answer that this cause has had."""
        return self._replies.get(_person(cause), OrderedDict()).get(cause)

    def put(self, cause: str, reply: Reply) -> None:
        """Remembers an answer; nothing for no cause."""
        if not cause:
            return
        replies = self._replies.setdefault(_person(cause), OrderedDict())
        self._replies.move_to_end(_person(cause))
        replies[cause] = reply
        if len(replies) > MOST_CAUSES:
            replies.popitem(last=False)
        if len(self._replies) > MOST_PERSONS:
            self._replies.popitem(last=False)

    def learn(self, other: Causes) -> None:
        """Takes over what another one remembers."""
        for replies in other._replies.values():
            for cause, reply in replies.items():
                self.put(cause, reply)


def _person(cause: str) -> str:
    return cause.partition(":")[0]


class Kept:
    """All that a live table goes on from.

    Attributes:
        sights: the present match, and the state.
        causes: the answers given.
        row: of the present match, or of the last one.
    """

    def __init__(self) -> None:
        self.sights = Sights()
        self.causes = Causes()
        self.row: MatchRow | None = None

    @property
    def state(self) -> TableState:
        assert self.sights.state is not None
        return self.sights.state

    def take(self, entries: Sequence[Entry]) -> tuple[Happening, ...]:
        """Folds what the store has besides; what one action brought about stays together.

        Raises `msgspec.ValidationError` for what is no happening.
        """
        happenings = [decode_happening(entry.data) for entry in entries]
        self.sights.add(happenings)
        for entry in entries:
            self.causes.put(entry.cause, Reply(entry.version))
        return tuple(happenings)

    def become(self, other: Kept) -> None:
        """Takes over what has been read anew; answers that are not in any log stay."""
        self.sights.become(other.sights)
        self.causes.learn(other.causes)
        self.row = other.row


async def read_table(store: Store, table: str) -> Kept | None:
    """A table from the store; None where there is none. Raises `Unavailable`."""
    entries = await store.read(table)
    if not entries:
        return None
    kept = Kept()
    for first in range(0, len(entries), AT_A_TIME):
        kept.take(entries[first : first + AT_A_TIME])
        await asyncio.sleep(0)
    kept.row = row_of(await store.matches_at(table), kept.state)
    return kept


def row_of(rows: Sequence[MatchRow], state: TableState) -> MatchRow | None:
    """Of the matches of a table, the one that it plays, or played last."""
    return next((row for row in rows if row.first == state.match_began), None)
