"""Options reach the functions that do the work, with the types that those declare."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import signature, unwrap

import click
import pytest

from volte.cli import volte as whole_command
from volte.console.parameters import MOST_GAMES, Count
from volte.console.terminal import Misuse

TYPES = {
    "answer": "bool",
    "boolean": "bool",
    "count": "int",
    "list": "Sequence[str]",
    "number": "int",
    "Path": "Path",
    "points": "float",
    "seatings": "int | str",
    "text": "str",
}
WORDS = {"verbosity": "Verbosity"}
"""Types of parameters whose words are more than text, by name."""


def commands(command: click.Command, path: str = "volte") -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from commands(each, f"{path} {name}")


def is_lazy(command: click.Command) -> bool:
    """Whether a command imports its function only when it is run: see `lazily`."""
    callback = command.callback
    assert callback is not None
    return hasattr(callback, "__wrapped__") and not signature(unwrap(callback)).parameters


LAZY = {path: each for path, each in commands(whole_command) if is_lazy(each)}


def taken_for(parameter: click.Parameter) -> str:
    """The type of a parameter's value."""
    words = WORDS.get(parameter.name or "", "str")
    name = words if parameter.type.name == "word" else TYPES[parameter.type.name]
    if parameter.multiple or parameter.nargs == -1:
        return f"Sequence[{name}]"
    is_there = parameter.required or parameter.to_info_dict()["default"] is not None
    return name if is_there else f"{name} | None"


def test_commands_are_lazy() -> None:
    assert len(LAZY) >= 15


@pytest.mark.parametrize("path", LAZY)
def test_every_option_has_its_parameter(path: str) -> None:
    callback = LAZY[path].callback
    assert callback is not None
    language, *parameters = signature(unwrap(callback)()).parameters.values()
    assert language.annotation == "str"
    expected = {each.name: taken_for(each) for each in LAZY[path].params if each.expose_value}
    assert {each.name: each.annotation for each in parameters} == expected


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("10000", 10_000),
        ("10_000", 10_000),
        ("10 000", 10_000),
        ("10,000", 10_000),
        ("10\u202f000", 10_000),
        ("1e4", 10_000),
        ("1 000 000 000", MOST_GAMES),
        (" 7 ", 7),
    ],
)
def test_numbers_are_read_as_people_write_them(typed: str, number: int) -> None:
    assert Count(1, MOST_GAMES).read("--deals", typed) == number


@pytest.mark.parametrize(
    "typed", ["", "0", "-1", "1.5", "1,5", "10,00", "1_0", "1e99", "1000000001", "9" * 5000, "١٢"]
)
def test_what_is_no_number_is_refused(typed: str) -> None:
    with pytest.raises(Misuse):
        Count(1, MOST_GAMES).read("--deals", typed)
