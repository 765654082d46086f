"""Candidates played out: each in every world, to the end of the deal."""

from __future__ import annotations

from numba import from_dtype, types

from volte.kernel import casual, compiler, endgame_line, instinct
from volte.kernel.bits import U, split
from volte.kernel.casual import casual_card, casual_pass
from volte.kernel.choose import random_card
from volte.kernel.compiler import compiled, hold, inlined
from volte.kernel.endgame import can_solve, solve
from volte.kernel.instinct import LEARNED, instinct_card
from volte.kernel.layout import (
    CASUAL,
    DEAL,
    INSTINCT,
    OUTCOME,
    PASSING,
    PLAYING,
    RULES,
    SEAT,
    Record,
    Records,
)
from volte.kernel.play import (
    exchange,
    give_all,
    legal_cards,
    play_card,
    proved,
    score,
    start_play,
)
from volte.kernel.situation import look_at_rules

_RULES = types.Array(from_dtype(RULES), 1, "C", readonly=True)
_SEATS = types.Array(from_dtype(SEAT), 1, "C")
_INSTINCT = types.Array(from_dtype(LEARNED), 1, "C", readonly=True)
_DEALS = types.Array(from_dtype(DEAL), 1, "C")


@inlined
def put_world(
    rules: Record, deal: Record, seats: Records, worlds: Record, world: int, mind: Record
) -> None:
    """The cards of a world in the places of a deal; where cards are passed, the others have."""
    for seat in range(rules.players):
        deal.hands[seat] = worlds[world, seat]
    deal.kitty = worlds[world, rules.players]
    if deal.phase == PASSING:
        for seat in range(rules.players):
            if seat != deal.turn:
                casual_pass(rules, deal, seat, seats[seat], mind)


@inlined
def take_on(rules: Record, deal: Record, candidate: U) -> None:
    """The candidate done: a card played; or cards passed, scattered from the lowest up (W1)."""
    if deal.phase == PASSING:
        give_all(rules, deal, deal.turn, candidate)
        exchange(rules, deal)
        start_play(rules, deal)
    else:
        deal.excluded[deal.turn] |= proved(rules, deal, candidate)
        play_card(rules, deal, candidate)


@compiled(
    types.void(
        _RULES,
        _SEATS,
        _INSTINCT,
        _DEALS,
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
    """Plays each candidate in each world, and everybody by policy from there on.

    Args:
        seats: who plays then; their `casual` weights pass the cards in any case.
        here: one deal, where a seat is to play, or to pass; its hidden cards do not matter.
        worlds: `uint64[worlds, players + 1]`, the hands and the kitty.
        candidates: a card, or all the cards that the seat passes, as masks.
        seed: world `i` draws from `split(seed, i)`, whichever candidate is played.
        ending: how many tricks are left when deals are no more played but solved, every seat
            knowing all cards; 0 where they never are, as where the search cannot (`can_solve`).
            See `endgame_line.MOST_LEFT`.
        points: `float64[worlds, candidates, players]`, what everybody has in the end.
    """
    rules = table[0]
    learned = instincts[0]
    minds, eyes, rooms = casual.scratch(), instinct.scratch(), endgame_line.scratch()
    mind, eye, room = minds[0], eyes[0], rooms[0]
    last = rules.hand_size - (ending if can_solve(rules) else 0)
    look_at_rules(rules, eye)
    rows = compiler.scratch(2, DEAL)
    deal = rows[1]
    outcomes = compiler.scratch(1, OUTCOME)
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
