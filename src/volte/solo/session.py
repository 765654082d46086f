"""A line of the page to a table: the conversation of its person, in texts."""

from __future__ import annotations

import logging
from asyncio import Queue
from collections.abc import Callable
from typing import Final, NoReturn

from volte.conversation.conversation import Conversation
from volte.conversation.ending import CLOSINGS, ConversationEnded, farewell
from volte.conversation.requests import hello_of, read
from volte.game.codec import encode
from volte.say import words_of
from volte.say.catalogue import language_of
from volte.solo.room import SoloRoom
from volte.store import Unavailable
from volte.table import Someone
from volte.table.commands import Start
from volte.wire.messages import Closing, Saying

log: Final = logging.getLogger(__name__)


class SoloSession:
    """One line of the page, from its hello to its end.

    Args:
        out: takes each text for the page.
    """

    def __init__(self, room: SoloRoom, table: str, out: Callable[[str], None]) -> None:
        self._room = room
        self._table = table
        self._out = out
        self._texts: Queue[str] = Queue()
        self._words = words_of(room.lang)

    def hear(self, text: str) -> None:
        """Queue a message that the page has sent, until the ones before it are answered."""
        self._texts.put_nowait(text)

    async def run(self) -> int:
        """Serve the page to the end, say why it ends, and return the code of the close."""
        try:
            await self._converse()
        except ConversationEnded as error:
            end = error
        except Unavailable:
            end = ConversationEnded("unavailable")
        except Exception as error:
            log.error("line_failed", extra={"table": self._table}, exc_info=error)
            end = ConversationEnded("failed")
        if end.reason:
            await self._send(farewell(self._words, end.reason, **end.params))
        return CLOSINGS.get(end.reason, Closing.FAILED)

    async def _converse(self) -> NoReturn:
        room = self._room
        person = await room.person()
        live = await room.find(self._table)
        if live is None:
            raise ConversationEnded("no_table")
        hello = hello_of(await self._texts.get(), self._words)
        self._words = words_of(language_of(hello.lang) or room.lang)
        who = Someone(person.id, person.name)
        conversation = Conversation(hello, live, who, person, self._words, self._send, room.store)
        with conversation:
            await conversation.begin()
            if not live.state.matches:  # nobody else is waited for
                await live.do(who, Start(), live.state.version)
            await conversation.stay(self._answer(conversation))
        raise ConversationEnded

    async def _answer(self, conversation: Conversation) -> None:
        while True:
            await conversation.respond(read(await self._texts.get()))

    async def _send(self, *messages: Saying) -> None:
        for message in messages:
            self._out(encode(message).decode())
