"""Whether somebody can know that the rest of a deal changes no score, by what they have seen."""

from __future__ import annotations

from volte.cards import mask_of
from volte.game import Phase
from volte.game.claims import beats_all, tricks_matter
from volte.referee import RefereedDeal
from volte.view.view import KITTY, View


def settled(view: View) -> bool:
    """Whether a claim (C1) is proved by what the seat knows; other claims may hold as well.

    So it is where nobody can still hold a card that counts, and where the seat is on lead and
    takes all that is left. Always False at a refereed table, where nobody claims.
    """
    deal = view.state.deal
    if deal is None or view.seat is None or view.state.phase is not Phase.PLAYING:
        return False
    if isinstance(deal, RefereedDeal):
        return False
    leads = view.my_turn and not deal.trick
    counting = deal.rules.counting_mask
    shown = (view.hand.mask | mask_of(deal.trick) | deal.held) & counting
    if shown and not leads:  # most often
        return False
    elsewhere = _with_others(view)
    if leads and beats_all(deal, elsewhere):
        return True
    kitty_waits = deal.rules.kitty_size and deal.kitty_taker is None
    return not (shown or elsewhere & counting or kitty_waits or tricks_matter(deal))


def _with_others(view: View) -> int:
    """Mask of the unseen cards that the hands of the others can hold."""
    if not view.deal.rules.kitty_size or view.deal.kitty:
        return view.unseen
    held = 0
    for place, mask in view.possible.items():
        if place != KITTY:
            held |= mask
    return held
