"""Door between Python and the script of the worker in which it runs (`static/worker.js`).

Only texts and numbers go through it, so that no object of either side has to be let go by hand.
"""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections.abc import Awaitable, Mapping
from typing import Protocol

import msgspec

from volte.solo.keeper import KeptChange
from volte.solo.kept import KeptStore
from volte.solo.requests import respond
from volte.solo.room import SoloRoom
from volte.solo.session import SoloSession
from volte.store import Conflict, Unavailable


class Page(Protocol):
    """Functions of the script that reach the page."""

    def say(self, line: int, text: str) -> None:
        """Passes a text on, to a line of the page."""

    def close(self, line: int, code: int) -> None:
        """Closes a line of the page."""

    def aside(self) -> None:
        """Tells the page that something that was kept cannot be read."""


class KeptTexts(Protocol):
    """Functions of the script that reach the browser's database (`static/keeping.js`)."""

    def texts(self, beginning: str) -> Awaitable[str]:
        """A JSON object of texts by key; empty where they cannot be read."""

    def keep(self, change: str) -> Awaitable[str]:
        """Makes the change of a JSON object; empty once it is kept for good, or else the reason
        why it is not."""


class BrowserKeeper:
    """Texts in the browser's database; a `Keeper`."""

    def __init__(self, texts: KeptTexts) -> None:
        self._texts = texts

    async def texts(self, beginning: str) -> Mapping[str, str]:
        """Texts whose keys begin like that, by key. Raises `Unavailable` if they cannot be read."""
        found = await self._texts.texts(beginning)
        if not found:
            raise Unavailable("unread")
        return msgspec.json.decode(found, type=dict[str, str])

    async def keep(self, change: KeptChange) -> None:
        """Make a change, for good. Raises `Conflict`, and `Unavailable` if nothing was kept."""
        reason = await self._texts.keep(msgspec.json.encode(change).decode())
        if reason == "conflict":
            raise Conflict(change.free)
        if reason:
            raise Unavailable(reason)


class SoloWorker:
    """The room of a browser, as the script of its worker uses it.

    Args:
        texts: None where the browser lets nothing be stored.
        lang: language of the page.
    """

    def __init__(self, page: Page, texts: KeptTexts | None, lang: str) -> None:
        keeper = None if texts is None else BrowserKeeper(texts)
        self._page = page
        self.room = SoloRoom(KeptStore(keeper, page.aside), lang)
        self._sessions: dict[int, tuple[SoloSession, Task[None]]] = {}

    def open(self, line: int, table: str) -> None:
        """Begin the session of a line, in place of all others."""
        for other in [*self._sessions]:
            self.close(other)
        session = SoloSession(self.room, table, lambda text: self._page.say(line, text))
        self._sessions[line] = session, asyncio.ensure_future(self._serve(line, session))

    def hear(self, line: int, text: str) -> None:
        """Take a text of a line, unless it is closed."""
        if line in self._sessions:
            self._sessions[line][0].hear(text)

    def close(self, line: int) -> None:
        """End the session of a line that the page has closed."""
        if line in self._sessions:
            self._sessions.pop(line)[1].cancel()

    async def request(self, method: str, path: str, form: str) -> str:
        """Answer a request of the page, with the JSON object of a `SoloAnswer`; with an empty text
        where `PagesWorker` has to.

        Args:
            form: a JSON object of the fields, each with a list of its texts.
        """
        fields = msgspec.json.decode(form, type=dict[str, list[str]])
        answer = await respond(self.room, method, path, fields)
        return "" if answer is None else msgspec.json.encode(answer).decode()

    async def _serve(self, line: int, session: SoloSession) -> None:
        code = await session.run()
        if self._sessions.pop(line, None) is not None:
            self._page.close(line, code)
