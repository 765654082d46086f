"""Positions of `tests/positions` that each level solves. Makes a table of docs/bots.md.

    python benchmarks/positions.py [--movetime 100] [--simulations N] [--seeds 20] [--write]

`beginner` is asked with so many seeds, since it plays any card now and then; the others once,
within that wall time, or with so many simulations. Positions missed by the levels that search
longest are named. `--write` puts the table into docs/bots.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0:1] = [str(ROOT), str(ROOT / "tests")]

from kit.positions import Position, Theme, positions  # noqa: E402

from benchmarks.written import SEARCH, put  # noqa: E402
from volte.bots import Clock, make_bot, warm_up  # noqa: E402

SOURCES: Final = ("tests/positions", *SEARCH)

LEVELS: Final = ("beginner", "casual", "strong", "expert-points", "expert")

HEAD: Final = f"""\
| theme | positions | {" | ".join(LEVELS)} |
|---|---|{"---|" * len(LEVELS)}"""

Shares = dict[str, dict[str, float]]
"""Share of tries in which a position was solved, by level and name of the position."""


def solved(level: str, position: Position, clock: Clock, seeds: Iterable[int]) -> float:
    """Share of the tries in which a level does what is right."""
    found = [make_bot(level, seed).choose(position.view, clock) for seed in seeds]
    right = [position.solved_by(each) for each in found]
    return sum(right) / len(right)


def shares(suite: Iterable[Position], clock: Clock, seeds: int) -> Shares:
    """Shares of solved tries for every level."""
    return {
        level: {
            each.name: solved(
                level, each, clock, range(1, 1 + (seeds if level == "beginner" else 1))
            )
            for each in suite
        }
        for level in LEVELS
    }


def row(title: str, some: Iterable[Position], found: Shares) -> str:
    """A line of the table: number of some positions that each level solves."""
    names = [each.name for each in some]
    sums = (sum(found[level][name] for name in names) for level in LEVELS)
    told = " | ".join(f"{each:.1f}".removesuffix(".0") for each in sums)
    return f"| {title} | {len(names)} | {told} |"


def table(suite: Iterable[Position], found: Shares) -> list[str]:
    """The whole table, with a last line in percent."""
    suite = list(suite)
    lines = [HEAD]
    for theme in Theme:
        lines.append(row(theme, [each for each in suite if each.theme is theme], found))
    lines.append(row("all", suite, found))
    percent = (100 * sum(found[level].values()) / len(suite) for level in LEVELS)
    lines.append(f"| in percent | | {' | '.join(f'{each:.0f}' for each in percent)} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--movetime", type=int, default=100, help="milliseconds of a choice")
    parser.add_argument("--simulations", type=int, help="of a choice, and no clock")
    parser.add_argument("--seeds", type=int, default=20, help="of `beginner`")
    parser.add_argument("--write", action="store_true", help="into docs/bots.md")
    options = parser.parse_args()
    suite = positions()
    warm = warm_up(LEVELS)
    if warm is not None:
        warm.join()
    clock = Clock(milliseconds=options.movetime)
    if options.simulations is not None:
        clock = Clock(simulations=options.simulations)
    for each in suite:
        make_bot("expert").choose(
            each.view, Clock(simulations=200)
        )  # compiles before the first measured choice
    found = shares(suite, clock, options.seeds)
    lines = table(suite, found)
    for level in LEVELS[-2:]:
        missed = ", ".join(f"`{name}`" for name, share in found[level].items() if not share)
        lines.append(f"\nMissed by `{level}`: {missed or 'none'}.")
    told = "\n".join(lines)
    print(told)
    if options.write:
        put("docs/bots.md", told, *SOURCES)


if __name__ == "__main__":
    main()
