"""Texts that depend on the rules of a table: guards before words, headings and points.

A guard, `[kitty, not one_deal, moon=off]`, holds where all of its conditions do, `[]` always. With
`else` it holds only where those before it, up to the last one without `else`, did not. What follows
`[each other_cards]` is said once for each of the cards, with names of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, TypeVar

Scope = Mapping[str, Any]
"""Values of the names that hold in one line alone."""

NOTHING: Final[Scope] = {}


class Guarded(Protocol):
    """A part of a text that stands only where its guard holds."""

    @property
    def guard(self) -> str: ...


class Span(NamedTuple):
    """Words and the guard before them."""

    guard: str
    words: str


Part = TypeVar("Part", bound=Guarded)


def led(text: str) -> Span:
    """The guard that a heading or a line begins with, and the rest of it."""
    found = re.fullmatch(r"(?:\[(.+?)\] )?(.*)", text)
    assert found is not None, text
    return Span(found[1] or "", found[2])


def spans(text: str) -> tuple[Span, ...]:
    """The spans of a text, which may go over several lines."""
    on_one_line = re.sub(r"[ \n]+", " ", text).strip(" ")  # no-break spaces stay
    found = re.findall(r"(?:\[(.*?)\])? ?([^\[]+|$)", on_one_line)
    return tuple(Span(guard, words.strip(" ")) for guard, words in found if guard or words)


def holds(guard: str, value: Callable[[str], Any]) -> bool:
    """Whether all conditions of a guard hold, by the value of each name: "kitty, not one_deal"."""
    return all(
        bool(value(each.removeprefix("not "))) != each.startswith("not ")
        for each in (guard.split(", ") if guard else ())
    )


def standing(
    parts: Iterable[Part], value: Callable[[Scope, str], Any], scope: Scope = NOTHING
) -> Iterator[tuple[Part, Scope]]:
    """Parts whose guards hold, with their scopes; as many of a part as its `each` has values.

    Args:
        value: gives the value of a name in a scope, or else at the table.
    """
    found = False
    for part in parts:
        guard = part.guard.removeprefix("else").removeprefix(", ")
        found = found and guard != part.guard
        name = guard.removeprefix("each ")
        if found or not holds(name, partial(value, scope)):
            continue
        found = True
        yield from ((part, inside) for inside in ([scope] if name == guard else value(scope, name)))
