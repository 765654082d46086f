"""`volte bench`: how fast Volte is on this machine. The programs in `benchmarks` tell alike."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from statistics import fmean
from typing import Final

from volte.console.options import print_json
from volte.console.terminal import Console, Misuse
from volte.kernel import KernelFault
from volte.lab.bench import BenchTable, Figure, live, measured, rows
from volte.lab.report import table_or_sentences
from volte.say import Words
from volte.say.language import N_
from volte.say.measures import Row, decimal, magnitude, percent

TABLES: Final = {
    "kernel": BenchTable(N_("Deals played by the kernel, on one core"), rows.kernel, N_("a card")),
    "bots": BenchTable(N_("The bots"), rows.bots, N_("a choice")),
    "tables": BenchTable(
        N_("Live tables, saved in SQLite (elapsed time)"), live.rows, N_("a card")
    ),
}
"""Tables of `volte bench`, by name."""

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
    chosen = {name: TABLES[name] for name in tables or TABLES}
    measure(console, words, chosen, rounds or (1 if quick else ROUNDS), as_json)


def measure(
    console: Console, words: Words, tables: Mapping[str, BenchTable], rounds: int, as_json: bool
) -> None:
    """Measure tables one after another, and print each as soon as it is done, or all as JSON."""
    results: dict[str, list[Figure]] = {}
    for name, table in tables.items():
        try:
            results[name] = measured(table.rows(), rounds)
        except KernelFault as fault:  # other tables may do without the kernel
            print(words.fault(fault), file=sys.stderr)
            continue
        if not as_json:
            console.say(*table_lines(words, table, results[name], console.table_width))
            sys.stdout.flush()
    if not as_json:
        console.say(measured_on(words, conditions(), rounds))
        return
    # for programs: microseconds, speeds by the second, ratios to the row `beside`
    answer = {
        name: {"unit": tables[name].unit, "rows": [figure._asdict() for figure in figures]}
        for name, figures in results.items()
    }
    print_json({"conditions": conditions(), "rounds": rounds, "tables": answer})


_TIMES: Final = (("s", 1e6), ("ms", 1e3), ("µs", 1.0), ("ns", 1e-3))


def table_lines(
    words: Words, table: BenchTable, figures: Sequence[Figure], width: int | None
) -> Iterator[str]:
    """One table, and a warning if the machine was busy; for the width, see `table_or_sentences`."""
    title, unit = words.t(table.title), words.t(table.unit)
    sentences = [f"{title}:", *(_sentence(words, unit, figure) for figure in figures)]
    rows = _rows(words, unit, figures)
    yield from table_or_sentences(width, rows, sentences, before=[title], after=[""])
    waits = [figure.waited for figure in figures if figure.waited is not None]
    if waits and fmean(waits) > BUSY:
        yield words.t(
            "The machine was busy: these measurements waited for a core {share} of the time. "
            "Trust the ratios more than the speeds, and do not trust elapsed times at all.",
            share=percent(words, fmean(waits), 0),
        )


def _rows(words: Words, unit: str, figures: Sequence[Figure]) -> Iterator[Row]:
    yield ["", words.t("a second"), unit, "", ""]
    for figure in figures:
        speed, time = _digits(words, figure.per_second), _time(words, figure)
        yield [figure.name, speed, time, _ratio(words, figure), _memory(words, figure)]


def _sentence(words: Words, unit: str, figure: Figure) -> str:
    text = words.t(
        "{name}: {number} a second, {time} {unit}",
        name=figure.name,
        number=_digits(words, figure.per_second),
        time=_time(words, figure),
        unit=unit,
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


_PACKAGES: Final = ("numba", "numpy", "open_spiel", "pettingzoo", "gymnasium")


def conditions() -> dict[str, str | int]:
    """The machine and the installed versions, on which all figures depend."""
    return {
        "machine": platform.machine(),
        "system": platform.system(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
        "volte": version("volte"),
        **{name: found for name in _PACKAGES if (found := _version(name))},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
