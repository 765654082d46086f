"""What a bot that searches chooses between, and when one of these candidates is surely worse.

What a hand is likely to cost after each pass is seen at a glance. Suit by suit: how many cards are
kept, how low each stands among those that others hold, what guards a dear card (one of a quarter of
all points), and which hearts are given away. The numbers were fitted to deals played out by
instinct, at tables of three to six (`scripts/teach_passes.py`), and say only how sets of one hand
differ. Hands kept for the moon are not foreseen by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb, nan
from typing import Final, NamedTuple

from volte.bots.casual import USUAL, burdens
from volte.bots.odds import ABOVE, BELOW, ONE, TWIN, ascending
from volte.bots.reasons import hint
from volte.cards import QUEENS, SUIT_MASKS, Card, mask_of
from volte.game import Pass
from volte.rules import Direction, Ruleset
from volte.view import View

# Cards


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


# Passes

KINDS: Final = 3
"""Suits: plain; with a dear card; half of it penalties or more."""

LENGTHS: Final = 6
RANKS: Final = 4
"""Cards from the lowest that are looked at one by one."""
GUARDS: Final = 5

PER_KIND: Final = LENGTHS + 2 * RANKS + 1
_HELD: Final = KINDS * PER_KIND
_ABOVE: Final = _HELD + GUARDS
_REST: Final = _ABOVE + GUARDS

LEARNED: Final = (
    # Plain suits: by length; height of the lowest four cards; its square; heights of all others
    *(-2.93, -1.45, 0.13, 1.12, 1.55, 1.59),
    *(0.37, 0.64, 0.75, 0.53, -0.16, -0.43, -0.32, -0.19, -0.04),
    # The suit of a dear card
    *(1.32, 0.94, 0.22, -0.47, -0.93, -1.08),
    *(0.92, 0.91, 0.27, 0.04, 0.63, 0.66, 0.44, -0.17, -0.73),
    # Hearts
    *(-1.52, 0.01, 0.28, 0.35, 0.26, 0.62),
    *(1.48, 1.23, 0.01, -0.26, -1.19, -0.56, -0.41, -1.05, -1.98),
    # A dear card that is kept, by its guards; each card above one that others hold, in the same way
    *(1.64, 0.84, 0.18, -0.17, -0.58),
    *(1.47, 1.41, 1.35, 1.25, 1.00),
    # Each card above a dear one, kept with it; a dear card given away, and each card above it kept;
    # each heart given away, and its height
    *(-0.62, -1.91, 1.41, -0.19, -0.48),
)
"""Points by place (`places`)."""

MOST_SETS: Final = 120
"""Sets that are looked at: of more cards only those that the hand is lightest without."""


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


def cheapest(view: View, most: int) -> dict[int, float]:
    """At most so many sets of cards to pass, as masks, and what the hand may cost after each.

    Where they go to partners that is not foreseen: these are the sets of the cards that weigh most
    by `casual`, and all cost nothing.
    """
    count = view.deal.pass_size
    if _helps_partners(view):
        return dict.fromkeys(_sets(burdens(view), count, most), 0.0)
    glance = Glance(view)
    cards = sorted(view.hand, key=lambda card: glance.cost(card.bit))
    costs = {given: glance.cost(given) for given in _sets(cards, count, MOST_SETS)}
    return {given: costs[given] for given in sorted(costs, key=costs.__getitem__)[:most]}


def cost_of(view: View, given: int) -> dict[int, float]:
    """What one set of cards is expected to cost if it is passed, by its mask, in points."""
    return {given: 0.0 if _helps_partners(view) else Glance(view).cost(given)}


def _sets(cards: list[Card], count: int, most: int) -> list[int]:
    """The sets of as many of the first cards as make no more sets than that, as masks."""
    size = count
    while size < len(cards) and comb(size + 1, count) <= most:
        size += 1
    return [mask_of(some) for some in combinations(cards[:size], count)]


def _helps_partners(view: View) -> bool:
    rules, deal = view.deal.rules, view.deal
    assert view.seat is not None
    if rules.sides.partners == 1:
        return False
    return deal.direction is Direction.SCATTER or deal.direction.target(
        view.seat, rules.players
    ) in rules.side(view.seat)


class Glance:
    """What a hand costs without some of its cards; each holding of a suit is looked at once."""

    def __init__(self, view: View) -> None:
        self._rules = view.deal.rules
        self._hand = view.hand.mask
        self._known: dict[tuple[int, int], float] = {}

    def cost(self, given: int) -> float:
        """In points, beside other sets of this hand; the cards given away are a mask."""
        return sum(self._of(suit, self._hand & suit & ~given) for suit in SUIT_MASKS)

    def _of(self, suit: int, kept: int) -> float:
        known = self._known.get((suit, kept))
        if known is None:
            found = places(self._rules, suit, self._hand & suit, kept)
            known = sum(LEARNED[place] * much for place, much in found)
            known += sum(
                points * USUAL.bonus / ONE
                for card, points in self._rules.values.items()
                if points < 0 and card.bit & kept
            )
            self._known[suit, kept] = known
        return known


def places(rules: Ruleset, suit: int, held: int, kept: int) -> Iterator[tuple[int, float]]:
    """Where a holding stands in `LEARNED`, and how much of each place it has.

    Args:
        suit: mask of the suit.
        held, kept: masks of the cards of it in the hand, before the pass and after it.
    """
    suit &= rules.deck_mask
    unseen = suit & ~held
    penalties = rules.penalty_mask & suit
    dear = next(
        (
            card.bit
            for card, points in rules.values.items()
            if card.bit & penalties and 4 * points >= rules.penalty_total
        ),
        0,
    )
    kind = 1 if dear else 2 if 2 * penalties.bit_count() >= suit.bit_count() else 0
    start = kind * PER_KIND
    yield start + min(kept.bit_count(), LENGTHS - 1), 1.0
    for rank, bit in enumerate(ascending(kept)):
        height = height_in(unseen, bit)
        if rank < RANKS:
            yield start + LENGTHS + rank, height
            yield start + LENGTHS + RANKS + rank, height * height
        else:
            yield start + LENGTHS + 2 * RANKS, height
    if dear:
        guards = min((kept & BELOW[dear]).bit_count(), GUARDS - 1)
        above = (kept & ABOVE[dear]).bit_count()
        if kept & dear:
            yield _HELD + guards, 1.0
            yield _REST, above
        elif held & dear:
            yield _REST + 1, 1.0
            yield _REST + 2, above
        else:
            yield _ABOVE + guards, above
    elif kind:
        for bit in ascending(held & ~kept):
            yield _REST + 3, 1.0
            yield _REST + 4, height_in(unseen, bit)


def height_in(unseen: int, bit: int) -> float:
    """From -1, below all cards of its suit that are not in the hand, to 1, above them."""
    return 2 * (unseen & BELOW[bit]).bit_count() / max(1, unseen.bit_count()) - 1


# When it is clear which is best


class Care(NamedTuple):
    """When a candidate is surely worse."""

    worlds: int  # that are looked at before anything is
    errors: float  # standard errors of a difference by which a candidate must be worse


CARE: Final = Care(24, 3.0)
GREAT_CARE: Final = Care(200, 5.0)

ALIKE: Final = 0.05
"""Points within which it does not matter which of several is chosen."""
