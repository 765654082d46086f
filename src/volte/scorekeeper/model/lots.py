"""Lots for the first dealer and for stakes, drawn so that everybody can check them (D1, M2, M5).

The house seals a secret, whoever wants to adds bytes, lots are drawn from both, and the secret is
told at once: nothing else hangs on it. Each draw has a seal of its own, in one chain.
"""

from __future__ import annotations

import msgspec

from volte.fair import Verdict, verify_deal
from volte.referee.scores import LotsDue, Purpose
from volte.rules import LOTS, Wanted
from volte.scorekeeper.model.sheet import SealState, Sheet


class LotsProof(msgspec.Struct, frozen=True):
    """Whether the lots drawn by one seal are proved."""

    number: int  # of the seal
    verdict: Verdict | None  # None where nothing has been drawn by it yet
    purpose: Purpose | None  # what was drawn by it
    line: int  # see `Drawn`


def lots_due(sheet: Sheet) -> tuple[LotsDue, ...]:
    """The lots to be drawn: for the first dealer, until a deal is entered, and for stakes."""
    seats = tuple(range(len(sheet.names)))
    begun = any(line.told is not None for line in sheet.lines)
    if sheet.first_dealer is None and not begun:
        return (LotsDue(Purpose.DEALER, 0, seats, Wanted.LOWEST),)
    return sheet.table.due


def open_seal(sheet: Sheet) -> SealState | None:
    """The seal that the next lots are drawn by."""
    last = sheet.seals[-1] if sheet.seals else None
    return last if last is not None and last.drawn is None else None


def prove(sheet: Sheet) -> tuple[LotsProof, ...]:
    """Whether the lots of each seal are proved, in the order of the seals."""
    return tuple(
        LotsProof(seal.number, proved(sheet, seal, seal.secret or None), drawn.purpose, drawn.line)
        if (drawn := seal.drawn) is not None
        else LotsProof(seal.number, None, None, 0)
        for seal in sheet.seals
    )


def proved(sheet: Sheet, seal: SealState, secret: bytes | None) -> Verdict:
    """Whether that secret was sealed, and gives the lots that were drawn."""
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
    """The digest of the seal before that one; empty for the first."""
    return sheet.seals[number - 2].digest if number > 1 else b""


def given_to(seal: SealState) -> dict[int, bytes]:
    """The bytes that players have added, by seat."""
    return {seat: data for seat, data in enumerate(seal.shares) if data is not None}
