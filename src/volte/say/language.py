"""One language: its catalogue, its numbers, and how things are put into its sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from gettext import NullTranslations
from itertools import groupby
from string import Formatter
from typing import Any, Final

from volte.cards import Card, Suit, Unchanging, VolteError, in_first_pack
from volte.game import Player
from volte.names import isolated
from volte.say.catalogue import LANGUAGES, N_, catalogue, language_of, system_language
from volte.say.formats import number_text
from volte.say.grammar import grammar_of

__all__ = ["N_", "Language", "system_language"]

Parts = tuple[tuple[str, str | None, str], ...]
"""A message cut up: text, and the place and form of the parameter that follows it."""

REMEMBERED: Final = 4096
"""Entries of each cache of names or numbers, which recur again and again."""


class Language(Unchanging):
    """A language to make sentences in. It never changes, and takes next to no memory.

    Messages are English sentences with places for parameters, as in `str.format`. A place takes a
    card, a suit, a player, a number or several of them, and a form after the colon, as in
    `{card:the}` or `{player:of}` (see `grammar`); lists also take `or` and `nor`, and numbers
    `points` or `stakes`, to say of what. A translation may ask for another form than the English
    sentence does.
    `lang` is one of `LANGUAGES`.
    """

    __match_args__ = ("lang",)

    def __init__(self, lang: str) -> None:
        """Take a language by any name that `language_of` reads.

        Raises `VolteError` for one that Volte does not speak.
        """
        spoken = language_of(lang)
        if spoken is None:
            raise VolteError("no_such_language", language=lang, languages=LANGUAGES)
        self.lang = spoken
        self.grammar = grammar_of(spoken)
        self._catalogue = catalogue(spoken)

    def t(self, message: str, /, **params: Any) -> str:
        """The message in this language, its parameters put in."""
        return self._filled(_translated(self._catalogue, message), params)

    def unfilled(self, message: str, /) -> str:
        """The message in this language, its parameters left for a script to put in."""
        parts = _translated(self._catalogue, message)
        return "".join(text if place is None else f"{text}{{{place}}}" for text, place, _ in parts)

    def n(self, one: str, many: str, count: int | Fraction, /, **params: Any) -> str:
        """The message for one or for many, `{count}` being the number."""
        form = 1 if _is_one(self.lang, count) else 2
        message = self._catalogue.ngettext(one, many, form)
        return self._filled(_parts(message), {"count": count, **params})

    def p(self, context: str, message: str, /, **params: Any) -> str:
        """The message in one of its meanings: the context tells translators which."""
        return self._filled(_in_context(self._catalogue, context, message), params)

    def _filled(self, parts: Parts, params: Mapping[str, Any]) -> str:
        return "".join(
            [
                text if place is None else text + self.format_field(params[place], form)
                for text, place, form in parts
            ]
        )

    def format_field(self, value: Any, format_spec: str) -> str:
        """A parameter in words, in that form."""
        match value:
            case Card():
                return self.card_in(value, format_spec)
            case Suit():
                return self.grammar.vocabulary.suits[value]
            case Player():
                return _name(self.lang, value.name, format_spec)
            case str():
                return _name(self.lang, value, format_spec) if format_spec else isolated(value)
            case int() | Fraction() if format_spec:
                return self.stakes(value) if format_spec == "stakes" else self.points(value)
            case int() | Fraction():
                return self.number(value)
            case Sequence():
                return self.listed(value, format_spec)
        return str(value)

    def card_in(self, card: Card, form: str) -> str:
        """A card in one of the forms of `Grammar`."""
        return _card(self.lang, card, form)

    def listed(self, values: Sequence[Any], form: str = "") -> str:
        """`a`, `a and b`, `a, b and c`; the form `or` lists cards to choose from.

        Two equal cards of two packs are named together, and once in a list to choose from (W11).
        Of cards to choose from the suit is named once: "the 9 or the 2 of clubs". The form `nor`
        lists what somebody does not have.
        """
        if form == "nor":
            return self.grammar.without(self.each(values, ""))
        if form != "or":
            return self._joined(self.each(values, form))
        if not all(isinstance(value, Card) for value in values):
            return self._joined(self.each(values, "the"), "or")
        texts = self.together(values, "or")
        return self._joined(texts, "or", "," * (len(texts) < len(values)))

    def together(self, cards: Iterable[Card], conjunction: str = "and") -> list[str]:
        """Cards suit by suit, each suit named once: "the 9 and the 2 of clubs"."""
        return [
            self.grammar.of_suit(self.ranks(same, conjunction), suit)
            for suit, same in groupby(cards, lambda card: card.suit)
        ]

    def ranks(self, cards: Iterable[Card], conjunction: str = "and") -> str:
        """Cards by their ranks alone: "the 9 and the 2"; equal ones once, to choose from (W11)."""
        texts = [
            self.grammar.ranked(card, "the", two and conjunction == "and")
            for card, two in paired(cards)
        ]
        return self._joined(texts, conjunction)

    def _joined(self, texts: Sequence[str], conjunction: str = "and", pause: str = "") -> str:
        *others, last = texts or [""]
        word = self.grammar.vocabulary.conjunctions[conjunction == "or"]
        return f"{', '.join(others)}{pause} {word} {last}" if others else last

    def each(self, values: Sequence[Any], form: str) -> list[str]:
        """The values in that form, as they are put into lists."""
        return [
            self.pair(value, form) if two else self.format_field(value, form)
            for value, two in paired(values)
        ]

    def pair(self, card: Card, form: str = "") -> str:
        """Two equal cards in words, in that form."""
        return self.grammar.pair(card, form)

    def number(self, value: int | Fraction) -> str:
        """A number in the language's digits: "−10", "45,5", at most two decimals."""
        return _digits(self.lang, value)

    def points(self, count: int | Fraction) -> str:
        """A number of points: "1 point", "1,5 point", "−10 points"."""
        return self.n("{count} point", "{count} points", count)

    def stakes(self, count: int | Fraction) -> str:
        """A number of stakes: "1 mise", "3 stakes"."""
        return self.n("{count} stake", "{count} stakes", count)

    def series(self, items: Iterable[str]) -> str:
        """The items as a list, where they may have commas of their own."""
        return self.t("; ").join(items)

    def sentence(self, text: str) -> str:
        """The text with a capital letter."""
        return text[:1].upper() + text[1:]


