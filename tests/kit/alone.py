"""A page in a browser without a server, and a player over the line to its worker."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from kit import playing
from kit.solo import SOUTH, SlowKeeper

from volte.solo.keeper import KeptChange
from volte.solo.room import ME
from volte.solo.worker import SoloWorker
from volte.store import Conflict, Unavailable


class Page:
    """The script of a worker: its lines, each with the texts that came, and a database that works.

    Attributes:
        aside: number of things that could not be read.
    """

    def __init__(self, keeper: SlowKeeper) -> None:
        self.aside_count = 0
        self._keeper = keeper
        self.lines: dict[int, SoloLine] = {}

    def say(self, line: int, text: str) -> None:
        self.lines[line].texts.put_nowait(text)

    def close(self, line: int, code: int) -> None:
        self.lines[line].end(code)

    def aside(self) -> None:
        self.aside_count += 1

    async def texts(self, beginning: str) -> str:
        return json.dumps(await self._keeper.texts(beginning))

    async def keep(self, change: str) -> str:
        try:
            await self._keeper.keep(msgspec.json.decode(change, type=KeptChange))
        except Conflict:
            return "conflict"
        except Unavailable:
            return "full"
        return ""


class SoloLine:
    """A line to a worker, as far as a client of a server uses its connection."""

    def __init__(self, worker: SoloWorker, number: int) -> None:
        self.close_code: int | None = None
        self.texts: asyncio.Queue[str | None] = asyncio.Queue()
        self._worker = worker
        self._number = number

    async def send(self, text: str) -> None:
        self._worker.hear(self._number, text)

    async def close(self) -> None:
        self._worker.close(self._number)
        self.end(1000)

    def end(self, code: int) -> None:
        self.close_code = code
        self.texts.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[str]:
        while (text := await self.texts.get()) is not None:
            yield text


class PlayerAlone(playing.Player):
    """A player over the line of a page to its worker."""

    def __init__(self, page: Page) -> None:
        super().__init__("", "", ME, SOUTH.name)
        self.page = page
        self.worker = SoloWorker(page, page, "en")

    async def dial(self, table: str, *, at: str = "", **headers: str) -> Any:
        number = len(self.page.lines)
        line = self.page.lines[number] = SoloLine(self.worker, number)
        self.worker.open(number, table)
        return line
