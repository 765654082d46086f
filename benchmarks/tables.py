"""Tables of figures measured from the command line, in the way of `volte bench`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from volte.console.terminal import Console
from volte.lab.bench import BenchTable
from volte.lab.bench.command import ROUNDS, measure
from volte.say import Words


def main(doc: str | None, tables: Mapping[str, BenchTable]) -> None:
    """Measure the tables that are named, or all."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("tables", nargs="*", help=f"of {', '.join(tables)}; else all")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each row runs")
    parser.add_argument("--json", action="store_true", help="for a program")
    options = parser.parse_args()
    if unknown := set(options.tables) - set(tables):
        parser.error(f"no such table: {', '.join(unknown)}")
    chosen = {name: tables[name] for name in options.tables or tables}
    measure(Console.here(), Words("en"), chosen, options.rounds, options.json)
