"""`volte bench`: every figure that the project claims, measured here and now."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final

from volte.console.options import print_json
from volte.console.terminal import Console, Misuse
from volte.kernel import KernelFault
from volte.lab.bench import TABLES, BenchTable, Figure, conditions, measured, missing
from volte.say import Words
from volte.say.measures import decimal, fits, in_columns, magnitude, percent

ROUNDS: Final = 9

BUSY: Final = 0.1
"""Share of the time that rows may wait for a core before a warning."""


def bench(
    lang: str,
    tables: Sequence[str],
    rounds: int | None,
    quick: bool,
    as_json: bool,
    width: int | None,
    plain: bool,
) -> None:
    """Measure those tables, or all, and print each as soon as it is done.

    Raises `Misuse` before anything is measured.
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
        except KernelFault as fault:  # other tables may do without the kernel
            print(words.fault(fault), file=sys.stderr)
            continue
        if not as_json:
            console.say(*table_lines(words, TABLES[name], results[name], console.table_width))
            sys.stdout.flush()
    if as_json:
        print_json(_answer(results, rounds))
    else:
        console.say(measured_on(words, conditions(), rounds))


def _answer(results: dict[str, list[Figure]], rounds: int) -> dict[str, object]:
    """The answer for programs: microseconds, speeds by the second, ratios to the row `beside`."""
    tables = {
        name: {
            "unit": TABLES[name].unit,
            "missing": missing(TABLES[name]),
            "rows": [figure._asdict() for figure in figures],
        }
        for name, figures in results.items()
    }
    return {"conditions": conditions(), "rounds": rounds, "tables": tables}


_TIMES: Final = (("s", 1e6), ("ms", 1e3), ("µs", 1.0), ("ns", 1e-3))


def table_lines(
    words: Words, table: BenchTable, figures: Sequence[Figure], width: int | None
) -> Iterator[str]:
    """One table; a warning if the machine was busy; peers that are not installed here.

    Args:
        width: in columns; a table that would be wider becomes sentences. None for no limit, 0 for
            sentences in any case.
    """
    columns = in_columns(_rows(words, table.unit, figures), left=1)
    if fits(columns, width):
        yield from (words.t(table.title), *columns, "")
    else:
        yield f"{words.t(table.title)}:"
        yield from (_sentence(words, table.unit, figure) for figure in figures)
    waits = [figure.waited for figure in figures if figure.waited is not None]
    if waits and fmean(waits) > BUSY:
        yield words.t(
            "The machine was busy: these rows waited for a core {share} of the time. Trust the"
            " ratios rather than the speeds, and nothing that is told by the clock.",
            share=percent(words, fmean(waits), 0),
        )
    if peers := missing(table):
        yield words.t("Not installed here, and left out: {names}.", names=", ".join(peers))


def _rows(words: Words, unit: str, figures: Sequence[Figure]) -> Iterator[list[str]]:
    yield ["", words.t("a second"), words.t(unit), "", ""]
    for figure in figures:
        speed, time = _digits(words, figure.per_second), _time(words, figure)
        yield [figure.name, speed, time, _ratio(words, figure), _memory(words, figure)]


def _sentence(words: Words, unit: str, figure: Figure) -> str:
    text = words.t(
        "{name}: {number} a second, {time} {unit}",
        name=figure.name,
        number=_digits(words, figure.per_second),
        time=_time(words, figure),
        unit=words.t(unit),
    )
    more = filter(None, (_ratio(words, figure), _memory(words, figure)))
    return words.t("; ").join([text, *more]) + "."


def _ratio(words: Words, figure: Figure) -> str:
    if figure.ratio is None:
        return ""
    number = _digits(words, figure.ratio)
    return words.t("{number} times {name}", number=number, name=figure.beside)


def _memory(words: Words, figure: Figure) -> str:
    if figure.megabytes is None:
        return ""
    return words.t("{number} MB", number=_digits(words, figure.megabytes))


def _time(words: Words, figure: Figure) -> str:
    """A time in the unit that suits it: "5.71 ns", "430 ms"."""
    fitting = [unit for unit in _TIMES if figure.micros >= unit[1]]
    sign, size = (fitting or _TIMES[-1:])[0]
    return f"{_digits(words, figure.micros / size)} {sign}"


def _digits(words: Words, value: float) -> str:
    """A number with three digits if small, all digits before the point if large."""
    return decimal(words, value, max(0, 2 - magnitude(value)) if value else 0)


def measured_on(words: Words, conditions: Mapping[str, str | int], rounds: int) -> str:
    """A sentence with the number of rounds and the machine."""
    return words.n(
        "One round; Python {python}, {system}, {machine}, cores: {cores}.",
        "Medians of {count} rounds; Python {python}, {system}, {machine}, cores: {cores}.",
        rounds,
        **{name: conditions[name] for name in ("python", "system", "machine", "cores")},
    )
