"""`legal_actions`: the actions by which a seat may carry the deal forward."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from volte.cards import CARDS, HEARTS, SUIT_MASKS, Card, cards_in
from volte.game.actions import ChooseMoon, Pass, Play, SeatAction
from volte.game.evolve import duties_now
from volte.game.state import DealState, MatchState, Phase
from volte.rules import Kitty
from volte.rules.legality import legal_mask, trick_winner

MOST_SEATS: Final = 10
_PLAYS: Final = tuple(tuple(Play(seat, card) for card in CARDS) for seat in range(MOST_SEATS))


def to_act(state: MatchState) -> tuple[int, ...]:
    """Seats whose turn it is; empty when the house has to act, or when the match is over.

    Besides these, a seat may answer a request for undo, and any seat may claim.
    """
    deal = state.deal
    if deal is None:
        return ()
    if state.phase is Phase.PLAYING:
        return (deal.turn,) if len(deal.trick) < len(deal.hands) else ()
    if state.phase is Phase.PASSING:
        return tuple(seat for seat, cards in enumerate(deal.passes) if cards is None)
    if state.phase is Phase.CHOOSING and state.shooter is not None:
        return (state.shooter,)
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

    Claims and undo (C1, C2) carry nothing forward and are not listed: `decide` judges them. In a
    scatter each set of cards is listed in one order, though any order is open (W1).
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
        count = deal.pass_size
        return tuple(Pass(seat, cards) for cards in combinations(hand, count))
    if state.phase is Phase.CHOOSING and seat == state.shooter:
        return (ChooseMoon(seat, minus=False), ChooseMoon(seat, minus=True))
    return ()


def trick_taker(deal: DealState, trick: tuple[Card, ...]) -> int | None:
    """Return the seat that takes the full trick; None where its cards cancel (T2, W11).

    If they cancel in the last trick of a deal, its leader takes it, with all tricks held before.
    """
    winner = trick_winner(deal.leader, trick)
    if winner is None and len(deal.tricks) + 1 == deal.rules.hand_size:
        return deal.leader
    return winner


def kitty_taker(deal: DealState) -> int | None:
    """Return the seat that gets the kitty with the trick just gathered, if any (D6, W4)."""
    rules = deal.rules
    if not rules.kitty_size or deal.kitty_taker is not None or not any(deal.won):
        return None
    now = len(deal.tricks) == rules.hand_size or rules.deck.kitty is Kitty.FIRST_TRICK
    if rules.deck.kitty is Kitty.FIRST_HEART:
        now = now or any(taken & HEARTS for taken in deal.taken)
    return deal.leader if now and not deal.held else None
