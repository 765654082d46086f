"""Reviews together: a match of several people, and attendees who follow it by its events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self
from urllib.parse import urlencode, urlsplit

from kit.matches import keep, played
from kit.people import Guest
from kit.requests import request
from kit.sites import Site
from msgspec.structs import replace

from volte.game import Event, MatchStarted, Player
from volte.rules import make_ruleset
from volte.store import MatchRow
from volte.table import Someone

RULES = make_ruleset("microsoft", {"match_end": "deals:2"})


def match_of(*names: str, seed: int = 6) -> list[Event]:
    """The log of a match with these people at the first seats, and bots at the others."""
    log = played(RULES, seed)
    started = log[0]
    assert isinstance(started, MatchStarted)
    people = tuple(Player(name, person=True) for name in names)
    return [replace(started, players=(*people, *started.players[len(names) :])), *log[1:]]


async def sat(site: Site, *people: Guest, **more: Any) -> MatchRow:
    """A match that is over, with these people at its first seats."""
    first, *others = (Someone(each.person, each.name) for each in people)
    log = match_of(*(each.name for each in people))
    return await keep(site.room.store, first, log, others=others, **more)


async def begin(maker: Guest, match: str) -> str:
    """The id of a new review of a match."""
    reply = await maker.post("/studies", {"match": match})
    assert reply.status == 303, reply
    return reply.header("location").removeprefix("/studies/")


async def act(attendee: Guest, study: str, do: str, **fields: Any) -> str:
    """Do something in a review as the script does; the reason of a refusal, empty for none."""
    sent = urlencode({"csrf": attendee.csrf, "do": do, **fields}).encode()
    headers = {
        "content-type": "application/x-www-form-urlencoded",
        "accept": "application/json",
        "cookie": attendee.cookie,
        "origin": attendee.address,
    }
    reply = await request(attendee.address, "POST", f"/studies/{study}/do", sent, headers)
    return "" if reply.status in (200, 303) else str(reply.json["reason"])


class Attendee:
    """Somebody who has the page of a review open."""

    def __init__(self, guest: Guest, study: str) -> None:
        self.guest = guest
        self.study = study
        self.news: dict[str, Any] = {}  # the review as it was shown last
        self.heard: list[dict[str, Any]] = []  # sayings
        self.over = ""  # the sentence for the end of the line
        self._changed = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def come(cls, guest: Guest, study: str) -> Self:
        """Open the page, and wait until it shows the review."""
        attendee = cls(guest, study)
        await attendee.back()
        await attendee.until(lambda: attendee.news or attendee.over)
        return attendee

    async def back(self, address: str = "") -> None:
        """Open the line, perhaps to another node."""
        await self.leave()
        self._task = asyncio.create_task(self._read(address or self.guest.address))

    async def leave(self) -> None:
        """Close the line without a word."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(20), self._changed:
            await self._changed.wait_for(holds)

    async def at(self, deal: int, step: int) -> None:
        """Wait until everybody is at a step of a deal."""
        await self.until(lambda: (self.news["deal"], self.news["step"]) == (deal, step))

    @property
    def here(self) -> list[str]:
        """The names of the people who are here, the one who has been here longest first."""
        return [each["name"] for each in self.news["here"]]

    async def do(self, do: str, **fields: Any) -> str:
        """Do something as the script does; the reason of a refusal, empty for none."""
        return await act(self.guest, self.study, do, **fields)

    async def deal(self, number: int = 1) -> str:
        """A deal as it is sent to the page."""
        reply = await self.guest.get(f"/studies/{self.study}/deals/{number}")
        assert reply.status == 200, reply
        return reply.text

    async def line(self) -> Any:
        """The line that is tried, as it is sent to the page."""
        reply = await self.guest.get(f"/studies/{self.study}/line", accept="application/json")
        return reply.json

    async def _read(self, address: str) -> None:
        parts = urlsplit(address)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            head = (
                f"GET /studies/{self.study}/changes HTTP/1.1",
                *(f"host: {parts.netloc}", f"cookie: {self.guest.cookie}"),
                "accept: text/event-stream",
            )
            writer.write("\r\n".join((*head, "", "")).encode())
            await reader.readuntil(b"\r\n\r\n")
            kind = "message"
            while line := await reader.readline():
                text = line.decode().rstrip("\r\n")
                if text.startswith("event: "):
                    kind = text.removeprefix("event: ")
                elif text.startswith("data: "):
                    await self._take(kind, json.loads(text.removeprefix("data: ")))
                    kind = "message"
        finally:
            writer.close()

    async def _take(self, kind: str, data: Any) -> None:
        async with self._changed:
            match kind:
                case "message":
                    self.news = data
                case "talk":
                    self.heard += data
                case "over":
                    self.over = data
            self._changed.notify_all()
