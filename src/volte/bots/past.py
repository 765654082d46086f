"""What has been played in a deal so far, and how it stood before: for whoever replays it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.cards import CLUBS, PACK_SIZE
from volte.game import DealState, Phase
from volte.kernel import position
from volte.kernel.encoding import step
from volte.kernel.layout import DEAL, PASSING, PLAYING, Records
from volte.view import View

_PACK = (1 << PACK_SIZE) - 1


class Past(NamedTuple):
    """The plays of a deal, in order.

    Attributes:
        start: one row of `DEAL`, as play began; every hand is empty.
        cards: `uint64[plays]`, masks.
        seats: `int64[plays]`.
    """

    start: Records
    cards: NDArray[np.uint64]
    seats: NDArray[np.int64]


def past(deal: DealState) -> Past:
    """The plays of a deal that is being played."""
    players = deal.rules.players
    leaders = [(trick.leader, trick.cards) for trick in deal.tricks] + [(deal.leader, deal.trick)]
    plays = [
        ((leader + place) % players, card.bit)
        for leader, cards in leaders
        for place, card in enumerate(cards)
    ]
    start = np.zeros(1, DEAL)
    row = start[0]
    row["number"] = deal.number
    row["dealer"] = deal.dealer
    row["step"] = step(deal.direction, players)
    row["phase"] = PLAYING
    row["turn"] = row["leader"] = row["winner"] = leaders[0][0]
    row["kitty_taker"] = -1
    if deal.opening is not None:
        row["opening"] = deal.opening.bit
        lower = deal.rules.deck_mask & CLUBS & (deal.opening.bit - 1) & _PACK
        row["excluded"][:players] = lower
    return Past(
        start,
        np.array([bit for _, bit in plays], np.uint64),
        np.array([seat for seat, _ in plays], np.int64),
    )


def in_turn(deal: DealState) -> bool:
    """Whether whoever has taken a trick has always led the next one.

    Not so at a refereed table where somebody has led early, and it stands (I2): then the plays
    cannot be replayed by turns.
    """
    leaders = [*(trick.leader for trick in deal.tricks[1:]), deal.leader]
    return not deal.tricks or leaders == [trick.winner for trick in deal.tricks]


def here(view: View) -> Records:
    """One row of `DEAL` where the seat has to act, with nothing in it that others hide."""
    assert view.seat is not None
    row = position(view.deal)
    others = [seat for seat in range(view.deal.rules.players) if seat != view.seat]
    row[0]["coming"][others] &= row[0]["given"][view.seat]
    row[0]["hands"][others] = row[0]["given"][others] = 0
    if view.deal.kitty_taker != view.seat:
        row[0]["kitty"] = 0
    if view.state.phase is Phase.PASSING:
        row[0]["phase"] = PASSING
        row[0]["turn"] = view.seat
        row[0]["given"] = row[0]["coming"] = 0
    return row
