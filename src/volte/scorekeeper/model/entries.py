"""What stands on a sheet: what people tell of a deal, acts, and the entries that acts leave.

An entry is its act, checked and made complete. Only where something is taken back or lots are
drawn does it say more than the act. A seat is a place in the order of the names, from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from volte.cards import Card, VolteError
from volte.game.codec import decoded, read_card
from volte.referee import Misdeal
from volte.referee.scores import Purpose, Took
from volte.rules import Draw as Round
from volte.rules import Ruleset

T = TypeVar("T")


class SheetFault(VolteError):
    """Why an act is refused, or a file cannot be used; nothing has changed, nothing is lost."""


# What is told of a deal: the cards taken, or the points, or what stopped it. Nobody tells two
# packs apart: a card is named by its kind, as of the first pack (W11).


class _Told(msgspec.Struct, frozen=True, tag_field="kind"):
    """As data, each has its kind in the field `kind`."""


class Taken(_Told, frozen=True, tag="taken"):
    """A deal by the cards taken.

    `hearts` is what the hearts count that each player has taken: how many they are where each
    counts one (S1), the sum of their ranks where they count those (W5). One may be left out as
    None, who took the rest; where those told are all there are, everybody left out took none. At a
    table with partners a number for each side will do (W10).
    """

    hearts: tuple[int | None, ...]
    queen: int | None = None  # who took her, if there is just one; None also if she is missing
    jack: int | None = None  # who took the jack of diamonds, likewise
    # Who took every trick, where that counts (S4): then all else may be left out, but for nothing
    # else. Of a side that did, the player who took most (W10).
    all_tricks: int | None = None
    missing: tuple[Card, ...] = ()  # cards that count and are missing from the pack (I8)
    others: tuple[Took, ...] = ()  # the other cards that count; queens and jacks of two packs
    trickless: tuple[int, ...] | None = None  # who took no trick, where that counts (W6)
    minus: bool | None = None  # which way the moon counts, where its shooter chooses (W7)


class Counted(_Told, frozen=True, tag="counted"):
    """A deal by the points, those of the jack among them; see `points` for how they are read.

    `points` are those of each player, or of each side. One may be left out as None, who has the
    rest; where those told are all there are, everybody left out has none. Who took the jack or
    another card below zero, and who took no trick, is needed only where the points can be read in
    two ways without. The other fields are those of `Taken`.
    """

    points: tuple[int | None, ...]
    jack: int | None = None
    all_tricks: int | None = None
    missing: tuple[Card, ...] = ()
    others: tuple[Took, ...] = ()
    trickless: tuple[int, ...] | None = None
    minus: bool | None = None


class StoppedDeal(_Told, frozen=True, tag="stopped"):
    """A deal that was stopped: some score the penalty total, the others nothing (I5, I7)."""

    revoked: tuple[int, ...] = ()  # whoever has been shown to have revoked, each once
    mixed: tuple[int, ...] = ()  # whoever had their tricks so mixed that nothing can be shown


class LostDeal(_Told, frozen=True, tag="misdealt"):
    """No deal: the dealer has lost it, and the next player deals (I1)."""

    cause: Misdeal


Told = Taken | Counted | StoppedDeal | LostDeal


def played(
    counts: Sequence[int | None],
    took: Mapping[Card, tuple[int, ...]],
    *,
    by_points: bool = False,
    queen: int | None = None,
    jack: int | None = None,
    all_tricks: int | None = None,
    missing: tuple[Card, ...] = (),
    trickless: tuple[int, ...] | None = None,
    minus: bool | None = None,
) -> Taken | Counted:
    """A deal that was played, from what a reader of some form has found.

    Args:
        counts: of hearts, or of points; then nobody is asked for the queen.
        took: who took the other cards.
    """
    others = tuple(Took(card, seats) for card, seats in sorted(took.items()))
    more = (jack, all_tricks, missing, others, trickless, minus)
    return Counted(tuple(counts), *more) if by_points else Taken(tuple(counts), queen, *more)


# Acts, most of which are entries too


class _Entry(msgspec.Struct, frozen=True, tag_field="entry", tag=True):
    """As data, each has its kind in the field `entry`."""


class _Act(msgspec.Struct, frozen=True):
    """An act whose entry says more than it does."""


class Open(_Entry, frozen=True, tag="Opened"):
    """Opens a sheet: the first entry of each."""

    rules: Ruleset
    names: tuple[str, ...]  # of the players, clockwise, as many as the rules have
    title: str = ""
    stake: str = ""  # what one is worth, as digits, `0.25`; empty where no money is played for
    currency: str = ""  # its name, `EUR`
    pot: int = 0  # stakes that the match before has left (M6)
    date: str = ""  # `2026-11-21`; may be empty
    dealer: int | None = None  # the first, where the same players go on from a match before (D2)


class Amend(_Entry, frozen=True, tag="Amended"):
    """Changes what stands at the head of the sheet; None leaves it as it is."""

    names: tuple[str, ...] | None = None
    title: str | None = None
    stake: str | None = None
    currency: str | None = None
    date: str | None = None


class NameFirstDealer(_Entry, frozen=True, tag="DealerNamed"):
    """Says who dealt, or deals, first."""

    dealer: int


class Enter(_Entry, frozen=True, tag="Entered"):
    """Puts the next line on the sheet; in the entry nothing is left out of it."""

    told: Told


class Correct(_Entry, frozen=True, tag="Corrected"):
    """Says what a line should have been."""

    line: int  # from 1; misdeals have lines too
    told: Told | None  # None where it should not be there at all
    by: str = ""  # who says so, as people write it; may be empty
    why: str = ""


class Undo(_Act, frozen=True):
    """Takes the last entry back; it stays on record."""


class Undone(_Entry, frozen=True):
    """The entry of that number, from 1, has been taken back."""

    number: int


class Seal(_Entry, frozen=True, tag="Sealed"):
    """Publishes a commitment, by which lots can be drawn that nobody could foretell."""

    number: int  # from 1 without a gap
    digest: bytes  # 32 bytes


class Share(_Entry, frozen=True, tag="Shared"):
    """Adds a player's bytes to the chance, at most 64; whoever wants to may."""

    seat: int
    data: bytes


