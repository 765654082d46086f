"""Cards as symbols, for those who see them."""

from __future__ import annotations

from typing import Any

from volte.cards import Card, Suit
from volte.say import Words


class SymbolWords(Words):
    """The same sentences, in which cards and suits are shown by their symbols.

    >>> SymbolWords("fr").the_card(Card("QS")), SymbolWords("en").t("{suit}", suit=Suit.HEARTS)
    ('D♠', '♥ hearts')
    """

    def the_card(self, card: Card) -> str:
        return self.short(card)

    def pair(self, card: Card, form: str = "") -> str:
        told = self.format_field(card, form)
        return f"{told} {told}"

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Card):
            short = self.short(value)
            return short[:-1] if format_spec == "rank" and value.suit is not None else short
        told = super().format_field(value, format_spec)
        return f"{value.symbol} {told}" if isinstance(value, Suit) else told


def words_for(lang: str, plain: bool) -> Words:
    """The words for somebody who reads the symbols, or would rather not."""
    return Words(lang) if plain else SymbolWords(lang)
