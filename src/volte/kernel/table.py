"""`encode`: a ruleset in the words of the kernel, or the reason why the kernel cannot play it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.cards import PACK_SIZE, SUIT_MASKS, Fault, Suit
from volte.kernel.layout import MOST_SEATS, MOST_STEPS, RULES, Records
from volte.rules import Direction, Duty, MoonRule, Opening, Ruleset, SlamRule, Value, options_of

_PACK: Final = (1 << PACK_SIZE) - 1
"""Mask of the one pack that a word has room for."""


class KernelFault(Fault):
    """What the kernel cannot play, or will not be given."""


@lru_cache(maxsize=256)
def encode(rules: Ruleset) -> Records:
    """The ruleset as one read-only row of `RULES`. Raises `KernelFault` where it does not fit.

    The readable engine plays whatever is refused here.
    """
    _fits(rules)
    table = np.zeros(1, RULES)
    row = table[0]
    row["players"] = rules.players
    row["cards"] = len(rules.cards)
    row["hand_size"] = rules.hand_size
    row["kitty_size"] = rules.kitty_size
    row["pass_count"] = rules.passing.count
    row["opens_low"] = rules.play.opening is Opening.LOWEST_CLUB
    row["moon"] = rules.moon.moon is MoonRule.OTHERS_PLUS
    row["slam"] = rules.moon.slam is SlamRule.REVERSAL
    row["total"] = rules.penalty_total
    row["deck"] = rules.deck_mask
    row["penalties"] = rules.penalty_mask
    row["breaking"] = rules.breaking_mask & _PACK
    row["order"][: len(rules.cards)] = [card.bit for card in rules.cards]
    for card, points in rules.values.items():
        row["values"][card.index] = points
    row["suits"][:52] = np.repeat([mask & _PACK for mask in SUIT_MASKS], 13)
    _put_cycle(row, rules)
    _put_kinds(row, rules)
    _put_dear(row, rules)
    _put_duties(row, rules)
    table.flags.writeable = False
    return table


def step(direction: Direction, players: int) -> int:
    """How many seats to the left a pass goes; 0 where nothing is passed."""
    return direction.target(0, players)


def _fits(rules: Ruleset) -> None:
    if rules.players > MOST_SEATS:
        raise KernelFault("kernel_seats", players=rules.players, most=MOST_SEATS)
    if rules.deck_mask & ~_PACK:
        raise KernelFault("kernel_packs")
    _plays_all_of(rules)
    if rules.passing.count and len(rules.passing.cycle) > MOST_STEPS:
        raise KernelFault("kernel_cycle", most=MOST_STEPS)


def _plays_all_of(rules: Ruleset) -> None:
    """Raises `KernelFault` for the first option whose value compiled code does not play."""
    told = options_of(rules)
    told["kitty"] = told["kitty"] if rules.kitty_size else "none"
    told["pass_cycle"] = "scatter" if Direction.SCATTER in rules.passing.cycle else ""
    for name, known in _PLAYED.items():
        if told[name] not in known:
            raise KernelFault("kernel_option", option=name, value=told[name])


_PLAYED: Final[dict[str, tuple[Value, ...]]] = {
    "pass_cycle": ("",),
    "kitty": ("none", "first_trick"),
    "opening": ("eldest", "lowest_club"),
    "queen_play": ("free",),
    "no_tricks": (0,),
    "moon": ("off", "others_plus"),
    "moon_needs_jack": (False,),
    "slam": ("off", "reversal"),
    "at_limit": ("ends",),
    "ties": ("share",),
    "partners": (1,),
}
"""The values that compiled code plays, of the options of which it does not play all."""


def _put_cycle(row: np.void, rules: Ruleset) -> None:
    cycle = rules.passing.cycle if rules.passing.count else (Direction.HOLD,)
    row["cycle_length"] = len(cycle)
    row["steps"][: len(cycle)] = [step(direction, rules.players) for direction in cycle]


def _put_kinds(row: np.void, rules: Ruleset) -> None:
    """Cards that count the same, together: points are then a few counts of bits."""
    kinds: dict[int, int] = {}
    for card, points in rules.values.items():
        kinds[points] = kinds.get(points, 0) | card.bit
    row["kinds"] = len(kinds)
    row["kind_values"][: len(kinds)] = list(kinds)
    row["kind_masks"][: len(kinds)] = list(kinds.values())


def _put_dear(row: np.void, rules: Ruleset) -> None:
    """The penalty cards by what they count and by suit, in the order in which they are feared."""
    kinds: dict[tuple[int, int], int] = {}
    for card, points in rules.values.items():
        if points > 0:
            kind = -points, card.index // 13
            kinds[kind] = kinds.get(kind, 0) | card.bit
    row["dear"] = len(kinds)
    for place, (points, suit) in enumerate(sorted(kinds)):
        row["dear_masks"][place] = kinds[points, suit]
        row["dear_values"][place] = -points
        row["dear_suits"][place] = suit


def _put_duties(row: np.void, rules: Ruleset) -> None:
    row["leader"] = row["discard"] = _PACK
    row["plain"] = 1
    for gathered in range(rules.hand_size):
        for broken in (0, 1):
            _put(row["leader"][gathered, broken], rules.leader_duties[gathered][broken])
        for led in Suit:
            for had_chance in (0, 1):
                follow, *duties = rules.follower_duties[gathered][led][0][had_chance]
                if follow.prefer != SUIT_MASKS[led]:
                    raise KernelFault("kernel_duties", clause=follow.clause)
                _put(row["discard"][gathered, led, had_chance], duties)
                row["allowed"][gathered, led, had_chance] = _allowed(duties)
                if duties:
                    row["plain"][gathered] = 0
    if (row["discard"][:, :, 0] != row["discard"][:, :, 1]).any():
        row["plain"] = 0  # voids count later on, and so must be kept


def _allowed(duties: Sequence[Duty]) -> int:
    """What the bars among those duties leave; T5 bars nothing."""
    allowed = _PACK
    for clause, prefer in duties:
        if clause in ("T3", "T6", "T7"):
            allowed &= prefer
    return allowed


def _put(place: NDArray[np.uint64], duties: Sequence[Duty]) -> None:
    """The duties of one moment; the places left over bind to nothing."""
    if len(duties) > len(place):
        raise KernelFault("kernel_duties", clause=duties[-1].clause)
    place[: len(duties)] = [duty.prefer & _PACK for duty in duties]
