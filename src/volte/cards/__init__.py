"""Cards, decks and sets of cards."""

from volte.cards.card import BY_BIT, CARDS, JACK, PACK_SIZE, QUEEN, Card, Joker, Rank, Suit
from volte.cards.card_set import (
    ALL_CARDS,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JOKERS,
    SPADES,
    SUIT_MASKS,
    CardSet,
    cards_in,
    mask_of,
    read_cards,
)
from volte.cards.fault import CardFault, Fault

__all__ = [
    "ALL_CARDS",
    "BY_BIT",
    "CARDS",
    "CLUBS",
    "DIAMONDS",
    "HEARTS",
    "JACK",
    "JOKERS",
    "PACK_SIZE",
    "QUEEN",
    "SPADES",
    "SUIT_MASKS",
    "Card",
    "CardFault",
    "CardSet",
    "Fault",
    "Joker",
    "Rank",
    "Suit",
    "cards_in",
    "mask_of",
    "read_cards",
]
