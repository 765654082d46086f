"""What a bot that searches chooses between, and when one of these candidates is surely worse."""

from __future__ import annotations

from itertools import combinations
from math import nan
from typing import Final, NamedTuple

from volte.bots.odds import ABOVE, BELOW, TWIN
from volte.bots.passing import cheapest, cost_of
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


def passes(view: View, most: int) -> dict[int, float]:
    """Sets of cards to pass, as masks, about so many at most, and what the hand may cost after.

    They are what `casual` passes, those that look best at a glance (`cheapest`), and those that
    leave a hand its highest cards, for the moon; what these cost is not foreseen (nan).
    """
    usual = hint(view).action
    assert isinstance(usual, Pass)
    chosen = cheapest(view, max(1, most)) | cost_of(view, mask_of(usual.cards))
    light = sorted(view.hand, key=lambda card: (card.rank or 0, card.index))
    for cards in combinations(light[: len(usual.cards) + 1], len(usual.cards)):
        chosen.setdefault(mask_of(cards), nan)
    return dict(sorted(chosen.items()))


# When it is clear which is best


class Care(NamedTuple):
    """When a candidate is surely worse."""

    worlds: int  # that are looked at before anything is
    errors: float  # standard errors of a difference by which a candidate must be worse


CARE: Final = Care(24, 3.0)
GREAT_CARE: Final = Care(200, 5.0)

ALIKE: Final = 0.05
"""Points within which it does not matter which of several is chosen."""
