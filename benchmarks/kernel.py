"""Deals per second of the kernel on one core, beside its peers.

    python benchmarks/kernel.py [random] [threads] [casual] [steps] [start] [--rounds N] [--json]

The rows of a table take turns, round after round, so that a change of pace of the machine falls on
all of them alike. What is told is the median of the rounds. Times are CPU times, but those of
`threads` and `start`, which are told by the clock on the wall. What is measured is in
`volte.lab.bench.kernel`.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Sequence
from importlib.metadata import version

from volte.lab.bench.kernel import TABLES, UNITS
from volte.lab.bench.measure import Figure, in_unit, measured


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked = parser.parse_args()
    for name in asked.tables:
        if name not in TABLES:
            parser.error(f"there is no table '{name}', only {', '.join(TABLES)}")
    if asked.rounds < 1:
        parser.error("at least one round is needed")
    results: dict[str, list[Figure]] = {}
    for name in asked.tables or TABLES:
        results[name] = measured(TABLES[name](), asked.rounds)
        if not asked.json:
            show(name, results[name])
    if asked.json:
        rows = {name: [row._asdict() for row in figures] for name, figures in results.items()}
        print(json.dumps({**conditions(asked.rounds), **rows}, indent=2))


def conditions(rounds: int) -> dict[str, object]:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "volte": version("volte"),
        "numba": version("numba"),
        "rounds": rounds,
    }


def show(name: str, figures: Sequence[Figure]) -> None:
    width = max(len(row.name) for row in figures)
    print(f"{name:{width}}  {'a second':>12}  {UNITS[name]:>9}")
    for row in figures:
        ratio = "" if row.ratio is None else f"  {row.ratio:.2f} times {row.beside}"
        memory = "" if row.megabytes is None else f"  {row.megabytes:.0f} MB"
        print(
            f"{row.name:{width}}  {row.per_second:>12,.1f}  {in_unit(row.micros):>9}{ratio}{memory}"
        )
    print()


if __name__ == "__main__":
    main()
