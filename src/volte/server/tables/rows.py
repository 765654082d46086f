"""Tables in words, for lists of tables and for their entrances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import time
from typing import Final, cast

import msgspec

from volte.cards import VolteError
from volte.evenings.disclosure import Outline
from volte.forms.settings import own_name
from volte.names import isolated
from volte.rules import make_ruleset
from volte.rules.options import Value
from volte.say import N_, Words
from volte.say.measures import planned_told
from volte.say.rulesheet.options import preset_title, rules_phrase
from volte.table.setup import Access
from volte.table.stored import SummarySeat, TableSummary, WayIn

STATES: Final = {
    "waiting": N_("waiting for players"),
    "playing": N_("playing"),
    "paused": N_("paused"),
}
"""States of a listed table, in words; a closed table is not listed."""


class Way(msgspec.Struct, frozen=True):
    """A link from the row of a table: to the table, with what is to be done there."""

    kind: str  # a `WayIn`, `password`, `remind`, or `go_on` for the person's own table
    ending: str  # of the address, after that of the table: `?sit`
    name: str
    label: str  # the name with that of the table, for ears


class LobbyRow(msgspec.Struct, frozen=True):
    """A table, in words; only its name and a way in for people who may know no more."""

    id: str
    name: str
    password: bool  # whether it has one
    rules: str
    players: str
    state: str
    rated: bool = False
    pace: str = ""
    ways: tuple[Way, ...] = ()
    languages: tuple[tuple[str, str], ...] = ()  # code and own name of each that people there read
    waits: bool = False  # whether no match goes on
    planned: float | None = None  # time for which it is planned, in seconds since 1970
    when: str = ""  # that time, in words

    @property
    def seats(self) -> bool:
        """Whether a newcomer may have a seat there, as far as one can know."""
        return not _TO_A_SEAT.isdisjoint(way.kind for way in self.ways)

    @property
    def watched(self) -> bool:
        """Whether a newcomer may watch there."""
        return any(way.kind == WayIn.WATCH for way in self.ways)


def row_of(
    words: Words,
    outline: Outline,
    own: bool = False,
    invited: bool = False,
    languages: Sequence[str] = (),
) -> LobbyRow:
    """A table in words; the people there only where there is anything to do.

    Args:
        own: whether the person is its host or has a seat there.
        languages: codes of those that people there read.
    """
    listing, summary = outline.listing, outline.summary
    locked = listing.access == Access.PASSWORD
    if summary is None:
        ways = _ways(words, listing.name, ("password",) if outline.needs_password else (), "")
        return LobbyRow(listing.table, listing.name, locked, "", "", "", ways=ways)
    over = listing.state == "waiting" and summary.totals
    state = words.t(N_("the match is over") if over else STATES[listing.state])
    if summary.totals and summary.deal and listing.state != "waiting":
        state += ", " + words.t("deal {number}", number=summary.deal)
    planned = listing.planned
    kinds: tuple[str, ...] = ("go_on",) if own else outline.ways(invited)
    shown = bool(kinds)  # else people have all seats, or it looks so: nobody is named
    if planned is not None:
        kinds += ("remind",)
    bot = next((seat.name for seat in summary.seats if seat.level and not seat.asked), "")
    return LobbyRow(
        listing.table,
        listing.name,
        locked,
        rules_in_line(words, summary),
        _players(words, summary, outline.full and not invited) if shown else "",
        state,
        summary.rated,
        pace_told(words, summary.clock),
        _ways(words, listing.name, kinds, bot),
        tuple((lang, own_name(lang)) for lang in languages) if shown else (),
        listing.state == "waiting",
        planned,
        planned_told(words, planned, time()) if planned is not None else "",
    )


_TO_A_SEAT: Final = frozenset((WayIn.SEAT, WayIn.BOT, WayIn.ASK, "password"))

_ENDINGS: Final[Mapping[str, str]] = dict.fromkeys(_TO_A_SEAT, "?sit") | {
    WayIn.WATCH: "?watch",
    "remind": "/remind",
}


def _ways(words: Words, table: str, kinds: Sequence[str], bot: str) -> tuple[Way, ...]:
    """The links of a row; `bot` is the name of the one whose seat can be taken."""
    names = {
        WayIn.SEAT: words.t("Take a seat"),
        WayIn.BOT: words.t("Take {bot}’s seat", bot=bot),
        WayIn.ASK: words.t("Ask for {bot}’s seat", bot=bot),
        WayIn.WATCH: words.t("Watch"),
        "password": words.t("Enter the password"),
        "remind": words.t("Remind me"),
        "go_on": words.t("Go on"),
    }
    return tuple(
        Way(
            kind,
            _ENDINGS.get(kind, ""),
            names[kind],
            words.t("{link}: {table}", link=names[kind], table=table),
        )
        for kind in kinds
    )


def rules_told(words: Words, summary: TableSummary) -> str:
    """Name the game of a table in a few words."""
    title = preset_title(words, summary.preset)
    changed = set(summary.changes) - {"players"}
    return words.t("{rules}, with changes", rules=title) if changed else title


def rules_in_line(words: Words, summary: TableSummary) -> str:
    """The game of a table in a line: title, number of players, end of the match."""
    try:
        changes = cast("dict[str, Value]", summary.changes)
        return rules_phrase(words, make_ruleset(summary.preset, changes))
    except VolteError:  # an option of another version
        return rules_told(words, summary)


def pace_told(words: Words, clock: int) -> str:
    """The seconds for a choice at a table, in words; 0 for no clock."""
    if not clock:
        return words.t("no clock")
    return words.n("{count} second per turn", "{count} seconds per turn", clock)


def _players(words: Words, summary: TableSummary, full: bool) -> str:
    """The players, with their totals once there are any, and the number of free seats."""
    scored = summary.totals and any(seat.total for seat in summary.seats)
    names = ", ".join(_player(words, seat, scored) for seat in summary.seats if seat.name)
    free = sum(not seat.name for seat in summary.seats)
    if full or not free:
        return names
    waiting = words.t("Free seats: {count}", count=free)
    return f"{names}. {waiting}" if names else waiting


def _player(words: Words, seat: SummarySeat, totals: bool) -> str:
    name = isolated(seat.name) if seat.person else words.t("{name} (bot)", name=seat.name)
    if not totals:
        return name
    return words.t("{name}: {points}", name=name, points=words.points(seat.total))
