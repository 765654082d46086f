"""Ways to play counted by depth, so that both engines can be held against the same numbers."""

from __future__ import annotations

import numpy as np
from numba import from_dtype, types

from volte.kernel.bits import NONE, count, lowest
from volte.kernel.compiler import compiled
from volte.kernel.layout import DEAL, PLAYING, RULES, Record, Records
from volte.kernel.play import legal_cards, play_card

_RULES = types.Array(from_dtype(RULES), 1, "C", readonly=True)
_DEALS = types.Array(from_dtype(DEAL), 1, "C")


@compiled(types.void(_RULES, _DEALS, types.int64[::1]))
def count_plays(table: Records, deals: Records, ways: Record) -> None:
    """In how many ways the next cards of a deal can be played, by their number.

    Args:
        deals: as many rows as `ways` has; in row 0 the deal, in play, the others for scratch.
        ways: `int64[depth]`, zeros; place `n` gets the ways to play `n + 1` cards.
    """
    rules = table[0]
    depth = len(ways)
    untried = np.empty(depth, np.uint64)
    untried[0] = legal_cards(rules, deals[0])
    ways[0] += np.int64(count(untried[0]))
    level = 0
    while level >= 0:
        bits = untried[level]
        if bits == NONE or level + 1 == depth:
            level -= 1
            continue
        bit = lowest(bits)
        untried[level] = bits ^ bit
        deals[level + 1] = deals[level]
        play_card(rules, deals[level + 1], bit)
        if deals[level + 1].phase == PLAYING:
            level += 1
            untried[level] = legal_cards(rules, deals[level])
            ways[level] += np.int64(count(untried[level]))
