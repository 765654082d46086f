"""`volte bench`: every figure that the project claims, measured here and now."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from volte.console.options import print_json
from volte.console.terminal import Console, Misuse
from volte.kernel import KernelFault
from volte.lab.bench import TABLES, Figure, conditions, measured, missing
from volte.lab.bench.telling import left_out, measured_on, table_of_figures
from volte.say import Words

ROUNDS: Final = 9


def bench(
    lang: str,
    tables: Sequence[str],
    rounds: int | None,
    quick: bool,
    as_json: bool,
    width: int | None,
    plain: bool,
) -> None:
    """Measures those tables, or all, and tells each as soon as it is there.

    Raises `Misuse`, before anything is measured.
    """
    console, words = Console.here(width, plain), Words(lang)
    for name in tables:
        if name not in TABLES:
            raise Misuse("no_such_table", table=name, tables=tuple(TABLES))
    rounds = rounds or (1 if quick else ROUNDS)
    results: dict[str, list[Figure]] = {}
    for name in tables or TABLES:
        try:
            results[name] = measured(TABLES[name].rows(), rounds)
        except KernelFault as fault:  # the other tables may do without it
            print(words.fault(fault), file=sys.stderr)
            continue
        if not as_json:
            _tell(console, words, name, results[name])
    if as_json:
        print_json(_answer(results, rounds))
    else:
        console.say(measured_on(words, conditions(), rounds))


def _tell(console: Console, words: Words, name: str, figures: Sequence[Figure]) -> None:
    table = TABLES[name]
    console.say(*table_of_figures(words, name, table.unit, figures, console.table_width))
    peers = missing(table)
    if peers:
        console.say(left_out(words, peers))
    sys.stdout.flush()


def _answer(results: dict[str, list[Figure]], rounds: int) -> dict[str, object]:
    """For programs: times in microseconds, speeds by the second, ratios to the row `beside`."""
    tables = {
        name: {
            "unit": TABLES[name].unit,
            "missing": missing(TABLES[name]),
            "rows": [figure._asdict() for figure in figures],
        }
        for name, figures in results.items()
    }
    return {"conditions": conditions(), "rounds": rounds, "tables": tables}
