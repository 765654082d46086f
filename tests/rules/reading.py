"""The clauses of play read once more, straight from RULES, with plain sets and in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from volte.cards import QUEEN, Card, Suit
from volte.rules import Value

Hand = frozenset[Card]


class Moment(NamedTuple):
    """What else decides which cards of a hand may be played.

    Attributes:
        options: of the table, by name.
        trick: number, from 1.
        led: None for a leader, and for whoever sets the suit behind a joker (D7).
        broken: whether a heart has been played in an earlier trick.
        had_chance: whether the seat could not follow in an earlier trick.
        opening: the card that has to open, for whoever leads to the first trick.
    """

    options: dict[str, Value]
    trick: int
    led: Suit | None
    broken: bool = False
    had_chance: bool = False
    opening: Card | None = None


def lawful(hand: Hand, now: Moment) -> Hand:
    """The cards of the hand that may be played."""
    *_, (_, cards) = stages(hand, now)
    return cards


def first_breach(hand: Hand, card: Card, now: Moment) -> str | None:
    """The first clause, in the order of T8, that takes the card away."""
    return next((clause for clause, left in stages(hand, now) if card not in left), None)


def stages(hand: Hand, now: Moment) -> Iterator[tuple[str, Hand]]:
    """What each clause leaves, in the order of T8."""
    yield "", hand
    if now.led is None:
        yield from _leading(hand, now)
    elif following := frozenset(card for card in hand if card.suit is now.led):
        yield "T1", following
    else:
        yield from _discarding(hand, now)


def _leading(hand: Hand, now: Moment) -> Iterator[tuple[str, Hand]]:
    if now.opening in hand:
        hand = frozenset(card for card in hand if card is now.opening)
        yield "L2", hand
    others = frozenset(card for card in hand if card.suit is not Suit.HEARTS)
    if now.trick < int(str(now.options["hearts_from_trick"])) and others:
        hand = others
        yield "T7", hand
    if now.options["hearts_lead"] == "once_broken" and not now.broken and others:
        yield "T4", others


def _discarding(hand: Hand, now: Moment) -> Iterator[tuple[str, Hand]]:
    if now.trick == 1 and now.options["first_trick_points"] == "barred":
        harmless = frozenset(card for card in hand if not _counts(card, now))
        if harmless:
            hand = harmless
            yield "T3", hand
    if now.options["queen_discard"] == "forced" and QUEEN in hand:
        hand = frozenset({QUEEN})
        yield "T5", hand
    first_chance = now.options["queen_discard"] == "barred" and not now.had_chance
    if first_chance and hand != {QUEEN}:
        hand = hand - {QUEEN}
        yield "T6", hand
    others = frozenset(card for card in hand if card.suit is not Suit.HEARTS)
    if now.trick < int(str(now.options["hearts_from_trick"])) and others:
        yield "T7", others


def _counts(card: Card, now: Moment) -> bool:
    """Whether it is a penalty card: every heart, and the queen where she counts."""
    return card.suit is Suit.HEARTS or (card is QUEEN and now.options["queen_points"] != 0)
