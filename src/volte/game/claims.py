"""Claims: whether the rest of a deal can still change a score (C1)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from volte.cards import QUEENS, SUIT_MASKS, Card, cards_in, mask_of, union
from volte.fair import SplitMix64
from volte.game.evolve import fold_held, fold_play, fold_trick
from volte.game.legal import kitty_taker, legal_cards, trick_taker
from volte.game.state import DealState
from volte.rules import MoonBy, Score, SlamRule, score

PLAYOUTS: Final = 32
MOST_POSITIONS: Final = 50_000
"""Positions searched before a claim is refused as not proved: about a second."""


class _NotShown(Exception):
    """The claim is not proved: continuations score differently, or there are too many to search."""


@lru_cache(maxsize=256)  # a player may claim again and again
def claim_holds(deal: DealState) -> bool:
    """Whether every legal continuation gives the same score, slam and jack included.

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


def _playout(deal: DealState, random: SplitMix64) -> Score:
    while not _over(deal):
        cards = cards_in(legal_cards(deal))
        deal = _played(deal, cards[random.below(len(cards))])
    return _score(deal)


class _Search:
    """Depth-first search over all continuations, each position once."""

    def __init__(self, expected: Score) -> None:
        self.expected = expected
        self.seen: set[tuple[object, ...]] = set()

    def visit(self, deal: DealState) -> None:
        """Raise `_NotShown` unless every continuation gives the expected score."""
        settled = _settled(deal)
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
    """Memo key: everything in the deal that can still change the score."""
    rules = deal.rules
    by_most = rules.moon.slam is not SlamRule.OFF and rules.moon.by is MoonBy.SIDE
    won = deal.won if by_most else tuple(map(bool, deal.won))
    counting = tuple(taken & rules.counting_mask for taken in deal.taken)
    where = deal.hands, deal.trick, deal.leader, deal.broken, deal.voided
    return *where, counting, won, deal.kitty_taker, deal.held


def _settled(deal: DealState) -> Score | None:
    """The score, if it is certain without playing on; None otherwise."""
    if _over(deal):
        return _score(deal)
    open_still = deal.held | mask_of(deal.trick) | union(deal.hands)
    kitty_waits = deal.rules.kitty_size and deal.kitty_taker is None
    if not open_still & deal.rules.counting_mask and not kitty_waits and not tricks_matter(deal):
        return _score(deal)
    if not deal.trick and beats_all(deal, _with_others(deal)):
        tricks = deal.rules.hand_size - len(deal.tricks)
        taken, won = list(deal.taken), list(deal.won)
        taken[deal.turn] |= open_still
        won[deal.turn] += tricks
        taker = deal.turn if kitty_waits else deal.kitty_taker
        return _score(replace(deal, taken=tuple(taken), won=tuple(won), kitty_taker=taker))
    return None


def tricks_matter(deal: DealState) -> bool:
    """Whether taking a trick can still change the score, whatever its cards (S4, W6)."""
    slam_open = (
        deal.rules.moon.slam is not SlamRule.OFF
        and sum(any(deal.won[seat] for seat in side) for side in deal.rules.all_sides) < 2
    )
    return slam_open or (deal.rules.points.no_tricks < 0 and not all(deal.won))


def _with_others(deal: DealState) -> int:
    """Mask of the cards in all hands but that of the seat on turn."""
    return union(hand for seat, hand in enumerate(deal.hands) if seat != deal.turn)


def beats_all(deal: DealState, others: int) -> bool:
    """Whether each card of the seat on lead beats every card of its suit in the mask `others`."""
    if deal.rules.deck.packs > 1:  # equal cards may cancel
        return False
    for card in cards_in(deal.hands[deal.turn]):
        if card.suit is None or others & SUIT_MASKS[card.suit] & -card.bit:
            return False
    return True


def _distinct(deal: DealState) -> list[Card]:
    """Legal cards, one of each run of cards that no card still in play separates."""
    legal, values = legal_cards(deal), deal.rules.values
    if deal.rules.deck.packs > 1:  # any two cards may differ by which cards they cancel
        return list(cards_in(legal))
    elsewhere = mask_of(deal.trick) | _with_others(deal)
    distinct: list[Card] = []
    for card in cards_in(legal):
        last = distinct[-1] if distinct else None
        alike = (
            last is not None
            and last.suit is card.suit
            and values.get(last, 0) == values.get(card, 0)
            and not (last.bit | card.bit) & QUEENS  # the duties know her (T5, T6)
            and not elsewhere & (card.bit - (last.bit << 1))
        )
        if alike:
            distinct.pop()
        distinct.append(card)
    return distinct


def _over(deal: DealState) -> bool:
    return len(deal.tricks) == deal.rules.hand_size


def _played(deal: DealState, card: Card) -> DealState:
    seat = deal.turn
    deal = fold_play(deal, seat, card)
    if len(deal.trick) < len(deal.hands):
        return deal
    taker = trick_taker(deal, deal.trick)
    deal = fold_held(deal) if taker is None else fold_trick(deal, taker)
    kitty = kitty_taker(deal)
    return deal if kitty is None else replace(deal, kitty_taker=kitty)


def _score(deal: DealState) -> Score:
    captured = [deal.captured(seat) for seat in range(deal.rules.players)]
    return score(deal.rules, captured, deal.won)
