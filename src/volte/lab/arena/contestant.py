"""Contestants of the arena: a level with its budget, or an outside engine."""

from __future__ import annotations

import atexit
import os
import re
import shlex
from collections import Counter
from math import log
from threading import local
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from volte.bots import Bot, Clock, player_named, think
from volte.cards import VolteError
from volte.console.parameters import MOST_BUDGET
from volte.game import Phase, SeatAction
from volte.lab.arena.standing import STEP, Choices
from volte.lab.seeded import SeededTable
from volte.rules import Ruleset
from volte.view import View

if TYPE_CHECKING:
    from volte.engine import Outside

LONGEST_NAME: Final = 40

_BUDGET: Final = re.compile(r"([1-9][0-9]{0,9})(ms|cpu)?")


class Contestant(msgspec.Struct, frozen=True):
    """A contestant of the arena: a level, or an outside engine."""

    name: str  # for reports; levels as they are typed: `expert`, `flat@2000`
    level: str = ""  # of `volte.bots`; empty for an outside engine
    command: str = ""  # starts the outside engine; empty for a level
    clock: Clock = Clock()  # limits of one choice

    @classmethod
    def of(cls, text: str, usual: Clock | None = None) -> Contestant:
        """The level as it is typed: `expert`, `expert@40ms`, or `flat@2000` for simulations.

        `expert@40cpu` has 40 milliseconds of processor time, independent of other work on the
        machine.

        Args:
            usual: its clock if the text names none.

        Raises `VolteError` `no_such_level` and `contestant_budget`.

        >>> Contestant.of("casual@40ms").clock.milliseconds
        40
        """
        typed, at, budget = text.partition("@")
        level = player_named(typed)
        clock = _clock(text, budget) if at else usual or Clock()
        return cls(f"{level}{at}{budget}", level, clock=clock)

    @classmethod
    def outside(cls, text: str, usual: Clock | None = None) -> Contestant:
        """The engine that a command starts, `COMMAND` or `NAME=COMMAND`.

        Without a name it is called as the program. Raises `VolteError` `engine_command`.

        >>> Contestant.outside("/opt/xinxin --worlds 30").name
        'xinxin'
        >>> Contestant.outside("old=./engine").command
        './engine'
        """
        from volte.engine.named import named_command  # here, since most duels need none

        name, command = named_command(text)
        program = shlex.split(command)[0]
        called = name or os.path.basename(program) or program
        return cls(called[:LONGEST_NAME], command=command, clock=usual or Clock())

    def introduced(self, rules: Ruleset) -> Contestant:
        """The outside engine under the name that it gives itself (`id name`), if it gives one.

        It is started once for that. Raises `EngineFault` if it does not get ready.
        """
        from volte.engine import Outside  # here, since most duels need none

        with Outside(self.command, name=self.name) as engine:
            engine.start(rules)
            given = "".join(filter(str.isprintable, engine.identity.get("name", ""))).strip()
        return replace(self, name=given[:LONGEST_NAME].strip() or self.name)


def _clock(text: str, budget: str) -> Clock:
    match = _BUDGET.fullmatch(budget)
    number = int(match[1]) if match else 0
    if match is None or number > MOST_BUDGET:
        raise VolteError("contestant_budget", text=text, most=MOST_BUDGET)
    if match[2] is None:
        return Clock(simulations=number)
    return Clock(milliseconds=number, processor=match[2] == "cpu")


class Company(local):
    """Maker of players; one per thread, since an engine thinks for one deal at a time."""

    def __init__(self) -> None:
        self._outside: dict[tuple[Contestant, int], Outside] = {}

    def player(self, contestant: Contestant, table: SeededTable, seat: int) -> Bot:
        """The contestant's player at that seat; each seat has an engine of its own.

        Raises `EngineFault` for an engine that cannot be started.
        """
        if contestant.level:
            return table.bot(contestant.level, seat)
        if (contestant, seat) not in self._outside:
            from volte.engine import Outside  # here, since most duels need none

            self._outside[contestant, seat] = Outside(contestant.command, name=contestant.name)
        engine = self._outside[contestant, seat]
        engine.start(table.rules)  # this time counts for no choice
        return engine

    def close(self) -> None:
        """End the engines of this thread."""
        while self._outside:
            _, engine = self._outside.popitem()
            engine.close()


COMPANY: Final = Company()

atexit.register(COMPANY.close)


class Watched:
    """A bot whose choices are timed."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._forfeited = Counter(_forfeits(bot))
        self._forced = self._worlds = self._simulations = 0
        self._spent: list[int] = []

    def choose(self, view: View, clock: Clock) -> SeatAction:
        begun = clock.now()
        thought = think(self._bot, view, clock)
        spent = int((clock.now() - begun) * 1e6)
        if is_forced(view):
            self._forced += 1
        else:
            self._spent.append(spent)
            self._worlds += thought.worlds
            self._simulations += thought.simulations
        return thought.action

    def choices(self) -> Choices:
        times = Counter(round(log(max(1, spent)) / STEP) for spent in self._spent)
        return Choices(
            len(self._spent),
            self._forced,
            self._worlds,
            self._simulations,
            dict(sorted((Counter(_forfeits(self._bot)) - self._forfeited).items())),
            sum(self._spent),
            max(self._spent, default=0),
            dict(sorted(times.items())),
        )


def is_forced(view: View) -> bool:
    """Whether only one card is legal, or the whole hand must be passed."""
    if view.state.phase is Phase.PASSING:
        return len(view.hand) == view.deal.pass_size
    return len(view.legal) == 1


def _forfeits(bot: Bot) -> list[str]:
    """The reasons why an outside engine failed to choose."""
    return [forfeit.reason for forfeit in getattr(bot, "forfeits", ())]
