"""Deals played to their end by compiled policies, from wherever they stand."""

from __future__ import annotations

import numpy as np
from numba import from_dtype, types

from volte.kernel.bits import U, split
from volte.kernel.casual import casual_card, casual_pass
from volte.kernel.choose import random_card, random_pass
from volte.kernel.compiler import compiled, inlined
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
def finish(rules: Record, seats: Records, deal: Record, order: Record) -> None:
    """Plays one deal to its end; what a seat has picked to pass stays picked."""
    if deal.phase == UNDEALT:
        begin_deal(rules, deal, deal.number, deal.dealer, deal.chance)
        deal_cards(rules, deal, order)
    if deal.phase == PASSING:
        if deal.step:
            for seat in range(rules.players):
                if seats[seat].policy == RANDOM:
                    random_pass(rules, deal, seat)
                else:
                    casual_pass(rules, deal, seat, seats[seat])
            exchange(rules, deal)
        start_play(rules, deal)
    while deal.phase == PLAYING:
        legal = legal_cards(rules, deal)
        player = seats[deal.turn]
        if player.policy == RANDOM:
            bit = random_card(deal, legal)
        else:
            bit = casual_card(rules, deal, legal, player)
        deal.excluded[deal.turn] |= proved(rules, deal, bit)
        play_card(rules, deal, bit)


@compiled(types.void(_RULES, _SEATS, types.uint64, types.int64, _DEALS, _OUTCOMES))
def deals_from_seed(
    table: Records, seats: Records, seed: U, first: int, deals: Records, outcomes: Records
) -> None:
    """Deals number `first` (from 0) and on, as many as there are outcomes; one row of scratch."""
    rules = table[0]
    deal = deals[0]
    order = np.empty(MOST_CARDS, np.uint64)
    for place in range(len(outcomes)):
        index = first + place
        deal.phase = UNDEALT
        deal.number = index + 1
        deal.dealer = index % rules.players
        deal.chance = split(seed, U(index))
        finish(rules, seats, deal, order)
        score(rules, deal, outcomes[place])


@compiled(types.void(_RULES, _SEATS, _DEALS, _OUTCOMES))
def deals_to_end(table: Records, seats: Records, deals: Records, outcomes: Records) -> None:
    """Each deal from where it stands."""
    rules = table[0]
    order = np.empty(MOST_CARDS, np.uint64)
    for place in range(len(deals)):
        finish(rules, seats, deals[place], order)
        score(rules, deals[place], outcomes[place])
