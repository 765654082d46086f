"""Bots at the terminal that are not ours: outside engines, and bots from other packages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from volte.bots import Bot, Casual, Clock, installed, is_ours, make_bot, think
from volte.cards import VolteError
from volte.console.terminal import TerminalFault
from volte.engine import EngineFault, Outside, is_lawful, named_engines
from volte.game import SeatAction
from volte.rules import Ruleset
from volte.view import View

PATIENCE: Final = 20.0
"""Time limit for an engine's choice, in seconds; after it, a stand-in chooses."""

MOST_IN_A_ROW: Final = 3
"""Failed choices in a row after which an engine is given up."""


class Guests:
    """Makes the bots of a match, and ends the engines among them.

    Args:
        engines: as `--engine NAME=COMMAND` names them.
        taken: names that an engine cannot have, beside the levels.
        complain: tells the person the sentence of a fault.
    """

    def __init__(
        self, engines: Sequence[str], taken: Sequence[str], complain: Callable[[VolteError], None]
    ) -> None:
        self._commands: Mapping[str, str] = named_engines(engines, taken)
        self._complain = complain
        self._outside: list[Outside] = []

    @property
    def names(self) -> tuple[str, ...]:
        """Names of bots that can be asked for beside the levels."""
        return (*self._commands, *(name for name in installed() if name not in self._commands))

    def bot(self, level: str, seed: int, rules: Ruleset) -> Bot:
        """Make the bot of a level or the guest of that name. Raises `VolteError` if it is missing.

        A guest that has gone since the match began is reported; `casual` plays in its place.
        """
        if is_ours(level):
            return make_bot(level, seed)
        if level in self._commands:
            engine = Outside(
                self._commands[level],
                name=level,
                patience=PATIENCE,
                most_in_a_row=MOST_IN_A_ROW,
            )
            self._outside.append(engine)
            engine.start(rules)
            return GuestBot(level, engine, self._complain)
        if level in installed():
            return GuestBot(level, make_bot(level, seed), self._complain)
        self._complain(TerminalFault("bot_not_here", name=level))
        return Casual()

    def close(self) -> None:
        """End the programs that `--engine` has started."""
        while self._outside:
            self._outside.pop().close()


class GuestBot:
    """A bot that is not ours. If it fails, the person is told, and `casual` plays on for it."""

    def __init__(self, name: str, bot: Bot, complain: Callable[[VolteError], None]) -> None:
        self._name = name
        self._bot = bot
        self._complain = complain

    def choose(self, view: View, clock: Clock) -> SeatAction:
        try:
            action = think(self._bot, view, clock).action
            if is_lawful(action, view):
                return action
            why = "illegal"
        except EngineFault as fault:
            why = str(fault.params.get("kind", fault.reason))
        except Exception as error:  # in the bot's code; its text may name cards
            why = type(error).__name__
        self._complain(TerminalFault("bot_stood_in", name=self._name, why=why))
        self._bot = Casual()
        return self._bot.choose(view, clock)
