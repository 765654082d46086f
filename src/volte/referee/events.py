"""Events of a refereed table besides those of the game, rulings included (I1–I9)."""

from __future__ import annotations

import msgspec

from volte import game
from volte.cards import Card
from volte.referee.actions import Misdeal
from volte.rules import Score


class _Event(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """Base of these events, as in `game.events`: `event` names the kind in data."""


class Laid(msgspec.Struct, frozen=True, gc=False):
    """A card that lies on a refereed table and has not been turned down."""

    seat: int
    card: Card
    early: bool = False  # whether it was played out of turn, and may be asked back (I2)


class Objected(_Event, frozen=True):
    """A seat has objected to a card on the table; `clause` is the ruling."""

    seat: int
    against: int  # the seat whose card it is
    clause: str  # clause that the card breaks (I2, or a duty such as T1); empty if it breaks none


class TakenBack(_Event, frozen=True):
    """Cards go back to their hands."""

    seat: int  # seat that has to play again, and lawfully
    clause: str  # I2 or I3 after an objection, I4 where the seat puts its own revoke right
    cards: tuple[Laid, ...]  # the seat's card, and if it had led, all cards that followed


class RevokeClaimed(_Event, frozen=True):
    """A seat has claimed a revoke; `clause` is the ruling (I6, I9)."""

    seat: int
    against: int  # seat claimed to have revoked; `seat` itself where it announces its own revoke
    trick: int  # number of the trick, from 1
    clause: str  # the duty that was broken, T1 or T5; empty where the claim was mistaken


class TricksMixed(_Event, frozen=True):
    """A seat's tricks prove nothing any more (I7)."""

    seat: int


class Reckoned(_Event, frozen=True):
    """The score of the deal as it stands; a claim may change it until the cards are cut.

    Where a shooter may choose (W7), the moon counts on the others' points until that is done.
    """

    points: tuple[int, ...]
    moon: int | None = None
    slam: int | None = None
    # Seats that have stopped the deal by a revoke or mixed tricks (I5, I7)
    offenders: tuple[int, ...] = ()
    minus: bool = False
    trickless: tuple[int, ...] = ()

    @property
    def score(self) -> Score:
        return Score(self.points, self.moon, self.slam, self.minus, self.trickless)


class DealCut(_Event, frozen=True):
    """The cards are cut for the next deal: the score of this deal stands (I6)."""

    seat: int


class Accepted(_Event, frozen=True):
    """A seat accepts the score sheet after the last deal (I6)."""

    seat: int


class Misdealt(_Event, frozen=True):
    """The dealer has lost the deal; the seat to the left deals (I1)."""

    dealer: int
    why: Misdeal


class HandsShort(_Event, frozen=True):
    """Cards are missing from the pack that has just been dealt (I8)."""

    lacking: tuple[int, ...]  # number of cards that each hand is short of
    missing: tuple[Card, ...]  # the missing cards; the score leaves them out


class RestTaken(_Event, frozen=True):
    """A hand has run out before the others, and takes every trick it cannot play to (I8)."""

    seat: int
    cards: tuple[Card, ...]  # all cards that the others still held; they are not played one by one
    tricks: int  # number of tricks that the cards make


RefereedEvent = (
    Objected
    | TakenBack
    | RevokeClaimed
    | TricksMixed
    | Reckoned
    | DealCut
    | Accepted
    | Misdealt
    | HandsShort
    | RestTaken
)
Event = game.Event | RefereedEvent
