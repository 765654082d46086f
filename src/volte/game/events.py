"""What has happened: the log of a match is a sequence of these, and nothing else is the truth."""

from __future__ import annotations

import msgspec

from volte.cards import Card
from volte.cards.public import check_fields
from volte.rules import Direction, Draw, Ruleset, Score


class _Event(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """What all events have in common: as data, each tells its kind in the field `event`."""


class Player(msgspec.Struct, frozen=True):
    """A person or a bot at a seat."""

    name: str  # as it is told
    person: bool = False  # False for a bot
    level: str = ""  # of a bot, where it is known

    def __post_init__(self) -> None:
        check_fields(self)


class MatchStarted(_Event, frozen=True):
    """The first event of every match."""

    rules: Ruleset  # the whole ruleset
    players: tuple[Player, ...]  # one per seat, clockwise
    pot: int = 0  # stakes left over by the match before (M6)
    # Who deals first, where the same players go on from a match before (D2); None where lots are
    # drawn (D1)
    dealer: int | None = None


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
    """A seat has told its bytes, or is left out (D3); see `actions.Contribute`."""

    seat: int
    data: bytes | None


class Revealed(_Event, frozen=True):
    """The secret behind a commitment is out (D3); see `actions.Reveal`."""

    number: int
    secret: bytes


class DealerDrawn(_Event, frozen=True):
    """The first dealer, and the cards that everybody drew (D1); no rounds where it was named."""

    rounds: tuple[Draw, ...]
    dealer: int


class Dealt(_Event, frozen=True):
    """A deal begins: what everybody holds, and where cards are passed (D4, D5)."""

    number: int  # of the deal, from 1
    dealer: int
    direction: Direction  # where cards are passed
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
    """All passes are in, and everybody takes up what they got (P1)."""

    transfers: tuple[Transfer, ...]


class PlayStarted(_Event, frozen=True):
    """The first lead, and the lowest club where whoever holds it leads (L1, L2, W2)."""

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

    They wait for whoever takes the next trick; the same seat leads again (W11).
    """


class KittyTaken(_Event, frozen=True):
    """The kitty goes to the cards a seat has won, None where hidden (D6, W4)."""

    seat: int
    cards: tuple[Card, ...] | None


class Claimed(_Event, frozen=True):
    """A claim that holds: the rest is played by itself (C1)."""

    seat: int


class UndoAsked(_Event, frozen=True):
    """A seat asks to take its last play back (C2)."""

    seat: int


class UndoAnswered(_Event, frozen=True):
    """A person's answer to that (C2)."""

    seat: int
    allow: bool


class PlayTakenBack(_Event, frozen=True):
    """The last play is undone (C2)."""

    seat: int
    card: Card


class MoonShot(_Event, frozen=True, gc=False):
    """A seat has shot the moon, and has to say how it counts (W7)."""

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
    """The match is over: its totals, and who has won (E1, E2)."""

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
