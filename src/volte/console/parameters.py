"""Options and arguments of commands: their types, and those that several commands share.

Nothing of the game is imported here, so that `volte --help` comes at once. All types raise
`Misuse` for a text that they cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from volte.cards import VolteError
from volte.console.terminal import Misuse
from volte.say import N_, Verbosity
from volte.say.catalogue import LANGUAGES, language_of

Function = TypeVar("Function", bound=Callable[..., Any])
Value = TypeVar("Value", covariant=True)
Word = TypeVar("Word", bound=str, covariant=True)

MOST_GAMES: Final = 10**9
"""The most deals or matches of one simulation."""
MOST_PROCESSES: Final = 1_024
MOST_DECKS: Final = 10**6
"""The most deals or matches of a duel, each of them played in several seatings."""
MOST_BUDGET: Final = 10**9
"""The most milliseconds, or simulations, of one choice."""

_NUMBER: Final = re.compile(
    r"([0-9]{1,3}(?:[ _,\u00a0\u2009\u202f][0-9]{3})+|[0-9]{1,20})(?:[eE]([0-9]{1,2}))?"
)
_POINTS: Final = re.compile(r"[0-9]{1,6}([.,][0-9]{1,6})?")


class OptionType(click.ParamType[Value]):
    """The type of an option, which reads its text."""

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Value:
        return self.read(param.opts[0] if param is not None else "", value)

    def read(self, option: str, text: str) -> Value:
        """Read the value. Raises `Misuse`, which names the option, such as `--deals`."""
        raise NotImplementedError


class OneOf(OptionType[Word]):
    """An option whose value is one word out of a few."""

    name = "word"

    def __init__(self, *words: Word) -> None:
        self._words = words

    def read(self, option: str, text: str) -> Word:
        if text not in self._words:
            raise no_such_choice(option, text, *self._words)
        return self._words[self._words.index(text)]


class LanguageCode(OneOf[str]):
    """A language of Volte, by its code or as systems write it, such as fr_CA."""

    def read(self, option: str, text: str) -> str:
        return super().read(option, language_of(text) or text)


class AtLeast(OptionType[int]):
    """A whole number, in digits only, that is not too small."""

    name = "number"

    def __init__(self, least: int) -> None:
        self._least = least

    def read(self, option: str, text: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", text) or int(text) < self._least:
            raise Misuse("no_such_number", option=option, value=text, least=self._least)
        return int(text)


class Count(OptionType[int]):
    """A whole number as people write it: 10000, 10_000, 10 000, 10,000 or 1e4."""

    name = "count"

    def __init__(self, least: int, most: int) -> None:
        self._least = least
        self._most = most

    def read(self, option: str, text: str) -> int:
        match = _NUMBER.fullmatch(text.strip(" "))
        number = int(re.sub("[^0-9]", "", match[1])) * 10 ** int(match[2] or 0) if match else -1
        if not self._least <= number <= self._most:
            within = {"least": self._least, "most": self._most}
            raise Misuse("no_such_count", option=option, value=text, **within)
        return number


class CommaList(OptionType[tuple[str, ...]]):
    """Words with commas between them.

    Args:
        blank: whether an empty text is one empty word, rather than no word.
    """

    name = "list"

    def __init__(self, blank: bool = True) -> None:
        self._blank = blank

    def read(self, option: str, text: str) -> tuple[str, ...]:
        return tuple(map(str.strip, text.split(","))) if text or self._blank else ()


class Seatings(OptionType[int | str]):
    """Seatings in which each deal of a duel is played: all, few, or a number."""

    name = "seatings"

    def read(self, option: str, text: str) -> int | str:
        if text in ("all", "few"):
            return text
        if not text[:1].isdigit():
            raise no_such_choice(option, text, "all", "few", "2", "…")
        return Count(1, MOST_BUDGET).read(option, text)


class PositiveNumber(OptionType[float]):
    """More than 0 points, with a point or a comma."""

    name = "points"

    def read(self, option: str, text: str) -> float:
        points = float(text.replace(",", ".")) if _POINTS.fullmatch(text) else 0.0
        if not points:
            raise Misuse("no_such_width", value=text)
        return points


class YesOrNo(OptionType[bool]):
    """Yes or no, in any of the languages."""

    name = "answer"

    def read(self, option: str, text: str) -> bool:
        from volte.say.typed import yes_or_no

        answer = yes_or_no(text)
        if answer is None:
            raise no_such_choice(option, text, "yes", "no")
        return answer


def no_such_choice(option: str, text: str, *words: str) -> Misuse:
    """The fault of an option that takes one of a few words."""
    return Misuse("no_such_choice", option=option, value=text, values=", ".join(words))


@contextmanager
def as_misuse() -> Iterator[None]:
    """Turn a `VolteError` into a `Misuse`: its cause is the command line."""
    try:
        yield
    except VolteError as fault:
        raise Misuse(fault.reason, **fault.params) from None


def needs(option: str, given: object, other: str, present: object) -> None:
    """Refuse an option that has no effect without another one. Raises `Misuse`."""
    if given is not None and present is None:
        raise Misuse("goes_with", option=option, other=other)


def only_one(option: str, given: object, other: str, present: object) -> None:
    """Refuse two options that contradict each other. Raises `Misuse`."""
    if given is not None and present is not None:
        raise Misuse("not_together", option=option, other=other)


def show_help(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """The callback of `--help`: Click's own writes UTF-8 where the terminal's encoding is ASCII."""
    if wanted and not context.resilient_parsing:
        print(context.get_help())
        context.exit()


def lazily(find: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
    """The callback of a command whose work is done by the function that `find` imports.

    It is imported once the command is run, and called with the language and then the options by
    their names; `tests/cli/test_options.py` holds its parameters against the options.
    """

    @wraps(find)
    def call(**options: object) -> Any:
        return find()(click.get_current_context().obj, **options)

    return call


def with_strong(find: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
    """Callback as made by `lazily`, for a command that needs the extra `strong`."""

    @wraps(find)
    def checked() -> Callable[..., Any]:
        from volte.extras import STRONG, missing, strong_installed

        if not strong_installed():
            raise missing(STRONG)
        return find()

    return lazily(checked)


def together(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Several options as one decorator, in the order in which help lists them."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def option(
    name: str, kind: click.ParamType[Any] | type, metavar: str, help: str, **more: Any
) -> Callable[[Function], Function]:
    """An option that takes a value of some kind, for which help shows `metavar`."""
    return click.option(name, type=kind, metavar=metavar, help=help, **more)


rules_option = option(
    "--rules",
    str,
    N_("PRESET"),
    N_("The game: a preset (“volte rules” lists them) or a TOML file."),
)
set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar=N_("OPTION=VALUE"),
    help=N_("Change one option of the rules; repeatable."),
)
rules_options = together(
    rules_option, set_option, option("--players", str, "N", N_("Like --set players=N."))
)
usual_options = together(
    option(
        "--lang",
        LanguageCode(*LANGUAGES),
        "|".join(LANGUAGES),
        N_("French, Quebec French or English; default: the system language."),
        expose_value=False,
    ),
    click.help_option("-h", "--help", callback=show_help, help=N_("Show this help.")),
)
json_option = click.option("--json", "as_json", is_flag=True, help=N_("Answer in JSON."))
screen_options = together(
    click.option(
        "--plain", is_flag=True, help=N_("No colours, and cards by name: for screen readers.")
    ),
    option("--width", AtLeast(20), "N", N_("Width of lines, in characters.")),
)
output_options = together(screen_options, usual_options)
reader_option = option(
    "--screen-reader",
    YesOrNo(),
    N_("yes|no"),
    N_("For a screen reader: fewer words, and --plain. Volte remembers your answer."),
)
verbosity_option = option(
    "--verbosity", OneOf(*Verbosity), "|".join(Verbosity), N_("How much you are told.")
)
SEED: Final = Count(0, 2**64 - 1)
seed_option = option("--seed", SEED, "S", N_("The same number deals the same cards."))
shared_options = together(
    option(
        "--processes",
        Count(1, MOST_PROCESSES),
        "N",
        N_("How many processes share the work; default: one for each core."),
    ),
    option("--cluster", str, N_("ADDRESS"), N_("Spread the work over a Dask cluster.")),
)
database_option = option(
    "--database",
    str,
    "URL",
    N_("The database: sqlite:///FILE or postgresql://…; default: a file in your data folder."),
)
config_option = option(
    "--config", str, N_("FILE"), N_("A TOML file with settings; options override it.")
)
record_argument = click.argument("file", type=Path, metavar=N_("FILE"))
sheet_argument = click.argument("sheet", metavar=N_("SHEET"))
