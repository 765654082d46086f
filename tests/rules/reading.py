"""The clauses of play read once more, straight from RULES, with plain sets and in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules.counting import worth

from volte.cards import Card, Suit, twin
from volte.rules import Value

Hand = frozenset[Card]


class Moment(NamedTuple):
    """What else decides which cards of a hand may be played.

    Attributes:
        options: of the table, by name.
        trick: number, from 1.
        led: None for a leader, and for whoever sets the suit behind a joker (D7).
        broken: whether a heart has been played before.
        had_chance: whether the seat could not follow in an earlier trick.
        opening: the lowest club, for whoever leads to the first trick.
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


def winning_place(trick: Sequence[Card]) -> int | None:
    """Which card of a full trick wins it (T2, D7); none where all that might cancel (W11)."""
    names = [card.text[:2] for card in trick]
    led = next(card.suit for card in trick if card.joker is None)
    alone = [
        place
        for place, card in enumerate(trick)
        if card.suit is led and names.count(names[place]) == 1
    ]
    return max(alone, key=lambda place: trick[place].rank or 0, default=None)


def _leading(hand: Hand, now: Moment) -> Iterator[tuple[str, Hand]]:
    if now.opening is not None:
        any_club = now.options["opening"] == "any_club"
        clubs = {card for card in hand if card.suit is Suit.CLUBS}
        opens = clubs if any_club else {now.opening, twin(now.opening)}
        if opens & hand:
            hand = frozenset(opens & hand)
            yield "W2" if any_club else "L2", hand
    hand = _without_queen(hand, now)
    yield "W3", hand
    others = frozenset(card for card in hand if card.suit is not Suit.HEARTS)
    if now.trick < int(str(now.options["hearts_from_trick"])) and others:
        hand = others
        yield "T7", hand
    if now.options["hearts_lead"] == "once_broken" and not now.broken and others:
        yield "T4", others


def _discarding(hand: Hand, now: Moment) -> Iterator[tuple[str, Hand]]:
    if now.trick == 1 and now.options["first_trick_points"] == "barred":
        harmless = frozenset(card for card in hand if worth(card, now.options) <= 0)
        if harmless:
            hand = harmless
            yield "T3", hand
    hand = _without_queen(hand, now)
    yield "W3", hand
    queens = frozenset(card for card in hand if _is_queen(card))
    if now.options["queen_discard"] == "forced" and queens:
        hand = queens
        yield "T5", hand
    first_chance = now.options["queen_discard"] == "barred" and not now.had_chance
    if first_chance and hand != queens:
        hand = hand - queens
        yield "T6", hand
    others = frozenset(card for card in hand if card.suit is not Suit.HEARTS)
    if now.trick < int(str(now.options["hearts_from_trick"])) and others:
        yield "T7", others


def _without_queen(hand: Hand, now: Moment) -> Hand:
    """The hand without a queen that has to wait for hearts, unless it holds nothing else (W3)."""
    waits = now.options["queen_play"] == "once_broken" and not now.broken
    return frozenset(card for card in hand if not (waits and _is_queen(card))) or hand


def _is_queen(card: Card) -> bool:
    return card.text.startswith("QS")
