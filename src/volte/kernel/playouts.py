"""Playouts for search: candidates tried in every world, and the worth of totals in the match."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import from_dtype, types

from volte.kernel.casual import casual_card
from volte.kernel.casual_odds import MIND
from volte.kernel.casual_pass import casual_pass
from volte.kernel.compiler import DEALS, SEATS, TABLE, U, entry, hold, inlined, scratch, split
from volte.kernel.endgame import can_solve, solve
from volte.kernel.endgame_line import ROOM
from volte.kernel.features import EYE, look_at_rules
from volte.kernel.instinct import INSTINCTS, instinct_card
from volte.kernel.layout import (
    AVERAGE,
    CASUAL,
    DEAL,
    DIFFERENCE,
    ENDING,
    INSTINCT,
    MOST_SEATS,
    OUTCOME,
    PASSING,
    PLAYING,
    Record,
    Records,
)
from volte.kernel.play import (
    exchange,
    give_all,
    legal_cards,
    play_card,
    proved,
    random_card,
    score,
    start_play,
)


@inlined
def put_world(
    rules: Record, deal: Record, seats: Records, worlds: Record, world: int, mind: Record
) -> None:
    """Put the cards of a world into a deal; before the exchange, let the other seats pass."""
    for seat in range(rules.players):
        deal.hands[seat] = worlds[world, seat]
    deal.kitty = worlds[world, rules.players]
    if deal.phase == PASSING:
        for seat in range(rules.players):
            if seat != deal.turn:
                casual_pass(rules, deal, seat, seats[seat], mind)


@inlined
def take_on(rules: Record, deal: Record, candidate: U) -> None:
    """Do the candidate: play a card; or pass cards, scattered from the lowest up (W1)."""
    if deal.phase == PASSING:
        give_all(rules, deal, deal.turn, candidate)
        exchange(rules, deal)
        start_play(rules, deal)
    else:
        deal.excluded[deal.turn] |= proved(rules, deal, candidate)
        play_card(rules, deal, candidate)


@entry(
    types.void(
        TABLE,
        SEATS,
        INSTINCTS,
        DEALS,
        types.uint64[:, ::1],
        types.uint64[::1],
        types.uint64,
        types.int64,
        types.float64[:, :, ::1],
    )
)
def play_out(
    table: Records,
    seats: Records,
    instincts: Records,
    here: Records,
    worlds: Record,
    candidates: Record,
    seed: U,
    ending: int,
    points: Record,
) -> None:
    """Play each candidate in each world, and everybody by policy from there on.

    Args:
        seats: the policies from then on; their `casual` weights pass the cards in any case.
        here: one deal, where a seat is to play, or to pass; its hidden cards do not matter.
        worlds: `uint64[worlds, players + 1]`, the hands and the kitty.
        candidates: a card, or all the cards that the seat passes, as masks.
        seed: world `i` draws from `split(seed, i)`, whichever candidate is played.
        ending: number of tricks left from which deals are solved, every seat knowing all cards,
            and no longer played; 0 for never, as where the search cannot (`can_solve`).
            See `MOST_LEFT`.
        points: `float64[worlds, candidates, players]`, each seat's points in the end.
    """
    rules = table[0]
    learned = instincts[0]
    minds, eyes, rooms = scratch(1, MIND), scratch(1, EYE), scratch(1, ROOM)
    mind, eye, room = minds[0], eyes[0], rooms[0]
    last = rules.hand_size - (ending if can_solve(rules) else 0)
    look_at_rules(rules, eye)
    rows = scratch(2, DEAL)
    deal = rows[1]
    outcomes = scratch(1, OUTCOME)
    outcome = outcomes[0]
    for world in range(len(worlds)):
        rows[0] = here[0]
        put_world(rules, rows[0], seats, worlds, world, mind)
        for candidate in range(len(candidates)):
            rows[1] = rows[0]
            deal.chance = split(seed, U(world))
            take_on(rules, deal, candidates[candidate])
            while deal.phase == PLAYING and deal.gathered < last:
                legal = legal_cards(rules, deal)
                policy = seats[deal.turn].policy
                if policy == INSTINCT:
                    card = instinct_card(rules, deal, legal, learned, eye)
                elif policy == CASUAL:
                    card = casual_card(rules, deal, legal, seats[deal.turn], mind)
                else:
                    card = random_card(deal, legal)
                deal.excluded[deal.turn] |= proved(rules, deal, card)
                play_card(rules, deal, card)
            if deal.phase == PLAYING:
                solve(rules, deal, room)
                for seat in range(rules.players):
                    points[world, candidate, seat] = room.points[seat]
            else:
                score(rules, deal, outcome)
                for seat in range(rules.players):
                    points[world, candidate, seat] = outcome.points[seat]
    hold(minds)
    hold(eyes)
    hold(rooms)
    hold(rows)
    hold(outcomes)


# The rest of the match: played on from many totals, by deals that have been played already

MOST_DEALS: Final = 400
"""Deals after which a match that will not end is taken to be over."""

STANDS: Final = np.dtype([("totals", np.int64, MOST_SEATS), ("winners", np.int64)])
"""Standing of a match: totals, and how many seats have the lowest."""


@inlined
def add(ending: Record, stands: Record, futures: Record, future: int, deal: int) -> None:
    """Add one more deal, with the fall back to half for totals at the limit."""
    for seat in range(ending.players):
        stands.totals[seat] += futures[future, deal, seat]
        if ending.halves and stands.totals[seat] == ending.number:
            stands.totals[seat] = ending.number // 2


@inlined
def is_over(ending: Record, stands: Record, deals: int) -> bool:
    """Whether the match is over; the number of seats in front is written down then."""
    if ending.limited:
        highest = stands.totals[0]
        for seat in range(1, ending.players):
            highest = max(highest, stands.totals[seat])
        if highest < ending.number:
            return False
    elif deals < ending.number:
        return False
    lowest, winners = stands.totals[0], 0
    for seat in range(ending.players):
        total = stands.totals[seat]
        if total < lowest:
            lowest, winners = total, 0
        if total == lowest:
            winners += 1
    stands.winners = winners
    return winners == ending.partners or not ending.plays_on


@inlined
def pay(ending: Record, stands: Record, row: int, worth: Record) -> None:
    """Add the settlement at the end of the match to each seat's result."""
    lowest, sums = stands.totals[0], 0
    for seat in range(ending.players):
        lowest = min(lowest, stands.totals[seat])
        sums += stands.totals[seat]
    for seat in range(ending.players):
        behind = stands.totals[seat] - lowest
        if ending.counts == AVERAGE:
            worth[row, seat] += sums / ending.players - stands.totals[seat]
        elif ending.counts == DIFFERENCE:
            won = (sums - lowest * ending.players) / stands.winners
            worth[row, seat] += won if behind == 0 else -behind
        elif behind == 0:
            worth[row, seat] += ending.partners / stands.winners


