"""A deal of the readable engine as a row of the kernel."""

from __future__ import annotations

from typing import Final

import numpy as np

from volte.cards import PACK_SIZE, SUIT_MASKS, mask_of
from volte.game import DealState
from volte.kernel.check import check_range
from volte.kernel.layout import DEAL, OVER, PASSING, PLAYING, Records
from volte.kernel.table import encode, step
from volte.rules import Direction

_PACK: Final = (1 << PACK_SIZE) - 1


def position(deal: DealState, seed: int = 0) -> Records:
    """One row of `DEAL`: the same cards in the same places, everything known.

    Args:
        deal: from the deal to the last card; it must be the whole state, not a view.
        seed: of the generator that random policies draw from.

    Raises `KernelFault` where the kernel cannot play the ruleset.
    """
    encode(deal.rules)
    rows = np.zeros(1, DEAL)
    row = rows[0]
    players = deal.rules.players
    row["chance"] = check_range("seed", seed, 0, 2**64 - 1)
    row["number"] = deal.number
    row["dealer"] = deal.dealer
    row["step"] = step(deal.direction, players)
    row["kitty"] = deal.kitty
    row["kitty_taker"] = -1 if deal.kitty_taker is None else deal.kitty_taker
    row["hands"][:players] = deal.hands
    row["given"][:players] = [mask_of(cards or ()) for cards in deal.passes]
    if deal.direction is Direction.SCATTER:
        for seat, cards in enumerate(deal.passes):
            for place, card in enumerate(cards or (), start=1):
                row["coming"][(seat + place) % players] |= card.bit
    row["excluded"][:players] = deal.excluded
    if deal.turn < 0:
        row["phase"] = PASSING
        row["turn"] = deal.passes.index(None)
    else:
        _put_play(row, deal)
    return rows


def _put_play(row: np.void, deal: DealState) -> None:
    """What there is once somebody leads."""
    players = deal.rules.players
    over = len(deal.tricks) == deal.rules.hand_size
    row["phase"] = OVER if over else PLAYING
    row["turn"] = deal.turn
    row["leader"] = row["winner"] = deal.leader
    row["count"] = len(deal.trick)
    row["gathered"] = len(deal.tricks)
    row["broken"] = deal.broken
    row["voided"] = deal.voided
    row["opening"] = deal.opening.bit if deal.opening else 0
    row["taken"][:players] = deal.taken
    row["won"][:players] = deal.won
    row["trick"][: len(deal.trick)] = [card.bit for card in deal.trick]
    if deal.led is None:
        return
    row["led"] = SUIT_MASKS[deal.led] & _PACK
    for place, card in enumerate(deal.trick):
        if card.suit is deal.led and card.bit > row["best"]:
            row["best"] = card.bit
            row["winner"] = (deal.leader + place) % players
