"""Cards in their moments, for whoever learns from them."""

from __future__ import annotations

from numba import from_dtype, types

from volte.kernel.bits import NONE, U, lowest
from volte.kernel.compiler import compiled, hold
from volte.kernel.features import FEATURES, describe
from volte.kernel.instinct import scratch
from volte.kernel.layout import DEAL, RULES, Record, Records
from volte.kernel.situation import look_around, look_at_rules

_RULES = types.Array(from_dtype(RULES), 1, "C", readonly=True)
_DEALS = types.Array(from_dtype(DEAL), 1, "C")


@compiled(types.void(_RULES, _DEALS, types.uint64, types.int64[:, ::1]))
def describe_cards(table: Records, deals: Records, legal: U, places: Record) -> None:
    """The places of every legal card of the seat on turn, from the lowest on.

    Args:
        deals: one deal; nothing is read of other hands.
        places: `int64[cards, FEATURES]`.
    """
    rules = table[0]
    eyes = scratch()
    eye = eyes[0]
    look_at_rules(rules, eye)
    look_around(rules, deals[0], legal, eye)
    row = 0
    while legal != NONE:
        bit = lowest(legal)
        legal ^= bit
        describe(rules, eye, bit, eye.places)
        for feature in range(FEATURES):
            places[row, feature] = eye.places[feature]
        row += 1
    hold(eyes)
