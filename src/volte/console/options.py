"""Meaning of options shared by several commands: rules, records, words, settings."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from volte.cards import Card, Suit
from volte.game.codec import card_text
from volte.notation.record import MOST_BYTES, RecordFault, content_of
from volte.rules import Ruleset, Value, read_setting, ruleset_named
from volte.say import Words
from volte.say.language import N_, paired

STDIN: Final = Path("-")
"""The path that means standard input."""


def given(file: Path) -> bytes:
    """The text of a file, or of standard input. Raises `RecordFault`."""
    if file != STDIN:
        return content_of(file)
    if sys.stdin is None:  # the program was started with it closed
        return b""
    try:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    except OSError as error:
        raise RecordFault("record_not_read", path=str(file), why=error.strerror) from None


def chosen_rules(
    rules: str | None, settings: Sequence[str], players: str | None, seats: int = 0
) -> Ruleset:
    """The ruleset of `--rules`, `--set` and `--players`. Raises `RulesetFault`.

    Args:
        seats: the number of players if neither `players` nor a setting gives it; 0 for none.
    """
    changes: dict[str, Value] = dict(map(read_setting, settings))
    if players is not None:
        changes["players"] = players
    elif seats:
        changes.setdefault("players", seats)
    return ruleset_named(rules, changes)


def print_json(answer: object) -> None:
    """Print a command's answer to programs."""
    plain = msgspec.to_builtins(answer, enc_hook=card_text)
    print(json.dumps(plain, ensure_ascii=False, indent=2))


def fresh_seed() -> int:
    """A random seed, short enough to be typed again."""
    return secrets.randbelow(10**9)


def tell_settings(lang: str, shown: Mapping[str, tuple[str, str]]) -> None:
    """Print each setting as a line of TOML, with its source as a comment.

    Args:
        shown: by name, the value and its source.
    """
    words = Words(lang)
    lines = {name: f"{name} = {value}" for name, (value, _) in shown.items()}
    width = min(max(map(len, lines.values())), WIDEST)
    for name, (_, source) in shown.items():
        print(f"{lines[name]:<{width}}  # {words.t(SOURCES[source])}")


WIDEST: Final = 48

SOURCES: Final = {
    "option": N_("from an option"),
    "environment": N_("from the environment"),
    "file": N_("from the file"),
    "default": N_("by default"),
}
"""Sentences for the sources of a setting."""


class SymbolWords(Words):
    """Words that show cards and suits by their symbols.

    >>> SymbolWords("fr").the_card(Card("QS")), SymbolWords("en").t("{suit}", suit=Suit.HEARTS)
    ('D♠', '♥ hearts')
    """

    def the_card(self, card: Card) -> str:
        return self.short(card)

    def pair(self, card: Card, form: str = "") -> str:
        text = self.format_field(card, form)
        return f"{text} {text}"

    def together(self, cards: Iterable[Card], conjunction: str = "and") -> list[str]:
        return [
            self.pair(card) if two and conjunction == "and" else self.short(card)
            for card, two in paired(cards)
        ]

    def ranks(self, cards: Iterable[Card], conjunction: str = "and") -> str:
        return self._joined(self.together(cards, conjunction), conjunction)

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Card):
            short = self.short(value)
            return short[:-1] if format_spec == "rank" and value.suit is not None else short
        text = super().format_field(value, format_spec)
        return f"{value.symbol} {text}" if isinstance(value, Suit) else text


def words_for(lang: str, plain: bool) -> Words:
    """Words of a language: with symbols of the suits, or `plain` without them."""
    return Words(lang) if plain else SymbolWords(lang)
