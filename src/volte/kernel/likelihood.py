"""How likely the plays that were seen are, if the hidden cards lie as they do in a world."""

from __future__ import annotations

from math import log
from typing import Final

from numba import from_dtype, types

from volte.kernel import compiler
from volte.kernel.bits import NONE, ONE, U, count
from volte.kernel.compiler import compiled, hold, inlined
from volte.kernel.instinct import LEARNED, card_odds, scratch
from volte.kernel.layout import DEAL, RULES, Record, Records
from volte.kernel.play import legal_cards, play_card, proved
from volte.kernel.situation import look_at_rules

_RULES = types.Array(from_dtype(RULES), 1, "C", readonly=True)
_INSTINCT = types.Array(from_dtype(LEARNED), 1, "C", readonly=True)
_DEALS = types.Array(from_dtype(DEAL), 1, "C")

IMPOSSIBLE: Final = -1e9
"""Of what breaks the rules."""


@inlined
def surprise(
    rules: Record, deal: Record, bit: U, instinct: Record, eye: Record, slip: float
) -> float:
    """The logarithm of the chance that the seat on turn plays that card.

    Args:
        slip: how often any card at all is played.
    """
    legal = legal_cards(rules, deal)
    if legal & bit == NONE:
        return IMPOSSIBLE
    if legal == bit:
        return 0.0
    card_odds(rules, deal, legal, instinct, eye)
    odds = eye.odds[count(legal & (bit - ONE))]
    return log((1.0 - slip) * odds + slip / float(count(legal)))


@compiled(
    types.void(
        _RULES,
        _INSTINCT,
        _DEALS,
        types.uint64[::1],
        types.int64[::1],
        types.int64,
        types.float64,
        types.uint64[:, ::1],
        types.float64[::1],
    )
)
def weigh(
    table: Records,
    instincts: Records,
    starts: Records,
    played: Record,
    owners: Record,
    observer: int,
    slip: float,
    worlds: Record,
    logs: Record,
) -> None:
    """The logarithm of the likelihood of each world.

    Args:
        starts: one deal as play began; its hands do not matter.
        played, owners: the plays in order: cards as masks, and the seats.
        observer: the seat whose own plays tell it nothing; -1 where there is none.
        worlds: `uint64[worlds, players + 1]`, the hands and the kitty as they are now.
    """
    rules = table[0]
    instinct = instincts[0]
    eyes = scratch()
    eye = eyes[0]
    look_at_rules(rules, eye)
    rows = compiler.scratch(1, DEAL)
    for world in range(len(worlds)):
        rows[0] = starts[0]
        deal = rows[0]
        for seat in range(rules.players):
            deal.hands[seat] = worlds[world, seat]
        for play in range(len(played)):
            deal.hands[owners[play]] |= played[play]
        deal.kitty = worlds[world, rules.players]
        total = 0.0
        for play in range(len(played)):
            card = played[play]
            if deal.turn != observer:
                total += surprise(rules, deal, card, instinct, eye, slip)
            deal.excluded[deal.turn] |= proved(rules, deal, card)
            play_card(rules, deal, card)
        logs[world] = total
    hold(eyes)
