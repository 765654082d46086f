"""Lots for the first dealer and for stakes, drawn so that everybody can check them (D1, M2, M5).

The house seals a secret, players may add bytes, lots are drawn from both, and the secret is
revealed at once, for nothing else depends on it. Each draw has its own seal, and each seal links to
the one before.
"""

from __future__ import annotations

import msgspec

from volte.fair import Verdict, verify_deal
from volte.rules import LOTS, Wanted
from volte.scorekeeper.model.entries import Seal, Share, Undone
from volte.scorekeeper.model.sheet import SealState, Sheet, fold
from volte.sheet import LotsDue, Purpose


class LotsProof(msgspec.Struct, frozen=True):
    """The verdict on the lots drawn by one seal."""

    number: int  # of the seal
    verdict: Verdict | None  # None until lots are drawn by it
    purpose: Purpose | None  # of the lots; None until they are drawn
    line: int  # as in `Drawn`


def lots_due(sheet: Sheet) -> tuple[LotsDue, ...]:
    """The lots to be drawn: for the first dealer before the first deal, else for stakes."""
    seats = tuple(range(len(sheet.names)))
    begun = any(line.report is not None for line in sheet.lines)
    if sheet.first_dealer is None and not begun:
        return (LotsDue(Purpose.DEALER, 0, seats, Wanted.LOWEST),)
    return sheet.table.due


def open_seal(sheet: Sheet) -> SealState | None:
    """The seal for the next lots; None where none is waiting."""
    last = sheet.seals[-1] if sheet.seals else None
    return last if last is not None and last.drawn is None else None


def without_open_seal(sheet: Sheet) -> Sheet:
    """The sheet without the seal that waits and the bytes added to it, so that another house can
    draw its lots."""
    seals = [place for place, each in enumerate(sheet.entries, 1) if isinstance(each, Seal)]
    gone = [
        place
        for place, each in enumerate(sheet.entries, 1)
        if place == seals[-1] or (place > seals[-1] and isinstance(each, Share))
    ]
    return fold(
        Undone(each.number - sum(place < each.number for place in gone))
        if isinstance(each, Undone)
        else each
        for place, each in enumerate(sheet.entries, 1)
        if place not in gone
    )


def prove(sheet: Sheet) -> tuple[LotsProof, ...]:
    """The verdict on the lots of each seal, in the order of the seals."""
    return tuple(
        LotsProof(seal.number, proved(sheet, seal, seal.secret or None), drawn.purpose, drawn.line)
        if (drawn := seal.drawn) is not None
        else LotsProof(seal.number, None, None, 0)
        for seal in sheet.seals
    )


def proved(sheet: Sheet, seal: SealState, secret: bytes | None) -> Verdict:
    """Verdict whether the secret is the sealed one, and gives the lots that were drawn."""
    number, rounds = seal.number, seal.drawn.rounds if seal.drawn is not None else ()
    return verify_deal(
        number,
        seal.digest,
        secret=secret,
        contributions=given_to(seal),
        house_seats=(),
        hands=[()] * len(sheet.names),
        lots=[(len(LOTS), [LOTS.index(card) for _, card in drawn]) for drawn in rounds],
        previous=(number - 1, digest_before(sheet, number)),
    )


def digest_before(sheet: Sheet, number: int) -> bytes:
    """The digest of the seal before `number`; empty for the first."""
    return sheet.seals[number - 2].digest if number > 1 else b""


def given_to(seal: SealState) -> dict[int, bytes]:
    """The bytes that players have added, by seat."""
    return {seat: data for seat, data in enumerate(seal.shares) if data is not None}
