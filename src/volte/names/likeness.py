"""Which names look alike, and how they are told apart."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final
from unicodedata import normalize

from volte.names.cleaning import IGNORABLE

FILE: Final = Path(__file__).with_name("lookalikes.txt")


def looks(name: str) -> frozenset[str]:
    """What the name may be taken for: two names with a look in common are alike.

    One look is the skeleton of UTS 39, the other that of the name without capitals and the like
    (NFKC and case folding).

    >>> bool(looks("Anne") & looks("\u0410nne")), bool(looks("Anne") & looks("ANNE"))
    (True, True)
    >>> bool(looks("Anne") & looks("Anna"))
    False
    """
    folded = normalize("NFKC", normalize("NFKC", name).casefold())
    return frozenset({_skeleton(name), " " + _skeleton(folded)})


def told_apart(name: str, taken: Iterable[str]) -> str:
    """The name, with a number where it looks like one that is taken.

    >>> told_apart("Anne", ["Bob", "ANNE", "Anne 2"])
    'Anne 3'
    """
    seen = frozenset[str]().union(*map(looks, taken))
    name = " ".join(name.split())
    number, apart = 1, name
    while not looks(apart).isdisjoint(seen):
        number += 1
        apart = f"{name} {number}"
    return apart


def _skeleton(text: str) -> str:
    """As in UTS 39, 4: https://www.unicode.org/reports/tr39/#Confusable_Detection."""
    plain = IGNORABLE.sub("", normalize("NFD", text))
    return " ".join(normalize("NFD", plain.translate(_lookalikes())).split())


@cache
def _lookalikes() -> dict[int, str]:
    """By code point, the text that a sign looks like."""
    lines = FILE.read_text("utf-8").split("\n")
    found: dict[int, str] = {}
    for line in lines:
        text, _, signs = line.partition(": ")
        if signs and not line.startswith("#"):
            shape = "".join(chr(int(each, 16)) for each in text.split("+"))
            found |= dict.fromkeys((int(sign, 16) for sign in signs.split()), shape)
    return found
