"""`volte simulate --json`: for programs, as docs/simulate.md tells it."""

from __future__ import annotations

from typing import Any

from volte.lab.arena import Frequencies, Statistics, Tally
from volte.lab.simulate.records import Kept
from volte.lab.simulate.telling import Found, Simulation
from volte.rules import options_of
from volte.say import Words

Answer = dict[str, Any]


def answer(words: Words, simulation: Simulation, kept: Kept) -> Answer:
    """All that is known of a simulation. Seats, deals and matches are counted from 1."""
    request, why = simulation.request, simulation.why
    return {
        "rules": options_of(request.rules),
        "seats": list(request.seats),
        "seed": request.seed,
        "engine": simulation.engine.value,
        "why": why and {"reason": why.reason, "sentence": words.fault(why)},
        "seconds": simulation.seconds,
        "deals_per_second": simulation.deals_per_second,
        "statistics": _statistics(simulation.statistics),
        "records": [_record(name, found) for name, found in kept.items()],
    }


def _statistics(statistics: Statistics) -> Answer:
    matches = bool(statistics.matches)
    return {
        "deals": statistics.deals,
        "matches": statistics.matches,
        "seats": [_tally(tally, matches) for tally in statistics.seats],
        "players": {level: _tally(tally, matches) for level, tally in statistics.levels.items()},
        "directions": {
            direction.value: {
                "deals": seats[0].number,
                "seats": [
                    {"points": _counts(points), "points_per_deal": points.mean._asdict()}
                    for points in seats
                ],
            }
            for direction, seats in statistics.directions.items()
        },
        "queenless": statistics.queenless,
        "first": {
            "moon": _from_one(statistics.moons),
            "slam": _from_one(statistics.slams),
            "highest": _from_one(statistics.highest),
        },
        **(_lengths(statistics.lengths) if matches else {}),
    }


def _lengths(lengths: Frequencies) -> Answer:
    return {
        "lengths": _counts(lengths),
        "deals_per_match": lengths.mean._asdict(),
        "shortest": lengths.least,
        "longest": lengths.most,
    }


def _tally(tally: Tally, matches: bool) -> Answer:
    fields: Answer = {
        "seats": tally.seats,
        "points": _counts(tally.points),
        "points_per_deal": tally.points_per_deal._asdict(),
        "queens": tally.queens,
        "queens_per_deal": tally.queens_per_deal._asdict(),
        "moons": tally.moons,
        "moons_per_deal": tally.moons_per_deal._asdict(),
        "slams": tally.slams,
        "slams_per_deal": tally.slams_per_deal._asdict(),
        "minus": tally.minus,
    }
    if matches:
        fields["totals"] = _counts(tally.totals)
        fields["total_per_match"] = tally.total_per_match._asdict()
        fields["wins"] = _counts(tally.wins)
        fields["wins_per_match"] = tally.wins_per_match._asdict()
    return fields


def _counts(counts: Frequencies) -> Answer:
    times = {str(number): times for number, times in counts.times.items()}
    return {"sum": counts.sum, "squares": counts.squares, "times": times}


def _from_one(numbers: tuple[int, ...]) -> list[int]:
    return [number + 1 for number in numbers]


def _record(name: str, found: Found) -> Answer:
    number, path = found if found is not None else (None, None)
    return {"kept": name, "number": number, "file": path and str(path)}