class Draw(_Act, frozen=True):
    """Draws the lots that are due first."""

    rounds: tuple[Round, ...]  # who drew what, round by round
    seal: int = 0  # number of the seal that they are drawn by; 0 for lots drawn with real cards


class Drawn(_Entry, frozen=True):
    """Lots have been drawn; see `Draw`."""

    seal: int
    purpose: Purpose
    line: int  # of the deal whose pot they share; 0 for those of the match and of the dealer
    rounds: tuple[Round, ...]
    order: tuple[int, ...]  # seats from the highest card down; of those for a dealer, the last one


class Unseal(_Entry, frozen=True, tag="Revealed"):
    """Tells the secret behind a seal, once it has been drawn by."""

    number: int
    secret: bytes


class Settle(_Entry, frozen=True, tag="Accepted"):
    """Everybody at the table accepts the settlement; nothing can be corrected any more (I6)."""


class Reopen(_Entry, frozen=True, tag="Reopened"):
    """Takes that back, for whoever must correct something all the same."""

    by: str = ""
    why: str = ""


Both = Open | Amend | NameFirstDealer | Enter | Correct | Seal | Share | Unseal | Settle | Reopen
Act = Both | Undo | Draw
Entry = Both | Undone | Drawn


# How entries are kept, in files and in databases


class Header(msgspec.Struct, frozen=True, tag_field="entry", tag="Header"):
    """What is stored in front of the entries, and never shown."""

    master: bytes  # the 32 bytes of the `House` that draws lots on this sheet
    volte_sheet: int = 1  # the version of what follows


_HEADER: Final[msgspec.json.Decoder[Header]] = msgspec.json.Decoder(Header)
_ENTRY: Final[msgspec.json.Decoder[Entry]] = msgspec.json.Decoder(Entry, dec_hook=read_card)


def decode_header(data: bytes) -> Header:
    """The header that `encode` has written. Raises `SheetFault`."""
    return _lawful(_HEADER, data)


def decode_entry(data: bytes) -> Entry:
    """The entry that `encode` has written. Raises `SheetFault`."""
    return _lawful(_ENTRY, data)


def _lawful(decoder: msgspec.json.Decoder[T], data: bytes) -> T:
    try:
        return decoded(decoder, data)
    except msgspec.ValidationError:
        raise SheetFault("entry_not_lawful") from None
