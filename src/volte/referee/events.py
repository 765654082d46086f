"""What happens at a refereed table besides the game itself, and how it was ruled on (I1–I9)."""

from __future__ import annotations

import msgspec

from volte import game
from volte.cards import Card
from volte.referee.actions import Misdeal
from volte.rules import Score


class _Event(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """As in `game.events`: as data, each tells its kind in the field `event`."""


class Laid(msgspec.Struct, frozen=True, gc=False):
    """A card that lies on a refereed table and has not been turned down."""

    seat: int
    card: Card
    early: bool = False  # whether it was played out of turn, and may be asked back (I2)


class Objected(_Event, frozen=True):
    """Somebody has objected to a card on the table, and it was ruled on."""

    seat: int
    against: int  # the seat whose card it is
    clause: str  # what it offends against (I2, or a duty such as T1); empty where nothing was wrong


class TakenBack(_Event, frozen=True):
    """Cards go back to their hands."""

    seat: int  # who has to play once more, and lawfully
    clause: str  # by which: I2, I3 where somebody objected, I4 where the seat puts it right itself
    cards: tuple[Laid, ...]  # that seat's, and all that followed it where it had led


class RevokeClaimed(_Event, frozen=True):
    """Somebody has claimed a revoke, and it was ruled on (I6, I9)."""

    seat: int
    against: int  # the seat that is said to have revoked; `seat` itself where it announces its own
    trick: int  # its number, from 1
    clause: str  # the duty that was broken, T1 or T5; empty where the claim was mistaken


class TricksMixed(_Event, frozen=True):
    """A seat's tricks prove nothing any more (I7)."""

    seat: int


class Reckoned(_Event, frozen=True):
    """What the deal counts as things stand; a claim may change it until the cards are cut.

    A moon that its shooter may count in two ways counts for the others until that is said (W7).
    """

    points: tuple[int, ...]
    moon: int | None = None
    slam: int | None = None
    # The seats that have stopped it by a revoke or mixed tricks (I5, I7)
    offenders: tuple[int, ...] = ()
    minus: bool = False
    trickless: tuple[int, ...] = ()

    @property
    def score(self) -> Score:
        return Score(self.points, self.moon, self.slam, self.minus, self.trickless)


class DealCut(_Event, frozen=True):
    """The cards are cut for the next deal: this one stands (I6)."""

    seat: int


class Accepted(_Event, frozen=True):
    """A seat accepts the sheet after the last deal (I6)."""

    seat: int


class Misdealt(_Event, frozen=True):
    """The dealer has lost the deal; the player to the left deals (I1)."""

    dealer: int
    why: Misdeal


class HandsShort(_Event, frozen=True):
    """Cards are missing from the pack that has just been dealt (I8)."""

    lacking: tuple[int, ...]  # per seat, how many its hand is short of
    missing: tuple[Card, ...]  # the cards; those that count are left out of the score


class RestTaken(_Event, frozen=True):
    """A hand has run out before the others, and takes every trick it cannot play to (I8)."""

    seat: int
    cards: tuple[Card, ...]  # all that the others still held; nobody plays them one by one
    tricks: int  # how many they make


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
