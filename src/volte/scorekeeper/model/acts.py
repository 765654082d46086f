"""What can be done with a sheet. A seat is a place in the order of the names, from 0."""

from __future__ import annotations

import msgspec

from volte.rules import Draw as Round
from volte.rules import Ruleset
from volte.scorekeeper.model.told import Told


class _Act(msgspec.Struct, frozen=True, tag_field="act", tag=True):
    """What all acts have in common: as data, each tells its kind in the field `act`."""


class Open(_Act, frozen=True):
    """Opens a sheet.

    Attributes:
        names: of the players, clockwise, as many as the rules have.
        title: what the sheet is called; may be empty.
        stake: what one stake is worth, in digits with a point or a comma, `0.25`; empty where
            no money is played for.
        currency: its name, `EUR`.
        pot: stakes that the match before has left (M6).
        date: the day, `2026-11-21`; may be empty.
        dealer: who deals first, where the same players go on from a match before (D2).
    """

    rules: Ruleset
    names: tuple[str, ...]
    title: str = ""
    stake: str = ""
    currency: str = ""
    pot: int = 0
    date: str = ""
    dealer: int | None = None


class Amend(_Act, frozen=True):
    """Changes what stands at the head of the sheet; None leaves it as it is."""

    names: tuple[str, ...] | None = None
    title: str | None = None
    stake: str | None = None
    currency: str | None = None
    date: str | None = None


class NameDealer(_Act, frozen=True):
    """Says who dealt, or deals, first."""

    dealer: int


class Enter(_Act, frozen=True):
    """Puts the next line on the sheet."""

    told: Told


class Correct(_Act, frozen=True):
    """Says what a line should have been.

    Attributes:
        line: from 1; misdeals have lines too.
        told: None where it should not be there at all.
        by: who says so, as people write it; may be empty.
        why: likewise.
    """

    line: int
    told: Told | None
    by: str = ""
    why: str = ""


class Undo(_Act, frozen=True):
    """Takes the last entry back; it stays on record."""


class Seal(_Act, frozen=True):
    """Publishes a commitment, by which lots can be drawn that nobody could foretell.

    Attributes:
        number: from 1 without a gap.
        digest: 32 bytes.
    """

    number: int
    digest: bytes


class Share(_Act, frozen=True):
    """Adds a player's bytes to the chance, at most 64; whoever wants to may."""

    seat: int
    data: bytes


class Draw(_Act, frozen=True):
    """The lots that are due first.

    Attributes:
        rounds: who drew what, round by round.
        seal: number of the seal that they are drawn by; 0 for lots drawn with real cards.
    """

    rounds: tuple[Round, ...]
    seal: int = 0


class Reveal(_Act, frozen=True):
    """Tells the secret behind a seal, once it has been drawn by."""

    number: int
    secret: bytes


class Accept(_Act, frozen=True):
    """Everybody at the table accepts the settlement; nothing can be corrected any more (I6)."""


class Reopen(_Act, frozen=True):
    """Takes that back, for whoever must correct something all the same."""

    by: str = ""
    why: str = ""


Act = (
    Open
    | Amend
    | NameDealer
    | Enter
    | Correct
    | Undo
    | Seal
    | Share
    | Draw
    | Reveal
    | Accept
    | Reopen
)
