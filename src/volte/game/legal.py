"""`legal_actions`: what a seat may do to carry the deal forward."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from volte.cards import CARDS, SUIT_MASKS, cards_in
from volte.game.actions import Pass, Play, SeatAction
from volte.game.evolve import duties_now
from volte.game.state import DealState, MatchState, Phase
from volte.rules import legal_mask

MOST_SEATS: Final = 10
_PLAYS: Final = tuple(tuple(Play(seat, card) for card in CARDS) for seat in range(MOST_SEATS))


def to_act(state: MatchState) -> tuple[int, ...]:
    """The seats whose turn it is; empty when the house has to act, or nobody any more.

    A seat that is asked to allow an undo may answer besides, and so may one that claims.
    """
    deal = state.deal
    if deal is None:
        return ()
    if state.phase is Phase.PLAYING:
        return (deal.turn,) if len(deal.trick) < len(deal.hands) else ()
    if state.phase is Phase.PASSING:
        return tuple(seat for seat, cards in enumerate(deal.passes) if cards is None)
    return ()


def legal_cards(deal: DealState) -> int:
    """Mask of the cards that the seat on turn may play (T1–T8, L1, L2)."""
    hand = deal.hands[deal.turn]
    if deal.led is not None:
        follow = hand & SUIT_MASKS[deal.led]
        if follow:
            return follow
    return legal_mask(hand, duties_now(deal))


def legal_actions(state: MatchState, seat: int) -> tuple[SeatAction, ...]:
    """Every play, or every pass, that is open to the seat now; empty when it is not its turn.

    Claims and undo (C1, C2) carry nothing forward and are not listed: `decide` judges them.
    """
    deal = state.deal
    if deal is None:
        return ()
    if state.phase is Phase.PLAYING:
        if deal.turn != seat or len(deal.trick) == len(deal.hands):
            return ()
        plays = _PLAYS[seat]
        return tuple([plays[card.index] for card in cards_in(legal_cards(deal))])
    if state.phase is Phase.PASSING and deal.passes[seat] is None:
        hand = cards_in(deal.hands[seat])
        count = deal.rules.passing.count
        return tuple(Pass(seat, cards) for cards in combinations(hand, count))
    return ()
