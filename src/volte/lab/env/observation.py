"""The view of a learner, and the position for a centralised critic, as arrays of numbers.

`observe` defines the view, whose seats are counted from the observer: 0 is oneself, 1 the seat to
one's left, and so on. `volte.kernel.stepping.observe` makes these arrays of many deals at once.
`whole_state` defines the position, with everybody's cards: never show it to a learner that is to
play. `whole_states` makes it of many deals of the kernel at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.cards import PACK_SIZE, SUIT_MASKS, VolteError, mask_of
from volte.game import MatchState, Phase
from volte.kernel.batch import Batch
from volte.kernel.encoding import check_range, encode
from volte.kernel.layout import PASSING, SCATTERED
from volte.rules import Direction
from volte.view import View

MOST_NUMBER: Final = 2**15 - 1
"""Largest number of a deal in an observation; later deals of a match have this one."""

_PACK: Final = (1 << PACK_SIZE) - 1


class Observation(NamedTuple):
    """An observation of one seat at one moment."""

    # `uint8[planes, 54]`, 1 where the plane has the card; see `card_planes`
    cards: NDArray[np.uint8]
    situation: NDArray[np.int16]  # `int16[fields]`; see `situation_fields`
    # `int8[54]`, 1 for each card that the observer may play now, or pick to pass; all 0 when it is
    # not its turn
    mask: NDArray[np.int8]


def card_planes(players: int) -> tuple[str, ...]:
    """The planes of an observation, in order; every plane is a set of cards.

    - hand: one's own, until the exchange with the cards that one gives.
    - led: the whole suit to follow; empty before it is set.
    - table: the card that a seat has in the present trick.
    - taken: cards won by a seat, with the kitty only where it is one's own (D6).
    - cannot: cards that another seat has proved not to hold (T1–T8, L2).
    - gave: cards that one passes, from the first card picked.
    - got: cards passed to one.
    - kitty: if one has taken it.
    - unseen: the cards of the deck that one has not seen since the deal, or has given away.

    >>> card_planes(3)[:5]
    ('hand', 'led', 'table 0', 'table 1', 'table 2')
    """
    check_range("players", players, 3, 10)
    return (
        "hand",
        "led",
        *_by_seat("table", range(players)),
        *_by_seat("taken", range(players)),
        *_by_seat("cannot", range(1, players)),
        "gave",
        "got",
        "kitty",
        "unseen",
    )


def situation_fields(players: int) -> tuple[str, ...]:
    """The numbers of an observation, in order.

    - passing: 1 while cards are being passed.
    - step: number of seats to the left that the pass goes; 0 where nothing is passed, -1 where one
      card goes to every other seat (W1).
    - deal: its number in the match, from 1, or `MOST_NUMBER` where that is less.
    - trick: number of tricks gathered.
    - on table: number of cards in the present trick.
    - broken: whether hearts are broken (T4).
    - dealer: a seat.
    - leader: a seat; -1 before the first lead.
    - turn: the seat to act; -1 once the deal is over.
    - opening: index of the card that must be led first (L2), or whose holder leads any club first
      (W2); -1 where any card may be led.
    - points: points of the cards won by a seat, the kitty only where it is one's own.
    - tricks: number of tricks won by a seat.
    - void chance: whether a seat has failed to follow suit (T6).

    >>> situation_fields(3)[-3:]
    ('void chance 0', 'void chance 1', 'void chance 2')
    """
    check_range("players", players, 3, 10)
    return (
        "passing",
        "step",
        "deal",
        "trick",
        "on table",
        "broken",
        "dealer",
        "leader",
        "turn",
        "opening",
        *_by_seat("points", range(players)),
        *_by_seat("tricks", range(players)),
        *_by_seat("void chance", range(players)),
    )


def _by_seat(name: str, seats: Iterable[int]) -> list[str]:
    return [f"{name} {seat}" for seat in seats]


def observe(view: View, picked: int = 0) -> Observation:
    """The observation of the seat of that view.

    Args:
        view: of a seat, once cards have been dealt, from one pack.
        picked: mask of the cards that the seat has picked so far for a pass it has not made yet.

    Raises `VolteError` for any other view or mask.
    """
    check_range("picked", picked, 0, _PACK)
    if view.seat is None or view.state.deal is None:
        raise VolteError("env_view")
    return Observation(
        planes(np.array(_cards(view, picked), np.uint64)),
        np.array(_situation(view), np.int16),
        planes(np.array(_choices(view, picked), np.uint64)).astype(np.int8),
    )


def turn_of(view: View) -> int:
    """The seat to act, or -1; passes are picked one seat after the other."""
    if view.state.phase is Phase.PASSING:
        waiting = [seat for seat, cards in enumerate(view.deal.passes) if cards is None]
        return waiting[0] if waiting else -1
    return view.deal.turn if view.state.phase is Phase.PLAYING else -1


def planes(masks: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Each mask as 54 bytes of 0 or 1, along a new last axis."""
    octets = masks.astype("<u8")[..., None].view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=PACK_SIZE, bitorder="little")


