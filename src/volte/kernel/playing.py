"""Compiled policies at the table: deals played to their end or until a seat from outside is on
turn, and single choices.

The loops repeat their parts in place, since each level of functions would be compiled once more.
"""

from __future__ import annotations

import numpy as np
from numba import types

from volte.kernel.casual import casual_card
from volte.kernel.casual_odds import MIND
from volte.kernel.casual_pass import casual_pass
from volte.kernel.compiler import (
    DEALS,
    NONE,
    OUTCOMES,
    SEATS,
    TABLE,
    U,
    entry,
    hold,
    inlined,
    scratch,
)
from volte.kernel.layout import (
    MOST_CARDS,
    OUTSIDE,
    OVER,
    PASSING,
    PLAYING,
    RANDOM,
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
    random_card,
    random_pass,
    score,
    start_play,
)
from volte.kernel.stepping import choices, go_on_passing, seen_from


@inlined
def pass_cards(rules: Record, seats: Records, deal: Record, mind: Record) -> None:
    """Let everybody pass; cards picked before stay picked."""
    for seat in range(rules.players):
        if seats[seat].policy == RANDOM:
            random_pass(rules, deal, seat)
        else:
            casual_pass(rules, deal, seat, seats[seat], mind)
    exchange(rules, deal)


@entry(types.void(TABLE, SEATS, DEALS, OUTCOMES))
def deals_to_end(table: Records, seats: Records, deals: Records, outcomes: Records) -> None:
    """Play each deal to its end, from where it stands."""
    rules = table[0]
    order = np.empty(MOST_CARDS, np.uint64)
    minds = scratch(1, MIND)
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


@inlined
def place_of(rules: Record, deal: Record, rotate: bool) -> int:
    """Place in `seats` of the policy that plays the seat on turn in this deal."""
    if not rotate:
        return deal.turn  # type: ignore[no-any-return]
    return seen_from(rules, (deal.number - 1) // rules.players % rules.players, deal.turn)


@entry(
    types.void(TABLE, SEATS, types.boolean, DEALS, types.uint64[::1], OUTCOMES, types.boolean[::1])
)
def play_until(
    table: Records,
    seats: Records,
    rotate: bool,
    deals: Records,
    legal: Record,
    outcomes: Records,
    finished: Record,
) -> None:
    """Play every deal on until a seat from outside is on turn, or the deal is over.

    Args:
        seats: policies, by seat.
        rotate: whether the policies move a seat to the left whenever everybody has dealt.
        legal, outcomes, finished: as in `stepping.step`.
    """
    rules = table[0]
    minds = scratch(1, MIND)
    mind = minds[0]
    for row in range(len(deals)):
        deal = deals[row]
        if deal.phase == OVER:
            continue
        while deal.phase != OVER:
            player = seats[place_of(rules, deal, rotate)]
            if player.policy == OUTSIDE:
                break
            if deal.phase == PASSING:
                if player.policy == RANDOM:
                    random_pass(rules, deal, deal.turn)
                else:
                    casual_pass(rules, deal, deal.turn, player, mind)
                go_on_passing(rules, deal)
                continue
            cards = legal_cards(rules, deal)
            if player.policy == RANDOM:
                bit = random_card(deal, cards)
            else:
                bit = casual_card(rules, deal, cards, player, mind)
            deal.excluded[deal.turn] |= proved(rules, deal, bit)
            play_card(rules, deal, bit)
        legal[row] = choices(rules, deal)
        if deal.phase == OVER:
            finished[row] = True
            score(rules, deal, outcomes[row])
    hold(minds)


@inlined
def choice(rules: Record, seats: Records, deal: Record, mind: Record) -> U:
    """Mask of the cards that the seat on turn passes or plays; 0 if there is nothing to do."""
    player = seats[deal.turn]
    if deal.phase == PASSING and deal.step:
        if player.policy == RANDOM:
            random_pass(rules, deal, deal.turn)
        else:
            casual_pass(rules, deal, deal.turn, player, mind)
        return deal.given[deal.turn]  # type: ignore[no-any-return]
    if deal.phase == PLAYING:
        legal = legal_cards(rules, deal)
        if player.policy == RANDOM:
            return random_card(deal, legal)
        return casual_card(rules, deal, legal, player, mind)
    return NONE


@entry(types.void(TABLE, SEATS, DEALS, types.uint64[::1]))
def choose(table: Records, seats: Records, deals: Records, chosen: Record) -> None:
    """Choose once in each deal; passes are written into the deals."""
    rules = table[0]
    minds = scratch(1, MIND)
    mind = minds[0]
    for row in range(len(deals)):
        chosen[row] = choice(rules, seats, deals[row], mind)
    hold(minds)
