"""The last tricks played out exactly, all cards known: NumPy in, NumPy out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from volte.cards import Card, cards_in
from volte.kernel.check import check_deals
from volte.kernel.layout import MOST_CARDS, OVER, PLAYING, Records
from volte.kernel.startup import code
from volte.kernel.table import KernelFault, encode
from volte.rules import Kitty, Ruleset


def solve(rules: Ruleset, deals: Records) -> NDArray[np.int64]:
    """The points of each deal, if from here on every seat plays for the lowest margin.

    `volte.kernel.endgame` says what that is, and which of equally good cards is played.

    Args:
        deals: rows of `DEAL` that are in play or over, with few cards left.

    A moon counts plus where the rules leave that open (W7). Returns `int64[len(deals), players]`.
    Raises `KernelFault` where a position breaks the rules, or more than `endgame_line.MOST_LEFT`
    cards are still to be played, or for rules that the search does not know.
    """
    rows = _check_endings(rules, deals)
    points = np.zeros((len(rows), rules.players), np.int64)
    code("endgame").solve_many(encode(rules), rows, points)
    return points


def solve_cards(rules: Ruleset, deal: Records) -> dict[Card, tuple[int, ...]]:
    """The points of a deal, as `solve` has them, behind each card that may be played now.

    Args:
        deal: one row; where it is over there is no card. Raises `KernelFault` as `solve` does.
    """
    rows = _check_endings(rules, deal)
    if len(rows) != 1:
        raise KernelFault("kernel_range", name="len(deal)", value=len(rows), least=1, most=1)
    if rows["phase"][0] == OVER:
        return {}
    points = np.zeros((MOST_CARDS, rules.players), np.int64)
    legal = code("endgame").solve_cards(encode(rules), rows, points)
    return {card: tuple(points[card.index].tolist()) for card in cards_in(int(legal))}


def _check_endings(rules: Ruleset, deals: Records) -> Records:
    """A copy of the rows, each of them a position with few enough cards."""
    rows = check_deals(rules, deals)
    _check_known(rules)
    most = code("endgame_line").MOST_LEFT
    left = np.bitwise_count(rows["hands"][:, : rules.players]).sum(axis=1, dtype=np.int64)
    for row in np.flatnonzero((rows["phase"] != PLAYING) & (rows["phase"] != OVER)):
        raise KernelFault("kernel_not_playing", row=int(row))
    for row in np.flatnonzero(left > most):
        raise KernelFault("kernel_too_early", row=int(row), left=int(left[row]), most=most)
    return rows


def _check_known(rules: Ruleset) -> None:
    """Raises `KernelFault` for what the search does not know: `endgame.can_solve`."""
    kitty = rules.deck.kitty if rules.kitty_size else Kitty.FIRST_TRICK
    if rules.sides.partners > 1:
        raise KernelFault("kernel_option", option="partners", value=rules.sides.partners)
    if rules.points.no_tricks:
        raise KernelFault("kernel_option", option="no_tricks", value=rules.points.no_tricks)
    if kitty is not Kitty.FIRST_TRICK:
        raise KernelFault("kernel_option", option="kitty", value=str(kitty))
