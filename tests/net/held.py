"""Plain text held against the file where it was written down."""

from __future__ import annotations

import os
from itertools import zip_longest
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
REMAKE: Final = bool(os.environ.get("VOLTE_REMAKE_GOLDENS"))


def hold(text: str, *place: str) -> None:
    """Compares the text with the golden of that name; VOLTE_REMAKE_GOLDENS=1 writes it anew."""
    path = HERE.joinpath(*place)
    if REMAKE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    held = path.read_bytes().decode()
    assert text == held, _difference(held.split("\n"), text.split("\n"), "/".join(place))


def _difference(held: list[str], told: list[str], name: str) -> str:
    """Where the texts first differ, a few lines of it."""
    pairs = enumerate(zip_longest(held, told), start=1)
    number = next(number for number, (one, other) in pairs if one != other)
    few = slice(number - 1, number + 4)
    return "\n".join([f"{name}, line {number}:", *held[few], "is now:", *told[few]])
