"""Instinct: a player that is learned, quick enough to play a deal out many thousand times a second.

A card is liked by the sum of its weights (`features`), and played with a chance in proportion to
the exponential of that sum: the same numbers play, and say how likely a play was that was seen.
"""

from __future__ import annotations

from math import exp
from typing import Final

import numpy as np
from numba import from_dtype, types

from volte.kernel import compiler
from volte.kernel.bits import NONE, ONE, STEP, U, lowest, mix
from volte.kernel.compiler import inlined, shared
from volte.kernel.features import FEATURES, WEIGHTS, describe
from volte.kernel.layout import DEAL, MOST_CARDS, RULES, Record, Records
from volte.kernel.situation import SITUATION, look_around

LEARNED: Final = np.dtype([("weights", np.float32, WEIGHTS)])
"""What has been learned; see `features`."""

EYE: Final = np.dtype(
    [*SITUATION, ("places", np.int64, FEATURES), ("odds", np.float64, MOST_CARDS)]
)
"""Scratch, of one choice: the situation, the places of a card, and what `card_odds` finds."""

_RULES: Final = from_dtype(RULES)
_DEAL: Final = from_dtype(DEAL)
_INSTINCT: Final = from_dtype(LEARNED)
_EYE: Final = from_dtype(EYE)

NOISES: Final = 4096
_HALVES: Final = (np.arange(NOISES) + 0.5) / NOISES
NOISE: Final = -np.log(-np.log(_HALVES))
"""Quantiles of the Gumbel distribution: the highest of `liking + noise` is drawn as by the
exponentials of the likings (Gumbel 1954)."""
_NOISE_SHIFT: Final = U(52)


@inlined
def scratch() -> Records:
    """One row of `EYE`; `look_at_rules` comes first."""
    return compiler.scratch(1, EYE)  # type: ignore[no-any-return]


@inlined
def liking(rules: Record, instinct: Record, eye: Record, bit: U) -> float:
    """How much a card is liked, after `look_around`."""
    describe(rules, eye, bit, eye.places)
    total = 0.0
    for feature in range(FEATURES):
        total += np.float64(instinct.weights[eye.places[feature]])
    return total


@shared(types.uint64(_RULES, _DEAL, types.uint64, _INSTINCT, _EYE))
def instinct_card(rules: Record, deal: Record, legal: U, instinct: Record, eye: Record) -> U:
    """The card that the seat on turn plays, of those that it may; drawn by the deal's generator."""
    if legal & (legal - ONE) == NONE:
        return legal
    look_around(rules, deal, legal, eye)
    best = NONE
    top = -1e300
    state = deal.chance
    while legal != NONE:
        bit = lowest(legal)
        legal ^= bit
        state += STEP
        worth = liking(rules, instinct, eye, bit) + NOISE[mix(state) >> _NOISE_SHIFT]
        if worth > top:
            best, top = bit, worth
    deal.chance = state
    return best


@shared(types.void(_RULES, _DEAL, types.uint64, _INSTINCT, _EYE))
def card_odds(rules: Record, deal: Record, legal: U, instinct: Record, eye: Record) -> None:
    """The chance of each card that the seat on turn may play: `eye.odds`, from the lowest on."""
    look_around(rules, deal, legal, eye)
    total = 0.0
    cards = 0
    while legal != NONE:
        bit = lowest(legal)
        legal ^= bit
        eye.odds[cards] = exp(liking(rules, instinct, eye, bit))
        total += eye.odds[cards]
        cards += 1
    for card in range(cards):
        eye.odds[card] /= total
