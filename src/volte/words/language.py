"""One language: its catalogue, its numbers, and how things are put into its sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from string import Formatter
from typing import Any

from babel import Locale
from babel.numbers import format_decimal

from volte.cards import Card, Fault, Suit, in_first_pack
from volte.game import Player
from volte.words.catalogue import LANGUAGES, N_, catalogue, system_language
from volte.words.grammar import GRAMMARS

__all__ = ["N_", "Language", "system_language"]


class Language(Formatter):
    """A language to make sentences in. It never changes, and takes next to no memory.

    Messages are English sentences with places for parameters, as in `str.format`. A place takes a
    card, a suit, a player, a number or several of them, and a form after the colon, as in
    `{card:the}` or `{player:of}` (see `grammar`); lists also take `or`. A translation may ask for
    another form than the English sentence does.

    Attributes:
        lang: "fr" or "en".
    """

    def __init__(self, lang: str) -> None:
        """Raises `Fault` for a language that Volte does not speak."""
        if lang not in LANGUAGES:
            raise Fault("no_such_language", language=lang, languages=LANGUAGES)
        self.lang = lang
        self.grammar = GRAMMARS[lang]
        self._locale = Locale(lang)
        self._catalogue = catalogue(lang)

    def t(self, message: str, /, **params: Any) -> str:
        """The message in this language, its parameters put in."""
        return self.vformat(self._catalogue.gettext(message), (), params)

    def n(self, one: str, many: str, count: int | Fraction, /, **params: Any) -> str:
        """The message for one or for many, `{count}` being the number."""
        magnitude = abs(Decimal(count.numerator) / count.denominator)
        form = 1 if self._locale.plural_form(magnitude) == "one" else 2
        message = self._catalogue.ngettext(one, many, form)
        return self.vformat(message, (), {"count": count, **params})

    def format_field(self, value: Any, format_spec: str) -> str:
        """How a parameter is said in that form."""
        match value:
            case Card():
                return self.grammar.card(value, format_spec)
            case Suit():
                return self.grammar.vocabulary.suits[value]
            case Player():
                return self.grammar.name(value.name, format_spec)
            case str():
                return self.grammar.name(value, format_spec) if format_spec else str(value)
            case int() | Fraction():
                return self.number(value)
            case Sequence():
                return self.listed(value, format_spec)
        return str(value)

    def listed(self, values: Sequence[Any], form: str = "") -> str:
        """`a`, `a and b`, `a, b and c`; the form `or` lists cards to choose from.

        Two equal cards of two packs are told together, and among those to choose from once (W11).
        """
        conjunction = self.grammar.vocabulary.conjunctions[form == "or"]
        told = self._each(values, form)
        *others, last = told or [""]
        return f"{', '.join(others)} {conjunction} {last}" if others else last

    def _each(self, values: Sequence[Any], form: str) -> list[str]:
        if form == "or":
            return [self.format_field(value, "the") for value, _ in paired(values)]
        return [
            self.pair(value, form) if two else self.format_field(value, form)
            for value, two in paired(values)
        ]

    def pair(self, card: Card, form: str = "") -> str:
        """How two equal cards are said in that form."""
        return self.grammar.pair(card, form)

    def number(self, value: int | Fraction) -> str:
        """A number in the language's digits: "−10", "45,5", at most two decimals."""
        exact = Decimal(value.numerator) / value.denominator
        rounded = exact.quantize(Decimal("0.01")).normalize()
        return format_decimal(rounded, locale=self._locale).replace("-", "−")

    def sentence(self, text: str) -> str:
        """The text with a capital letter."""
        return text[:1].upper() + text[1:]


def paired(values: Iterable[Any]) -> list[tuple[Any, bool]]:
    """The values, each with whether it is a card that is there twice, of two packs (W11).

    >>> paired((Card("QS"), Card("AH"), Card("QS'")))
    [(Card('QS'), True), (Card('AH'), False)]
    """
    told: list[tuple[Any, bool]] = []
    places: dict[Card, int] = {}
    for value in values:
        if not isinstance(value, Card):
            told.append((value, False))
        elif in_first_pack(value) in places:
            place = places[in_first_pack(value)]
            told[place] = told[place][0], True
        else:
            places[in_first_pack(value)] = len(told)
            told.append((value, False))
    return told
