"""Points that each level gives away, by its pass and by its play: makes a table of docs/bots.md.

    nice python benchmarks/judged.py casual strong expert --keep build/judged.jsonl --write
    python benchmarks/judged.py [--deals 50] [--minutes 10] [--rules dame-de-pique] [--seed 1]
        [--passes 40000] [--plays 10000] [--keep FILE] [--write] [LEVEL...]

Each level plays deals that stand alone against itself, and every choice of all seats is judged from
the view of its seat, by a long search with opponents of the level's kind. The best is chosen by one
half of the simulations and valued by the other, and the other way round: so the best of many does
not look better than it is. A large error is one that both halves find `LARGE` points worse than the
other half's best. `--minutes` of the processor are spent on a level at most; `--keep` saves deals
as they are judged, and resumes. A level that plays differently needs another file.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from contextlib import suppress
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)

import msgspec  # noqa: E402

from benchmarks.machine import described  # noqa: E402
from benchmarks.written import SEARCH, put  # noqa: E402
from volte.bots import LEVELS, Bot, BotOwner, Clock  # noqa: E402
from volte.bots.candidates import unlike  # noqa: E402
from volte.bots.levels import SEARCHING  # noqa: E402
from volte.bots.reviewing import get_ready  # noqa: E402
from volte.bots.search import LESS, Search  # noqa: E402
from volte.cards import mask_of  # noqa: E402
from volte.game import Pass, Play, SeatAction  # noqa: E402
from volte.kernel.layout import CASUAL, INSTINCT  # noqa: E402
from volte.lab.arena.readable import run_at  # noqa: E402
from volte.lab.seeded import table_of  # noqa: E402
from volte.rules import Ruleset, make_ruleset, options_of  # noqa: E402
from volte.view import View  # noqa: E402

SOURCES: Final = ("benchmarks/judged.py", *SEARCH)

LARGE: Final = 2.0
"""Least points that a large error gives away."""

HEAD: Final = """\
| level | by the pass | by the play | together | large errors in 100 choices | moons in 100 deals \
| deals | minutes |
|---|---|---|---|---|---|---|---|"""


class JudgedDeal(msgspec.Struct, frozen=True):
    """A line of the file: the errors in one deal."""

    level: str
    number: int  # from 0
    passed: float  # points that the passes of a seat gave away, on average
    played: float  # points that the plays of a seat gave away, on average
    choices: int  # of all seats
    large: int  # large errors
    moon: bool  # whether one was shot
    seconds: float  # of processor time


class Heading(msgspec.Struct, frozen=True):
    """The first line of the file."""

    rules: dict[str, Any]
    seed: int
    passes: int  # simulations
    plays: int


class Witness:
    """A bot that keeps its views and choices."""

    def __init__(self, bot: Bot, choices: list[tuple[View, Pass | Play]]) -> None:
        self._bot = bot
        self._choices = choices

    def choose(self, view: View, clock: Clock) -> SeatAction:
        action = self._bot.choose(view, clock)
        if isinstance(action, Pass) or (isinstance(action, Play) and len(unlike(view)) > 1):
            self._choices.append((view, action))
        return action


def judged(level: str, number: int, heading: Heading, rules: Ruleset) -> JudgedDeal:
    """Play a deal among that level, and judge all its choices."""
    begun = process_time()
    table = table_of(rules, heading.seed, number, whole_matches=False)
    choices: list[tuple[View, Pass | Play]] = []
    levels = [level] * rules.players
    owners = [
        BotOwner(Witness(table.bot(level, seat), choices), seat) for seat in range(rules.players)
    ]
    end = run_at(table, levels, owners).state
    rollouts = INSTINCT if level in SEARCHING else CASUAL
    style = dataclasses.replace(LESS["expert-points"], rollouts=rollouts)
    halves = Search.judge(1, style), Search.judge(2, style)
    given = {Pass: 0.0, Play: 0.0}
    large = 0
    for view, action in choices:
        simulations = heading.passes if isinstance(action, Pass) else heading.plays
        lost = lost_by(action, view, halves, Clock(simulations=simulations // 2))
        given[type(action)] += fmean(lost)
        large += min(lost) >= LARGE
    return JudgedDeal(
        level,
        number,
        given[Pass] / rules.players,
        given[Play] / rules.players,
        len(choices),
        large,
        end.deals[-1].moon is not None,
        process_time() - begun,
    )


def lost_by(
    action: Pass | Play, view: View, halves: tuple[Search, Search], clock: Clock
) -> tuple[float, float]:
    """Loss by an action: the best by one half, as the other values it; and in turn."""
    one, other = (
        {cards(each.action): each.margin for each in half.think(view, clock, action).estimates}
        for half in halves
    )
    done = cards(action)
    return (
        other[done] - other[min(one, key=one.__getitem__)],
        one[done] - one[min(other, key=other.__getitem__)],
    )


def cards(action: SeatAction) -> int:
    """The mask of the cards: their order makes no difference to a pass."""
    assert isinstance(action, Pass | Play)
    return mask_of(action.cards) if isinstance(action, Pass) else action.card.bit


# Kept deals


def kept(path: Path | None, heading: Heading) -> list[JudgedDeal]:
    """The deals of a file, which is begun if it is not there; half a line at its end is dropped."""
    if path is None:
        return []
    first = msgspec.json.encode(heading) + b"\n"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(first)
    content = path.read_bytes()
    if not content.startswith(first):
        sys.exit(f"{path} is of other deals, or judged otherwise.")
    whole = content[: content.rfind(b"\n") + 1]
    path.write_bytes(whole)
    return [msgspec.json.decode(line, type=JudgedDeal) for line in whole.splitlines()[1:]]


# The table


def row(level: str, deals: list[JudgedDeal]) -> str:
    """The row of a level, with the points that a seat gives away in a deal."""
    passed, played = [each.passed for each in deals], [each.played for each in deals]
    both = [deal.passed + deal.played for deal in deals]
    large = 100 * sum(deal.large for deal in deals) / sum(deal.choices for deal in deals)
    moons = [100.0 * deal.moon for deal in deals]
    minutes = sum(deal.seconds for deal in deals) / 60
    means = " | ".join(map(in_figures, (passed, played, both)))
    shot = in_figures(moons, 0)
    return f"| {level} | {means} | {large:.1f} | {shot} | {len(deals)} | {minutes:.1f} |"


def in_figures(samples: list[float], places: int = 2) -> str:
    """The mean, and two standard errors."""
    error = 2 * stdev(samples) / sqrt(len(samples))
    return f"{fmean(samples):.{places}f} ± {error:.{places}f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("levels", nargs="*", default=list(LEVELS), help="or marks of volte arena")
    parser.add_argument("--deals", type=int, default=50, help="of each level, at least 2")
    parser.add_argument("--minutes", type=float, default=10, help="of the processor, for each")
    parser.add_argument("--rules", default="dame-de-pique")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--passes", type=int, default=40_000, help="simulations for a pass")
    parser.add_argument("--plays", type=int, default=10_000, help="simulations for a play")
    parser.add_argument("--keep", type=Path, help="a file")
    parser.add_argument("--write", action="store_true", help="into docs/bots.md")
    options = parser.parse_args()
    rules = make_ruleset(options.rules)
    get_ready(rules)
    heading = Heading(options_of(rules), options.seed, options.passes, options.plays)
    known = kept(options.keep, heading)
    rows = []
    for level in options.levels:
        deals = [each for each in known if each.level == level][: options.deals]
        with suppress(KeyboardInterrupt):
            while len(deals) < options.deals and spent(deals) < 60 * options.minutes:
                deals.append(judged(level, len(deals), heading, rules))
                if options.keep is not None:
                    with options.keep.open("ab") as file:
                        file.write(msgspec.json.encode(deals[-1]) + b"\n")
        rows.append(row(level, deals))
        print(rows[-1], flush=True)
    if options.write:
        what = f"`{options.rules}`, {described()}."
        put("docs/bots.md", "\n".join([what, "", HEAD, *rows]), *SOURCES)


def spent(deals: list[JudgedDeal]) -> float:
    """Seconds of processor time."""
    return sum(each.seconds for each in deals)


if __name__ == "__main__":
    main()
