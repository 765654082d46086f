"""The whole position as arrays of numbers, everybody's cards among them: for centralised critics.

`whole_state` is the definition; `whole_states` makes the same of many deals of the kernel at once.
Never show it to a learner that is to play.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.cards import PACK_SIZE, SUIT_MASKS, mask_of
from volte.game import MatchState
from volte.kernel.batch import Batch
from volte.kernel.encoding import encode
from volte.kernel.layout import PASSING, SCATTERED
from volte.lab.env.observation import observe, planes, situation_fields
from volte.view import View


class WholeState(NamedTuple):
    """A position with nothing hidden, or many of them, one a row."""

    cards: NDArray[np.uint8]  # `uint8[…, planes, 54]`, 1 where the plane has the card
    situation: NDArray[np.int16]  # `int16[…, fields]`


def state_planes(players: int) -> tuple[str, ...]:
    """The planes of a state, in order; every plane is a set of cards.

    - led: the whole suit to follow; empty before it is set.
    - kitty: wherever it lies.
    - hand: what a seat holds, until the exchange with the cards that it gives.
    - table: the card that a seat has in the present trick.
    - taken: what a seat has won, with the kitty where it has taken it (D6).
    - gave: what a seat passes, from the first card picked.
    - got: what a seat was passed.

    >>> state_planes(3)[:5]
    ('led', 'kitty', 'hand 0', 'hand 1', 'hand 2')
    """
    each = ("hand", "table", "taken", "gave", "got")
    return ("led", "kitty", *(f"{name} {seat}" for name in each for seat in range(players)))


def state_fields(players: int) -> tuple[str, ...]:
    """The numbers of a state: those of an observation, with every kitty counted, and one more.

    - kitty taker: a seat; -1 before it is taken.

    >>> state_fields(3)[-2:]
    ('void chance 2', 'kitty taker')
    """
    return (*situation_fields(players), "kitty taker")


_POINTS: Final = situation_fields(3).index("points 0")
_PACK: Final = (1 << PACK_SIZE) - 1


def whole_state(state: MatchState, picked: int = 0) -> WholeState:
    """The position of the readable engine; seats are counted from seat 0.

    Args:
        state: with nothing hidden, once cards have been dealt, from one pack.
        picked: mask of the cards that the seat on turn has picked so far for a pass.
    """
    deal = state.current_deal
    seats = range(deal.rules.players)
    table = {(deal.leader + place) % len(seats): card.bit for place, card in enumerate(deal.trick)}
    picking = next((seat for seat in seats if deal.passes[seat] is None), -1)
    gave = [
        picked if seat == picking else mask_of(cards or ())
        for seat, cards in enumerate(deal.passes)
    ]
    got = [
        mask_of(card for gone in deal.transfers if gone.taker == seat for card in gone.cards or ())
        for seat in seats
    ]
    masks = [
        0 if deal.led is None else SUIT_MASKS[deal.led] & _PACK,
        deal.kitty,
        *deal.hands,
        *(table.get(seat, 0) for seat in seats),
        *(deal.captured(seat) for seat in seats),
        *gave,
        *got,
    ]
    taker = -1 if deal.kitty_taker is None else deal.kitty_taker
    situation = [*observe(View(0, state)).situation, taker]
    return WholeState(planes(np.array(masks, np.uint64)), np.array(situation, np.int16))


def whole_states(batch: Batch, seats: NDArray[np.int64]) -> WholeState:
    """The positions of all deals of a batch.

    Args:
        seats: `int64[size]`, the seat of each deal that is 0 in its state; 1 is the seat to its
            left, and so on.
    """
    deals, players = batch.deals, batch.rules.players
    around = (seats[:, None] + np.arange(players)) % players

    def of(name: str, places: NDArray[np.int64] = around) -> NDArray[np.uint64]:
        return np.take_along_axis(deals[name], places, axis=1)

    def seen(seat: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.where(seat < 0, -1, (seat - seats) % players)

    played = (around - deals["leader"][:, None]) % players
    table = np.where(played < deals["count"][:, None], of("trick", played), 0)
    owns = deals["kitty_taker"][:, None] == around
    taken = of("taken") | np.where(owns, deals["kitty"][:, None], 0).astype(np.uint64)
    got = np.where(
        deals["step"][:, None] == SCATTERED,
        of("coming"),
        of("given", (around - deals["step"][:, None]) % players),
    )
    got[deals["phase"] == PASSING] = 0
    ends = deals["led"][:, None], deals["kitty"][:, None]
    cards = planes(np.concatenate([*ends, of("hands"), table, taken, of("given"), got], axis=1))
    values = encode(batch.rules)["values"][0]
    points = planes(taken) @ values
    situation = batch.observe(seats).situation
    situation[:, _POINTS : _POINTS + players] = points
    taker = seen(deals["kitty_taker"])[:, None].astype(np.int16)
    return WholeState(cards, np.concatenate([situation, taker], axis=1))
