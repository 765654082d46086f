"""Talk at the tables of a real server, and messages that it cannot take."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from kit.people import PATIENCE, Guest, Lost
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from volte.wire import messages as wire


class Talker(Guest):
    """A guest who talks, and keeps what the others say."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.spoken: list[wire.Spoken] = []  # as they came

    @property
    def lines(self) -> list[str]:
        """The lines of talk, as this person reads them."""
        return [each.line for each in self.spoken]

    def _hear(self, saying: wire.Saying) -> None:
        if isinstance(saying, wire.Spoken):
            self.spoken.append(saying)
        super()._hear(saying)

    async def come_back(self, *, told: bool = False) -> None:
        """Connect anew, and say which lines have been heard already."""
        await self.leave()
        heard = self.spoken[-1].number if self.spoken else 0
        await self._begin(wire.Hello(self.next_id(), wire.PROTOCOL, self.number, told, heard=heard))
        await self.until(lambda: self.state is not None)

    async def speak(
        self, text: str = "", *, phrase: str = "", room: wire.TalkRoom = "table", asking: str = ""
    ) -> wire.Answer:
        """Say something."""
        return await self.request(wire.Speak, room, phrase, text, asking=asking)

    async def mute(self, other: Guest, on: bool = True) -> wire.Answer:
        """Mute somebody, or hear them again."""
        return await self.request(wire.Mute, other.person, on)

    async def report(
        self,
        other: Guest,
        sayings: Sequence[int] = (),
        why: str = "insult",
        note: str = "",
        asking: str = "",
    ) -> wire.Answer:
        """Report somebody."""
        about = other.person, why, tuple(sayings), note
        return await self.request(wire.Report, *about, asking=asking)

    async def hears(self, *lines: str) -> None:
        """Wait until exactly these lines have come, since the beginning."""
        await self.until(lambda: len(self.spoken) >= len(lines))
        assert self.lines == list(lines)


def reason(answer: wire.Answer) -> str:
    """The reason why something was refused; empty if it was not."""
    assert answer.ok == (answer.refusal is None)
    if answer.refusal is None:
        return ""
    (line,) = answer.lines
    assert line.endswith((".", "!", "?")), line
    return answer.refusal.reason


def as_json(say: str, /, **fields: Any) -> str:
    """A message as a program could write it."""
    return json.dumps({"say": say, **fields})


def hello(**changes: Any) -> str:
    """The first message of a connection."""
    return json.dumps(
        {"say": "hello", "id": "h", "protocol": wire.PROTOCOL, "told": False} | changes
    )


async def ending(
    socket: ClientConnection, *texts: str | bytes
) -> tuple[list[wire.Saying], int | None]:
    """The server's answers to those messages, and the code with which it hangs up."""
    messages = []
    with suppress(ConnectionClosed):
        for text in texts:
            await socket.send(text)
        while True:
            messages.append(wire.decode_saying(await asyncio.wait_for(socket.recv(), PATIENCE)))
    return messages, socket.close_code or 1006


async def refused(guest: Guest, table: str, *texts: str | bytes) -> tuple[str, int | None]:
    """The reason of the notice before the connection is closed, and the code."""
    messages, code = await ending(await guest.dial(table), *(texts or (hello(),)))
    last = messages[-1]
    assert isinstance(last, wire.Notice)
    assert last.line.endswith((".", "!"))
    return last.reason, code


async def flood(guest: Guest) -> None:
    """Ask for the rules until the connection is gone."""
    with suppress(Lost):
        while True:
            await guest.send('{"say":"ask","id":"1","what":"rules"}')
            await asyncio.sleep(0)
