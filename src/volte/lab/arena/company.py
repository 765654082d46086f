"""The players of one process: outside engines are started once, and kept between deals."""

from __future__ import annotations

import atexit
from threading import local
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from volte.bots import Bot
from volte.lab.arena.contestant import Contestant
from volte.lab.arena.dealing import Table

if TYPE_CHECKING:
    from volte.engine import Outside


class Company(local):
    """Makes players; each thread has its own, since an engine thinks for one deal at a time."""

    def __init__(self) -> None:
        self._outside: dict[tuple[Contestant, int], Outside] = {}

    def player(self, contestant: Contestant, table: Table, seat: int) -> Bot:
        """Who plays for the contestant at that seat; each seat has an engine of its own.

        Raises `EngineFault` for an engine that cannot be started.
        """
        if contestant.level:
            return table.bot(contestant.level, seat)
        if (contestant, seat) not in self._outside:
            self._outside[contestant, seat] = _engine(contestant)
        engine = self._outside[contestant, seat]
        engine.start(table.rules)  # which counts for no choice
        return engine

    def close(self) -> None:
        """Ends the engines of this thread."""
        while self._outside:
            _, engine = self._outside.popitem()
            engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self.close()


def _engine(contestant: Contestant) -> Outside:
    from volte.engine import Outside  # here, since most duels need none

    return Outside(contestant.command, name=contestant.name)


COMPANY: Final = Company()

atexit.register(COMPANY.close)
