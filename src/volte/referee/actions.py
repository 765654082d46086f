"""Actions at a refereed table besides passing and playing (I1–I9)."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from volte import game
from volte.cards import Card
from volte.game.actions import Seat


class _Action(msgspec.Struct, frozen=True, tag_field="action", tag=True):
    """Base of these actions, as in `game.actions`: `action` names the kind in data."""


# Acts of a seat


class TakeBack(_Action, frozen=True):
    """Puts one's own revoke right, until the trick is turned down (I4)."""

    seat: Seat


class Object(_Action, frozen=True):
    """Asks that a card on the table go back to its hand (I2, I3)."""

    seat: Seat
    against: Seat  # the seat whose card it is


class TurnDown(_Action, frozen=True):
    """Gathers the full trick that one has won (I4)."""

    seat: Seat


class ClaimRevoke(_Action, frozen=True):
    """Claims that a seat has revoked in a trick that is turned down (I5, I6, I9)."""

    seat: Seat
    against: Seat  # the seat claimed to have revoked; one's own, to announce one's own revoke
    trick: int  # number of the trick, from 1


class Cut(_Action, frozen=True):
    """Cuts for the next deal: after that no revoke in this deal can be claimed (I6)."""

    seat: Seat


class Accept(_Action, frozen=True):
    """Accepts the score sheet after the last deal, and its settlement (I4, I6)."""

    seat: Seat


# Declarations of the house about real cards


class Misdeal(StrEnum):
    """Cause of a misdeal (I1)."""

    EXPOSED = "exposed"  # the dealer has shown a card
    COUNT = "count"  # too many cards for one seat, too few for another


class DeclareMisdeal(_Action, frozen=True):
    """The dealer loses the deal, before a card is played (I1)."""

    why: Misdeal


class DealByHand(_Action, frozen=True):
    """Deals real cards; some may be missing from the pack (I8)."""

    hands: tuple[tuple[Card, ...], ...]  # per seat; some may be short
    kitty: tuple[Card, ...] = ()  # the cards left over (D5)


class MixTricks(_Action, frozen=True):
    """Declares that a seat has mixed its tricks, two or more, so that they prove no revoke (I7)."""

    seat: Seat


RefereedSeatAction = TakeBack | Object | TurnDown | ClaimRevoke | Cut | Accept
RefereedHouseAction = DeclareMisdeal | DealByHand | MixTricks
SeatAction = game.SeatAction | RefereedSeatAction
HouseAction = game.HouseAction | RefereedHouseAction
Action = SeatAction | HouseAction
