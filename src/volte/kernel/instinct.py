"""Instinct: a player that is learned, quick enough to play a deal out many thousand times a second.

At each place that describes a card (`features`) stand `WIDTH` weights, which are added up place by
place. Fifteen of the sums are units, which tell what the places mean together: one that is above
zero counts, eight of them for the card and seven against it. The last one is how much the card is
liked for what its places mean one by one. Cards are played with a chance in proportion to the
exponential of the liking: the same numbers play, and say how likely a play was that was seen.

Four weights lie in a word, as whole numbers of 16 bits, and so are added at once. `LEVEL` is added
to each, so that none is below zero and no lane runs over into the next.
"""

from __future__ import annotations

from math import exp
from typing import Final

import numpy as np
from numba import from_dtype, types

from volte.kernel import compiler
from volte.kernel.bits import NONE, ONE, STEP, U, lowest, mix
from volte.kernel.compiler import inlined, shared
from volte.kernel.features import FEATURES, PLACES, describe
from volte.kernel.layout import DEAL, MOST_CARDS, RULES, Record, Records
from volte.kernel.situation import SITUATION, look_around

LANES: Final = 4
WORDS: Final = 4
WIDTH: Final = LANES * WORDS
FOR: Final = 8
"""The units before this one speak for a card, the others against it; `PLAIN` is none."""
PLAIN: Final = WIDTH - 1

SCALE: Final = 512
"""Steps of a weight between 0 and 1."""
ZERO: Final = 1 << 15
"""A sum of nothing."""
LEVEL: Final = ZERO // FEATURES
"""A weight of nothing; one may be as far from it, and no farther."""

LEARNED: Final = np.dtype([("weights", np.uint64, (PLACES, WORDS))])
"""What has been learned: a row for each place (`volte.bots.learned`)."""

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

# Of a word with four sums in it, each in a lane of 16 bits.
_EACH: Final = U(0x0001_0001_0001_0001)
_EVEN: Final = U(0x0000_FFFF_0000_FFFF)
_BEGIN: Final = _EACH * U(ZERO - LEVEL * FEATURES)
_SIGN: Final = U(15)
_ABOVE: Final = U(ZERO - 1)
_LANE: Final = U(16)
_PAIR: Final = U(32)
_PLAIN: Final = U(48)
_UNITS: Final = U((1 << 48) - 1)
_LAST_PAIR: Final = U((1 << 32) - 1)


@inlined
def scratch() -> Records:
    """One row of `EYE`; `look_at_rules` comes first."""
    return compiler.scratch(1, EYE)  # type: ignore[no-any-return]


@inlined
def liking(rules: Record, instinct: Record, eye: Record, bit: U) -> float:
    """How much a card is liked, after `look_around`."""
    describe(rules, eye, bit, eye.places)
    first = second = third = fourth = _BEGIN
    for feature in range(FEATURES):
        place = U(eye.places[feature])
        first += instinct.weights[place, 0]
        second += instinct.weights[place, 1]
        third += instinct.weights[place, 2]
        fourth += instinct.weights[place, 3]
    plain = np.int64(fourth >> _PLAIN) - ZERO
    total = plain + count_for(first, second) - count_for(third, fourth & _UNITS)
    return np.float64(total) / SCALE


@inlined
def count_for(one: U, other: U) -> int:
    """The units of two words that are above zero, added up."""
    pairs = in_pairs(above(one)) + in_pairs(above(other))
    return np.int64((pairs >> _PAIR) + (pairs & _LAST_PAIR))  # type: ignore[return-value]


@inlined
def above(word: U) -> U:
    """By how much each of four sums is above zero."""
    return word & (word >> _SIGN & _EACH) * _ABOVE


@inlined
def in_pairs(word: U) -> U:
    """Four numbers, two and two added."""
    return (word & _EVEN) + (word >> _LANE & _EVEN)


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
