"""The groups of options that make a ruleset, and the values they take."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final

from volte.cards import CARDS, HEARTS, PACK_SIZE, QUEEN, Card, cards_in, mask_of

HEART_POINTS: Final = dict.fromkeys(cards_in(HEARTS & ((1 << PACK_SIZE) - 1)), 1)
"""One point for each heart (S1)."""


class Kitty(StrEnum):
    """Who takes the cards left over by the deal (D5, D6)."""

    NONE = "none"
    FIRST_TRICK = "first_trick"


class Direction(StrEnum):
    """Where the pass goes (P1, R-PASS)."""

    LEFT = "left"
    RIGHT = "right"
    SECOND_LEFT = "second_left"
    SECOND_RIGHT = "second_right"
    ACROSS = "across"
    HOLD = "hold"

    def target(self, seat: int, players: int) -> int:
        """The seat that gets what `seat` gives; the seat itself when nothing is passed."""
        steps = {
            Direction.LEFT: 1,
            Direction.RIGHT: -1,
            Direction.SECOND_LEFT: 2,
            Direction.SECOND_RIGHT: -2,
            Direction.ACROSS: players // 2,
            Direction.HOLD: 0,
        }
        return (seat + steps[self]) % players


class Opening(StrEnum):
    """Who leads to the first trick, and what (L1, L2)."""

    ELDEST = "eldest"
    LOWEST_CLUB = "lowest_club"


class FirstTrickPoints(StrEnum):
    """Whether penalty cards may be discarded on the first trick (T3)."""

    ALLOWED = "allowed"
    BARRED = "barred"


class HeartsLead(StrEnum):
    """Whether hearts may be led before they are broken (T4)."""

    FREE = "free"
    ONCE_BROKEN = "once_broken"


class QueenDiscard(StrEnum):
    """What the queen's holder does at the first void (T5, T6)."""

    FREE = "free"
    FORCED = "forced"
    BARRED = "barred"


class MoonRule(StrEnum):
    """What shooting the moon does (S3)."""

    OFF = "off"
    OTHERS_PLUS = "others_plus"


class SlamRule(StrEnum):
    """What taking every trick does (S4)."""

    OFF = "off"
    REVERSAL = "reversal"


class EndKind(StrEnum):
    """What ends a match (E1, E2)."""

    DEALS = "deals"
    LIMIT = "limit"


class Settlement(StrEnum):
    """How the match is paid (M1–M6)."""

    NONE = "none"
    DIFFERENCE = "difference"
    AVERAGE = "average"
    POT = "pot"


class Irregularities(StrEnum):
    """Whether illegal plays are refused or refereed (I1–I9)."""

    ENFORCED = "enforced"
    REFEREED = "refereed"


@dataclass(frozen=True)
class MatchEnd:
    """After `number` deals, or when a total reaches the limit `number`."""

    kind: EndKind
    number: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.number}"


@dataclass(frozen=True)
class Deck:
    """The cards and who holds them.

    Attributes:
        removed: cards left out of the pack, in canonical order.
        jokers: 0 or 2.
    """

    players: int = 4
    removed: tuple[Card, ...] = ()
    jokers: int = 0
    kitty: Kitty = Kitty.NONE

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """All of them, in canonical order."""
        jokers = [card for card in CARDS[:PACK_SIZE] if card.joker is not None]
        suits = [card for card in CARDS[:PACK_SIZE] if card.joker is None]
        deck = suits + jokers[: self.jokers]
        return tuple(card for card in deck if card not in self.removed)

    @cached_property
    def mask(self) -> int:
        return mask_of(self.cards)

    @cached_property
    def hand_size(self) -> int:
        """Cards each seat is dealt, which is also the number of tricks."""
        return len(self.cards) // self.players

    @cached_property
    def kitty_size(self) -> int:
        """Cards left over by the deal (D5)."""
        return len(self.cards) % self.players


@dataclass(frozen=True)
class Passing:
    """How many cards are passed, and where, deal after deal."""

    count: int = 3
    cycle: tuple[Direction, ...] = (Direction.LEFT,)


@dataclass(frozen=True)
class Play:
    """The duties of play (L1, L2, T3–T7)."""

    opening: Opening = Opening.ELDEST
    first_trick_points: FirstTrickPoints = FirstTrickPoints.ALLOWED
    hearts_lead: HeartsLead = HeartsLead.FREE
    queen_breaks_hearts: bool = False
    hearts_from_trick: int = 1
    queen_discard: QueenDiscard = QueenDiscard.FREE


_USUAL_TABLE: Final = tuple(sorted({**HEART_POINTS, QUEEN: 13}.items()))


@dataclass(frozen=True)
class Points:
    """The penalty table: what each card counts, cards that count nothing left out.

    Attributes:
        table: (card, points) pairs in canonical order; a bonus is negative.
    """

    # A factory, since the schema of the wire tells plain defaults and cannot tell cards.
    table: tuple[tuple[Card, int], ...] = field(default_factory=lambda: _USUAL_TABLE)

    def of(self, card: Card) -> int:
        return dict(self.table).get(card, 0)

    def within(self, deck: Deck) -> dict[Card, int]:
        """What each counting card of that deck is worth."""
        return {card: points for card, points in self.table if deck.mask & card.bit}


@dataclass(frozen=True)
class Moon:
    """What taking every penalty card, or every trick, does."""

    moon: MoonRule = MoonRule.OTHERS_PLUS
    slam: SlamRule = SlamRule.OFF


@dataclass(frozen=True)
class Ending:
    """When the match is over."""

    match_end: MatchEnd = MatchEnd(EndKind.LIMIT, 100)


@dataclass(frozen=True)
class Stakes:
    """What is paid."""

    settlement: Settlement = Settlement.NONE
