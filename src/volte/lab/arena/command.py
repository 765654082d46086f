"""`volte arena`: from options to duels, and to what came of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

from volte.console.command import SIGNALLED
from volte.console.numbers import read_processes, read_seed
from volte.console.options import chosen_rules
from volte.console.progress import Silent, progress_on
from volte.console.terminal import Console, signal_of
from volte.lab.arena import Contest
from volte.lab.arena.keeping import kept_seed
from volte.lab.arena.meeting import Meeting
from volte.lab.arena.options import read_clock, read_contestants, read_decks, read_duels, read_stop
from volte.lab.arena.plot import ArenaPlot
from volte.lab.arena.report_json import answer
from volte.lab.arena.telling import Arena, ArenaReport, interrupted, played
from volte.say import Words


def arena(
    lang: str,
    levels: Sequence[str],
    engines: Sequence[str],
    rules: str | None,
    settings: Sequence[str],
    players: str | None,
    deals: str | None,
    matches: str | None,
    seatings: str,
    table: bool,
    movetime: str | None,
    simulations: str | None,
    seed: str | None,
    until: str | None,
    decide: bool,
    keep: Path | None,
    processes: str | None,
    cluster: str | None,
    plot: Path | None,
    as_json: bool,
    plain: bool,
    width: int | None,
) -> int:
    """Plays, tells, draws and keeps; the exit status.

    Raises a `Fault`: where it can, before anything is played.
    """
    console, words = Console.here(width, plain), Words(lang)
    contestants = read_contestants(levels, engines, read_clock(movetime, simulations))
    ruleset = chosen_rules(rules, settings, players, len(contestants) if table else 0)
    length = read_decks(deals, matches)
    duels = read_duels(contestants, ruleset, _seed(seed, keep), length, seatings, table)
    stop, shared = read_stop(until, decide), read_processes(processes, cluster)
    picture = ArenaPlot(plot) if plot is not None else None
    contest = Contest(duels, stop=stop, keep=keep)

    begun, gone = perf_counter(), None
    try:
        with progress_on(sys.stderr, words, console.plain) as progress:
            with progress.getting_ready():
                contest.get_ready()
            contest.play(processes=shared, cluster=cluster, progress=_from_the_first(progress))
    except KeyboardInterrupt as interrupt:
        gone = interrupt
    found = Arena(Meeting(contestants, contest.results), stop, perf_counter() - begun)
    if as_json:
        print(json.dumps(answer(found), ensure_ascii=False, indent=2))
    elif found.begun:
        console.say(played(words, found))
        console.say(*ArenaReport(words, found).lines(console.table_width))
    if picture is not None and found.begun:
        picture.draw(words, found)
    if gone is not None:
        print(interrupted(words, found, keep is not None), file=sys.stderr, flush=True)
        return SIGNALLED + signal_of(gone)
    return 0


def _seed(seed: str | None, keep: Path | None) -> int:
    """The number that was typed, or that of the games that are gone on with, or a fresh one."""
    kept = kept_seed(keep) if seed is None and keep is not None else None
    return read_seed(seed) if kept is None else kept


def _from_the_first(progress: Silent) -> Callable[[int, int], None]:
    """Tells of the first call what was done before, in another run."""
    begun = False

    def tell(done: int, whole: int) -> None:
        nonlocal begun
        if begun:
            progress(done, whole)
        else:
            progress.going_on(done)
        begun = True

    return tell
