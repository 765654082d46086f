"""Claims: whether the rest of a deal can still change a score (C1)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from volte.cards import QUEEN, SUIT_MASKS, Card, cards_in, mask_of
from volte.fair import SplitMix64
from volte.game.evolve import fold_play, fold_trick
from volte.game.legal import legal_cards
from volte.game.state import DealState
from volte.rules import SlamRule, score, trick_winner

PLAYOUTS: Final = 32
MOST_POSITIONS: Final = 50_000
"""Positions looked at before a claim is refused as not shown: about a second."""

Points = tuple[int, ...]


class _NotShown(Exception):
    """Two continuations score differently, or there are too many to look at."""


@lru_cache(maxsize=256)  # somebody may claim again and again
def claim_holds(deal: DealState) -> bool:
    """Whether every legal continuation gives the same points to everybody, slam and jack included.

    Exact: a claim is never allowed that some continuation could belie. A few random continuations
    refuse most claims at once; the others are searched in full, and one whose search would pass
    `MOST_POSITIONS` is refused.
    """
    random = SplitMix64(deal.number)
    expected = _playout(deal, random)
    if any(_playout(deal, random) != expected for _ in range(PLAYOUTS)):
        return False
    try:
        _Search(expected).visit(deal)
    except _NotShown:
        return False
    return True


def _playout(deal: DealState, random: SplitMix64) -> Points:
    while not _over(deal):
        cards = cards_in(legal_cards(deal))
        deal = _played(deal, cards[random.below(len(cards))])
    return _points(deal)


class _Search:
    """Depth first over all continuations, each position once."""

    def __init__(self, expected: Points) -> None:
        self.expected = expected
        self.seen: set[tuple[object, ...]] = set()

    def visit(self, deal: DealState) -> None:
        """Raises `_NotShown` unless every continuation gives the expected points."""
        settled = _settled_points(deal)
        if settled is not None:
            if settled != self.expected:
                raise _NotShown
            return
        key = _key(deal)
        if key in self.seen:
            return
        if len(self.seen) >= MOST_POSITIONS:
            raise _NotShown
        self.seen.add(key)
        for card in _distinct(deal):
            self.visit(_played(deal, card))


def _key(deal: DealState) -> tuple[object, ...]:
    winners = tuple(bool(won) for won in deal.won)
    counting = tuple(taken & deal.rules.counting_mask for taken in deal.taken)
    where = deal.hands, deal.trick, deal.leader, deal.broken, deal.voided
    return *where, counting, winners, deal.kitty_taker


def _settled_points(deal: DealState) -> Points | None:
    """The points, once they can be told without playing on."""
    if _over(deal):
        return _points(deal)
    if deal.trick:
        return None
    left = 0
    for hand in deal.hands:
        left |= hand
    kitty_waits = deal.rules.kitty_size and deal.kitty_taker is None
    slam_open = deal.rules.moon.slam is not SlamRule.OFF and sum(map(bool, deal.won)) < 2
    if not left & deal.rules.counting_mask and not kitty_waits and not slam_open:
        return _points(deal)
    if _takes_the_rest(deal):
        tricks = deal.rules.hand_size - len(deal.tricks)
        taken, won = list(deal.taken), list(deal.won)
        taken[deal.turn] |= left
        won[deal.turn] += tricks
        taker = deal.turn if kitty_waits else deal.kitty_taker
        return _points(replace(deal, taken=tuple(taken), won=tuple(won), kitty_taker=taker))
    return None


def _takes_the_rest(deal: DealState) -> bool:
    """Whether every card of the seat on lead beats all that the others hold of its suit."""
    hand = deal.hands[deal.turn]
    others = 0
    for seat, cards in enumerate(deal.hands):
        if seat != deal.turn:
            others |= cards
    for card in cards_in(hand):
        if card.suit is None or others & SUIT_MASKS[card.suit] & -card.bit:
            return False
    return True


def _distinct(deal: DealState) -> list[Card]:
    """The legal cards, one of each run that no card still in play can tell apart."""
    legal, values = legal_cards(deal), deal.rules.values
    elsewhere = mask_of(deal.trick)
    for seat, cards in enumerate(deal.hands):
        if seat != deal.turn:
            elsewhere |= cards
    kept: list[Card] = []
    for card in cards_in(legal):
        last = kept[-1] if kept else None
        alike = (
            last is not None
            and last.suit is card.suit
            and values.get(last, 0) == values.get(card, 0)
            and QUEEN not in (last, card)  # the duties know her, whatever she counts (T5, T6)
            and not elsewhere & (card.bit - (last.bit << 1))
        )
        if not alike:
            kept.append(card)
        else:
            kept[-1] = card
    return kept


def _over(deal: DealState) -> bool:
    return len(deal.tricks) == deal.rules.hand_size


def _played(deal: DealState, card: Card) -> DealState:
    seat = deal.turn
    deal = fold_play(deal, seat, card)
    if len(deal.trick) < len(deal.hands):
        return deal
    winner = trick_winner(deal.leader, deal.trick)
    deal = fold_trick(deal, winner)
    if len(deal.tricks) == 1 and deal.rules.kitty_size:
        deal = replace(deal, kitty_taker=winner)
    return deal


def _points(deal: DealState) -> Points:
    captured = [deal.captured(seat) for seat in range(deal.rules.players)]
    return score(deal.rules, captured, deal.won).points
