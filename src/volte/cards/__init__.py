"""Cards, decks and sets of cards."""

from volte.cards.card import (
    BY_BIT,
    CARDS,
    JACK,
    PACK_SIZE,
    QUEEN,
    Card,
    Joker,
    Rank,
    Suit,
    in_first_pack,
    plain_suits,
    twin,
)
from volte.cards.card_set import (
    ALL_CARDS,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JOKERS,
    QUEENS,
    SPADES,
    SUIT_MASKS,
    CardSet,
    cards_in,
    mask_of,
    read_cards,
    union,
)
from volte.cards.copying import CopiedWhole, NeverCopied, Unchanging
from volte.cards.fault import CardFault, NoSuchSeat, VolteError, WrongType
from volte.cards.public import in_sentences

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
    "QUEENS",
    "SPADES",
    "SUIT_MASKS",
    "Card",
    "CardFault",
    "CardSet",
    "CopiedWhole",
    "Joker",
    "NeverCopied",
    "NoSuchSeat",
    "Rank",
    "Suit",
    "Unchanging",
    "VolteError",
    "WrongType",
    "cards_in",
    "in_first_pack",
    "mask_of",
    "plain_suits",
    "read_cards",
    "twin",
    "union",
]

in_sentences(__name__, but=("CardSet.__init__", "cards_in", "mask_of", "union"))
