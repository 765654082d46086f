"""Cards as they are typed: by any name, or by their place in the hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from volte.cards import Card, Fault
from volte.terminal.console import TerminalFault

Read = Callable[[str], Card]
"""The card of a name. Raises a `Fault` for what names none."""

MOST_WORDS: Final = 6
"""Words in the longest name of a card: "the ten of the clubs"."""

_PLACE: Final = re.compile(r"[.,]\d+")
_AND: Final = frozenset({"et", "and", "&", "+"})


def read_answer(line: str, hand: Sequence[Card], read: Read) -> tuple[Card, ...]:
    """The cards of a line, in the order typed.

    Args:
        hand: in the order in which places are counted.
        read: reads one card's name.

    Raises a `Fault`. Longer names go first, so `dame de pique as 10h` are three cards.
    """
    words = re.sub(r"[,;](?!\d)", " , ", re.sub(r"(?<=\d)(?=\.\d)", " ", line)).split()
    cards: list[Card] = []
    at = 0
    while at < len(words):
        if words[at] == "," or (words[at].casefold() in _AND and cards):
            at += 1
            continue
        card, used = _next_card(words[at:], hand, read)
        cards.append(card)
        at += used
    return tuple(cards)


def _next_card(words: list[str], hand: Sequence[Card], read: Read) -> tuple[Card, int]:
    if _PLACE.fullmatch(words[0]):
        return _at(int(words[0][1:]), hand), 1
    stop = words.index(",") if "," in words else len(words)
    first_fault: Fault | None = None
    for used in range(min(stop, MOST_WORDS), 0, -1):
        try:
            return read(" ".join(words[:used])), used
        except Fault as fault:
            first_fault = first_fault or fault
    assert first_fault is not None
    raise first_fault


def _at(place: int, hand: Sequence[Card]) -> Card:
    if not 1 <= place <= len(hand):
        raise TerminalFault("no_such_place", place=place, most=len(hand))
    return hand[place - 1]
