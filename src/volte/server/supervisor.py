"""`volte serve --workers N`: several processes share one port, and none of them stays away.

The supervisor listens and answers nothing: its workers, each a program of its own, have the same
socket, and the system gives every connection to one of them. One that dies is begun anew.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio import Event
from asyncio.subprocess import Process
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.server.announcing import announce, say
from volte.server.listening import ServingFault, listen
from volte.server.logs import get_logger
from volte.server.scraping import figures_of_the_dead, shared_figures
from volte.server.settings import Settings
from volte.server.systemd import VARIABLE as SYSTEMD
from volte.server.systemd import tell_system
from volte.store import Store
from volte.table.workers import usual_number
from volte.words import Words

READY: Final = b"ready\n"
"""What a worker says once it serves."""

STEADY: Final = 10.0
"""Seconds after which a worker that ends has not ended at once."""

PAUSES: Final = (0.0, 0.5, 2.0, 5.0, 15.0, 30.0)
"""Seconds until a worker is begun anew that has ended at once so many times."""

STOPPING: Final = 30.0
"""Seconds for the workers to stop in good order, after those of `Settings.drain`."""

log = get_logger("volte.server")


class Order(msgspec.Struct, frozen=True):
    """What a worker is to do.

    Attributes:
        listening: number of the file that is the socket.
    """

    settings: Settings
    listening: int
    lang: str


async def supervise(words: Words, settings: Settings, browser: bool | None) -> int:
    """Serves with several workers until somebody stops it; the exit status. Raises `Fault`."""
    if os.name != "posix":
        raise ServingFault("no_workers_here")
    if settings.database_url.startswith("sqlite"):
        raise ServingFault("workers_need_postgres")
    thinkers = settings.thinkers or max(1, usual_number() // settings.workers)
    listening = listen(settings.host, settings.port)
    try:
        # What is wrong with the database is said once, and its tables are made once.
        await (await Store.open(settings.database_url)).close()
        with shared_figures() as figures:
            order = Order(replace(settings, thinkers=thinkers), listening.fileno(), words.lang)
            crew = Supervisor(
                order, figures, lambda: announce(words, listening, browser, settings.base_path)
            )
            status = await crew.run()
    finally:
        listening.close()
    say(words, "serving_stopped")
    return status


class Supervisor:
    """Begins workers, and ends them.

    Args:
        environ: what they have in their environment besides.
        started: called once all of them serve.
    """

    def __init__(self, order: Order, environ: dict[str, str], started: Callable[[], None]) -> None:
        self._order = order
        self._environ = {**os.environ, **environ}
        self._environ.pop(SYSTEMD, None)
        self._figures = environ
        self._started = started
        self._workers: dict[int, Process] = {}
        self._ready: set[int] = set()
        self._begun = False
        self._over = Event()
        self._status = 0

    async def run(self) -> int:
        """Until it is stopped; the exit status."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                loop.add_signal_handler(number, self.stop, number)
        places = range(self._order.settings.workers)
        keeping = [asyncio.create_task(self._keep(place)) for place in places]
        await self._over.wait()
        tell_system("STOPPING=1")
        _, late = await asyncio.wait(keeping, timeout=STOPPING + self._order.settings.drain)
        if late:
            self._tell(signal.SIGKILL)
        await asyncio.gather(*keeping)
        return self._status

    def stop(self, number: int) -> None:
        """Passes a signal on, after which no worker is begun anew."""
        self._over.set()
        self._tell(number)

    def _tell(self, number: int) -> None:
        for worker in self._workers.values():
            with suppress(ProcessLookupError):
                worker.send_signal(number)

    async def _keep(self, place: int) -> None:
        """One worker after another."""
        quick = 0
        while not self._over.is_set():
            began = monotonic()
            status, served = await self._one(place)
            if self._over.is_set():
                return
            if not self._begun and not served:  # it has said why
                self._status = abs(status) or 1
                self.stop(signal.SIGTERM)
                return
            quick = 0 if monotonic() - began > STEADY else quick + 1
            log.error("worker_ended", status=status)
            with suppress(TimeoutError):
                async with asyncio.timeout(PAUSES[min(quick, len(PAUSES) - 1)]):
                    await self._over.wait()

    async def _one(self, place: int) -> tuple[int, bool]:
        """One worker, until it ends: its exit status, and whether it has served."""
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                worker = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-P", "-m", "volte.server.worker"),
                    stdin=theirs.fileno(),
                    env=self._environ,
                    pass_fds=(self._order.listening,),
                    start_new_session=True,  # Ctrl-C comes by way of us alone
                )
            self._workers[place] = worker
            try:
                served = await self._begin(ours)
                if served:
                    self._serves(place)
                status = await worker.wait()
            finally:
                del self._workers[place]
                figures_of_the_dead(worker.pid, self._figures)
        return status, served

    async def _begin(self, control: socket.socket) -> bool:
        """Gives a worker its order; whether it comes to serve. It ends when this end does."""
        control.setblocking(False)
        loop = asyncio.get_running_loop()
        try:
            await loop.sock_sendall(control, msgspec.json.encode(self._order) + b"\n")
            return await loop.sock_recv(control, len(READY)) == READY
        except OSError:
            return False

    def _serves(self, place: int) -> None:
        self._ready.add(place)
        if not self._begun and len(self._ready) == self._order.settings.workers:
            self._begun = True
            tell_system("READY=1")
            self._started()
