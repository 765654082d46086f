"""`volte simulate`: from options to many deals, and to what came of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Final

from volte.bots import LEVELS
from volte.cards import Fault
from volte.console.options import chosen_rules, fresh_seed, print_json
from volte.console.parameters import needs, only_one
from volte.console.plot import Plot
from volte.console.progress import Silent, progress_on
from volte.console.terminal import Console, Misuse
from volte.kernel import ready, unavailable
from volte.lab import arena
from volte.lab.arena import RANDOM, Engine, Request, chosen_engine
from volte.lab.simulate.plot import draw
from volte.lab.simulate.records import NOTABLE, Album, notable, read_kept
from volte.lab.simulate.report_json import answer
from volte.lab.simulate.telling import Simulation, SimulationReport, kept_sentence, played, served
from volte.rules import Ruleset
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
    """Plays, tells, draws and keeps. Raises a `Fault`: where it can, before anything is played."""
    console, words = Console.here(width, plain), Words(lang)
    ruleset, levels = _table(rules, settings, players, seats or ())
    only_one("--matches", matches, "--deals", deals)
    if matches is None:
        deals = deals or USUAL_DEALS
    seed = fresh_seed() if seed is None else seed
    request = Request(ruleset, levels, seed, deals, matches, Engine(engine))
    only_one("--processes", processes, "--cluster", cluster)
    needs("--keep", keep, "--records", records)
    wanted = read_kept(keep or NOTABLE, request.games)
    _serving(request)
    picture = Plot(plot) if plot is not None else None
    album = Album(records, request) if records is not None else None

    with progress_on(sys.stderr, words, console.plain) as progress:
        simulation = _played(request, processes, cluster, progress)
    if not as_json:  # whatever becomes of the files
        console.say(played(words, simulation), served(words, simulation))
        console.say(*SimulationReport(words, simulation).lines(console.table_width))
    if picture is not None:
        draw(picture, words, simulation)
    kept = album.keep(notable(wanted, simulation.statistics)) if album is not None else {}
    if as_json:
        print_json(answer(words, simulation, kept))
        return
    if kept and not console.plain:
        console.say("")
    for name, found in kept.items():
        console.say(kept_sentence(words, simulation, name, found))


def _table(
    rules: str | None, settings: Sequence[str], players: str | None, levels: Sequence[str]
) -> tuple[Ruleset, tuple[str, ...]]:
    """The ruleset, and who plays it. Raises `RulesetFault` and `Misuse`."""
    known = (RANDOM, *LEVELS)
    for level in levels:
        if level not in known:
            raise Misuse("no_such_player", level=level, levels=", ".join(known))
    ruleset = chosen_rules(rules, settings, players, len(levels))
    levels = levels or [USUAL_LEVEL] * ruleset.players
    if len(levels) != ruleset.players:
        raise Misuse("seats_differ", seats=len(levels), players=ruleset.players)
    return ruleset, tuple(levels)


def _serving(request: Request) -> tuple[Engine, Fault | None]:
    """See `chosen_engine`; an engine that was asked for and cannot play is misuse."""
    try:
        return chosen_engine(request)
    except Fault as fault:
        raise Misuse(fault.reason, **fault.params) from None


def _played(
    request: Request, processes: int | None, cluster: str | None, progress: Silent
) -> Simulation:
    """Plays it, once the kernel is ready where nothing else is to serve."""
    engine, why = _serving(request)
    if request.engine is Engine.KERNEL and cluster is None:
        # Has the kernel play one deal or match; raises `KernelFault` where it cannot.
        matches = 1 if request.whole_matches else None
        with progress.getting_ready():
            arena.simulate(
                replace(request, deals=1 if not matches else None, matches=matches), processes=1
            )
    begun = perf_counter()
    statistics = arena.simulate(request, processes=processes, cluster=cluster, progress=progress)
    if engine is Engine.KERNEL and cluster is None and not ready(arena.code_needed(request)):
        engine, why = Engine.READABLE, unavailable(arena.code_needed(request))
    return Simulation(request, engine, why, statistics, perf_counter() - begun)
