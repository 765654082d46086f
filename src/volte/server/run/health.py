"""Health of the server: alive, ready, the delay of its loop; and the addresses that tell it."""

from __future__ import annotations

import asyncio
import hmac
import os
from asyncio import Task
from contextlib import suppress
from itertools import count
from time import monotonic, time
from typing import Final

from prometheus_client import generate_latest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute

from volte.people.store import Passkeys
from volte.server.run.clocks import Clocks
from volte.store import StoreFault, Unavailable
from volte.store.backup import check_whole
from volte.store.trouble import is_damage
from volte.web import metrics
from volte.web.logs import get_logger
from volte.web.metrics import REGISTRY, client_faults
from volte.web.refused import Refused
from volte.web.room import Room, room_of
from volte.web.visit import Visit, route

OPEN: Final = ("/healthz", "/readyz", "/metrics")
"""The addresses for machines, which have no session and come often."""

log = get_logger("volte.server")

STUCK: Final = 5.0  # seconds of delay of the loop from which /readyz says no


def routes() -> list[BaseRoute]:
    return [route("/healthz", healthz), route("/readyz", readyz), route("/metrics", scrape)]


async def healthz(_: Visit) -> Response:
    """Answer "ok": the server is alive."""
    return PlainTextResponse("ok\n")


async def readyz(visit: Visit) -> Response:
    """Answer whether the server should get new people; a line for each reason against it, and for
    each fault of the clocks."""
    room = room_of(visit)
    wrong = []
    if room.stopping:
        wrong.append("the server stops")
    if room[Pulse].late > STUCK:
        wrong.append("the server is too busy")
    if trouble := await room[Pulse].wrong_with_database():
        wrong.append(trouble)
    if wrong:
        return PlainTextResponse("".join(f"{line}\n" for line in wrong), 503)
    lines = ["ok", *room[Clocks].wrong()]
    return PlainTextResponse("".join(f"{line}\n" for line in lines))


async def scrape(visit: Visit) -> Response:
    """Answer with the metrics, to the addresses and the bearer token in the settings."""
    settings = room_of(visit).settings
    host = visit.client.host if visit.client else ""
    if host not in settings.metrics_from and not _bears(visit, settings.metrics_token):
        raise Refused(403, "forbidden")
    visit.room[Pulse].look()
    return Response(
        generate_latest(REGISTRY), media_type="text/plain; version=0.0.4; charset=utf-8"
    )


def _bears(visit: Visit, token: str) -> bool:
    kind, _, given = visit.headers.get("authorization", "").partition(" ")
    same = hmac.compare_digest(given.strip().encode(), token.encode())
    return bool(token) and kind.lower() == "bearer" and same


DATABASE_ANSWERS: Final = 2.0  # seconds within which the database has to answer

SILENT: Final = "the database does not answer"
UNWRITABLE: Final = "nothing can be written to the database"
DAMAGED: Final = "the database is damaged: stop the server, and put a copy in its place"

LOOKED_THROUGH: Final = 10.0  # least seconds between two checks of the database's file
SHARE: Final = 100  # a check may take up to 1/100 of the time

GOOD_FOR: Final = 1.0  # seconds for which the database's answer is remembered
TICK: Final = 0.5  # seconds between two measurements of the loop's delay
LOOKS: Final = 10  # ticks after which the faults of clients are logged


class Pulse:
    """Measures the health of this process again and again while the server runs."""

    def __init__(self, room: Room) -> None:
        self.late = 0.0  # delay of the loop when it was last measured, in seconds
        self._room = room
        self._damaged = False  # whether the last check found the database damaged
        self._tasks: tuple[Task[None], ...] = ()
        self._probe: Task[str] | None = None
        self._probed_at = -GOOD_FOR

    def begin(self) -> None:
        """Start the measuring tasks, within a running loop."""
        metrics.STARTED.set(time())
        self._room.store.observed_by(metrics.Writes())
        self._room.lobby.thinking.on_choice = metrics.chosen
        self._tasks = (
            asyncio.create_task(self._beat(), name="pulse"),
            asyncio.create_task(self._look_through(), name="damage"),
        )

    async def end(self) -> None:
        """Stop the measuring tasks."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def wrong_with_database(self) -> str:
        """The reason why the database cannot be read or written; empty if it can.

        Calls at the same time share one answer.
        """
        old = monotonic() - self._probed_at > GOOD_FOR
        if self._probe is None or (self._probe.done() and old):
            self._probe = asyncio.create_task(self._probe_database())
        try:
            return await asyncio.wait_for(asyncio.shield(self._probe), DATABASE_ANSWERS)
        except TimeoutError:
            return SILENT

    def look(self) -> None:
        """Set the gauges among the metrics to their present values."""
        room = self._room
        tables = room.lobby.tables
        metrics.CONNECTIONS.set(len(room.live))
        metrics.TABLES.set(len(tables))
        metrics.MATCHES.set(sum(table.state.under_way for table in tables))
        thinking = room.lobby.thinking
        metrics.THINKING.set(thinking.busy)
        metrics.WAITING.set(thinking.waiting)
        metrics.BUDGET.set(thinking.budget)
        memory, files = _usage()
        metrics.MEMORY.set(memory)
        metrics.FILES.set(files)

    async def _probe_database(self) -> str:
        store, wrong = self._room.store, SILENT
        try:
            await store.listing("-")
            wrong = UNWRITABLE
            await store[Passkeys].try_writing()
        except Unavailable as error:
            return DAMAGED if is_damage(error) else wrong
        finally:
            self._probed_at = monotonic()
        return DAMAGED if self._damaged else ""

    async def _look_through(self) -> None:
        """Check again and again that the database's file is not damaged."""
        url, lasted = self._room.settings.database_url, 0.0
        while True:
            await asyncio.sleep(max(LOOKED_THROUGH, SHARE * lasted))
            begun = monotonic()
            try:
                await asyncio.to_thread(check_whole, url)
                self._damaged = False
            except StoreFault as fault:
                if fault.reason in ("store_damaged", "store_foreign") and not self._damaged:
                    log.error("database_damaged")
                    self._damaged = True
            except Exception as error:
                log.error("database_not_checked", exc_info=error)
            lasted = monotonic() - begun

    async def _beat(self) -> None:
        wanted = monotonic()
        for beat in count():
            await asyncio.sleep(max(wanted - monotonic(), 0))
            now = monotonic()
            self.late = max(now - wanted, 0.0)
            metrics.LAG_SECONDS.observe(self.late)
            wanted = now + TICK
            if beat % LOOKS == 0:
                client_faults.tell()


def _usage() -> tuple[int, int]:
    """Bytes of memory and number of open files; 0 if the system does not tell."""
    with suppress(OSError, ValueError):
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir("/proc/self/fd"))
    return 0, 0
