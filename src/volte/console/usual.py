"""The options that several commands have, as decorators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from volte.console.command import a_language, at_least, one_of, show_help
from volte.say import N_, Verbosity
from volte.say.catalogue import LANGUAGES

Function = TypeVar("Function", bound=Callable[..., Any])

FILE: Final = Path


def together(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Several options as one decorator, in the order in which help lists them."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


rules_option = click.option(
    "--rules",
    metavar=N_("PRESET"),
    help=N_("What is played: a preset (“volte rules” lists them), or a TOML file."),
)
set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar=N_("OPTION=VALUE"),
    help=N_("Changes one option of the rules; can be given many times."),
)
rules_options = together(
    rules_option,
    set_option,
    click.option("--players", metavar="N", help=N_("Like --set players=N.")),
)
usual_options = together(
    click.option(
        "--lang",
        callback=a_language,
        metavar="|".join(LANGUAGES),
        expose_value=False,
        help=N_("French or English; else the language of the system."),
    ),
    click.help_option("-h", "--help", callback=show_help, help=N_("Shows this help.")),
)
json_option = click.option("--json", "as_json", is_flag=True, help=N_("Answers in JSON."))
screen_options = together(
    click.option(
        "--plain",
        is_flag=True,
        help=N_("No colours, and cards by name, not symbol: for ears."),
    ),
    click.option(
        "--width", callback=at_least(20), metavar="N", help=N_("Columns to wrap lines at.")
    ),
)
reader_option = click.option(
    "--screen-reader",
    metavar=N_("yes|no"),
    help=N_("Whether you use a screen reader: with few words, and --plain. Is kept."),
)
verbosity_option = click.option(
    "--verbosity",
    callback=one_of(*Verbosity),
    metavar="|".join(Verbosity),
    help=N_("How much is told."),
)
record_argument = click.argument("file", type=FILE, metavar=N_("FILE"))
sheet_argument = click.argument("sheet", metavar=N_("SHEET"))
