"""What a host says about a table: its rules, who may come and watch, its clock."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from volte.cards import Fault
from volte.names import LONGEST_NAME, NameFault, clean_name
from volte.rules import PRESETS, Ruleset, described, make_ruleset, nearest

LEVELS: Final = ("beginner", "casual", "strong", "expert")
"""What bots may be asked to play like: `volte.bots.LEVELS`, which tables do not import."""

LEAST_CLOCK: Final = 30
"""Seconds for a choice below which a clock binds nobody who has not agreed to it (WCAG 2.2.1)."""

OTHER: Final = "other"
"""What rules are called that are those of no preset."""

SHORTEST_CLOCK: Final = 5
LONGEST_CLOCK: Final = 3600

LONGEST_GRACE: Final = 600
"""Seconds that a seat can wait for somebody whose connection is lost."""


class Access(StrEnum):
    """Who may come to a table."""

    PUBLIC = "public"  # it stands in the lobby
    LINK = "link"  # whoever has its address
    PASSWORD = "password"  # it stands in the lobby, and whoever knows the word may enter
    PRIVATE = "private"  # nobody but the host and those who have a seat: others find no table


class OpenSeats(StrEnum):
    """Which seats people may take whom the host has not invited."""

    ALL = "all"  # free ones and bots'
    FREE = "free"  # free ones
    INVITED = "invited"  # none


class Watching(StrEnum):
    """What people without a seat see."""

    NOBODY = "nobody"  # nobody may watch
    HIDDEN = "hidden"  # what everybody at the table sees
    AFTERWARDS = "afterwards"  # every card, but a deal late: once its secret has been told


class Talk(StrEnum):
    """What may be said at a table."""

    ALL = "all"  # whatever one likes
    PHRASES = "phrases"  # prepared phrases alone
    NOBODY = "nobody"  # nothing


class Setup(msgspec.Struct, frozen=True):
    """How a table is set up.

    Attributes:
        name: as it stands in the lobby, 1 to 40 signs.
        rules: what is played; they also say how many seats there are.
        access: who may come.
        watching: what those see who do not play.
        clock: seconds for a choice, 5 to 3,600; 0 for no clock.
        hints: whether a person may ask for one.
        talk: what may be said.
        rated: whether its matches count for the ratings; then there are no hints.
        evening: id of the evening to which it belongs: the same deals are played at other tables,
            the house speaks for all seats, and nobody comes in who does not belong there.
        open_seats: which seats people may take whom the host has not invited.
        grace: seconds, 0 to 600, that a seat waits for somebody whose connection is lost, before a
            bot plays there; None for what is usual in the playroom.
    """

    name: str
    rules: Ruleset
    access: Access = Access.PUBLIC
    watching: Watching = Watching.HIDDEN
    clock: int = 0
    hints: bool = True
    talk: Talk = Talk.ALL
    rated: bool = False
    evening: str = ""
    open_seats: OpenSeats = OpenSeats.FREE
    grace: int | None = None


def check_setup(setup: Setup) -> None:
    """Raises `Fault` for a table that cannot be.

    Its rules have judged whether they can be played; but as data they may say what no options do
    (other points, a deck in another order), and then no record could tell the match.
    """
    name = setup.name
    if clean_name(name, reason="bad_table_name") != name:
        raise NameFault("bad_table_name", most=LONGEST_NAME)
    if setup.clock and not SHORTEST_CLOCK <= setup.clock <= LONGEST_CLOCK:
        raise Fault("clock_out_of_range", least=SHORTEST_CLOCK, most=LONGEST_CLOCK)
    if setup.grace is not None and not 0 <= setup.grace <= LONGEST_GRACE:
        raise Fault("grace_out_of_range", most=LONGEST_GRACE)
    if not _has_options(setup.rules):
        raise Fault("rules_without_options")
    if setup.evening:  # only an evening itself opens its tables
        raise Fault("evening_by_hand")
    if setup.rated and setup.hints:
        raise Fault("rated_with_hints")
    if setup.rated and game_of(setup.rules) == OTHER:
        raise Fault("rated_with_own_rules")


def game_of(rules: Ruleset) -> str:
    """The preset whose rules they are, for however many players; `OTHER` where they differ."""
    preset, changes = nearest(rules)
    return OTHER if set(changes) - {"players"} else preset


def _has_options(rules: Ruleset) -> bool:
    """Whether options make just those rules, and the preset they are called after is one."""
    if rules.preset not in ("", *PRESETS):
        return False
    try:
        return make_ruleset(*described(rules)) == rules
    except Fault:
        return False
