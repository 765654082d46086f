"""Instinct: a learned player, quick enough to play a deal out many thousand times a second.

Each place that describes a card (`features`) has `WIDTH` weights, which are added up place by
place. Fifteen of the sums are units, which tell what the places mean together: a unit above zero
counts, eight of them for the card and seven against it. The last sum is the liking of the card for
its places one by one. Cards are played with a chance in proportion to the exponential of the
liking: the same numbers play, and say how likely an observed play was.

Four weights lie in a word, as whole numbers of 16 bits, and so are added at once. `LEVEL` is added
to each, so that none is below zero and no lane runs over into the next.
"""

from __future__ import annotations

from math import exp, log
from typing import Final

import numpy as np
from numba import from_dtype, types

from volte.kernel.compiler import (
    DEAL_ROW,
    DEALS,
    NONE,
    ONE,
    RULES_ROW,
    STEP,
    TABLE,
    U,
    count,
    entry,
    hold,
    inlined,
    lowest,
    mix,
    scratch,
    shared,
)
from volte.kernel.features import EYE, FEATURES, PLACES, describe, look_around, look_at_rules
from volte.kernel.layout import DEAL, Record, Records
from volte.kernel.play import legal_cards, play_card, proved

LANES: Final = 4
WORDS: Final = 4
WIDTH: Final = LANES * WORDS
FOR: Final = 8
"""Units before this one count for a card, the others against it; `PLAIN` is neither."""
PLAIN: Final = WIDTH - 1

SCALE: Final = 512
"""Steps of a weight between 0 and 1."""
ZERO: Final = 1 << 15
"""Stored value of a sum of 0."""
LEVEL: Final = ZERO // FEATURES
"""Stored value of a weight of 0, and the largest distance from it."""

LEARNED: Final = np.dtype([("weights", np.uint64, (PLACES, WORDS))])
"""Learned weights: a row for each place (`volte.bots.learned`)."""

_INSTINCT: Final = from_dtype(LEARNED)
_EYE: Final = from_dtype(EYE)
INSTINCTS: Final = types.Array(_INSTINCT, 1, "C", readonly=True)

NOISES: Final = 4096
_HALVES: Final = (np.arange(NOISES) + 0.5) / NOISES
NOISE: Final = -np.log(-np.log(_HALVES))
"""Quantiles of the Gumbel distribution: the highest of `liking + noise` is drawn as by the
exponentials of the likings (Gumbel 1954)."""
_NOISE_SHIFT: Final = U(52)

# Constants for a word of four sums, each in a lane of 16 bits
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
def liking(rules: Record, instinct: Record, eye: Record, bit: U) -> float:
    """Liking of a card, after `look_around`."""
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
    """Sum of the units of two words that are above zero."""
    pairs = in_pairs(above(one)) + in_pairs(above(other))
    return np.int64((pairs >> _PAIR) + (pairs & _LAST_PAIR))  # type: ignore[return-value]


@inlined
def above(word: U) -> U:
    """Each of four sums where it is above zero, else 0."""
    return word & (word >> _SIGN & _EACH) * _ABOVE


@inlined
def in_pairs(word: U) -> U:
    """Four numbers, added two and two."""
    return (word & _EVEN) + (word >> _LANE & _EVEN)


@shared(types.uint64(RULES_ROW, DEAL_ROW, types.uint64, _INSTINCT, _EYE))
def instinct_card(rules: Record, deal: Record, legal: U, instinct: Record, eye: Record) -> U:
    """The card played by the seat on turn, of the legal ones; drawn by the deal's generator."""
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


@shared(types.void(RULES_ROW, DEAL_ROW, types.uint64, _INSTINCT, _EYE))
def card_odds(rules: Record, deal: Record, legal: U, instinct: Record, eye: Record) -> None:
    """Write the chance of each legal card of the seat on turn: `eye.odds`, from the lowest on."""
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


# Chances of plays

IMPOSSIBLE: Final = -1e9
"""Log of the chance of a play that breaks the rules, in place of minus infinity."""


@inlined
def surprise(
    rules: Record, deal: Record, bit: U, instinct: Record, eye: Record, slip: float
) -> float:
    """The logarithm of the chance that the seat on turn plays that card.

    Args:
        slip: chance that a card is played at random.
    """
    legal = legal_cards(rules, deal)
    if legal & bit == NONE:
        return IMPOSSIBLE
    if legal == bit:
        return 0.0
    card_odds(rules, deal, legal, instinct, eye)
    odds = eye.odds[count(legal & (bit - ONE))]
    return log((1.0 - slip) * odds + slip / float(count(legal)))


@entry(
    types.void(
        TABLE,
        INSTINCTS,
        DEALS,
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
    """Write the logarithm of the likelihood of each world.

    Args:
        starts: one deal as play began; its hands do not matter.
        played, owners: the plays in order: cards as masks, and the seats.
        observer: the seat whose own plays tell it nothing; -1 where there is none.
        worlds: `uint64[worlds, players + 1]`, the hands and the kitty as they are now.
    """
    rules = table[0]
    instinct = instincts[0]
    eyes = scratch(1, EYE)
    eye = eyes[0]
    look_at_rules(rules, eye)
    rows = scratch(1, DEAL)
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
