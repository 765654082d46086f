"""`volte arena`: from options to duels, and to their report, picture and JSON (docs/arena.md)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import asdict

from volte.bots import Clock
from volte.console.command import SIGNALLED
from volte.console.options import chosen_rules, fresh_seed, print_json
from volte.console.parameters import as_misuse, only_one
from volte.console.plot import Plot
from volte.console.progress import Silent, progress_on
from volte.console.terminal import Console, Misuse, signal_of
from volte.lab.arena import (
    Contest,
    Contestant,
    DuelEnding,
    DuelResult,
    SideTotals,
    Stop,
    few,
)
from volte.lab.arena.keeping import seed_in
from volte.lab.arena.meeting import Meeting, duels_of
from volte.lab.arena.telling import Arena, ArenaReport, heading, interrupted, pair_margins, played
from volte.lab.picture import SEAT, put_rows, titled
from volte.rules import options_of
from volte.say import Words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

USUAL_DECKS: Final = 100
MOST_PLAYERS: Final = 50


def arena(
    lang: str,
    levels: Sequence[str],
    engines: Sequence[str],
    rules: str | None,
    settings: Sequence[str],
    players: str | None,
    deals: int | None,
    matches: int | None,
    seatings: int | str,
    table: bool,
    movetime: int | None,
    simulations: int | None,
    seed: int | None,
    until: float | None,
    decide: bool,
    keep: Path | None,
    processes: int | None,
    cluster: str | None,
    plot: Path | None,
    as_json: bool,
    plain: bool,
    width: int | None,
) -> int:
    """Play the duels, report, draw and keep them; returns the exit status.

    Raises a `VolteError`: if possible, before anything is played.
    """
    console, words = Console.here(width, plain), Words(lang)
    only_one("--movetime", movetime, "--simulations", simulations)
    contestants = _contestants(levels, engines, Clock(movetime, simulations))
    ruleset = chosen_rules(rules, settings, players, len(contestants) if table else 0)
    contestants = tuple(
        # unnamed engines introduce themselves
        each.introduced(ruleset) if each.command in map(str.strip, engines) else each
        for each in contestants
    )
    only_one("--matches", matches, "--deals", deals)
    if seed is None and keep is not None:
        seed = seed_in(keep)
    with as_misuse():
        if seatings == "few":
            sides = len(contestants) if table else 2
            seatings = few(ruleset.players, sides, ruleset.sides.partners)
        duels = duels_of(
            contestants,
            ruleset,
            fresh_seed() if seed is None else seed,
            matches or deals or USUAL_DECKS,
            seatings=None if isinstance(seatings, str) else seatings,
            matches=matches is not None,
            table=table,
        )
    stop = Stop(decide=decide) if until is None else Stop(until, decide)
    only_one("--processes", processes, "--cluster", cluster)
    canvas = Plot(plot) if plot is not None else None
    contest = Contest(duels, stop=stop, keep=keep)

    begun, gone = perf_counter(), None
    try:
        contest.get_ready()
        with progress_on(sys.stderr, words, console.plain) as progress:
            contest.play(processes=processes, cluster=cluster, progress=_from_the_first(progress))
    except KeyboardInterrupt as interrupt:
        gone = interrupt
    found = Arena(Meeting(contestants, contest.results), stop, perf_counter() - begun)
    if as_json:
        print_json(answer(found))
    elif found.begun:
        console.say(played(words, found))
        console.say(*ArenaReport(words, found).lines(console.table_width))
    if canvas is not None and found.begun:
        canvas.save(lambda: picture(words, found), heading(words, found))
    if gone is not None:
        print(interrupted(words, found, keep is not None), file=sys.stderr, flush=True)
        return SIGNALLED + signal_of(gone)
    return 0


def _contestants(
    levels: Sequence[str], engines: Sequence[str], usual: Clock
) -> tuple[Contestant, ...]:
    """The contestants: levels, then outside engines. Raises `Misuse`.

    Args:
        usual: limit of a choice for players that name none.
    """
    with as_misuse():
        named = [Contestant.of(level, usual) for level in levels]
        named += [Contestant.outside(engine, usual) for engine in engines]
    if len(named) > MOST_PLAYERS:
        raise Misuse("too_many_contestants", most=MOST_PLAYERS)
    return tuple(named)


def _from_the_first(progress: Silent) -> Callable[[int, int], None]:
    """Progress whose first call reports the part done before, in another run."""
    begun = False

    def tell(done: int, whole: int) -> None:
        nonlocal begun
        if begun:
            progress(done, whole)
        else:
            progress.going_on(done)
        begun = True

    return tell


FOOT: Final = 1.2
"""Height of the axis labels and margins below the rows, in inches."""


def picture(words: Words, arena: Arena) -> Figure:
    """A row for each pair; if the first is better, its mark lies to the right of the line."""
    margins = pair_margins(words, arena)
    figure = titled(heading(words, arena), FOOT + SEAT * len(margins))
    panel = figure.subplots()
    pairs, means = zip(*margins, strict=True)
    put_rows(words, panel, pairs, means, [0] * len(means))
    panel.axvline(0, color="black", linewidth=1.2, linestyle=(0, (4, 2)))
    panel.set_title(words.t("How many fewer points the first player takes, per deal and seat"))
    panel.set_xlabel(words.t("Points, with 95% margins"))
    return figure


Answer = dict[str, Any]


def answer(arena: Arena) -> Answer:
    """The answer to `--json`: the options, the players and their duels."""
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
                "name": contestant.name,
                "level": contestant.level or None,
                "command": contestant.command or None,
                "milliseconds": contestant.clock.milliseconds,
                "simulations": contestant.clock.simulations,
                "rating": rating._asdict(),
                **_side(meeting.side(contestant), meeting.deals(contestant)),
            }
            for contestant, rating in zip(meeting.contestants, meeting.ratings(), strict=True)
        ],
        "duels": [_duel(result) for result in meeting.results],
    }


def _duel(result: DuelResult) -> Answer:
    standing, sides = result.standing, result.duel.sides
    return {
        "players": [side.name for side in sides],
        "asked": result.duel.decks,
        "decks": standing.decks,
        "games": standing.games,
        "deals": standing.deals,
        "ending": (result.ending or DuelEnding.STOPPED).value,
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
    choices = side.choices
    milliseconds = {
        "mean": choices.mean,
        "p50": choices.slowest_but(0.5),
        "p99": choices.slowest_but(0.99),
        "max": choices.longest / 1000,
    }
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
        "choices": {
            "number": choices.number,
            "forced": choices.forced,
            "forfeits": choices.forfeits,
            "worlds": choices.worlds,
            "simulations": choices.simulations,
            "milliseconds": milliseconds if choices.number else None,
        },
    }
