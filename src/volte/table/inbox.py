"""The one inbox of a table: commands in the order in which they came."""

from __future__ import annotations

from asyncio import Future
from collections import deque
from typing import Final

import msgspec

from volte.game import Refusal
from volte.table import commands as cmd
from volte.table.commands import Command, Someone
from volte.table.stored import Reply

MOST_ASKED: Final = 256
"""Commands that may wait at one table."""


class Ask(msgspec.Struct, eq=False):
    """A command, and where its answer is waited for."""

    who: Someone
    command: Command
    seen: int
    cause: str
    answer: Future[Reply]

    @property
    def shows_presence(self) -> bool:
        """Whether whoever gives it is at the table: programs promise by themselves."""
        return not isinstance(self.command, cmd.Promise | cmd.Contribute | cmd.Away | cmd.Stand)


class Inbox:
    """What waits, and what is being seen to."""

    def __init__(self) -> None:
        self._waiting: deque[Ask] = deque()
        self._served: Ask | None = None

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def full(self) -> bool:
        """Whether no more may come in."""
        return len(self._waiting) >= MOST_ASKED

    def put(self, ask: Ask) -> None:
        """One more."""
        self._waiting.append(ask)

    def take(self) -> Ask:
        """The first one, which is seen to from now on."""
        self._served = self._waiting.popleft()
        return self._served

    def answer(self, reply: Reply) -> None:
        """Answers the one that is seen to."""
        ask, self._served = self._served, None
        if ask is not None and not ask.answer.done():  # else nobody waits for it any more
            ask.answer.set_result(reply)

    def answer_all(self, reply: Reply) -> None:
        """The same answer to all that there are."""
        self.answer(reply)
        while self._waiting:
            self.take()
            self.answer(reply)


def turned_down(number: int, ended: str) -> Reply:
    """The answer to a command that is not even looked at.

    Args:
        number: of the last happening at the table.
        ended: why the table lives no more; empty where it has too much to do.
    """
    match ended:
        case "":
            return Reply(number, Refusal("table_busy"))
        case "closed":
            return Reply(number, Refusal("closed"))
        case "stopping":
            return Reply(number, Refusal("stopping"))
    return Reply(number, Refusal("moved_away"))
