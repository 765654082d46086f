"""Ratings of every level, by a round robin in duplicate: makes a table of docs/bots.md.

    nice python benchmarks/ratings.py --write
    python benchmarks/ratings.py [--minutes 55] [--decks 1000] [--rules dame-de-pique]
        [--seed 1] [--keep FILE] [--write] [PLAYER...]

Every pair plays the same deals, each once from either side, in one process, until all deals are
played, the minutes of the processor are used up, or Ctrl-C. Points a deal are those of the deals
that all pairs have played. `--keep` saves the results, and resumes. `--write` puts the table into
docs/bots.md. Whenever a level plays differently, run it again, with another file.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described  # noqa: E402
from benchmarks.written import SEARCH, put  # noqa: E402
from volte.bots import LEVELS  # noqa: E402
from volte.lab.arena import Contest, Contestant, Mean, few  # noqa: E402
from volte.lab.arena.meeting import Meeting, duels_of  # noqa: E402
from volte.lab.arena.statistics import quantile  # noqa: E402
from volte.rules import make_ruleset  # noqa: E402

PLAYERS: Final = ("random", *LEVELS, "flat@4000")

HEAD: Final = """\
| player | rating | points a deal | fewer than the next |
|---|---|---|---|"""


class TimeIsUp(Exception):
    """Raised to end a contest when its processor time is used up."""


def play(contest: Contest, minutes: float) -> None:
    """Play as many deals as that processor time allows."""
    contest.get_ready()
    end = process_time() + 60 * minutes

    def look(done: int, whole: int) -> None:
        if process_time() > end:
            raise TimeIsUp

    with suppress(TimeIsUp, KeyboardInterrupt):
        contest.play(processes=1, progress=look)


class Standing:
    """Standing of all players, in the deals that all pairs have played."""

    def __init__(self, meeting: Meeting) -> None:
        self._meeting = meeting
        played = [set(result.standing.scores) for result in meeting.results]
        self.decks = sorted(set.intersection(*played))

    def rows(self) -> Iterator[str]:
        """A line for each player, the best first."""
        rated = zip(self._meeting.contestants, self._meeting.ratings(), strict=True)
        ranked = sorted(rated, key=lambda pair: -pair[1].mu)
        for place, (own, (mu, sigma)) in enumerate(ranked):
            below = [self._meeting.margin(own, each) for each, _ in ranked[place + 1 : place + 2]]
            cells = (
                own.name,
                f"{mu:.1f} ± {2 * sigma:.1f}",
                in_figures(self._points(own)),
                *(map(in_figures, below) if below else [""]),
            )
            yield f"| {' | '.join(cells)} |"

    def _points(self, own: Contestant) -> Mean:
        """Points a deal and seat, against all others alike; one deal of all duels is a sample."""
        sides = [
            (result.standing, result.duel.sides.index(own))
            for result in self._meeting.results
            if own in result.duel.sides
        ]
        samples = [
            fmean(
                standing.scores[deck].points[side] / standing.scores[deck].deals / standing.whole
                for standing, side in sides
            )
            for deck in self.decks
        ]
        if len(samples) < 2:
            return Mean(fmean(samples or [0]), None)
        half = quantile(0.95, len(samples) - 1) * stdev(samples) / sqrt(len(samples))
        return Mean(fmean(samples), (fmean(samples) - half, fmean(samples) + half))


def in_figures(found: Mean) -> str:
    """An estimate and its 95 % interval."""
    if found.interval is None:
        return "–"
    return f"{found.value:.2f} ± {(found.interval[1] - found.interval[0]) / 2:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("players", nargs="*", default=PLAYERS, help="as for volte arena")
    parser.add_argument("--minutes", type=float, default=55, help="of the processor, at most")
    parser.add_argument("--decks", type=int, default=1000, help="deals of each pair at most")
    parser.add_argument("--rules", default="dame-de-pique")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file, as for volte arena")
    parser.add_argument("--write", action="store_true", help="into docs/bots.md")
    options = parser.parse_args()
    rules = make_ruleset(options.rules)
    contestants = tuple(Contestant.of(player) for player in options.players)
    seatings = few(rules.players)
    duels = duels_of(contestants, rules, options.seed, options.decks, seatings=seatings)
    contest = Contest(duels, keep=options.keep)
    play(contest, options.minutes)
    standing = Standing(Meeting(contestants, contest.results))
    heading = (
        f"{len(standing.decks)} deals of `{options.rules}` between every two, each"
        f" from both sides; one process on {described()}, CPython"
        f" {platform.python_version()}."
    )
    table = "\n".join([heading, "", HEAD, *standing.rows()])
    print(table)
    if options.write:
        put("docs/bots.md", table, *SEARCH)


if __name__ == "__main__":
    main()
