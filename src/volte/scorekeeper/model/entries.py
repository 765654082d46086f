"""What stands on a sheet: it is a sequence of these, and nothing else is the truth."""

from __future__ import annotations

import msgspec

from volte.referee.scores import Purpose
from volte.rules import Draw as Round
from volte.rules import Ruleset
from volte.scorekeeper.model.told import Told


class _Entry(msgspec.Struct, frozen=True, tag_field="entry", tag=True):
    """What all entries have in common: as data, each tells its kind in the field `entry`."""


class Opened(_Entry, frozen=True):
    """The first entry of every sheet; see `acts.Open`."""

    rules: Ruleset
    names: tuple[str, ...]
    title: str = ""
    stake: str = ""
    currency: str = ""
    pot: int = 0
    date: str = ""
    dealer: int | None = None


class Amended(_Entry, frozen=True):
    """See `acts.Amend`."""

    names: tuple[str, ...] | None = None
    title: str | None = None
    stake: str | None = None
    currency: str | None = None
    date: str | None = None


class DealerNamed(_Entry, frozen=True):
    """See `acts.NameDealer`."""

    dealer: int


class Entered(_Entry, frozen=True):
    """A new line; what was told is complete now, nothing left out."""

    told: Told


class Corrected(_Entry, frozen=True):
    """What a line should have been; see `acts.Correct`."""

    line: int
    told: Told | None
    by: str = ""
    why: str = ""


class Undone(_Entry, frozen=True):
    """The entry of that number, from 1, has been taken back."""

    number: int


class Sealed(_Entry, frozen=True):
    """See `acts.Seal`."""

    number: int
    digest: bytes


class Shared(_Entry, frozen=True):
    """See `acts.Share`."""

    seat: int
    data: bytes


class Drawn(_Entry, frozen=True):
    """Lots have been drawn.

    Attributes:
        seal: number of the seal that they were drawn by, 0 for lots drawn with real cards.
        line: of the deal whose pot they share; 0 for those of the match and of the dealer.
        rounds: who drew what.
        order: the seats from the highest card down; of lots for the dealer, the last one deals.
    """

    seal: int
    purpose: Purpose
    line: int
    rounds: tuple[Round, ...]
    order: tuple[int, ...]


class Revealed(_Entry, frozen=True):
    """See `acts.Reveal`."""

    number: int
    secret: bytes


class Accepted(_Entry, frozen=True):
    """See `acts.Accept`."""


class Reopened(_Entry, frozen=True):
    """See `acts.Reopen`."""

    by: str = ""
    why: str = ""


Entry = (
    Opened
    | Amended
    | DealerNamed
    | Entered
    | Corrected
    | Undone
    | Sealed
    | Shared
    | Drawn
    | Revealed
    | Accepted
    | Reopened
)
