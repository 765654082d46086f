"""What the store keeps of a table beside its log: its line in the lobby, and its matches."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from volte import game
from volte.fair import House
from volte.rules import described
from volte.store import Listing, MatchRow
from volte.table import happenings as hap
from volte.table.happenings import Happening
from volte.table.setup import Access, OpenSeats, Watching
from volte.table.state import TableState

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
