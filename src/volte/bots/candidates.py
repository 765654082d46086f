"""What a bot that searches chooses between: cards that differ, and sets of cards to pass."""

from __future__ import annotations

from itertools import combinations
from math import comb

from volte.bots.casual import burdens, hint
from volte.bots.ranks import ABOVE, BELOW, TWIN, height
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
    for card in sorted(view.legal, key=_in_suits):
        group = groups[-1] if groups else []
        if group and _alike(view, group[-1], card):
            group.append(card)
        else:
            groups.append([card])
    return {group[0].bit: tuple(group) for group in groups}


def _in_suits(card: Card) -> tuple[int, int, int]:
    """Suit by suit, by rank whatever the pack; jokers last."""
    return 4 if card.suit is None else card.suit, height(card.bit), card.index


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
