"""Drawing lots: one card each, by rank alone, ace high, equal cards draw again (D1, M2, M5)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from volte.cards import CARDS, PACK_SIZE, Card

LOTS: Final = tuple(card for card in CARDS[:PACK_SIZE] if card.joker is None)
"""What lots are drawn from: one pack, without jokers."""

Draw = tuple[tuple[int, Card], ...]
"""One round: who drew what."""


class Wanted(StrEnum):
    """What the lots are for: one seat, or an order of all; only ties that matter draw again."""

    LOWEST = "lowest"
    HIGHEST = "highest"
    ORDER = "order"


def draws_left(seats: Sequence[int], wanted: Wanted, rounds: Sequence[Draw]) -> tuple[int, ...]:
    """The seats that must draw next: all at first, then the tied; empty when it is settled."""
    groups = _groups(seats, rounds)
    if rounds and wanted is not Wanted.ORDER:
        groups = [groups[0 if wanted is Wanted.HIGHEST else -1]]
    return tuple(sorted(seat for group in groups if len(group) > 1 for seat in group))


def lawful_draw(seats: Sequence[int], wanted: Wanted, rounds: Sequence[Draw]) -> bool:
    """Whether just the seats that had to have drawn, each a card of its own from one pack."""
    for place, drawn in enumerate(rounds):
        cards = [card for _, card in drawn]
        drawing = draws_left(seats, wanted, rounds[:place])
        if not drawing or tuple(seat for seat, _ in drawn) != drawing:
            return False
        if len(set(cards)) < len(cards) or not set(cards) <= set(LOTS):
            return False
    return not draws_left(seats, wanted, rounds)


def order_of(seats: Sequence[int], rounds: Sequence[Draw]) -> tuple[int, ...]:
    """The seats from the highest card to the lowest, as far as the rounds tell them apart."""
    return tuple(seat for group in _groups(seats, rounds) for seat in group)


def _groups(seats: Sequence[int], rounds: Sequence[Draw]) -> list[tuple[int, ...]]:
    """The seats from the highest card to the lowest, those still equal side by side."""
    groups: list[tuple[int, ...]] = [tuple(seats)]
    for drawn in rounds:
        rank = {seat: card.rank or 0 for seat, card in drawn}
        finer = []
        for group in groups:
            if not rank.keys() >= set(group):
                finer.append(group)
                continue
            for high in sorted({rank[seat] for seat in group}, reverse=True):
                finer.append(tuple(seat for seat in group if rank[seat] == high))
        groups = finer
    return groups
