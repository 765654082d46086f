"""Deals played to their end by compiled policies, from wherever they stand."""

from __future__ import annotations

import numpy as np
from numba import from_dtype, types

from volte.kernel.casual import casual_card, casual_pass, scratch
from volte.kernel.choose import random_card, random_pass
from volte.kernel.compiler import compiled, hold, inlined
from volte.kernel.layout import (
    DEAL,
    MOST_CARDS,
    OUTCOME,
    PASSING,
    PLAYING,
    RANDOM,
    RULES,
    SEAT,
    UNDEALT,
    Record,
    Records,
)
from volte.kernel.play import (
    begin_deal,
    deal_cards,
    exchange,
    legal_cards,
    play_card,
    proved,
    score,
    start_play,
)

_RULES = types.Array(from_dtype(RULES), 1, "C", readonly=True)
_SEATS = types.Array(from_dtype(SEAT), 1, "C")
_DEALS = types.Array(from_dtype(DEAL), 1, "C")
_OUTCOMES = types.Array(from_dtype(OUTCOME), 1, "C")


@inlined
def pass_cards(rules: Record, seats: Records, deal: Record, mind: Record) -> None:
    """Everybody passes; what a seat has picked already stays picked."""
    for seat in range(rules.players):
        if seats[seat].policy == RANDOM:
            random_pass(rules, deal, seat)
        else:
            casual_pass(rules, deal, seat, seats[seat], mind)
    exchange(rules, deal)


@compiled(types.void(_RULES, _SEATS, _DEALS, _OUTCOMES))
def deals_to_end(table: Records, seats: Records, deals: Records, outcomes: Records) -> None:
    """Each deal from where it stands; all here, since each level of parts is compiled once more."""
    rules = table[0]
    order = np.empty(MOST_CARDS, np.uint64)
    minds = scratch()
    mind = minds[0]
    for place in range(len(deals)):
        deal = deals[place]
        if deal.phase == UNDEALT:
            begin_deal(rules, deal, deal.number, deal.dealer, deal.chance)
            deal_cards(rules, deal, order)
        if deal.phase == PASSING:
            if deal.step:
                pass_cards(rules, seats, deal, mind)
            start_play(rules, deal)
        while deal.phase == PLAYING:
            legal = legal_cards(rules, deal)
            player = seats[deal.turn]
            if player.policy == RANDOM:
                bit = random_card(deal, legal)
            else:
                bit = casual_card(rules, deal, legal, player, mind)
            deal.excluded[deal.turn] |= proved(rules, deal, bit)
            play_card(rules, deal, bit)
        score(rules, deal, outcomes[place])
    hold(minds)
