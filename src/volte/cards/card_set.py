"""Sets of cards: plain int masks where speed counts, `CardSet` where people read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Final

from volte.cards.card import CARDS, PACK_SIZE, QUEEN, Card, Suit, twin
from volte.cards.fault import CardFault, WrongType


def mask_of(cards: Iterable[Card]) -> int:
    """The cards as one mask, bit `card.index` set for each."""
    mask = 0
    try:
        for card in cards:
            mask |= card.bit
    except (AttributeError, TypeError):
        raise WrongType.of("cards", Iterable[Card], cards) from None
    return mask


def union(masks: Iterable[int]) -> int:
    """The cards of several masks as one mask."""
    whole = 0
    try:
        for mask in masks:
            whole |= mask
    except TypeError:
        raise WrongType.of("masks", Iterable[int], masks) from None
    return whole


def cards_in(mask: int) -> tuple[Card, ...]:
    """The cards of a mask, in canonical order."""
    cards, rest = [], mask
    try:
        while rest:  # from the top down: the highest bit is quicker to find than the lowest
            card = CARDS[rest.bit_length() - 1]
            cards.append(card)
            rest ^= card.bit
    except IndexError:
        raise CardFault("no_such_mask", mask=mask) from None
    except (AttributeError, TypeError):
        raise WrongType.of("mask", int, mask) from None
    cards.reverse()
    return tuple(cards)


SUIT_MASKS: Final = tuple(mask_of(card for card in CARDS if card.suit is suit) for suit in Suit)
CLUBS, DIAMONDS, SPADES, HEARTS = SUIT_MASKS
JOKERS: Final = mask_of(card for card in CARDS if card.joker is not None)
ALL_CARDS: Final = (1 << 2 * PACK_SIZE) - 1
QUEENS: Final = QUEEN.bit | twin(QUEEN).bit
"""The queen of spades of either pack."""


class CardSet(Set[Card]):
    """An immutable set of cards, written suit by suit from the highest card down.

    >>> CardSet("S: AQ2 H: K")
    CardSet('S: AQ2 H: K')
    >>> Card("QS") in CardSet("S: AQ2") | CardSet("BJ"), len(CardSet("S: AQ2"))
    (True, 3)
    """

    __slots__ = ("mask",)

    def __init__(self, cards: str | int | Iterable[Card] = 0) -> None:
        """Make a set of a mask, cards, or a text. Raises `CardFault` for a wrong mask or text."""
        if isinstance(cards, int):
            if not 0 <= cards <= ALL_CARDS:
                raise CardFault("no_such_mask", mask=cards)
            self.mask = cards
        else:
            self.mask = mask_of(read_cards(cards) if isinstance(cards, str) else cards)

    def __contains__(self, card: object) -> bool:
        return isinstance(card, Card) and bool(self.mask & card.bit)

    def __iter__(self) -> Iterator[Card]:
        return iter(cards_in(self.mask))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __hash__(self) -> int:
        return self._hash()  # as a frozenset of these cards, which is equal

    def of(self, suit: Suit) -> CardSet:
        return CardSet(self.mask & SUIT_MASKS[suit])

    def __str__(self) -> str:
        groups: dict[str, str] = {}
        for card in sorted(self, key=lambda card: (card.pack, card.suit or 0, -(card.rank or 0))):
            if card.suit is not None and card.rank is not None:
                name = card.suit.letter + "'" * card.pack
                groups[name] = groups.get(name, "") + card.rank.letter
        order = sorted(groups, key=lambda name: (name[1:], "SHDC".index(name[0])))
        parts = [f"{name}: {groups[name]}" for name in order]
        return " ".join(parts + [card.text for card in self if card.joker is not None])

    def __repr__(self) -> str:
        return f"CardSet({str(self)!r})"


def read_cards(text: str) -> tuple[Card, ...]:
    """Cards in the order written: `QS 2C RJ`, or by suit, `S: AQ2 H: K`, or both.

    Raises `CardFault` for a word that is no card, and for a card written twice.
    """
    cards: list[Card] = []
    suit = ""
    for word in text.replace(",", " ").replace(":", ": ").split():
        if word.endswith(":"):
            suit = word[:-1]
        elif suit and word.upper() not in _JOKER_WORDS:
            pack = "'" * suit.count("'")
            ranks = word.upper().replace("10", "T")
            cards += [Card(rank + suit.rstrip("'") + pack) for rank in ranks]
        else:
            cards.append(Card(word))
    if len(set(cards)) < len(cards):
        twice = next(card for place, card in enumerate(cards) if card in cards[:place])
        raise CardFault("card_twice", card=twice)
    return tuple(cards)


_JOKER_WORDS: Final = {card.text for card in CARDS if card.joker is not None}
