"""The setup of a table, chosen by its host: rules, who may come and watch, clock."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

import msgspec

from volte.cards import VolteError
from volte.names import LONGEST_NAME, NameFault, clean_name
from volte.rules import Ruleset, has_options, nearest

LEAST_CLOCK: Final = 30
"""Seconds for a choice below which a clock binds nobody who has not agreed to it (WCAG 2.2.1)."""

OTHER: Final = "other"  # the name for rules that no preset has

SHORTEST_CLOCK: Final = 5
LONGEST_CLOCK: Final = 3600

LONGEST_GRACE: Final = 600  # seconds that a seat can wait for somebody whose connection is lost

LONGEST_AHEAD: Final = 14  # days before its time that a table can be planned
DAY: Final = 86_400.0
END_OF_TIMES: Final = 253_402_300_800.0  # the year 10000, which no calendar can write


class Access(StrEnum):
    """Access to a table: the people who may come there."""

    PUBLIC = "public"  # it is listed in the lobby
    LINK = "link"  # everybody with its address may come
    PASSWORD = "password"  # it is listed, and people who know the password may come
    PRIVATE = "private"  # only the host and people with a seat may come; others find no table


class OpenSeats(StrEnum):
    """Seats that are open to people whom the host has not invited."""

    ALL = "all"  # free seats and bots' seats
    FREE = "free"  # free seats
    INVITED = "invited"  # no seats


class Watching(StrEnum):
    """The view of people without a seat."""

    NOBODY = "nobody"  # nobody may watch
    HIDDEN = "hidden"  # the cards that everybody at the table sees
    AFTERWARDS = "afterwards"  # every card, but a deal late: once its secret is revealed


class Talk(StrEnum):
    """The talk that is allowed at a table."""

    ALL = "all"  # free text and prepared phrases
    PHRASES = "phrases"  # prepared phrases alone
    NOBODY = "nobody"  # nothing


class Setup(msgspec.Struct, frozen=True):
    """Choices of the host for a table: rules, access, clock and the like."""

    name: str  # as it is listed in the lobby, 1 to 40 characters
    rules: Ruleset  # they also give the number of seats
    access: Access = Access.PUBLIC
    watching: Watching = Watching.HIDDEN
    clock: int = 0  # seconds for a choice, 5 to 3,600; 0 for no clock
    hints: bool = True  # whether people may ask for hints
    talk: Talk = Talk.ALL
    rated: bool = False  # whether its matches count for the ratings; then there are no hints
    evening: str = ""
    """Id of the evening to which the table belongs: other tables play the same deals, the house
    adds the bytes of all seats, and only people who belong to the table come in."""
    board: str = ""
    """Id of the board whose cards the table plays: one person meets the same bots as everybody who
    has the board, takes nothing back and gets no hints."""
    open_seats: OpenSeats = OpenSeats.FREE
    grace: int | None = None
    """Seconds, 0 to 600, from a lost connection until a bot plays; None: the playroom's own."""
    meeting: bool = False
    """Whether the table was opened by "Play with people": whoever comes takes a free seat or a
    bot's, and nobody is asked."""
    planned: float | None = None
    """Time for which the table is planned, in seconds since 1970; None for a table of now."""


def check_setup(setup: Setup) -> None:
    """Raises `VolteError` for a setup that is not allowed.

    A `Ruleset` checks whether it can be played; but as data it may have values that no options make
    (other points, a deck in another order), and then no record could hold the match.
    """
    name = setup.name
    if clean_name(name, reason="bad_table_name") != name:
        raise NameFault("bad_table_name", most=LONGEST_NAME)
    if setup.clock and not SHORTEST_CLOCK <= setup.clock <= LONGEST_CLOCK:
        raise VolteError("clock_out_of_range", least=SHORTEST_CLOCK, most=LONGEST_CLOCK).at("clock")
    if setup.grace is not None and not 0 <= setup.grace <= LONGEST_GRACE:
        raise VolteError("grace_out_of_range", most=LONGEST_GRACE).at("grace")
    if setup.rules.name and clean_name(setup.rules.name) != setup.rules.name:
        raise NameFault("bad_name", most=LONGEST_NAME).at("rules")
    if not has_options(setup.rules):
        raise VolteError("rules_without_options").at("rules")
    if setup.evening:  # only an evening itself opens its tables
        raise VolteError("evening_by_hand").at("evening")
    if setup.board:  # only the board's page opens its tables
        raise VolteError("board_by_hand").at("board")
    if setup.planned is not None and not 0 <= setup.planned < END_OF_TIMES:
        raise VolteError("planned_out_of_range", most=LONGEST_AHEAD).at("planned")
    plain = setup.access is Access.PUBLIC and not setup.rated and setup.planned is None
    if setup.meeting and not plain:
        raise VolteError("meeting_not_plain").at("meeting")
    if setup.rated and setup.hints:
        raise VolteError("rated_with_hints").at("rated")
    if setup.rated and game_of(setup.rules) == OTHER:
        raise VolteError("rated_with_own_rules").at("rated")


def check_planned(setup: Setup, now: float) -> None:
    """Raise `VolteError` for a table planned for a time that is past, or too far ahead.

    Args:
        now: in seconds since 1970.
    """
    planned = setup.planned
    if planned is not None and not now <= planned <= now + LONGEST_AHEAD * DAY:
        raise VolteError("planned_out_of_range", most=LONGEST_AHEAD).at("planned")


class SeatRules(Protocol):
    """The part of a setup, or of a line in the lobby, that says whose a bot's seat is."""

    @property
    def meeting(self) -> bool: ...

    @property
    def open_seats(self) -> OpenSeats: ...


def bots_make_room(table: SeatRules) -> bool:
    """Whether bots' seats are for anybody, once no hands are out, and the host is not asked."""
    return table.meeting or table.open_seats is OpenSeats.ALL


def game_of(rules: Ruleset) -> str:
    """The preset with these rules, for any number of players; `OTHER` where there is none."""
    preset, changes = nearest(rules)
    return OTHER if set(changes) - {"players"} else preset
