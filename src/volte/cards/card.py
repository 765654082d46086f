"""Suits, ranks and cards. A card is one shared object: compare with `is` or `==`, as you like."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, final

from volte.cards.fault import CardFault

PACK_SIZE: Final = 54
"""Places a pack takes in a mask: 52 cards and two jokers."""


class Suit(IntEnum):
    """The four suits, in the order in which hands are read out."""

    CLUBS = 0
    DIAMONDS = 1
    SPADES = 2
    HEARTS = 3

    @property
    def letter(self) -> str:
        return "CDSH"[self]

    @property
    def symbol(self) -> str:
        return "♣♦♠♥"[self]


class Rank(IntEnum):
    """The rank of a card, from two (low) to ace (high)."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        return "23456789TJQKA"[self - 2]


class Joker(IntEnum):
    """The two jokers: no suit, no rank, no points (D7)."""

    RED = 0
    BLACK = 1

    @property
    def letter(self) -> str:
        return "RB"[self]


@final
class Card:
    """One card of one pack, read from its text: rank and suit, `RJ` or `BJ` for the jokers.

    A quote mark after it means the second pack.

    >>> Card("QS").suit, Card("♠Q") is Card("QS"), Card("10d")
    (<Suit.SPADES: 2>, True, Card('TD'))
    """

    __slots__ = ("bit", "index", "joker", "pack", "rank", "suit", "text")

    # Place in the canonical order, clubs 2 to ace, diamonds, spades, hearts, jokers, then the
    # second pack: 0 to 107
    index: int
    bit: int  # `1 << index`, the card as a mask
    suit: Suit | None  # None for a joker
    rank: Rank | None  # None for a joker
    joker: Joker | None  # None for any other card
    pack: int  # 0, or 1 for the second pack
    text: str

    def __new__(cls, text: str) -> Card:
        """The card of that text. Raises `CardFault` when it names none."""
        card = _BY_TEXT.get(_plain(text))
        if card is None:
            raise CardFault("no_such_card", text=text)
        return card

    @classmethod
    def of(cls, rank: Rank | int, suit: Suit, pack: int = 0) -> Card:
        """The card of that rank and suit. Raises `CardFault` when there is none."""
        for name, value, least, most in (
            *(("rank", rank, 2, 14), ("suit", suit, 0, 3)),
            ("pack", pack, 0, 1),
        ):
            if not least <= value <= most:
                raise CardFault("no_such_index", name=name, value=value, least=least, most=most)
        return CARDS[pack * PACK_SIZE + suit * 13 + rank - 2]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a card does not change")

    def __repr__(self) -> str:
        return f"Card({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return self.index

    def __lt__(self, other: Card) -> bool:
        try:
            return self.index < other.index
        except AttributeError:
            return NotImplemented

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (self.text,)


_DRAWN: Final = str.maketrans("♧♢♤♡", "♣♦♠♥", "\ufe0e\ufe0f")
_LETTERS: Final = str.maketrans("♣♦♠♥’", "CDSH'")


def plain_suits(text: str) -> str:
    """The text with its suit signs as in `Suit.symbol`: filled, neither outlined nor emoji.

    >>> plain_suits("♡K ♠\ufe0fQ")
    '♥K ♠Q'
    """
    return text.translate(_DRAWN)


def _plain(text: str) -> str:
    """The normal spelling: `♠q`, `♤Q`, `Qs` and ` qs ` become `QS`, and `10s’` becomes `TS'`."""
    word = plain_suits(text).translate(_LETTERS).strip().upper().replace("10", "T")
    if len(word) > 1 and word[0] in "CDSH":
        word = word[1] + word[0] + word[2:]
    return word


def _make(index: int) -> Card:
    pack, place = divmod(index, PACK_SIZE)
    card = object.__new__(Card)
    suit = rank = joker = None
    if place < 52:
        suit, rank = Suit(place // 13), Rank(place % 13 + 2)
        text = rank.letter + suit.letter
    else:
        joker = Joker(place - 52)
        text = joker.letter + "J"
    values = 1 << index, index, joker, pack, rank, suit, text + "'" * pack
    for name, value in zip(Card.__slots__, values, strict=True):
        object.__setattr__(card, name, value)
    return card


CARDS: Final[tuple[Card, ...]] = tuple(_make(index) for index in range(2 * PACK_SIZE))
"""Every card there is, by index."""

_BY_TEXT: Final = {card.text: card for card in CARDS}
BY_BIT: Final = {card.bit: card for card in CARDS}

QUEEN: Final = Card("QS")
JACK: Final = Card("JD")


def twin(card: Card) -> Card:
    """The equal card of the other pack.

    >>> twin(Card("QS")), twin(Card("QS'"))
    (Card("QS'"), Card('QS'))
    """
    return CARDS[(card.index + PACK_SIZE) % (2 * PACK_SIZE)]


def in_first_pack(card: Card) -> Card:
    """The equal card of the first pack: the card itself, or its twin."""
    return CARDS[card.index % PACK_SIZE]
