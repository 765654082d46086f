"""`volte bench`: every figure that the project claims, measured here and now."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from volte.console.options import print_json
from volte.console.terminal import Console, Misuse
from volte.kernel import KernelFault
from volte.lab.bench import TABLES, Figure, conditions, measured, missing
from volte.say import Words
from volte.say.language import N_
from volte.say.measures import decimal, fits, in_columns, magnitude

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


Lines = tuple[str, ...]


TITLES: Final = {
    "random": N_("The kernel, at random"),
    "threads": N_("The kernel, two threads beside one (by the clock)"),
    "casual": N_("The kernel, casual players"),
    "steps": N_("Steps of learners, with mask and observation"),
    "start": N_("Start of a process that plays a deal (by the clock)"),
    "engine": N_("The readable engine, at random"),
    "presets": N_("The readable engine, every preset"),
    "pieces": N_("The readable engine, what a call costs"),
    "bots": N_("The bots"),
}
"""By table."""


UNITS: Final = {
    "a card": N_("a card"),
    "a step": N_("a step"),
    "a start": N_("a start"),
    "a call": N_("a call"),
    "a choice": N_("a choice"),
}
"""What times are the times of."""


_TIMES: Final = (("s", 1e6), ("ms", 1e3), ("µs", 1.0), ("ns", 1e-3))


def table_of_figures(
    words: Words, name: str, unit: str, figures: Sequence[Figure], width: int | None
) -> Lines:
    """One table.

    Args:
        width: columns; a table that would be wider is told in sentences. None for no limit, 0 for
            sentences in any case.
    """
    title = words.t(TITLES[name]) if name in TITLES else name
    columns = in_columns(_rows(words, unit, figures), left=1)
    if fits(columns, width):
        return (title, *columns, "")
    return (f"{title}:", *(_sentence(words, unit, figure) for figure in figures))


def _rows(words: Words, unit: str, figures: Sequence[Figure]) -> Iterator[list[str]]:
    yield ["", words.t("a second"), words.t(UNITS[unit]), "", ""]
    for figure in figures:
        ratio = "" if figure.ratio is None else _ratio(words, figure)
        memory = "" if figure.megabytes is None else _memory(words, figure.megabytes)
        yield [figure.name, _digits(words, figure.per_second), _time(words, figure), ratio, memory]


def _sentence(words: Words, unit: str, figure: Figure) -> str:
    text = words.t(
        "{name}: {number} a second, {time} {unit}",
        name=figure.name,
        number=_digits(words, figure.per_second),
        time=_time(words, figure),
        unit=words.t(UNITS[unit]),
    )
    if figure.ratio is not None:
        text = words.t("; ").join([text, _ratio(words, figure)])
    if figure.megabytes is not None:
        text = words.t("; ").join([text, _memory(words, figure.megabytes)])
    return text + "."


def _ratio(words: Words, figure: Figure) -> str:
    number = _digits(words, figure.ratio or 0)
    return words.t("{number} times {name}", number=number, name=figure.beside)


def _memory(words: Words, megabytes: float) -> str:
    return words.t("{number} MB", number=_digits(words, megabytes))


def _time(words: Words, figure: Figure) -> str:
    """In the unit that suits it: "5.71 ns", "430 ms"."""
    fitting = [unit for unit in _TIMES if figure.micros >= unit[1]]
    sign, size = (fitting or _TIMES[-1:])[0]
    return f"{_digits(words, figure.micros / size)} {sign}"


def _digits(words: Words, value: float) -> str:
    """Three digits of a small number, all before the point of a large one."""
    return decimal(words, value, max(0, 2 - magnitude(value)) if value else 0)


def left_out(words: Words, peers: Sequence[str]) -> str:
    """Says which peers are not installed, so that nothing is compared with them."""
    return words.t("Not installed here, and left out: {names}.", names=", ".join(peers))


def measured_on(words: Words, conditions: Mapping[str, str | int], rounds: int) -> str:
    """Says how many rounds were run, and on which machine."""
    return words.n(
        "One round; Python {python}, {system}, {machine}, cores: {cores}.",
        "Medians of {count} rounds; Python {python}, {system}, {machine}, cores: {cores}.",
        rounds,
        **{name: conditions[name] for name in ("python", "system", "machine", "cores")},
    )
