"""Playrooms for tests, people who come to them by the terminal, and matches gone over again."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from time import monotonic, sleep
from typing import Any, Final

from kit.sites import Site, serving
from msgspec.structs import replace
from terminal.people import Answer, Keyboard

from volte.console.options import words_for
from volte.console.person import PlayStyle, TerminalPlayer
from volte.console.terminal import Console
from volte.game import MatchState, Passed, Played, Refusal
from volte.referee import Event, decide, evolve, visible
from volte.rules import make_ruleset
from volte.say import Words
from volte.table import Command, Happening, Setup, Someone, decode_happening
from volte.talk.store import Report, TalkStore
from volte.terminal import playroom
from volte.terminal.connection import Connection
from volte.terminal.live_console import LiveConsole
from volte.terminal.playroom import Address
from volte.terminal.visitor import Visitor

PATIENCE: Final = 60
"""Seconds for a server to open or to close."""


class Playroom:
    """A server that runs beside the test, in a thread of its own."""

    def __init__(self, site: Site, loop: asyncio.AbstractEventLoop) -> None:
        self.address = site.address
        self._site = site
        self._loop = loop

    def happenings(self, table: str) -> list[Happening]:
        """All that is kept of a table."""
        reading = self._site.room.store.read(table)
        entries = asyncio.run_coroutine_threadsafe(reading, self._loop).result(PATIENCE)
        return [decode_happening(entry.data) for entry in entries]

    def do(self, table: str, who: Someone, command: Command) -> None:
        """Gives a command as that person, from elsewhere."""

        async def give() -> None:
            live = await self._site.room.lobby.find(table)
            assert live is not None
            reply = await live.do(who, command, live.state.version)
            assert reply.refusal is None, reply

        asyncio.run_coroutine_threadsafe(give(), self._loop).result(PATIENCE)

    def reports_by(self, person: str) -> list[Report]:
        """Those that somebody has made, latest first."""
        reading = self._site.room.store[TalkStore].reports_by(person)
        return asyncio.run_coroutine_threadsafe(reading, self._loop).result(PATIENCE)

    def log(self, table: str) -> list[Event]:
        """The events of its matches."""
        return [each for each in self.happenings(table) if isinstance(each, Event)]


@contextmanager
def open_playroom(folder: Path, **settings: Any) -> Iterator[Playroom]:
    """A playroom while the context lasts."""
    opened: list[Playroom] = []
    ready, finished = Flag(), Flag()

    async def keep_open() -> None:
        async with serving(folder, **settings) as site:
            opened.append(Playroom(site, asyncio.get_running_loop()))
            ready.set()
            await asyncio.to_thread(finished.wait)

    thread = Thread(target=asyncio.run, args=(keep_open(),))
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield opened[0]
    finally:
        finished.set()
        thread.join(PATIENCE)


def heard_locally(
    log: Sequence[Event], seat: int, answer: Answer, lang: str, manner: PlayStyle
) -> str:
    """What the person at that seat would have heard of the match at a table of their own.

    They are asked before everything that the log says they have done.
    """
    screen = StringIO()
    console = Console(Keyboard(answer, screen), screen)
    person = TerminalPlayer(seat, words_for(lang, plain=False), console, manner)
    state: MatchState | None = None
    for event in log:
        if isinstance(event, Passed | Played) and event.seat == seat:
            assert state is not None
            while isinstance(refusal := decide(state, person.ask()), Refusal):
                person.refused(refusal)
        person.tell([visible(event, seat)])
        state = evolve(state, event)
    return screen.getvalue()


class Guest:
    """Somebody who comes by the terminal, in a thread of their own.

    Attributes:
        room: the playroom, as they see it.
        gone: how it ended, once it has.
    """

    def __init__(self, address: str, name: str) -> None:
        self.room = playroom.Playroom(address, "en")
        self.who = Someone(self.room.come_in(name).person, name)
        self.gone: BaseException | None = None
        self._screen = StringIO()
        self._thread: Thread | None = None

    @property
    def said(self) -> str:
        """All that they have been told."""
        return self._screen.getvalue()

    def open(self, *levels: str, password: str = "", **setup: Any) -> str:
        """Opens a table, bots of these levels at its other seats; its id."""
        rules = make_ruleset("coeurs", {"players": len(levels) + 1})
        wanted = replace(Setup("A table", rules), **setup)
        return self.room.open_table(wanted, levels, password)

    def sit(
        self,
        table: str,
        answer: Answer,
        *,
        begin: bool = False,
        at_terminal: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        """Goes to a table, and answers what is asked there."""
        keyboard = (Terminal if at_terminal else Keyboard)(answer, self._screen)
        console = LiveConsole(keyboard, self._screen)
        address = Address(self.room.site, table)
        connection = Connection(address, self.room.cookie, "en", console.inbox, patience)
        connection.prefer(bot_pace=0, trick_pace=0)
        visitor = Visitor(Words("en"), console, PlayStyle(), connection, address.page, begin)
        self._thread = Thread(target=self._stay, args=(visitor,))
        self._thread.start()

    def _stay(self, visitor: Visitor) -> None:
        try:
            visitor.run()
        except Exception as gone:
            self.gone = gone

    def hears(self, pattern: str) -> None:
        """Waits until they have been told something."""
        wait_for(lambda: bool(re.search(pattern, self.said, re.M)), lambda: self.said)

    def leaves(self) -> None:
        """Waits until they have gone."""
        assert self._thread is not None
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), self.said


class Terminal(Keyboard):
    """A keyboard at a terminal, on which somebody may type at any time."""

    def isatty(self) -> bool:
        return True


def wait_for(condition: Callable[[], bool], why: Callable[[], str]) -> None:
    """Waits until something is so, with patience."""
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end, why()
        sleep(0.01)
