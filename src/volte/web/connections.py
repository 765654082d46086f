"""The connections to tables that are open now."""

from __future__ import annotations

import asyncio
from asyncio import Task
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Final, Protocol, TypeVar

from volte.store import Store, Unavailable

Key = TypeVar("Key")

MOST_NAMED: Final = 20
"""People watching a table whose names are told: every scene of every watcher carries them."""


class Caller(Protocol):
    """One connection.

    Attributes:
        session: hash of the token by which it came.
        table: its id.
        person: id of whose it is.
        name: theirs.
        seated: whether they have a seat at the table.
        gone: once the connection has ended.
    """

    session: bytes
    table: str
    person: str
    name: str
    seated: bool
    gone: asyncio.Future[None]

    def hang_up(self, reason: str) -> None:
        """Ends it soon, with that reason."""


class Connections:
    """Who is connected, by session and by table."""

    def __init__(self) -> None:
        self._all: dict[Caller, None] = {}
        self._watching: dict[str, dict[str, dict[Caller, None]]] = {}  # by table, by person
        self._of: dict[bytes, dict[Caller, None]] = {}
        self._looking: set[Task[None]] = set()

    def __len__(self) -> int:
        return len(self._all)

    def add(self, caller: Caller) -> None:
        self._all[caller] = None
        self._of.setdefault(caller.session, {})[caller] = None

    def remove(self, caller: Caller) -> None:
        self.sits(caller, True)
        del self._all[caller]
        _take_out(self._of, caller.session, caller)

    def sits(self, caller: Caller, seated: bool) -> None:
        """Somebody who is connected has a seat now, or has none."""
        if caller.seated == seated:
            return
        caller.seated = seated
        watching = self._watching.setdefault(caller.table, {})
        if not seated:
            watching.setdefault(caller.person, {})[caller] = None
            return
        _take_out(watching, caller.person, caller)
        if not watching:
            del self._watching[caller.table]

    def watching(self, table: str) -> tuple[list[str], int]:
        """The names of the people at a table who have no seat, whoever came first before others,
        and how many more there are. Each of them counts once."""
        here = self._watching.get(table, {})
        names = [next(iter(calls)).name for calls in islice(here.values(), MOST_NAMED)]
        return names, len(here) - len(names)

    def hang_up(self, session: bytes) -> None:
        """Ends the connections of a session that is over."""
        for caller in tuple(self._of.get(session, ())):
            caller.hang_up("no_session")

    def attend(self, store: Store) -> None:
        """From now on hangs up on sessions that are over, whichever process has ended them."""
        store.bus.subscribe("session", partial(self._over, store))

    def _over(self, store: Store, key: str) -> None:
        if key:
            self.hang_up(bytes.fromhex(key))
        elif self._of:
            task = asyncio.create_task(self._look_again(store))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _look_again(self, store: Store) -> None:
        """Something may not have been heard: asks which sessions are over."""
        sessions = {session for session in self._of if session}
        with suppress(Unavailable):
            for session in sessions - await store.lasting(sessions):
                self.hang_up(session)

    async def say_goodbye(self, seconds: float) -> None:
        """Ends all of them, as the server stops; gives them some seconds to hear it."""
        leaving = tuple(self._all)
        for caller in leaving:
            caller.hang_up("stopping")
        if leaving:
            await asyncio.wait([caller.gone for caller in leaving], timeout=seconds)


def _take_out(among: dict[Key, dict[Caller, None]], key: Key, caller: Caller) -> None:
    del among[key][caller]
    if not among[key]:
        del among[key]
