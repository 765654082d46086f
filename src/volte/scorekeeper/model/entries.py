"""The data of a sheet: reports of deals, acts, and the entries that acts become.

An entry is its act, checked and made complete; only `Undone` and `Drawn` say more than the act.
A seat is a place in the order of the names, from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from volte.cards import Card, VolteError
from volte.game.codec import decoded, read_card
from volte.referee import Misdeal
from volte.rules import Draw as Round
from volte.rules import Ruleset
from volte.sheet import Purpose, Took

T = TypeVar("T")


class SheetFault(VolteError):
    """An act was refused, or a file cannot be used; nothing has changed, nothing is lost."""


# Reports of a deal: the cards taken, or the points, or what stopped it. The two packs are not
# told apart: a card is always named as one of the first pack (W11).


class _DealReport(msgspec.Struct, frozen=True, tag_field="kind"):
    """Base of the reports of a deal; as data, each has its kind in the field `kind`."""


class Taken(_DealReport, frozen=True, tag="taken"):
    """A deal by the cards taken.

    `hearts` is the count of each player's hearts: their number where each counts one (S1), the
    sum of their ranks where they count those (W5). One player may be left out as None and took
    the rest; if the numbers given are the whole sum, everybody left out took none. At a table
    with partners a number for each side will do (W10).
    """

    hearts: tuple[int | None, ...]
    queen: int | None = None  # seat that took her, if there is one queen; None if she is missing
    jack: int | None = None  # seat that took the jack of diamonds, likewise
    # Seat with every trick, where that counts (S4); then the rest may be left out. If a side took
    # them all, the partner who took most (W10).
    all_tricks: int | None = None
    missing: tuple[Card, ...] = ()  # cards that count and are missing from the pack (I8)
    others: tuple[Took, ...] = ()  # takers of other cards; of queens and jacks with two packs
    trickless: tuple[int, ...] | None = None  # seats without a trick, where that counts (W6)
    minus: bool | None = None  # whether the moon is taken off, where its shooter chooses (W7)


class Counted(_DealReport, frozen=True, tag="counted"):
    """A deal by the points, those of the jack included; the module `points` reads them.

    `points` has a number for each player, or each side. One may be left out as None and has the
    rest; if the numbers given are the whole sum, everybody left out has none. The takers of the
    jack and other cards below zero, and the seats without a trick, are needed only where the
    points can be read in two ways. The other fields are those of `Taken`.
    """

    points: tuple[int | None, ...]
    jack: int | None = None
    all_tricks: int | None = None
    missing: tuple[Card, ...] = ()
    others: tuple[Took, ...] = ()
    trickless: tuple[int, ...] | None = None
    minus: bool | None = None


class StoppedDeal(_DealReport, frozen=True, tag="stopped"):
    """A deal that was stopped: offenders score the penalty total, the others nothing (I5, I7)."""

    revoked: tuple[int, ...] = ()  # seats shown to have revoked, each once
    mixed: tuple[int, ...] = ()  # seats whose tricks are so mixed that nothing can be shown


class LostDeal(_DealReport, frozen=True, tag="misdealt"):
    """A misdeal: the dealer loses the deal, and the next player deals (I1)."""

    cause: Misdeal


DealReport = Taken | Counted | StoppedDeal | LostDeal


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
    """The report of a deal that was played, from the parts found by a reader of lines or forms.

    Args:
        counts: of hearts; with `by_points` of points, and then `queen` is not used.
        took: takers of the other cards.
    """
    others = tuple(Took(card, seats) for card, seats in sorted(took.items()))
    more = (jack, all_tricks, missing, others, trickless, minus)
    return Counted(tuple(counts), *more) if by_points else Taken(tuple(counts), queen, *more)


# Acts; most of them are entries too


class _Entry(msgspec.Struct, frozen=True, tag_field="entry", tag=True):
    """Base of the entries; as data, each has its kind in the field `entry`."""


class _Act(msgspec.Struct, frozen=True):
    """Base of the acts that are no entries: their entries say more."""


class Open(_Entry, frozen=True, tag="Opened"):
    """Opens a sheet; always its first entry."""

    rules: Ruleset
    names: tuple[str, ...]  # of the players, clockwise, as many as the rules have
    title: str = ""
    stake: str = ""  # worth of one stake, in digits, `0.25`; empty where no money is played for
    currency: str = ""  # name of the currency, `EUR`
    pot: int = 0  # stakes left by the match before (M6)
    date: str = ""  # `2026-11-21`; may be empty
    dealer: int | None = None  # first dealer, if the same players go on from another match (D2)


class Amend(_Entry, frozen=True, tag="Amended"):
    """Changes the head of the sheet; None leaves a field as it is."""

    names: tuple[str, ...] | None = None
    title: str | None = None
    stake: str | None = None
    currency: str | None = None
    date: str | None = None


class NameFirstDealer(_Entry, frozen=True, tag="DealerNamed"):
    """Names the first dealer."""

    dealer: int


class Enter(_Entry, frozen=True, tag="Entered"):
    """Puts the next line on the sheet; in the entry its report is complete."""

    report: DealReport = msgspec.field(name="told")


class Correct(_Entry, frozen=True, tag="Corrected"):
    """Replaces the report of a line, or strikes the line out."""

    line: int  # from 1; misdeals have lines too
    report: DealReport | None = msgspec.field(name="told")  # None to strike the line out
    by: str = ""  # name of the person who corrects it, as written; may be empty
    why: str = ""


class Undo(_Act, frozen=True):
    """Takes the last entry back; that entry stays on record."""


class Undone(_Entry, frozen=True):
    """An entry has been taken back."""

    number: int  # of that entry, from 1


class Seal(_Entry, frozen=True, tag="Sealed"):
    """Publishes a commitment to a secret, so that nobody can foretell or fix the lots."""

    number: int  # from 1 without a gap
    digest: bytes  # 32 bytes


class Share(_Entry, frozen=True, tag="Shared"):
    """Adds a player's bytes to the chance, at most 64; nobody has to."""

    seat: int
    data: bytes


class Draw(_Act, frozen=True):
    """Draws the lots that are due first."""

    rounds: tuple[Round, ...]  # cards drawn, by seat, round by round
    seal: int = 0  # number of the seal used; 0 for lots drawn with real cards


class Drawn(_Entry, frozen=True):
    """Lots have been drawn; see `Draw`."""

    seal: int
    purpose: Purpose
    line: int  # of the deal whose pot is shared; 0 for lots of the match or for the dealer
    rounds: tuple[Round, ...]
    order: tuple[int, ...]  # seats from the highest card down; in lots for a dealer the last deals


class Unseal(_Entry, frozen=True, tag="Revealed"):
    """Reveals the secret behind a seal, once lots have been drawn by it."""

    number: int
    secret: bytes


class Settle(_Entry, frozen=True, tag="Accepted"):
    """Everybody at the table accepts the settlement; nothing can be corrected any more (I6)."""


class Reopen(_Entry, frozen=True, tag="Reopened"):
    """Takes the acceptance back, so that the sheet can be corrected after all."""

    by: str = ""
    why: str = ""


Both = Open | Amend | NameFirstDealer | Enter | Correct | Seal | Share | Unseal | Settle | Reopen
Act = Both | Undo | Draw
Entry = Both | Undone | Drawn


# Entries as bytes, in files and in databases


class Header(msgspec.Struct, frozen=True, tag_field="entry", tag="Header"):
    """The secret and version stored in front of the entries; never shown."""

    master: bytes  # the 32 bytes of the `House` that draws lots on this sheet
    volte_sheet: int = 1  # version of the format of the entries


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
