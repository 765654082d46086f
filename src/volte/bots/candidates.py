"""What a bot that searches chooses between, and when one of these candidates is surely worse."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from volte.bots.casual import burdens
from volte.bots.odds import ABOVE, BELOW, TWIN
from volte.bots.reasons import hint
from volte.cards import QUEENS, Card, mask_of
from volte.game import Pass
from volte.view import View


def unlike(view: View) -> dict[int, tuple[Card, ...]]:
    """The cards that may be played, those together that it makes no difference between.

    Two cards of a suit are alike where every card between them is held or gone, and they count
    the same; the queen has duties of her own (T5, T6), and is like no other.

    Returns the cards by the bit of the lowest.
    """
    groups: list[list[Card]] = []
    # Suit by suit and rank by rank, whatever the pack; jokers last
    order = sorted(
        view.legal,
        key=lambda card: (4 if card.suit is None else card.suit, card.rank or 0, card.index),
    )
    for card in order:
        group = groups[-1] if groups else []
        if group and _alike(view, group[-1], card):
            group.append(card)
        else:
            groups.append([card])
    return {group[0].bit: tuple(group) for group in groups}


def _alike(view: View, low: Card, high: Card) -> bool:
    rules = view.deal.rules
    if low.suit is None or low.suit is not high.suit or QUEENS & (low.bit | high.bit):
        return False
    if rules.values.get(low, 0) != rules.values.get(high, 0):
        return False
    between = ABOVE[low.bit] & BELOW[high.bit] | TWIN[low.bit] | TWIN[high.bit]
    return not between & (view.unseen | mask_of(view.deal.trick))


def passes(view: View, most: int) -> list[int]:
    """Sets of cards to pass, as masks, at most about so many.

    They are what `casual` passes, those made of the cards that weigh most on the hand by it, and
    those that leave a hand its highest cards, for the moon.
    """
    count = view.deal.pass_size
    usual = hint(view).action
    assert isinstance(usual, Pass)
    heavy = burdens(view)
    size = count
    while size < len(heavy) and comb(size + 1, count) <= most:
        size += 1
    chosen = {mask_of(usual.cards)}
    chosen |= {mask_of(cards) for cards in combinations(heavy[:size], count)}
    light = sorted(heavy, key=lambda card: (card.rank or 0, card.index))
    chosen |= {mask_of(cards) for cards in combinations(light[: count + 1], count)}
    return sorted(chosen)


# When it is clear which is best


class Care(NamedTuple):
    """When a candidate is surely worse."""

    worlds: int  # that are looked at before anything is
    errors: float  # standard errors of a difference by which a candidate must be worse


CARE: Final = Care(24, 3.0)
GREAT_CARE: Final = Care(200, 5.0)

ALIKE: Final = 0.05
"""Points within which it does not matter which of several is chosen."""
