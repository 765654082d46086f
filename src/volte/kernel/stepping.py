"""Many deals, one action each at a time, for whoever decides outside of compiled code."""

from __future__ import annotations

import numpy as np
from numba import from_dtype, types

from volte.kernel.bits import NONE, ONE, U, count, split
from volte.kernel.compiler import compiled, inlined
from volte.kernel.layout import (
    DEAL,
    MOST_CARDS,
    OUTCOME,
    OVER,
    PASSING,
    PLAYING,
    RULES,
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
_DEALS = types.Array(from_dtype(DEAL), 1, "C")
_OUTCOMES = types.Array(from_dtype(OUTCOME), 1, "C")


@inlined
def choices(rules: Record, deal: Record) -> U:
    """Mask of the cards that the seat on turn may pick to pass, or play."""
    if deal.phase == PLAYING:
        return legal_cards(rules, deal)
    if deal.phase == PASSING:
        return deal.hands[deal.turn] & ~deal.given[deal.turn]  # type: ignore[no-any-return]
    return NONE


@inlined
def act(rules: Record, deal: Record, bit: U) -> None:
    """One card picked to pass, or played."""
    if deal.phase == PASSING:
        deal.given[deal.turn] |= bit
        if np.int64(count(deal.given[deal.turn])) == rules.pass_count:
            deal.turn += 1
            if deal.turn == rules.players:
                exchange(rules, deal)
                start_play(rules, deal)
    else:
        deal.excluded[deal.turn] |= proved(rules, deal, bit)
        play_card(rules, deal, bit)


@inlined
def deal_out(rules: Record, deal: Record, index: int, seed: U, order: Record) -> None:
    """Deal number `index` (from 0) of a seed, up to the first thing a seat must do."""
    begin_deal(rules, deal, index + 1, index % rules.players, split(seed, U(index)))
    deal_cards(rules, deal, order)
    if deal.step == 0:
        start_play(rules, deal)


@compiled(types.void(_RULES, types.uint64, _DEALS, types.uint64[::1]))
def begin(table: Records, seed: U, deals: Records, legal: Record) -> None:
    """The first deals of a seed, one a row."""
    rules = table[0]
    order = np.empty(MOST_CARDS, np.uint64)
    for row in range(len(deals)):
        deal_out(rules, deals[row], row, seed, order)
        legal[row] = choices(rules, deals[row])


@compiled(
    types.int64(
        _RULES,
        types.uint64,
        _DEALS,
        types.int64[::1],
        types.uint64[::1],
        _OUTCOMES,
        types.boolean[::1],
        types.boolean,
    )
)
def step(
    table: Records,
    seed: U,
    deals: Records,
    cards: Record,
    legal: Record,
    outcomes: Records,
    finished: Record,
    again: bool,
) -> int:
    """One card for each deal that is not over. The first row whose card is not legal, or -1.

    Args:
        cards: index of the card, by row.
        legal: what `choices` says now; what it says after.
        outcomes: written where a deal ends, which `finished` tells.
        again: whether the row of a deal that ends is dealt anew: deal `index + rows` of the seed.
    """
    rules = table[0]
    rows = len(deals)
    for row in range(rows):
        card = cards[row]
        if legal[row] != NONE and not (0 <= card < MOST_CARDS and legal[row] >> U(card) & ONE):
            return row
    order = np.empty(MOST_CARDS, np.uint64)
    for row in range(rows):
        finished[row] = False
        if legal[row] == NONE:
            continue
        deal = deals[row]
        act(rules, deal, ONE << U(cards[row]))
        if deal.phase == OVER:
            finished[row] = True
            score(rules, deal, outcomes[row])
            if again:
                deal_out(rules, deal, deal.number - 1 + rows, seed, order)
        legal[row] = choices(rules, deal)
    return -1
