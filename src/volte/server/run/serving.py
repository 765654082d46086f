"""`volte serve`: the playroom on this machine, from its options to Ctrl-C."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, cast

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from volte.evenings.conducting import Evenings
from volte.say import N_, Words
from volte.say.faults import shown_path
from volte.server.app import make_app
from volte.server.run.database_lock import DatabaseLock, Holder
from volte.server.run.doors import Doors
from volte.server.run.listening import ServingFault, announce, listen, say, tell_system, visit
from volte.server.run.membership import Membership
from volte.server.run.room import free_tables, open_room
from volte.studies.service import Studies
from volte.web.addresses import addresses
from volte.web.logs import configure
from volte.web.room import Room
from volte.web.settings import UNKNOWN, Settings, chosen
from volte.wire.messages import LONGEST_MESSAGE

RESTARTING: Final = 5.0  # seconds that a server waits until the previous one has ended
FAREWELL: Final = 3.0  # seconds for telling clients that the server stops
CLOSING: Final = 5  # seconds that open requests get to end
LOOKING: Final = 0.1  # seconds between two checks while waiting
MOST_FILES: Final = 2**16  # the most open files and connections to ask of the system

SWITCHING: Final = 0.0005
"""Seconds after which a busy thread (making a record, say) lets the loop go on: each query takes
several turns, and each turn would wait for the usual five milliseconds."""

SELDOM: Final = (50_000, 20, 50)
"""Thresholds of `gc`: new objects before a collection, and collections before a longer one."""


def serve(
    lang: str,
    host: str | None = None,
    port: int | None = None,
    database: str | None = None,
    origins: Sequence[str] = (),
    browser: bool | None = None,
    config: str | None = None,
    node: str | None = None,
    workers: str | None = None,
    visiting: bool = False,
) -> int:
    """Serve until somebody stops it. Raises `VolteError`.

    Args:
        browser: whether to open a browser; None to open it if it makes sense.
        config: the path of a file with settings.
        node: the name of this server among those that share a PostgreSQL.
        workers: an option of former versions, which is refused.
        visiting: whether to show a playroom instead that is running already.
    """
    settings, _, unknown = chosen(
        os.environ,
        config=config,
        host=host,
        port=port,
        database=database,
        origins=tuple(origins) or None,
        node=node,
        workers=workers,
    )
    words = Words(lang)
    for name in unknown:
        print(words.t(UNKNOWN, name=name), file=sys.stderr)
    configure(settings)
    allow_many_files()
    with DatabaseLock(settings.database_url) as lock:
        other = _other_server(words, lock, visiting)
        if other is None:
            with asyncio.Runner(loop_factory=loop_factory()) as runner:
                runner.run(_serve(words, settings, browser, lock))
        elif visiting and other.address:
            visit(words, other.address)
        else:
            reason = "database_open" if other.address else "database_opening"
            path, process = str(lock.database), str(other.process)
            raise ServingFault(reason, path=path, process=process, address=other.address)
    return 0


def _other_server(words: Words, lock: DatabaseLock, visiting: bool) -> Holder | None:
    """Take the lock: None if this server has it now, or else the server that keeps it."""
    end = time.monotonic() + RESTARTING
    try:
        while not lock.take():
            other = lock.holder()
            if (visiting and other.address) or time.monotonic() > end:
                return other
            time.sleep(LOOKING)
    except OSError:
        path = shown_path(str(lock.database))
        print(
            words.t(
                "The disk that holds {path} has no file locks: make sure that only one server"
                " at a time uses this database.",
                path=path,
            ),
            file=sys.stderr,
        )
    lock.note(Holder(os.getpid()))
    return None


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Factory of the fastest event loop available; None for the standard one."""
    try:
        import uvloop
    except ImportError:  # Windows has none
        return None
    return uvloop.new_event_loop


def allow_many_files() -> None:
    """Raise the limit of open files as far as the system allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, MOST_FILES)), hard))


def look_seldom_for_cycles() -> None:
    """Make the garbage collector run seldom, as it stops everybody.

    States are trees, which need no collector; modules loaded by now stay for good.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    sys.setswitchinterval(SWITCHING)


async def _serve(
    words: Words, settings: Settings, browser: bool | None, lock: DatabaseLock
) -> None:
    listening = listen(settings.host, settings.port)

    def started() -> None:
        host, port = listening.getsockname()[:2]
        own, _ = addresses(host, port, settings.base_path)
        lock.note(Holder(os.getpid(), own))
        announce(words, listening, browser, settings.base_path)

    try:
        async with open_room(settings) as room:
            look_seldom_for_cycles()
            await Server(room, started).serve([listening])
            lock.note(Holder(os.getpid()))  # without an address: nobody can come in any more
    finally:
        listening.close()
    say(words, N_("The playroom is closed. Everything is saved."))


class Server(uvicorn.Server):
    """The uvicorn server; it reports when it listens, and ends the tables before it stops."""

    def __init__(self, room: Room, started: Callable[[], None]) -> None:
        settings = room.settings
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        app = make_app(room)
        behind: Any = ProxyHeadersMiddleware(cast(Any, app), list(settings.forwarded_from))
        doors = Doors(behind, settings)
        config = uvicorn.Config(
            doors,
            access_log=False,
            date_header=False,
            lifespan="off",
            log_config=None,
            proxy_headers=False,  # those stand behind `Doors`
            server_header=False,
            timeout_graceful_shutdown=CLOSING,
            http="h11",
            ws="websockets-sansio",
            ws_ping_interval=settings.patience,
            ws_ping_timeout=settings.patience,
            ws_max_size=2 * LONGEST_MESSAGE,  # a message that is a little too long gets an answer
            ws_per_message_deflate=False,
        )
        doors.guard(config)
        super().__init__(config)
        self._room = room
        self._begun = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self._join()
        await super().startup(sockets)
        if self.started:
            tell_system("READY=1")
            self._begun()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        tell_system("STOPPING=1")
        if not self.force_exit:
            await asyncio.sleep(self._room.settings.drain)
            await self._room[Membership].hand_over()
            await free_tables(self._room)  # before the goodbye, so clients find them elsewhere
            self._room[Evenings].close()
            self._room[Studies].close()
            await self._room.live.say_goodbye(FAREWELL)
        await super().shutdown(sockets)

    async def _join(self) -> None:
        """Join the other nodes, unless the server is stopped before. Raises `ServingFault`."""
        joining = asyncio.create_task(self._room[Membership].join())
        while not joining.done() and not self.should_exit:
            await asyncio.wait({joining}, timeout=LOOKING)
        if not joining.cancel():
            joining.result()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End the server in good order on SIGINT, SIGTERM and SIGHUP."""
        before = {}
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            with suppress(ValueError):  # not in the main thread: the caller handles signals
                if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                    before[number] = signal.signal(number, self._stop)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, _: FrameType | None) -> None:
        if self.should_exit and number == signal.SIGINT:  # the second Ctrl-C: at once
            self.force_exit = True
        self.stop()

    def stop(self) -> None:
        """End the server in good order, soon."""
        self._room.stopping = True
        self.should_exit = True
