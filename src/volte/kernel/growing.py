"""One tree over many worlds: information-set search with a learned hand on the tiller.

A node stands for the cards played since the position searched from, whatever the world. In each
world one line is walked from the root: every seat takes the card that is best for itself so far
(max^n, Luckhardt and Irani 1986) or tried too little, by its instinct for that card (the rule of
AlphaZero, Silver 2017); cards that the world does not allow are passed over (Cowling, Powley and
Whitehouse 2012). The first new node is played out by instinct, and every seat's margin is told back
along the line.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np
from numba import from_dtype, types

from volte.kernel import compiler, endgame_line
from volte.kernel.bits import NONE, ONE, U, index_of, lowest, split
from volte.kernel.compiler import compiled, hold, inlined
from volte.kernel.endgame import solve
from volte.kernel.instinct import LEARNED, card_odds, instinct_card, scratch
from volte.kernel.layout import DEAL, MOST_CARDS, OUTCOME, PLAYING, RULES, Record, Records
from volte.kernel.play import legal_cards, play_card, proved, score
from volte.kernel.situation import look_at_rules

_RULES = types.Array(from_dtype(RULES), 1, "C", readonly=True)
_INSTINCT = types.Array(from_dtype(LEARNED), 1, "C", readonly=True)
_DEALS = types.Array(from_dtype(DEAL), 1, "C")

LINE: Final = np.dtype(
    [("first", np.int64), ("nodes", np.int64, MOST_CARDS), ("seats", np.int64, MOST_CARDS)]
)
"""A walk: the card at the root, the nodes come to, and the seats that played to them."""


@inlined
def margin_of(rules: Record, outcome: Record, seat: int) -> float:
    """A seat's points less the mean of the others'."""
    total = 0.0
    for each in range(rules.players):
        total += outcome.points[each]
    return (rules.players * outcome.points[seat] - total) / (rules.players - 1)  # type: ignore[no-any-return]


@inlined
def most_wanted(
    eye: Record, legal: U, node: int, reach: float, kids: Record, visits: Record, totals: Record
) -> U:
    """The card to try at a node, after `card_odds`: the lowest margin less what is still hoped."""
    tried = 0
    total = 0.0
    cards = legal
    while cards != NONE:
        bit = lowest(cards)
        cards ^= bit
        kid = kids[node, index_of(bit)]
        if kid:
            tried += visits[kid]
            total += totals[kid]
    mean = total / tried if tried else 0.0
    hope = reach * sqrt(tried + 1.0)
    best = NONE
    least = 1e300
    card = 0
    while legal != NONE:
        bit = lowest(legal)
        legal ^= bit
        kid = kids[node, index_of(bit)]
        seen = visits[kid] if kid else 0
        worth = totals[kid] / seen if seen else mean
        worth -= hope * eye.odds[card] / (1.0 + seen)
        card += 1
        if worth < least:
            best, least = bit, worth
    return best


@compiled(
    types.void(
        _RULES,
        _INSTINCT,
        _DEALS,
        types.uint64[:, ::1],
        types.uint64,
        types.uint64,
        types.float64,
        types.int64,
        types.int32[:, ::1],
        types.int64[::1],
        types.float64[::1],
        types.float64[:, ::1],
    )
)
def grow(
    table: Records,
    instincts: Records,
    here: Records,
    worlds: Record,
    candidates: U,
    seed: U,
    reach: float,
    ending: int,
    kids: Record,
    visits: Record,
    totals: Record,
    found: Record,
) -> None:
    """Walks one line in each world.

    Args:
        here: one deal, where a seat is to play; its hidden cards do not matter.
        worlds: `uint64[worlds, players + 1]`, the hands and the kitty.
        candidates: mask of the cards that are tried at the root.
        seed: world `i` draws from `split(seed, i)`.
        reach: points that instinct may be worth more than what has been found.
        ending: how many tricks are left when deals are no more played out but solved.
        kids: `int32[nodes, 54]`, by card, the node it leads to, or 0. Node 0 is the root; how many
            there are stands in `visits[0]`, at first 1. A full tree grows no more.
        visits, totals: by node, how often it was come to, and the sum of the margins of the seat
            that played the card to it.
        found: `float64[54, 3]`, by card at the root, times tried, points and squares of margins.
    """
    rules = table[0]
    learned = instincts[0]
    eyes, rooms = scratch(), endgame_line.scratch()
    eye, room = eyes[0], rooms[0]
    last = rules.hand_size - ending
    look_at_rules(rules, eye)
    rows = compiler.scratch(1, DEAL)
    outcomes, lines = compiler.scratch(1, OUTCOME), compiler.scratch(1, LINE)
    outcome, line = outcomes[0], lines[0]
    for world in range(len(worlds)):
        rows[0] = here[0]
        deal = rows[0]
        for seat in range(rules.players):
            deal.hands[seat] = worlds[world, seat]
        deal.kitty = worlds[world, rules.players]
        deal.chance = split(seed, U(world))
        observer = deal.turn
        node = 0
        length = 0
        growing = True
        while deal.phase == PLAYING and growing:
            legal = candidates if length == 0 else legal_cards(rules, deal)
            bit = legal
            if legal & (legal - ONE) != NONE:
                card_odds(rules, deal, legal, learned, eye)
                bit = most_wanted(eye, legal, node, reach, kids, visits, totals)
            kid = kids[node, index_of(bit)]
            if kid == 0:
                growing = False
                if visits[0] < len(kids):
                    kid = visits[0]
                    visits[0] += 1
                    kids[node, index_of(bit)] = kid
            if kid:
                line.nodes[length] = kid
                line.seats[length] = deal.turn
            if length == 0:
                line.first = index_of(bit)
            length += 1 if kid else 0
            node = kid
            deal.excluded[deal.turn] |= proved(rules, deal, bit)
            play_card(rules, deal, bit)
        while deal.phase == PLAYING and deal.gathered < last:
            bit = instinct_card(rules, deal, legal_cards(rules, deal), learned, eye)
            deal.excluded[deal.turn] |= proved(rules, deal, bit)
            play_card(rules, deal, bit)
        if deal.phase == PLAYING:
            solve(rules, deal, room)
            for seat in range(rules.players):
                outcome.points[seat] = room.points[seat]
        else:
            score(rules, deal, outcome)
        for step in range(length):
            visits[line.nodes[step]] += 1
            totals[line.nodes[step]] += margin_of(rules, outcome, line.seats[step])
        margin = margin_of(rules, outcome, observer)
        found[line.first, 0] += 1.0
        found[line.first, 1] += outcome.points[observer]
        found[line.first, 2] += margin * margin
    hold(eyes)
    hold(rooms)
    hold(rows)
    hold(outcomes)
    hold(lines)
