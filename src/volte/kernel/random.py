"""Deals played at random from a seed: the fastest loop there is here."""

from __future__ import annotations

import numpy as np
from numba import from_dtype, types

from volte.kernel.bits import U, split
from volte.kernel.choose import random_card, random_pass
from volte.kernel.compiler import compiled
from volte.kernel.layout import DEAL, MOST_CARDS, OUTCOME, PLAYING, RULES, Records
from volte.kernel.play import (
    begin_deal,
    deal_cards,
    exchange,
    legal_cards,
    play_card,
    score,
    start_play,
)

RULES_ARRAY = types.Array(from_dtype(RULES), 1, "C", readonly=True)
DEALS_ARRAY = types.Array(from_dtype(DEAL), 1, "C")
OUTCOMES_ARRAY = types.Array(from_dtype(OUTCOME), 1, "C")


@compiled(types.void(RULES_ARRAY, types.uint64, types.int64, DEALS_ARRAY, OUTCOMES_ARRAY))
def random_deals(table: Records, seed: U, first: int, deals: Records, outcomes: Records) -> None:
    """Deals number `first` (from 0) and on, as many as there are outcomes.

    Args:
        deals: one row, for scratch.
    """
    rules = table[0]
    deal = deals[0]
    order = np.empty(MOST_CARDS, np.uint64)
    for place in range(len(outcomes)):
        index = first + place
        begin_deal(rules, deal, index + 1, index % rules.players, split(seed, U(index)))
        deal_cards(rules, deal, order)
        if deal.step:
            for seat in range(rules.players):
                random_pass(rules, deal, seat)
            exchange(rules, deal)
        start_play(rules, deal)
        while deal.phase == PLAYING:
            play_card(rules, deal, random_card(deal, legal_cards(rules, deal)))
        score(rules, deal, outcomes[place])
