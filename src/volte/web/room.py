"""The playroom of a server, as handlers get it, and the connections to its tables."""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Final, Protocol, TypeVar

from starlette.requests import HTTPConnection

from volte.store import Person, Unavailable
from volte.store.store import Store
from volte.table.lobby import Lobby
from volte.web.limits import Limits
from volte.web.page_room import PageRoom
from volte.web.passwords import Passwords
from volte.web.refused import Refused
from volte.web.settings import Settings
from volte.web.turns import Turns
from volte.web.visit import Visit
from volte.web.work import WorkQueue

AT_ONCE: Final = 2  # records, replays and other dear work done at the same time

Key = TypeVar("Key")

MOST_NAMED: Final = 20
"""Watchers of a table who are named: every scene of every watcher contains these names."""


class TableConnection(Protocol):
    """One connection to a table; see `volte.server.live.session.TableSession`."""

    session: bytes  # hash of the session's token
    table: str  # its id
    person: str  # the person's id
    name: str
    seated: bool  # whether the person has a seat at the table
    gone: asyncio.Future[None]  # done once the connection has ended

    def hang_up(self, reason: str) -> None:
        """End the connection soon, for that reason."""


Group = dict[TableConnection, None]  # some connections, in the order in which they came


class Connections:
    """All connections to tables, by session and by table."""

    def __init__(self) -> None:
        self._all: Group = {}
        self._watching: dict[str, dict[str, Group]] = {}  # by table and person
        self._of: dict[bytes, Group] = {}  # by session
        self._looking: set[Task[None]] = set()

    def __len__(self) -> int:
        return len(self._all)

    def add(self, connection: TableConnection) -> None:
        self._all[connection] = None
        self._of.setdefault(connection.session, {})[connection] = None

    def remove(self, connection: TableConnection) -> None:
        self.sits(connection, True)
        del self._all[connection]
        _take_out(self._of, connection.session, connection)

    def sits(self, connection: TableConnection, seated: bool) -> None:
        """Note whether the person has a seat now."""
        if connection.seated == seated:
            return
        connection.seated = seated
        watching = self._watching.setdefault(connection.table, {})
        if not seated:
            watching.setdefault(connection.person, {})[connection] = None
            return
        _take_out(watching, connection.person, connection)
        if not watching:
            del self._watching[connection.table]

    def watching(self, table: str, muted: Collection[str] = ()) -> tuple[list[str], int]:
        """The names of the people at a table who have no seat, in the order in which they came, and
        how many more there are. Somebody with several connections counts once.

        Args:
            muted: ids of those who are not to be named: a name can say something, too.
        """
        here = self._watching.get(table, {})
        read = (connections for person, connections in here.items() if person not in muted)
        names = [next(iter(connections)).name for connections in islice(read, MOST_NAMED)]
        return names, len(here) - len(names)

    def newcomers(self, table: str, met: set[str], muted: Collection[str]) -> list[str]:
        """Names of people who have begun to watch a table; adds their ids to `met`."""
        here = self._watching.get(table, {})
        fresh = [person for person in here if person not in met]
        met.update(fresh)
        return [next(iter(here[person])).name for person in fresh if person not in muted]

    def hang_up(self, session: bytes) -> None:
        """End the connections of a session that is over."""
        for connection in tuple(self._of.get(session, ())):
            connection.hang_up("no_session")

    def attend(self, store: Store) -> None:
        """From now on, end the connections of sessions that any process has ended."""
        store.bus.subscribe("session", lambda key: self.hang_up(bytes.fromhex(key)))
        store.bus.subscribe("sessions", partial(self._over, store))

    def _over(self, store: Store, person: str) -> None:
        """End the connections of a person's sessions that are over; without a person, those of
        everybody, as a message about one may have been lost."""
        sessions = {each.session for each in self._all if not person or each.person in ("", person)}
        if sessions:
            task = asyncio.create_task(self._look_again(store, sessions, bool(person)))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _look_again(self, store: Store, sessions: set[bytes], certain: bool) -> None:
        """End those of the sessions that the store says are over; all of them if the store is
        unavailable and it is `certain` that some are."""
        lasting: Collection[bytes] = () if certain else sessions
        with suppress(Unavailable):
            lasting = await store.lasting(sessions)
        for session in sessions.difference(lasting):
            self.hang_up(session)

    async def say_goodbye(self, seconds: float) -> None:
        """End all connections, as the server stops; wait at most some seconds for them."""
        leaving = tuple(self._all)
        for connection in leaving:
            connection.hang_up("stopping")
        if leaving:
            await asyncio.wait([connection.gone for connection in leaving], timeout=seconds)


def _take_out(among: dict[Key, Group], key: Key, connection: TableConnection) -> None:
    del among[key][connection]
    if not among[key]:
        del among[key]


@dataclass
class Room(PageRoom):
    """The playroom: settings, store, lobby and limits, and the services of its features."""

    settings: Settings
    store: Store
    lobby: Lobby
    limits: Limits
    passwords: Passwords = field(default_factory=Passwords)
    live: Connections = field(default_factory=Connections)
    work: WorkQueue = field(default_factory=lambda: WorkQueue("work", AT_ONCE))
    planning: Turns = field(default_factory=Turns)  # of people who plan tables
    stopping: bool = False  # whether the server is about to stop, and should get no new visitors
    _services: dict[object, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.base_path = self.settings.base_path
        self.origins = self.settings.origins
        self.host = self.settings.host


def room_of(connection: HTTPConnection) -> Room:
    """The playroom that the connection came to."""
    room: Room = connection.app.state.room
    return room


async def change_person(visit: Visit, change: Callable[[Person], Person]) -> Person:
    """Change a visitor's name, language or settings; return the person after it.

    Raises `Refused` 401 if there is no person (any more), and the errors of `change`.
    """
    changed = await room_of(visit).store.change_person(visit.known().id, change)
    if changed is None:
        raise Refused(401, "no_session")
    visit.visitor.person = changed
    return changed