def _cards(view: View, picked: int) -> list[int]:
    """The masks behind the planes, in the order of `card_planes`."""
    deal, around = view.deal, _around(view)
    table = {(deal.leader + place) % len(around): card for place, card in enumerate(deal.trick)}
    return [
        view.hand.mask,
        0 if deal.led is None else SUIT_MASKS[deal.led] & _PACK,
        *(table[seat].bit if seat in table else 0 for seat in around),
        *(deal.captured(seat) for seat in around),
        *(deal.excluded[seat] for seat in around[1:]),
        picked | mask_of(deal.passes[around[0]] or ()),
        view.got().mask,
        deal.kitty,
        view.unseen,
    ]


def _situation(view: View) -> list[int]:
    """The numbers, in the order of `situation_fields`."""
    deal, around = view.deal, _around(view)
    place_of = {seat: place for place, seat in enumerate(around)} | {-1: -1}
    return [
        view.state.phase is Phase.PASSING,
        -1 if deal.direction is Direction.SCATTER else deal.direction.target(0, len(around)),
        min(deal.number, MOST_NUMBER),
        len(deal.tricks),
        len(deal.trick),
        deal.broken,
        place_of[deal.dealer],
        place_of[deal.leader],
        place_of[turn_of(view)],
        -1 if deal.opening is None else deal.opening.index,
        *(deal.rules.points_in(deal.captured(seat)) for seat in around),
        *(deal.won[seat] for seat in around),
        *(deal.voided >> seat & 1 for seat in around),
    ]


def _choices(view: View, picked: int) -> int:
    """Mask of the cards that the observer may play now, or pick."""
    if turn_of(view) != view.seat:
        return 0
    if view.state.phase is Phase.PASSING:
        return view.hand.mask & ~picked
    return view.legal.mask


def _around(view: View) -> list[int]:
    """The seats, clockwise from the observer."""
    players = view.deal.rules.players
    return [(view.seat + place) % players for place in range(players)]


# The whole position


class WholeState(NamedTuple):
    """A position with nothing hidden, or many positions, one per row."""

    cards: NDArray[np.uint8]  # `uint8[…, planes, 54]`, 1 where the plane has the card
    situation: NDArray[np.int16]  # `int16[…, fields]`


def state_planes(players: int) -> tuple[str, ...]:
    """The planes of a state, in order; every plane is a set of cards.

    - led: the whole suit to follow; empty before it is set.
    - kitty: wherever it lies.
    - hand: a seat's cards, until the exchange with the cards that it gives.
    - table: the card that a seat has in the present trick.
    - taken: cards won by a seat, with the kitty if it has taken it (D6).
    - gave: cards that a seat passes, from the first card picked.
    - got: cards passed to a seat.

    >>> state_planes(3)[:5]
    ('led', 'kitty', 'hand 0', 'hand 1', 'hand 2')
    """
    each = ("hand", "table", "taken", "gave", "got")
    check_range("players", players, 3, 10)
    return ("led", "kitty", *(f"{name} {seat}" for name in each for seat in range(players)))


def state_fields(players: int) -> tuple[str, ...]:
    """The numbers of a state: those of an observation, with every kitty counted, and one more.

    - kitty taker: a seat; -1 before it is taken.

    >>> state_fields(3)[-2:]
    ('void chance 2', 'kitty taker')
    """
    check_range("players", players, 3, 10)
    return (*situation_fields(players), "kitty taker")


_POINTS: Final = situation_fields(3).index("points 0")


def whole_state(state: MatchState, picked: int = 0) -> WholeState:
    """A position of the readable engine; seats are counted from seat 0.

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
