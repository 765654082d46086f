"""The connections to tables that are open now."""

from __future__ import annotations

import asyncio
from asyncio import Task
from contextlib import suppress
from functools import partial
from typing import Protocol, TypeVar

from volte.store import Store, Unavailable

Key = TypeVar("Key")


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
    gone: asyncio.Event

    def hang_up(self, reason: str) -> None:
        """Ends it soon, with that reason."""


class Connections:
    """Who is connected, by session and by table."""

    def __init__(self) -> None:
        self._all: dict[Caller, None] = {}
        self._at: dict[str, dict[Caller, None]] = {}
        self._of: dict[bytes, dict[Caller, None]] = {}
        self._looking: set[Task[None]] = set()

    def __len__(self) -> int:
        return len(self._all)

    def add(self, caller: Caller) -> None:
        self._all[caller] = None
        self._at.setdefault(caller.table, {})[caller] = None
        self._of.setdefault(caller.session, {})[caller] = None

    def remove(self, caller: Caller) -> None:
        del self._all[caller]
        _take_out(self._at, caller.table, caller)
        _take_out(self._of, caller.session, caller)

    def watching(self, table: str) -> tuple[str, ...]:
        """The names of the people at a table who have no seat, each of them once."""
        here = self._at.get(table, {})
        return tuple({caller.person: caller.name for caller in here if not caller.seated}.values())

    def hang_up(self, session: bytes) -> None:
        """Ends the connections of a session that is over."""
        for caller in tuple(self._of.get(session, ())):
            caller.hang_up("no_session")

    def attend(self, store: Store) -> None:
        """From now on hangs up on sessions that are over, whichever process has ended them."""
        store.bus.hear("session", partial(self._over, store))

    def _over(self, store: Store, key: str) -> None:
        if key:
            self.hang_up(bytes.fromhex(key))
        elif self._of:
            task = asyncio.create_task(self._look_again(store))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _look_again(self, store: Store) -> None:
        """Something may not have been heard: asks for every session whether it is over."""
        with suppress(Unavailable):
            for session in tuple(self._of):
                if session and await store.session(session) is None:
                    self.hang_up(session)

    async def say_goodbye(self, seconds: float) -> None:
        """Ends all of them, as the server stops; gives them some seconds to hear it."""
        leaving = tuple(self._all)
        for caller in leaving:
            caller.hang_up("stopping")
        if leaving:
            waiting = [asyncio.ensure_future(caller.gone.wait()) for caller in leaving]
            _, late = await asyncio.wait(waiting, timeout=seconds)
            for each in late:
                each.cancel()


def _take_out(among: dict[Key, dict[Caller, None]], key: Key, caller: Caller) -> None:
    del among[key][caller]
    if not among[key]:
        del among[key]
