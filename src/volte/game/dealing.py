"""Dealing: a deck becomes hands and a kitty, and hands become a deck again (D4, D5)."""

from __future__ import annotations

from collections.abc import Sequence

from volte.cards import Card

Cards = tuple[Card, ...]


def hands_of(deck: Sequence[Card], players: int, dealer: int) -> tuple[tuple[Cards, ...], Cards]:
    """The hands by seat and the kitty, each in the order of its cards.

    Args:
        deck: in the order in which it is dealt, one by one from the dealer's left.
    """
    first, dealt = dealer + 1, len(deck) // players * players
    hands = tuple(
        tuple(sorted(deck[(seat - first) % players : dealt : players])) for seat in range(players)
    )
    return hands, tuple(sorted(deck[dealt:]))


def deck_of(hands: Sequence[Sequence[Card]], kitty: Sequence[Card], dealer: int) -> Cards:
    """A deck that deals these hands, all of one size, and this kitty."""
    from_left = [*hands[dealer + 1 :], *hands[: dealer + 1]]
    return (*(card for turn in zip(*from_left, strict=True) for card in turn), *kitty)
