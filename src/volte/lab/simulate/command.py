"""`volte simulate`: from options to many deals, and to their report, picture, JSON and records."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from volte.console.files import SUFFIX, not_written, try_folder, write
from volte.console.options import chosen_rules, fresh_seed, print_json
from volte.console.parameters import Count, as_misuse, needs, no_such_choice, only_one
from volte.console.plot import Plot
from volte.console.progress import Silent, progress_on
from volte.console.terminal import Console, Misuse
from volte.kernel import ready, unavailable
from volte.lab import arena
from volte.lab.arena import (
    EngineKind,
    Frequencies,
    Request,
    SimulationResult,
    Tally,
    chosen_engine,
    record_of,
)
from volte.lab.simulate.plot import picture
from volte.lab.simulate.telling import (
    Found,
    Simulation,
    SimulationReport,
    heading,
    played,
    record_sentence,
    served,
)
from volte.notation import format_record
from volte.rules import Ruleset, options_of
from volte.say import Words

USUAL_DEALS: Final = 1_000
USUAL_LEVEL: Final = "casual"


def simulate(
    lang: str,
    rules: str | None,
    settings: Sequence[str],
    players: str | None,
    seats: Sequence[str] | None,
    deals: int | None,
    matches: int | None,
    seed: int | None,
    processes: int | None,
    cluster: str | None,
    engine: str,
    plot: Path | None,
    records: Path | None,
    keep: Sequence[str] | None,
    as_json: bool,
    plain: bool,
    width: int | None,
) -> None:
    """Play, report, draw and keep. Raises `VolteError`, if possible before anything is played."""
    console, words = Console.here(width, plain), Words(lang)
    ruleset, levels = _table(rules, settings, players, seats or ())
    only_one("--matches", matches, "--deals", deals)
    if matches is None:
        deals = deals or USUAL_DEALS
    seed = fresh_seed() if seed is None else seed
    only_one("--processes", processes, "--cluster", cluster)
    with as_misuse():  # also for an engine that was asked for and cannot play
        request = Request(ruleset, levels, seed, deals, matches, EngineKind(engine))
        chosen_engine(request)
    needs("--keep", keep, "--records", records)
    wanted = read_wanted(keep or NOTABLE, request.games)
    canvas = Plot(plot) if plot is not None else None
    if records is not None:
        make_folder(records)

    with progress_on(sys.stderr, words, console.plain) as progress:
        simulation = _played(request, processes, cluster, progress)
    if not as_json:  # before any file can fail
        console.say(played(words, simulation), served(words, simulation))
        console.say(*SimulationReport(words, simulation).lines(console.table_width))
    if canvas is not None:
        canvas.save(lambda: picture(words, simulation), heading(words, simulation))
    recorded: Recorded = {}
    if records is not None:
        for name, number in notable(wanted, simulation.statistics).items():
            found = None if number is None else (number, record(records, request, number))
            recorded[name] = found
    if as_json:
        print_json(answer(words, simulation, recorded))
        return
    if recorded and not console.plain:
        console.say("")
    for name, found in recorded.items():
        console.say(record_sentence(words, simulation, name, found))


def _table(
    rules: str | None, settings: Sequence[str], players: str | None, levels: Sequence[str]
) -> tuple[Ruleset, tuple[str, ...]]:
    """The ruleset, and the level at each seat. Raises `RulesetFault`."""
    ruleset = chosen_rules(rules, settings, players, len(levels))
    return ruleset, tuple(levels) or (USUAL_LEVEL,) * ruleset.players


def _played(
    request: Request, processes: int | None, cluster: str | None, progress: Silent
) -> Simulation:
    """Play the request, once the kernel is ready if nothing else is to serve."""
    engine, why = chosen_engine(request)
    if request.engine is EngineKind.KERNEL and cluster is None:
        # The kernel plays one deal or match; raises `KernelFault` if it cannot.
        matches = 1 if request.whole_matches else None
        arena.simulate(
            replace(request, deals=1 if not matches else None, matches=matches), processes=1
        )
        progress.going_on(0)
    begun = perf_counter()
    statistics = arena.simulate(request, processes=processes, cluster=cluster, progress=progress)
    if engine is EngineKind.KERNEL and cluster is None and not ready(arena.code_needed(request)):
        engine, why = EngineKind.READABLE, unavailable(arena.code_needed(request))
    return Simulation(request, engine, why, statistics, perf_counter() - begun)


Answer = dict[str, Any]


def answer(words: Words, simulation: Simulation, recorded: Recorded) -> Answer:
    """The answer to `--json`. Seats, deals and matches are counted from 1."""
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
        "records": [
            {"kept": name, "number": found and found[0], "file": found and str(found[1])}
            for name, found in recorded.items()
        ],
    }


def _statistics(statistics: SimulationResult) -> Answer:
    matches, lengths = bool(statistics.matches), statistics.lengths
    fields: Answer = {
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
    }
    if matches:
        fields["lengths"] = _counts(lengths)
        fields["deals_per_match"] = lengths.mean._asdict()
        fields["shortest"], fields["longest"] = lengths.least, lengths.most
    return fields


def _tally(tally: Tally, matches: bool) -> Answer:
    fields: Answer = {
        "seats": tally.seats,
        "points": _counts(tally.points),
        "points_per_deal": tally.points_per_deal._asdict(),
        "queens": tally.queens,
        "queens_per_deal": tally.per_deal(tally.queens)._asdict(),
        "moons": tally.moons,
        "moons_per_deal": tally.per_deal(tally.moons)._asdict(),
        "slams": tally.slams,
        "slams_per_deal": tally.per_deal(tally.slams)._asdict(),
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


NOTABLE: Final = ("moon", "slam", "highest")
"""Names of deals to find: the first moon, the first slam, the most points of one seat."""

MOST_RECORDS: Final = 1_000
"""Most records that one simulation writes."""

Recorded = dict[str, Found]
"""Records by the name given to `--keep`; None where there was no such deal."""


def read_wanted(words: Sequence[str], most: int) -> list[int | str]:
    """Read `--keep`: numbers from 1 to `most`, and words of `NOTABLE`. Raises `Misuse`."""
    if len(words) > MOST_RECORDS:
        raise Misuse("too_many_kept", most=MOST_RECORDS)
    wanted: list[int | str] = []
    for word in words:
        if word not in NOTABLE and not word[:1].isdigit():
            raise no_such_choice("--keep", word, "1", "2", "…", *NOTABLE)
        wanted.append(word if word in NOTABLE else Count(1, most).read("--keep", word))
    return wanted


def notable(wanted: Sequence[int | str], statistics: SimulationResult) -> dict[str, int | None]:
    """The number, from 1, of each wanted deal or match; None if there is none."""
    found = (statistics.moons, statistics.slams, statistics.highest)
    firsts = {
        name: numbers[0] + 1 if numbers else None
        for name, numbers in zip(NOTABLE, found, strict=True)
    }
    return {str(each): each if isinstance(each, int) else firsts[each] for each in wanted}


def make_folder(folder: Path) -> None:
    """Make a folder if it is missing. Raises `TerminalFault` if nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        not_written(folder, NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)))
    except (OSError, ValueError) as error:
        not_written(folder, error)
    try_folder(folder, folder)


def record(folder: Path, request: Request, number: int) -> Path:
    """Write the record of a deal or match, by its number from 1; returns the file.

    Existing files stay unchanged. Raises `TerminalFault`.
    """
    text = format_record(record_of(request, number - 1)).encode()
    kind = "match" if request.whole_matches else "deal"
    stem = f"{kind}-{number}-seed-{request.seed}"
    path = folder / f"{stem}{SUFFIX}"
    for again in count(2):
        if _holds(path, text):
            break
        if not os.path.lexists(path):
            write(path, text)
            break
        path = folder / f"{stem}-{again}{SUFFIX}"  # the existing file is of other rules or players
    return path


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False
