"""Who takes part in the arena: a level with its budget, or an outside engine."""

from __future__ import annotations

import os
import re
import shlex
from typing import Final

import msgspec

from volte.bots import LEVELS, MARKS, Clock
from volte.cards import Fault
from volte.console.parameters import MOST_BUDGET
from volte.lab.arena.dealing import RANDOM

LONGEST_NAME: Final = 40

_BUDGET: Final = re.compile(r"([1-9][0-9]{0,9})(ms|cpu)?")
_NAME: Final = re.compile(r"[\w.+-]+")


class Contestant(msgspec.Struct, frozen=True):
    """A player in the arena.

    Attributes:
        name: what it is called; the levels as they are typed: `expert`, `flat@2000`.
        level: of `volte.bots`; empty for an outside engine.
        command: that starts the outside engine; empty for a level.
        clock: what it may spend on one choice.
    """

    name: str
    level: str = ""
    command: str = ""
    clock: Clock = Clock()

    @classmethod
    def of(cls, text: str, usual: Clock | None = None) -> Contestant:
        """The level as it is typed: `expert`, `expert@40ms`, or `flat@2000` for simulations.

        `expert@40cpu` has 40 milliseconds of the processor's time, which other work on the machine
        does not take from it.

        Args:
            usual: its clock where the text names none.

        Raises `Fault` `no_such_level` and `contestant_budget`.

        >>> Contestant.of("casual@40ms").clock.milliseconds
        40
        """
        level, at, budget = text.partition("@")
        known = (RANDOM, *(mark for mark in MARKS if mark != RANDOM), *LEVELS)
        if level not in known:
            raise Fault("no_such_level", level=level, levels=known)
        return cls(text, level, clock=_clock(text, budget) if at else usual or Clock())

    @classmethod
    def outside(cls, text: str, usual: Clock | None = None) -> Contestant:
        """The engine that a command starts, `COMMAND` or `NAME=COMMAND`.

        Without a name it has that of the program. Raises `Fault` `engine_command`.

        >>> Contestant.outside("/opt/xinxin --worlds 30").name
        'xinxin'
        >>> Contestant.outside("old=./engine").command
        './engine'
        """
        name, equals, command = text.partition("=")
        if not (equals and _NAME.fullmatch(name)):
            name, command = "", text
        try:
            words = shlex.split(command) if command.isprintable() else []
        except ValueError:
            words = []
        if not words:
            raise Fault("engine_command", text=text)
        called = name or os.path.basename(words[0]) or words[0]
        return cls(called[:LONGEST_NAME], command=command.strip(), clock=usual or Clock())


def _clock(text: str, budget: str) -> Clock:
    match = _BUDGET.fullmatch(budget)
    number = int(match[1]) if match else 0
    if match is None or number > MOST_BUDGET:
        raise Fault("contestant_budget", text=text, most=MOST_BUDGET)
    if match[2] is None:
        return Clock(simulations=number)
    return Clock(milliseconds=number, processor=match[2] == "cpu")
