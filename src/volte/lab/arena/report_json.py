"""`volte arena --json`: for programs, as docs/arena.md tells it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from msgspec.structs import asdict

from volte.lab.arena import Choices, Contestant, DuelResult, Ending, SideTotals
from volte.lab.arena.telling import Arena
from volte.rules import options_of

Answer = dict[str, Any]


def answer(arena: Arena) -> Answer:
    """All that is known of it."""
    meeting = arena.meeting
    duel = meeting.results[0].duel
    return {
        "rules": options_of(duel.rules),
        "seed": duel.seed,
        "seatings": len(duel.lineup),
        "matches": duel.matches,
        "stop": asdict(arena.stop),
        "seconds": arena.seconds,
        "players": [
            {
                **_contestant(contestant),
                "rating": rating._asdict(),
                **_side(meeting.side(contestant), meeting.deals(contestant)),
            }
            for contestant, rating in zip(meeting.contestants, meeting.ratings(), strict=True)
        ],
        "duels": [_duel(result) for result in meeting.results],
    }


def _contestant(contestant: Contestant) -> Answer:
    return {
        "name": contestant.name,
        "level": contestant.level or None,
        "command": contestant.command or None,
        "milliseconds": contestant.clock.milliseconds,
        "simulations": contestant.clock.simulations,
    }


def _duel(result: DuelResult) -> Answer:
    standing, sides = result.standing, result.duel.sides
    return {
        "players": [side.name for side in sides],
        "asked": result.duel.decks,
        "decks": standing.decks,
        "games": standing.games,
        "deals": standing.deals,
        "ending": (result.ending or Ending.STOPPED).value,
        "sides": [
            {
                **_side(side, standing.deals),
                "points_per_deal": standing.points(place)._asdict(),
                "wins_per_match": standing.wins(place)._asdict() if result.duel.matches else None,
            }
            for place, side in enumerate(standing.sides)
        ],
        "margins": [
            {
                "better": sides[first].name,
                "than": sides[second].name,
                "points": result.margin(first, second)._asdict(),
                "wins": standing.lead(first, second)._asdict() if result.duel.matches else None,
                "stakes": standing.gain(first, second)._asdict() if result.duel.matches else None,
            }
            for first, second in combinations(range(len(sides)), 2)
        ],
    }


def _side(side: SideTotals, deals: int) -> Answer:
    return {
        "deals": deals,
        "seats": side.seats,
        "points": side.points,
        "queens": side.queens,
        "moons": side.moons,
        "slams": side.slams,
        "match_seats": side.matches,
        "wins": side.wins,
        "stakes": side.stakes,
        "choices": _choices(side.choices),
    }


def _choices(choices: Choices) -> Answer:
    return {
        "number": choices.number,
        "forced": choices.forced,
        "forfeits": choices.forfeits,
        "worlds": choices.worlds,
        "simulations": choices.simulations,
        "milliseconds": {
            "mean": choices.mean,
            "p50": choices.slowest_but(0.5),
            "p99": choices.slowest_but(0.99),
            "max": choices.longest / 1000,
        }
        if choices.number
        else None,
    }
