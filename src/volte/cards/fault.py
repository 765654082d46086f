"""Requests that cannot be met: a reason, and parameters for the sentence in `volte.say`."""

from __future__ import annotations

import re
from numbers import Integral
from typing import Self, get_args

import volte


class VolteError(ValueError):
    """A request of a person or a program that cannot be met.

    `str` of it is one English sentence, which says what is wrong and what to do about it.
    """

    __module__ = "volte"  # as programs import it

    field = ""  # the wrong field of a form or of the rules; empty where it is not known

    def __init__(self, reason: str, /, **params: object) -> None:
        super().__init__(reason)  # copies are made with this argument alone
        self.reason = reason  # a short name, the key of the sentence in `volte.say`
        self.params = params  # values for the sentence, by name

    def at(self, field: str) -> Self:
        """Name the field of a form or of the rules, and return this error."""
        self.field = field
        return self

    def say(self, lang: str = "en") -> str:
        """The sentence in a language, `en` or `fr`."""
        if not isinstance(lang, str):
            raise WrongType.of("lang", str, lang)
        return volte.sentence(self, lang)

    def __str__(self) -> str:
        return self.say()


class WrongType(VolteError, TypeError):
    """An argument, or a field of one, whose type is not the one declared."""

    @classmethod
    def of(cls, name: str, wanted: object, given: object) -> Self:
        """
        Args:
            name: of the argument, or of the field, `Play.card`.
            wanted: a type, as annotations name it.
            given: the value.
        """
        return cls("wrong_type", name=name, wanted=_type_name(wanted), type=_type_of(given))


class NoSuchSeat(VolteError, IndexError):
    """A seat that the table does not have."""

    @classmethod
    def check(cls, seat: object, players: int) -> None:
        """Raise `NoSuchSeat` unless `seat` is a seat of a table for `players`."""
        if type(seat) is int and 0 <= seat < players:
            return  # the usual case
        if not isinstance(seat, Integral):
            raise WrongType.of("seat", int, seat)
        if seat not in range(players):
            raise cls("no_seat_here", seat=seat, most=players - 1)


class CardFault(VolteError):
    """A text, a mask or an index that stands for no card, or a text that names a card twice."""


def _type_name(hint: object) -> str:
    """A type as it stands in annotations, such as `Card or str`."""
    name = hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)
    return _in_words(re.sub(r"(\w+\.)+(?=\w)", "", name).replace(" | ", " or "))


def _type_of(value: object) -> str:
    """The type of a value in words; for a list or the like, with the type of its first item."""
    name = f"class {value.__name__}" if isinstance(value, type) else type(value).__name__
    if isinstance(value, list | tuple | set | frozenset) and value:
        name += f" of {type(next(iter(value))).__name__}"
    return _in_words(name)


def _in_words(name: str) -> str:
    """The name of a type, without brackets and underscores."""
    name = re.sub(r"\[+", " of ", name.replace(", ...", "")).replace("]", "").replace("_", " ")
    return name.replace("NoneType", "None").strip()


def shown(value: object) -> str:
    """A program's value as sentences repeat it: its `repr`, or its type if that says no value."""
    try:
        written = repr(value)
    except Exception:  # a class may raise anything
        return _type_of(value)
    return _type_of(value) if written.startswith("<") else written
