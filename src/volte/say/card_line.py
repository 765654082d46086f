"""Cards as they are typed on a line: by any name, or by their place in the hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from volte.cards import Card, CardFault, Fault, twin
from volte.game import Phase
from volte.say.answers import hand_order
from volte.say.typed import read_card
from volte.view import View

Read = Callable[[str], Card]
"""The card of a name. Raises a `Fault` for what names none."""

MOST_WORDS: Final = 6
"""Words in the longest name of a card: "the ten of the clubs"."""

_PLACE: Final = re.compile(r"[.,]\d+")
_AND: Final = frozenset({"et", "and", "&", "+"})


def read_choice(lang: str, line: str, view: View) -> tuple[Card, ...]:
    """The cards that somebody at the view's seat passes or plays by typing a line.

    Several in the pass, else one. Raises a `Fault`.
    """
    hand, named = view.hand, set[Card]()

    def read(name: str) -> Card:
        """One named twice is both of two equal cards (W11)."""
        card = read_card(lang, name, hand)
        if card in named and twin(card) in hand:
            card = twin(card)
        named.add(card)
        return card

    cards = read_answer(line, hand_order(view), read)
    twice = [card for card in cards if cards.count(card) > 1]
    if twice:
        raise CardFault("named_twice", card=twice[0])
    if view.state.phase is Phase.PASSING:
        return cards
    if len(cards) != 1:
        raise CardFault("one_card")
    [card] = cards
    legal = view.legal  # of two equal cards, one may be playable alone (L2)
    return (twin(card) if card not in legal and twin(card) in legal else card,)


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
        raise CardFault("no_such_place", place=place, most=len(hand))
    return hand[place - 1]