# Caches


@cache
def _translated(catalogue: NullTranslations, message: str) -> Parts:
    return _parts(catalogue.gettext(message))


@cache
def _in_context(catalogue: NullTranslations, context: str, message: str) -> Parts:
    return _parts(catalogue.pgettext(context, message))


@cache
def _parts(message: str) -> Parts:
    return tuple((text, place, form or "") for text, place, form, _ in Formatter().parse(message))


@cache
def _card(lang: str, card: Card, form: str) -> str:
    return grammar_of(lang).card(card, form)


@lru_cache(REMEMBERED)
def _name(lang: str, name: str, form: str) -> str:
    return isolated(grammar_of(lang).name(name, form))


@lru_cache(REMEMBERED)
def _is_one(lang: str, count: int | Fraction) -> bool:
    return grammar_of(lang).singular(max(count, -count))


@lru_cache(REMEMBERED)
def _digits(lang: str, value: int | Fraction) -> str:
    exact = Decimal(value.numerator) / value.denominator
    return number_text(lang, exact.quantize(Decimal("0.01")).normalize())


def paired(values: Iterable[Any]) -> list[tuple[Any, bool]]:
    """The values, two equal cards as one; and whether each stands for two, of two packs (W11).

    >>> paired((Card("QS"), Card("AH"), Card("QS'")))
    [(Card('QS'), True), (Card('AH'), False)]
    """
    pairs: list[tuple[Any, bool]] = []
    places: dict[Card, int] = {}
    for value in values:
        if not isinstance(value, Card):
            pairs.append((value, False))
        elif in_first_pack(value) in places:
            place = places[in_first_pack(value)]
            pairs[place] = pairs[place][0], True
        else:
            places[in_first_pack(value)] = len(pairs)
            pairs.append((value, False))
    return pairs
