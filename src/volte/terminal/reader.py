"""Whether whoever plays uses a screen reader: asked once, and kept on this machine."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from volte.console.shelf import Shelf
from volte.console.terminal import Console, Misuse, TerminalFault, command_line
from volte.say import N_, Words

OPTION: Final = "--screen-reader"
ACCESSIBLE: Final = "ACCESSIBLE"
"""Of the environment: some text for yes, none for no."""


class Habits(msgspec.Struct):
    """What this machine knows of whoever plays at it.

    Attributes:
        screen_reader: None where they have not been asked.
    """

    screen_reader: bool | None = None


def uses_reader(words: Words, plain: bool, option: str | None) -> bool:
    """Whether a screen reader is used: as the option says, which is kept, or the environment, or
    what was kept. Where nothing says so, a person at a terminal is asked, unless `plain`.

    Raises `Misuse` for an option that is neither yes nor no, and `Left`.
    """
    if option is not None:
        answer = words.yes_or_no(option)
        if answer is None:
            raise Misuse("no_such_choice", option=OPTION, value=option, values="yes, no")
        _keep(answer)
        return answer
    if ACCESSIBLE in os.environ:
        return bool(os.environ[ACCESSIBLE])
    with suppress(OSError, msgspec.DecodeError):
        kept = msgspec.json.decode(_place().read_bytes(), type=Habits).screen_reader
        if kept is not None:
            return kept
    console = Console.here()
    if plain or not (console.at_terminal and sys.stdout.isatty()):
        return False
    return _ask(console, words)


def _ask(console: Console, words: Words) -> bool:
    answer: bool | None = None
    while answer is None:
        with suppress(TerminalFault):
            answer = words.yes_or_no(console.ask(words.t("Do you use a screen reader, yes or no?")))
        if answer is None:
            console.say(words.t("Please answer yes or no."))
    _keep(answer)
    command = command_line("play", OPTION, "no" if answer else "yes")
    told = (
        N_("From now on cards have names, and words are few. To change that: {command}")
        if answer
        else N_("You will not be asked again. To change that: {command}")
    )
    console.say(words.t(told, command=command))
    return answer


def _keep(answer: bool) -> None:
    """Where nothing can be written, they are asked again the next time."""
    with suppress(OSError):
        _place().parent.mkdir(parents=True, exist_ok=True)
        _place().write_bytes(msgspec.json.encode(Habits(answer)))


def _place() -> Path:
    return Shelf().folder / "terminal.json"
