"""Players at tables of this process: conversations without a server or a socket."""

from __future__ import annotations

import asyncio
from asyncio import Future, Queue
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from time import time
from typing import Any, Self, cast

import pytest
from kit.live import OpenLobby, found
from kit.people import one_deal_table, part
from kit.playing import Player
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosedError

from volte.conversation.conversation import Conversation
from volte.conversation.ending import CLOSINGS, ConversationEnded, farewell
from volte.conversation.requests import hello_of, read
from volte.game.codec import encode
from volte.say import Words, words_of
from volte.say.catalogue import language_of
from volte.store import Person
from volte.table import Setup, Someone
from volte.table import commands as cmd
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.web.room import Connections
from volte.wire.messages import Saying


class Neighbourhood:
    """Tables of this process, and the people who play there."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.people: dict[str, Person] = {}
        self.connections = Connections()

    async def live(self, table: str) -> LiveTable:
        return await found(self.lobby, table)

    def choose(self, neighbour: Neighbour, **settings: Any) -> None:
        """Store settings of somebody."""
        person = self.people[neighbour.person]
        self.people[person.id] = replace(person, settings=person.settings | settings)

    async def change_person(self, person: str, change: Callable[[Person], Person]) -> Person:
        self.people[person] = change(self.people[person])
        return self.people[person]


@pytest.fixture
async def near(open_lobby: OpenLobby) -> AsyncIterator[Neighbourhood]:
    """Tables where nothing takes time but what people do."""
    yield Neighbourhood(await open_lobby())
    await part()


class Line:
    """A conversation, as a guest hears it who else has a WebSocket."""

    def __init__(self, near: Neighbourhood, live: LiveTable, person: Person) -> None:
        self.session, self.seated = b"", True
        self.table, self.person, self.name = live.id, person.id, person.name
        self.gone: Future[None] = asyncio.get_running_loop().create_future()
        self.talked = 0
        self.transport = self
        self.close_code: int | None = None
        self._near, self._live, self._profile = near, live, person
        self._said, self._heard = Queue[str | bytes](), Queue[str]()
        self._task = asyncio.create_task(self._serve())

    # For the guest

    async def send(self, text: str | bytes) -> None:
        if self._task.done():
            raise ConnectionClosedError(None, None)
        self._said.put_nowait(text)

    async def __aiter__(self) -> AsyncIterator[str]:
        while text := await self._heard.get():
            yield text

    async def close(self) -> None:
        self.abort()
        with suppress(asyncio.CancelledError):
            await self._task  # raises what has gone wrong

    def abort(self) -> None:
        self._task.cancel()

    # For the conversation

    def watching(self) -> tuple[list[str], int]:
        return self._near.connections.watching(self.table)

    def newcomers(self, met: set[str]) -> list[str]:
        return self._near.connections.newcomers(self.table, met, ())

    def sits(self, seated: bool) -> None:
        self._near.connections.sits(self, seated)

    def revealed(self, deal: int) -> None:
        pass

    def seeking(self, words: Words) -> str:
        return ""

    def hang_up(self, reason: str) -> None:
        raise AssertionError(reason)

    async def _send(self, *messages: Saying) -> None:
        for each in messages:
            self._heard.put_nowait(encode(each).decode())

    async def _serve(self) -> None:
        words = words_of(self._profile.lang)
        self._near.connections.add(self)
        try:
            await self._converse()
        except ConversationEnded as end:
            await self._send(farewell(words, end.reason, **end.params))
            self.close_code = CLOSINGS[end.reason]
        finally:
            self._near.connections.remove(self)
            self._heard.put_nowait("")

    async def _converse(self) -> None:
        person = self._profile
        hello = hello_of(await self._said.get(), words_of(person.lang))
        words = words_of(language_of(hello.lang) or person.lang)
        who = Someone(person.id, person.name, invited=True)
        with Conversation(
            hello, self._live, who, person, words, self._send, self._near, self
        ) as conversation:
            await conversation.begin()
            await conversation.stay(self._respond(conversation))

    async def _respond(self, conversation: Conversation) -> None:
        while True:
            await conversation.respond(read(await self._said.get()))


class Neighbour(Player):
    """A player at a table of this process."""

    near: Neighbourhood

    @classmethod
    async def come(cls, address: Any, name: str = "Zoé", lang: str = "en") -> Self:
        """A new person in a neighbourhood, which has no address."""
        near: Neighbourhood = address
        person = f"{len(near.people)}-{name}"
        near.people[person] = Person(person, name, lang, {}, time())
        return cls.of(near, person, name)

    @classmethod
    def of(cls, near: Neighbourhood, person: str, name: str) -> Self:
        neighbour = cls("", "", person, name)
        neighbour.near = near
        return neighbour

    def device(self) -> Self:
        return self.of(self.near, self.person, self.name)

    async def open_table(
        self,
        levels: Sequence[str] = ("casual", "casual", "casual"),
        setup: Setup | None = None,
        password: str = "",
    ) -> str:
        who = Someone(self.person, self.name)
        live = await self.near.lobby.open(setup or one_deal_table(), who)
        await live.do(who, cmd.Sit(0), live.state.version)
        for seat, level in enumerate(levels, start=1):
            if level:
                await live.do(who, cmd.SeatBot(seat, level), live.state.version)
        return live.id

    async def dial(self, table: str, *, at: str = "", **headers: str) -> ClientConnection:
        live = await self.near.live(table)
        return cast(ClientConnection, Line(self.near, live, self.near.people[self.person]))
