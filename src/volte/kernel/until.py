"""Compiled policies for some of the seats, while the others are played from outside."""

from __future__ import annotations

from numba import from_dtype, types

from volte.kernel.casual import casual_card, casual_pass, scratch
from volte.kernel.choose import random_card, random_pass
from volte.kernel.compiler import compiled, hold, inlined
from volte.kernel.layout import (
    DEAL,
    OUTCOME,
    OUTSIDE,
    OVER,
    PASSING,
    RANDOM,
    RULES,
    SEAT,
    Record,
    Records,
)
from volte.kernel.play import legal_cards, play_card, proved, score
from volte.kernel.stepping import choices, go_on_passing

_RULES = types.Array(from_dtype(RULES), 1, "C", readonly=True)
_SEATS = types.Array(from_dtype(SEAT), 1, "C")
_DEALS = types.Array(from_dtype(DEAL), 1, "C")
_OUTCOMES = types.Array(from_dtype(OUTCOME), 1, "C")


@inlined
def place_of(rules: Record, deal: Record, rotate: bool) -> int:
    """Which of the policies the seat on turn has in this deal."""
    if not rotate:
        return deal.turn  # type: ignore[no-any-return]
    moved = (deal.number - 1) // rules.players % rules.players
    place = deal.turn - moved
    return place if place >= 0 else place + rules.players  # type: ignore[no-any-return]


@compiled(
    types.void(
        _RULES,
        _SEATS,
        types.boolean,
        _DEALS,
        types.uint64[::1],
        _OUTCOMES,
        types.boolean[::1],
    )
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
    """Plays every deal on until a seat from outside is on turn, or the deal is over.

    All is said here, since every level of parts would be compiled once more.

    Args:
        seats: by seat.
        rotate: whether the policies move a seat to the left whenever everybody has dealt.
        legal, outcomes, finished: as in `stepping.step`.
    """
    rules = table[0]
    minds = scratch()
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
