"""Events: the log of a match is a sequence of them, and its only source of truth."""

from __future__ import annotations

import msgspec

from volte.cards import Card
from volte.cards.public import check_fields
from volte.rules import Direction, Draw, Ruleset, Score


class _Event(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """Base of all events; as data, each names its kind in the field `event`."""


class Player(msgspec.Struct, frozen=True):
    """A person or a bot at a seat."""

    name: str  # as shown to the table
    person: bool = False  # False for a bot
    level: str = ""  # of a bot, if known

    def __post_init__(self) -> None:
        check_fields(self)


class CardsOrigin(msgspec.Struct, frozen=True):
    """The origin of the cards of a match, where they are given and not drawn."""

    match: str = ""  # id of the match whose cards are dealt again; empty where none is named
    turned: int = 0  # seats by which everybody has moved on since

    def __post_init__(self) -> None:
        check_fields(self)


class MatchStarted(_Event, frozen=True):
    """The first event of every match."""

    rules: Ruleset  # the whole ruleset
    players: tuple[Player, ...]  # one per seat, clockwise
    pot: int = 0  # stakes left over by the match before (M6)
    # The first dealer, where the players go on from a match before (D2); None where lots are drawn
    # (D1)
    dealer: int | None = None
    cards: CardsOrigin | None = None  # None where the cards are drawn


class Committed(_Event, frozen=True):
    """The house has published a commitment (D3); see `actions.Commit`."""

    number: int
    digest: bytes
    house: tuple[int, ...]


class Promised(_Event, frozen=True):
    """A seat has promised its bytes, or is left out (D3); see `actions.Promise`."""

    seat: int
    digest: bytes | None


class Contributed(_Event, frozen=True):
    """A seat has revealed its bytes, or is left out (D3); see `actions.Contribute`."""

    seat: int
    data: bytes | None


class Revealed(_Event, frozen=True):
    """The secret behind a commitment is out (D3); see `actions.Reveal`."""

    number: int
    secret: bytes


class DealerDrawn(_Event, frozen=True):
    """The first dealer, and the cards that the seats drew (D1); no rounds for a named dealer."""

    rounds: tuple[Draw, ...]
    dealer: int


class Dealt(_Event, frozen=True):
    """A deal begins: the hands, and the direction of the pass (D4, D5)."""

    number: int  # of the deal, from 1
    dealer: int
    direction: Direction  # of the pass
    hands: tuple[tuple[Card, ...] | None, ...]  # per seat, None where hidden
    kitty: tuple[Card, ...] | None  # the cards left over (D5), None where hidden


class Passed(_Event, frozen=True):
    """A seat has given its cards, None where hidden (P1)."""

    seat: int
    cards: tuple[Card, ...] | None


class PassTakenBack(_Event, frozen=True):
    """A seat has taken its pass back (C2)."""

    seat: int


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """Cards that went from one hand to another, None where hidden."""

    giver: int
    taker: int
    cards: tuple[Card, ...] | None


class Exchanged(_Event, frozen=True):
    """All passes are in, and each seat takes up the cards that it is passed (P1)."""

    transfers: tuple[Transfer, ...]


class PlayStarted(_Event, frozen=True):
    """The seat with the first lead, and the lowest club, if its holder leads (L1, L2, W2)."""

    leader: int
    opening: Card | None


class Played(_Event, frozen=True, gc=False):
    """A card has been played to the trick."""

    seat: int
    card: Card


class TrickTaken(_Event, frozen=True, gc=False):
    """The trick is full and goes to a seat, which leads next (T2)."""

    seat: int


class TrickHeld(_Event, frozen=True, gc=False):
    """The trick is full and goes to nobody, since its cards cancel each other.

    They go to the taker of the next trick; the same seat leads again (W11).
    """


class KittyTaken(_Event, frozen=True):
    """The kitty joins the cards that a seat has won; None where hidden (D6, W4)."""

    seat: int
    cards: tuple[Card, ...] | None


class Claimed(_Event, frozen=True):
    """A claim that holds: the events of the remaining, forced plays follow (C1)."""

    seat: int


class UndoAsked(_Event, frozen=True):
    """A seat asks to take its last play back (C2)."""

    seat: int


class UndoAnswered(_Event, frozen=True, omit_defaults=True):
    """A person's answer to a seat that asks to take its play back (C2)."""

    seat: int
    allow: bool
    late: bool = False  # whether it stands for no answer in time; records do not tell


class PlayTakenBack(_Event, frozen=True):
    """The last play is undone (C2)."""

    seat: int
    card: Card


class MoonShot(_Event, frozen=True, gc=False):
    """A seat has shot the moon, and has to choose how it counts (W7)."""

    seat: int


class DealScored(_Event, frozen=True):
    """The deal is over and scored (S1–S6); see `rules.Score`."""

    points: tuple[int, ...]
    moon: int | None = None
    slam: int | None = None
    minus: bool = False
    trickless: tuple[int, ...] = ()

    @property
    def score(self) -> Score:
        return Score(self.points, self.moon, self.slam, self.minus, self.trickless)


class LotsDrawn(_Event, frozen=True):
    """Lots for stakes: the rounds, and the seats from the luckiest down (M2, M5)."""

    rounds: tuple[Draw, ...]
    order: tuple[int, ...]


class Settled(_Event, frozen=True):
    """Stakes have changed hands; see `rules.Payment`."""

    paid: tuple[int, ...]
    drawn: tuple[int, ...]
    pot: int


class MatchEnded(_Event, frozen=True):
    """The match is over: its totals, and the winners (E1, E2)."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]


Event = (
    MatchStarted
    | Committed
    | Promised
    | Contributed
    | Revealed
    | DealerDrawn
    | Dealt
    | Passed
    | PassTakenBack
    | Exchanged
    | PlayStarted
    | Played
    | TrickTaken
    | TrickHeld
    | KittyTaken
    | Claimed
    | UndoAsked
    | UndoAnswered
    | PlayTakenBack
    | MoonShot
    | DealScored
    | LotsDrawn
    | Settled
    | MatchEnded
)
