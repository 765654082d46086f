"""Strength of the levels against each other, in duplicate: makes the tables of docs/bots.md.

    python benchmarks/bots.py [--only TEXT] [--decks N] [--decide] [--keep FOLDER]
        [--processes N] [--write]
    python benchmarks/bots.py [--decks N] [--keep FOLDER] --plot FILE

Every row is a duel of `volte arena`, kept in `benchmarks/duels` as it is played: a run that was cut
short, or that asks for more decks, is resumed, on another machine as well. Results from before that
folder are in the page alone. `--only` plays the rows whose name contains the text; `--write` then
puts those into docs/bots.md, a pair of levels once all its rows have all their decks; `--plot`
draws how strength grows with time.
Time is the processor's, so that other work on the machine may slow a duel down but not change it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.written import CASUAL, SEARCH, put
from volte.bots import Clock
from volte.lab.arena import Contestant, Duel, DuelResult, Stop, few, pack, play_duel, unit
from volte.lab.arena.contest import Contest
from volte.rules import make_ruleset

KEPT: Final = Path(__file__).resolve().parent / "duels"
BEGINNER: Final = (*CASUAL, "src/volte/bots/levels.py")

TABLES: Final = (
    ("microsoft", 4),
    *(("coeurs", players) for players in (3, 4, 5, 6)),
    *(("salon", players) for players in (3, 4, 5, 6)),
)
LEVELS: Final = ("random", "beginner", "casual", "strong", "expert")
BUDGETS: Final = {10: "flat", 40: "flat", 100: "flat", 1000: "flat-brief"}
"""Opponents of `expert` by milliseconds; `flat-brief` is `flat` with a quarter of a long time."""
STRENGTHS: Final = (3, 10, 30, 100, 300, 1000, 3000)
"""Budgets in milliseconds."""

QUICK: Final = frozenset({"random", "beginner", "casual"})
MANY: Final = 1000
DECKS: Final = 300


class Row(NamedTuple):
    """A duel, for a row of a table."""

    table: str
    players: int
    # as in `volte arena`
    better: str
    worse: str
    decks: int  # number of decks, unless another one is asked for

    @property
    def name(self) -> str:
        return f"{self.table}-{self.players} {self.better} {self.worse}"

    @property
    def head(self) -> str:
        """The first cells of its row of the table."""
        return f"| `{self.table}` | {self.players} | {self.better} | {self.worse} |"

    def duel(self, decks: int | None) -> Duel:
        """The duel; if levels search, every hand is played only once by either side."""
        settings = {"queen_breaks_hearts": "true"} if self.table == "microsoft" else {}
        rules = make_ruleset(self.table, {"players": self.players, **settings})
        measured = Clock(processor=True)
        sides = Contestant.of(self.better, measured), Contestant.of(self.worse, measured)
        enough = few if self.decks == MANY else unit
        return Duel(rules, sides, 1, decks or self.decks, enough(self.players))


def rows() -> Iterator[Row]:
    """Yield each level against the one below, and `expert` against `flat` with the same time."""
    for table, players in TABLES:
        for worse, better in pairwise(LEVELS):
            decks = MANY if {better, worse} <= QUICK else DECKS
            yield Row(table, players, better, worse, decks)
        for budget, flat in BUDGETS.items():
            yield Row(table, players, f"expert@{budget}cpu", f"{flat}@{budget}cpu", DECKS)


def strengths() -> Iterator[Row]:
    """Yield more and more time against the same opponent."""
    for budget in STRENGTHS:
        yield Row("microsoft", 4, f"expert@{budget}cpu", "strong", DECKS)


def place(row: Row, keep: Path) -> Path:
    """File in the folder where the results of a row are kept."""
    return keep / (row.name.replace(" ", "_").replace("@", "-") + ".jsonl")


def play(row: Row, keep: Path, decks: int | None, stop: Stop, processes: int | None) -> DuelResult:
    """Play the missing decks of a row, and leave a small file even if interrupted."""
    duel = row.duel(decks)
    try:
        return play_duel(duel, stop=stop, keep=place(row, keep), processes=processes)
    finally:
        pack(place(row, keep), [duel])


def kept(row: Row, keep: Path, decks: int | None, stop: Stop) -> DuelResult | None:
    """The result of a row; None if it is not yet played to its end."""
    if not place(row, keep).is_file():
        return None
    duel = row.duel(decks)
    contest = Contest([duel], stop=stop, keep=place(row, keep))
    contest.restore()
    (result,) = contest.results
    return result if result.ending else None


def told(row: Row, result: DuelResult) -> str:
    """A row of the table."""
    standing, found = result.standing, result.margin()
    assert found.interval is not None
    own, other = (standing.points(side).value for side in (0, 1))
    half = (found.interval[1] - found.interval[0]) / 2
    shot = [side.moons + side.slams for side in standing.sides]
    times = [side.choices for side in standing.sides]
    spent = [f"{each.mean:.1f}" if each.number else "" for each in times]
    return (
        f"{row.head} {found.value:+.2f} ± {half:.2f} | {own:.2f} : {other:.2f} "
        f"| {shot[0]} : {shot[1]} | {' : '.join(spent)} | {standing.decks} | {standing.deals} |"
    )


HEAD: Final = """\
| table | seats | better | worse | margin | points | moons | ms a choice | decks | deals |
|---|---|---|---|---|---|---|---|---|---|"""


def write(keep: Path, decks: int | None, stop: Stop, only: str) -> None:
    """Put every pair whose rows are all kept into the page; other pairs stay as they are there."""
    pairs: dict[str, list[Row]] = {}
    for row in rows():
        pairs.setdefault(f"{row.better} {row.worse}", []).append(row)
    for pair, some in pairs.items():
        results = [(row, kept(row, keep, decks, stop)) for row in some if only in row.name]
        lines = [told(row, result) for row, result in results if result is not None]
        if len(lines) == len(some):
            sources = BEGINNER if some[0].decks == MANY else SEARCH
            put("docs/bots.md", "\n".join([HEAD, *lines]), *sources, part=pair)


def plot(keep: Path, decks: int | None, file: Path) -> None:
    """Draw the margin over `strong` against time, as far as it has been played."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "volte"
    results = {
        budget: result
        for budget, row in zip(STRENGTHS, strengths(), strict=True)
        if (result := kept(row, keep, decks, Stop()))
    }
    if not results:
        raise SystemExit("nothing has been played that could be drawn")
    found = [result.margin() for result in results.values()]
    margins = [each.value for each in found]
    halves = [
        (each.interval[1] - each.interval[0]) / 2 for each in found if each.interval is not None
    ]
    figure = Figure((6, 3.5), layout="constrained")
    axes = figure.add_subplot()
    axes.errorbar(list(results), margins, halves, marker="o", capsize=3)
    axes.axhline(0, linewidth=0.8, color="gray")
    axes.set_xscale("log")
    axes.set_xticks(list(results), [str(budget) for budget in results])
    axes.minorticks_off()
    axes.set_xlabel("milliseconds a choice at most")
    axes.set_ylabel("points a deal better than strong")
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def main() -> None:
    """Play the rows, and print each as it is done."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--decks", type=int, help="of each row; else 300, or 1,000 of quick ones")
    parser.add_argument("--decide", action="store_true", help="end a row once it is clear")
    parser.add_argument("--keep", type=Path, default=KEPT, help="folder of results")
    parser.add_argument("--processes", type=int, help="that share the work; else one a core")
    parser.add_argument("--plot", type=Path, help="only draws strength against time")
    parser.add_argument("--write", action="store_true", help="into docs/bots.md")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    stop = Stop(decide=options.decide)
    if options.plot:
        plot(options.keep, options.decks, options.plot)
        return
    print(HEAD)
    for row in (*rows(), *strengths()):
        if options.only in row.name:
            result = play(row, options.keep, options.decks, stop, options.processes)
            print(told(row, result), flush=True)
    if options.write:
        write(options.keep, options.decks, stop, options.only)


if __name__ == "__main__":
    main()
