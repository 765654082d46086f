"""The cards of the last match dealt again, with everybody one seat on.

The cards and the first dealer stay at their seats, so that each player has the neighbour's cards.
"""

from __future__ import annotations

from volte.cards import Card
from volte.game import CardsOrigin, Dealt, Phase, Refusal, deck_of
from volte.rules import of_deals
from volte.table import happenings as hap
from volte.table.happenings import Happening
from volte.table.state import TableState


def again_refusal(state: TableState) -> Refusal | None:
    """The refusal to deal the cards of the last match again; None where that can be done."""
    match = state.match
    if state.under_way:
        return Refusal("under_way")
    if match is None or match.phase is not Phase.ENDED or not state.between_matches:
        return Refusal("no_match_before")
    if state.setup.rated:
        return Refusal("rated_again")
    if tuple(seat.person for seat in state.seats) != state.ended:
        return Refusal("others_here")
    deals = len(match.deals)
    if of_deals(state.setup.rules, deals) != of_deals(match.rules, deals):
        return Refusal("other_rules")
    dealers = [(state.dealt[0].dealer + n) % len(state.seats) for n in range(deals)]
    if [each.dealer for each in state.dealt] != dealers or any(map(_lacks, state.dealt)):
        return Refusal("cards_unknown")
    return None


def moved_on(state: TableState, last: str) -> tuple[Happening, ...]:
    """The happenings by which everybody moves one seat on and gets the cards that the neighbour had
    in the last match.

    Args:
        state: where nothing refuses it; in a view the decks are empty, as hands are hidden.
        last: id of the last match; empty where there is none.
    """
    match = state.match
    assert match is not None
    decks = tuple(map(_deck, state.dealt))
    origin = CardsOrigin(last, 1)
    first = state.dealt[0].dealer
    return (hap.MovedOn(), hap.CardsGiven(decks, first, origin, match.players, match.deals))


def _lacks(dealt: Dealt) -> bool:
    """Whether hands were dealt with cards missing (I8); in a view, where they are hidden, not."""
    sizes = {len(hand) for hand in dealt.hands if hand is not None}
    return len(sizes) > 1


def _deck(dealt: Dealt) -> tuple[Card, ...]:
    """The deck that deals those hands; empty in a view, where they are hidden."""
    hands = [hand for hand in dealt.hands if hand is not None]
    if len(hands) < len(dealt.hands) or dealt.kitty is None:
        return ()
    return deck_of(hands, dealt.kitty, dealt.dealer)