@entry(
    types.void(
        types.Array(from_dtype(ENDING), 1, "C", readonly=True),
        types.int64,
        types.int64[:, ::1],
        types.Array(types.int64, 3, "C", readonly=True),
        types.float64[:, ::1],
    )
)
def forecast(endings: Records, deals: int, totals: Record, futures: Record, worth: Record) -> None:
    """Write the worth of each row of totals to every seat, as the mean of the futures.

    Args:
        endings: one row of `ENDING`.
        deals: number of deals played.
        totals: `int64[rows, players]`, with all deals played.
        futures: `int64[futures, deals, players]`, the points of the deals to come, which begin
            anew where they do not suffice. All rows have the same futures, so they compare well.
        worth: `float64[rows, players]`.
    """
    ending = endings[0]
    rooms = scratch(1, STANDS)
    stands = rooms[0]
    for row in range(len(totals)):
        for seat in range(ending.players):
            worth[row, seat] = 0.0
        for future in range(len(futures)):
            for seat in range(ending.players):
                stands.totals[seat] = totals[row, seat]
            played = 0
            while not is_over(ending, stands, deals + played) and played < MOST_DEALS:
                add(ending, stands, futures, future, played % futures.shape[1])
                played += 1
            pay(ending, stands, row, worth)
        for seat in range(ending.players):
            worth[row, seat] /= len(futures)
    hold(rooms)
