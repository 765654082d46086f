"""Actions at a table: those of a seat, and those of the house, which deals, draws and proves."""

from __future__ import annotations

from typing import Annotated

import msgspec

from volte.cards import Card
from volte.rules import Draw

Seat = Annotated[int, msgspec.Meta(ge=0, lt=10)]
"""Seat number in an action that is read from data; the decoder refuses any other number."""


class _Action(msgspec.Struct, frozen=True, tag_field="action", tag=True):
    """Base of all actions; as data, each names its kind in the field `action`."""


# Acts of a seat


class Pass(_Action, frozen=True, gc=False):
    """Gives cards to be exchanged (P1).

    Their order counts in a scatter alone: the first card goes to the left, and so on (W1).
    """

    seat: Seat
    cards: tuple[Card, ...]


class TakeBackPass(_Action, frozen=True, gc=False):
    """Takes one's own pass back, until the exchange (C2)."""

    seat: Seat


class Play(_Action, frozen=True, gc=False):
    """Plays a card of one's hand to the trick."""

    seat: Seat
    card: Card


class Claim(_Action, frozen=True, gc=False):
    """Claims that the rest of the deal changes nothing (C1)."""

    seat: Seat


class ChooseMoon(_Action, frozen=True, gc=False):
    """Chooses how one's moon counts (W7): off one's own points, or on those of the others."""

    seat: Seat
    minus: bool


class AskUndo(_Action, frozen=True, gc=False):
    """Asks to take one's last play back (C2)."""

    seat: Seat


class AnswerUndo(_Action, frozen=True, gc=False):
    """Allows or denies another seat's request to take its play back (C2)."""

    seat: Seat
    allow: bool


# Acts of the house


class Commit(_Action, frozen=True):
    """Publishes a commitment to a secret, before any seat adds its bytes (D3)."""

    number: int  # of the commitment, from 1 without a gap
    digest: bytes  # 32 bytes
    house: tuple[int, ...] = ()  # the seats whose contributions it covers, the bots'


class Promise(_Action, frozen=True):
    """Promises the bytes of a person's seat, before any bytes are revealed (D3)."""

    seat: int
    # 32 bytes, by `volte.fair.commit_bytes`; None leaves out a seat whose program did not promise
    # in time
    digest: bytes | None


class Contribute(_Action, frozen=True):
    """Adds a seat's bytes to the chance (D3)."""

    seat: int
    # At most 64 bytes, as promised where seats have promised; None for a seat that did not reveal
    # them in time
    data: bytes | None


class Reveal(_Action, frozen=True):
    """Reveals the secret behind commitment `number`, 32 bytes."""

    number: int
    secret: bytes


class DrawDealer(_Action, frozen=True):
    """The lots for the first deal, round by round (D1)."""

    rounds: tuple[Draw, ...]


class NameDealer(_Action, frozen=True):
    """Names the first dealer without lots: in a record typed by hand, or at a table."""

    dealer: int


class DealCards(_Action, frozen=True):
    """Deals the deck, its first card to the dealer's left (D4)."""

    deck: tuple[Card, ...]


class DrawLots(_Action, frozen=True):
    """The lots that share stakes, round by round (M2, M5)."""

    rounds: tuple[Draw, ...]


SeatAction = Pass | TakeBackPass | Play | Claim | ChooseMoon | AskUndo | AnswerUndo
HouseAction = (
    Commit | Promise | Contribute | Reveal | DrawDealer | NameDealer | DealCards | DrawLots
)
ActionOfSeat = SeatAction | Promise | Contribute
Action = SeatAction | HouseAction


class Refusal(msgspec.Struct, frozen=True):
    """Reason for refusing an action; the state is unchanged."""

    reason: str  # a short name, the key of the sentence in `volte.say`
    clause: str = ""  # the clause of RULES behind it; empty where there is none
    # The cards that the seat could play or pass instead; only that seat may see them
    legal: tuple[Card, ...] = ()
    params: dict[str, int | str] = {}  # values that the sentence names
