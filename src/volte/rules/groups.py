"""The groups of options that make a ruleset, and the values they take."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final

from volte.cards import (
    CARDS,
    HEARTS,
    PACK_SIZE,
    QUEEN,
    Card,
    Unchanging,
    WrongType,
    cards_in,
    mask_of,
)

HEART_POINTS: Final = dict.fromkeys(cards_in(HEARTS & ((1 << PACK_SIZE) - 1)), 1)
"""One point for each heart (S1)."""


class Kitty(StrEnum):
    """The trick whose taker gets the cards left over by the deal, if any are (D5, D6, W4)."""

    NONE = "none"
    FIRST_TRICK = "first_trick"
    FIRST_HEART = "first_heart"
    LAST_TRICK = "last_trick"


class Direction(StrEnum):
    """Direction of the pass (P1, R-PASS); in a scatter, one card goes to every other seat (W1)."""

    LEFT = "left"
    RIGHT = "right"
    SECOND_LEFT = "second_left"
    SECOND_RIGHT = "second_right"
    ACROSS = "across"
    SCATTER = "scatter"
    HOLD = "hold"

    def target(self, seat: int, players: int) -> int:
        """The seat that gets what `seat` gives; the seat itself when nothing is passed.

        In a scatter, the seat that gets the first card: the others go on clockwise.
        """
        steps = {
            Direction.SCATTER: 1,
            Direction.LEFT: 1,
            Direction.RIGHT: -1,
            Direction.SECOND_LEFT: 2,
            Direction.SECOND_RIGHT: -2,
            Direction.ACROSS: players // 2,
            Direction.HOLD: 0,
        }
        return (seat + steps[self]) % players


class Opening(StrEnum):
    """First lead of a deal: who leads, and which card (L1, L2, W2)."""

    ELDEST = "eldest"
    LOWEST_CLUB = "lowest_club"
    ANY_CLUB = "any_club"


class FirstTrickPoints(StrEnum):
    """Whether penalty cards may be discarded on the first trick (T3)."""

    ALLOWED = "allowed"
    BARRED = "barred"


class HeartsLead(StrEnum):
    """Whether hearts may be led before they are broken (T4)."""

    FREE = "free"
    ONCE_BROKEN = "once_broken"


class QueenDiscard(StrEnum):
    """Whether the queen's holder may, must or may not discard her at the first void (T5, T6)."""

    FREE = "free"
    FORCED = "forced"
    BARRED = "barred"


class QueenPlay(StrEnum):
    """Whether the queen may be led or discarded before hearts are broken (W3)."""

    FREE = "free"
    ONCE_BROKEN = "once_broken"


class MoonRule(StrEnum):
    """Effect of shooting the moon (S3, W7)."""

    OFF = "off"
    OTHERS_PLUS = "others_plus"
    SHOOTER_MINUS = "shooter_minus"
    SHOOTER_CHOOSES = "shooter_chooses"
    PLUS_UNLESS_LOST = "plus_unless_lost"


class MoonBy(StrEnum):
    """Whether one player has to shoot the moon or make the slam, or a side may (W10)."""

    PLAYER = "player"
    SIDE = "side"


class SlamRule(StrEnum):
    """Effect of taking every trick (S4, W8)."""

    OFF = "off"
    REVERSAL = "reversal"
    DOUBLE = "double"


class AtLimit(StrEnum):
    """Effect of a total of exactly the limit (E2, W9)."""

    ENDS = "ends"
    HALVES = "halves"


class Ties(StrEnum):
    """Whether equal lowest totals share the win, or another deal is played (E2, W9)."""

    SHARE = "share"
    PLAY_ON = "play_on"


class EndKind(StrEnum):
    """End of a match: after a number of deals, or at a total (E1, E2)."""

    DEALS = "deals"
    LIMIT = "limit"


class Settlement(StrEnum):
    """Way in which the match is paid (M1–M6)."""

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
    """End of a match: after `number` deals, or when a total reaches the limit `number`."""

    kind: EndKind
    number: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.number}"


@dataclass(frozen=True)
class Deck(Unchanging):
    """The cards, the number of players, and the kitty."""

    players: int = 4
    packs: int = 1  # 1, or 2 in which equal cards cancel each other (W11)
    removed: tuple[Card, ...] = ()  # cards left out of the packs, in canonical order
    jokers: int = 0  # 0 or 2, of the first pack
    kitty: Kitty = Kitty.NONE

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the deck, in canonical order."""
        out = {*self.removed}
        return tuple(
            card
            for card in CARDS[: self.packs * PACK_SIZE]
            if card not in out
            and (card.joker is None or (card.pack == 0 and card.joker < self.jokers))
        )

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
    """The pass: the number of cards, and the directions deal after deal."""

    count: int = 3
    cycle: tuple[Direction, ...] = (Direction.LEFT,)


@dataclass(frozen=True)
class PlayRules:
    """The duties of play (L1, L2, T3–T7, W2, W3)."""

    opening: Opening = Opening.ELDEST
    first_trick_points: FirstTrickPoints = FirstTrickPoints.ALLOWED
    hearts_lead: HeartsLead = HeartsLead.FREE
    queen_breaks_hearts: bool = False
    hearts_from_trick: int = 1
    queen_discard: QueenDiscard = QueenDiscard.FREE
    queen_play: QueenPlay = QueenPlay.FREE


_USUAL_TABLE: Final = tuple(sorted({**HEART_POINTS, QUEEN: 13}.items()))


@dataclass(frozen=True)
class Points(Unchanging):
    """The penalty table: the points of each card, without cards that count nothing."""

    # A factory, since the schema of the wire shows plain defaults and cannot show cards.
    # (card, points) pairs in canonical order; a bonus is negative. A card of the second pack counts
    # what its twin does, unless it is listed as well (I8).
    table: tuple[tuple[Card, int], ...] = field(default_factory=lambda: _USUAL_TABLE)
    no_tricks: int = 0  # points for taking no trick; 0 or less (W6)

    @cached_property
    def _worth(self) -> dict[Card, int]:
        return dict(self.table)

    def of(self, card: Card) -> int:
        """Points that a card is worth in tricks; 0 for one that is not in the table."""
        try:
            worth = self._worth.get(card)
            return self._worth.get(CARDS[card.index % PACK_SIZE], 0) if worth is None else worth
        except (AttributeError, TypeError):
            raise WrongType.of("card", Card, card) from None

    def within(self, deck: Deck) -> dict[Card, int]:
        """Points of each counting card of a deck."""
        return {card: worth for card in deck.cards if (worth := self.of(card))}


@dataclass(frozen=True)
class Moon:
    """Effect of taking every penalty card, or every trick."""

    moon: MoonRule = MoonRule.OTHERS_PLUS
    slam: SlamRule = SlamRule.OFF
    needs_jack: bool = False  # whether the moon needs the cards that count below zero as well (W7)
    by: MoonBy = MoonBy.PLAYER  # who may do it; without partners it is a player either way


@dataclass(frozen=True)
class Ending:
    """End of the match, and the effect of equal totals (E1, E2, W9)."""

    match_end: MatchEnd = MatchEnd(EndKind.LIMIT, 100)
    at_limit: AtLimit = AtLimit.ENDS
    ties: Ties = Ties.SHARE


@dataclass(frozen=True)
class Sides:
    """Sides of partners, who play together (W10)."""

    # Seats to a side: 1 where each plays alone. Partners sit as far from each other as can be.
    partners: int = 1


@dataclass(frozen=True)
class Stakes:
    """Payment at the end of a deal or of the match (M1–M6)."""

    settlement: Settlement = Settlement.NONE
