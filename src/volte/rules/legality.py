"""Legal cards, and the seat that takes a trick (L2, T1–T8, W2, W3, W11).

Every duty is one preference: *if the hand holds any of these, it must play one of them*. The duties
of a moment stand in the order of T8, each narrowing what the ones before left, and one that would
leave nothing is waived. No duty looks at more than the card played, so what a play proves about the
hand behind it follows from the same list, exactly: see `excluded_beside`.
"""

from __future__ import annotations

from typing import NamedTuple

from volte.cards import (
    ALL_CARDS,
    CLUBS,
    HEARTS,
    QUEENS,
    SUIT_MASKS,
    Card,
    Rank,
    Suit,
    VolteError,
    twin,
)
from volte.rules.groups import (
    FirstTrickPoints,
    HeartsLead,
    Opening,
    PlayRules,
    QueenDiscard,
    QueenPlay,
)


class Duty(NamedTuple):
    """One preference of a seat among its cards."""

    clause: str  # the clause of RULES it comes from
    prefer: int  # mask of the cards one of which must be played where the hand has any


Duties = tuple[Duty, ...]


def duties_of_leader(
    play: PlayRules, trick: int, broken: bool, opening: Card | None = None
) -> Duties:
    """The duties of the seat that sets the suit, also behind a led joker (D7).

    Args:
        trick: number of the trick, from 1.
        broken: whether hearts are broken.
        opening: the lowest club, where its holder now has to lead it or its equal (L2), or any
            club (W2).
    """
    duties = []
    if opening is not None:
        lowest = Duty("L2", opening.bit | twin(opening).bit)
        duties.append(Duty("W2", CLUBS) if play.opening is Opening.ANY_CLUB else lowest)
    if play.queen_play is QueenPlay.ONCE_BROKEN and not broken:
        duties.append(Duty("W3", ALL_CARDS & ~QUEENS))
    if trick < play.hearts_from_trick:
        duties.append(Duty("T7", ALL_CARDS & ~HEARTS))
    if play.hearts_lead is HeartsLead.ONCE_BROKEN and not broken:
        duties.append(Duty("T4", ALL_CARDS & ~HEARTS))
    return tuple(duties)


def duties_of_follower(
    play: PlayRules, penalties: int, trick: int, led: Suit, broken: bool, had_chance: bool
) -> Duties:
    """The duties of a seat once the suit is set; all but T1 bind discards only.

    Args:
        penalties: mask of the penalty cards.
        trick: number of the trick, from 1.
        led: the suit to follow.
        broken: whether hearts are broken (W3).
        had_chance: whether the seat has been unable to follow in an earlier trick (T6).
    """
    suit = SUIT_MASKS[led]
    duties = [Duty("T1", suit)]
    if trick == 1 and play.first_trick_points is FirstTrickPoints.BARRED:
        duties.append(Duty("T3", ALL_CARDS & ~penalties | suit))
    if play.queen_play is QueenPlay.ONCE_BROKEN and not broken:
        duties.append(Duty("W3", ALL_CARDS & ~QUEENS | suit))
    if play.queen_discard is QueenDiscard.FORCED:
        duties.append(Duty("T5", QUEENS | suit))
    elif play.queen_discard is QueenDiscard.BARRED and not had_chance:
        duties.append(Duty("T6", ALL_CARDS & ~QUEENS | suit))
    if trick < play.hearts_from_trick:
        duties.append(Duty("T7", ALL_CARDS & ~HEARTS | suit))
    return tuple(duties)


def legal_mask(hand: int, duties: Duties) -> int:
    """The cards of a hand that its duties leave it (T8); never empty unless the hand is."""
    for _, prefer in duties:
        hand = hand & prefer or hand
    return hand


def breach(hand: int, card: Card, duties: Duties) -> str | None:
    """The clause that forbids this card of this hand, or None when it may be played."""
    for clause, prefer in duties:
        allowed = hand & prefer or hand
        if not allowed & card.bit:
            return clause
        hand = allowed
    return None


def excluded_beside(card: Card, duties: Duties) -> int:
    """The cards that a hand which has lawfully played `card` cannot have held with it.

    A card is excluded exactly when `card` would be illegal in a hand of these two; in a larger
    hand nothing else decides (the tests prove both against enumeration).
    """
    together, excluded = ALL_CARDS & ~card.bit, 0
    for _, prefer in duties:
        if card.bit & prefer:
            together &= prefer
        else:
            excluded |= together & prefer
            together &= ~prefer
    return excluded


def trick_winner(leader: int, cards: tuple[Card, ...]) -> int | None:
    """The seat that takes a full trick: the highest card of the suit led (T2, D7).

    Two equal cards cancel each other: none of them wins, and where nothing else of the suit was
    played, nobody does (W11).
    """
    led, best, winner = None, -1, 0
    for place, card in enumerate(cards):
        if card.pack:
            return _winner_of_two_packs(leader, cards)
        if led is None:
            led, best, winner = card.suit, card.index, place
        elif card.suit is led and card.index > best:
            best, winner = card.index, place
    if not cards:
        raise VolteError("trick_empty")
    return (leader + winner) % len(cards)


def _winner_of_two_packs(leader: int, cards: tuple[Card, ...]) -> int | None:
    """The seat that takes a trick of two packs, where equal cards cancel; None for nobody (W11)."""
    led = next(card.suit for card in cards if card.suit is not None)
    places: dict[Rank, list[int]] = {}
    for place, card in enumerate(cards):
        if card.suit is led and card.rank is not None:
            places.setdefault(card.rank, []).append(place)
    alone = [rank for rank, found in places.items() if len(found) == 1]
    return (leader + places[max(alone)][0]) % len(cards) if alone else None
