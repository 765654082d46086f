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
    give,
    legal_cards,
    pass_size,
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
        give(rules, deal, deal.turn, bit)
        go_on_passing(rules, deal)
    else:
        deal.excluded[deal.turn] |= proved(rules, deal, bit)
        play_card(rules, deal, bit)


@inlined
def go_on_passing(rules: Record, deal: Record) -> None:
    """The next seat that still has to pick is on turn; behind the last one, play starts."""
    while np.int64(count(deal.given[deal.turn])) == pass_size(rules, deal):
        deal.turn += 1
        if deal.turn == rules.players:
            exchange(rules, deal)
            start_play(rules, deal)
            return


@compiled(types.void(_RULES, types.uint64, _DEALS, types.boolean[::1], types.uint64[::1]))
def deal_rows(table: Records, seed: U, deals: Records, rows: Record, legal: Record) -> None:
    """Deals in those rows, up to the first thing a seat must do; `number` says which deal, from 1.

    The deal of that number is the one that `deals.play_deals` plays.
    """
    rules = table[0]
    order = np.empty(MOST_CARDS, np.uint64)
    for row in range(len(deals)):
        if not rows[row]:
            continue
        deal = deals[row]
        index = deal.number - 1
        begin_deal(rules, deal, deal.number, index % rules.players, split(seed, U(index)))
        deal_cards(rules, deal, order)
        if deal.step == 0:
            start_play(rules, deal)
        legal[row] = choices(rules, deal)


@compiled(types.void(_RULES, _DEALS, types.uint64[::1]))
def resume(table: Records, deals: Records, legal: Record) -> None:
    """What may be done now in deals that stand anywhere."""
    rules = table[0]
    for row in range(len(deals)):
        legal[row] = choices(rules, deals[row])


@compiled(types.int64(types.uint64[::1], types.int64[::1]))
def first_refused(legal: Record, cards: Record) -> int:
    """The first row whose card is not legal, or -1."""
    for row in range(len(cards)):
        card = cards[row]
        if legal[row] != NONE and not (0 <= card < MOST_CARDS and legal[row] >> U(card) & ONE):
            return row
    return -1


@compiled(
    types.void(_RULES, _DEALS, types.int64[::1], types.uint64[::1], _OUTCOMES, types.boolean[::1])
)
def step(
    table: Records,
    deals: Records,
    cards: Record,
    legal: Record,
    outcomes: Records,
    finished: Record,
) -> None:
    """One card for each deal that is not over.

    Args:
        cards: index of the card, by row; `first_refused` has passed them.
        legal: what `choices` says now; what it says after.
        outcomes: written where a deal ends, which `finished` tells.
    """
    rules = table[0]
    for row in range(len(deals)):
        finished[row] = False
        if legal[row] == NONE:
            continue
        deal = deals[row]
        act(rules, deal, ONE << U(cards[row]))
        legal[row] = choices(rules, deal)
        if deal.phase == OVER:
            finished[row] = True
            score(rules, deal, outcomes[row])
