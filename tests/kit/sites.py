"""Real servers for tests: in this process, or in one of their own that can be killed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from argon2 import PasswordHasher
from kit.people import part
from kit.ports import free_port
from kit.stores import lay_out, lay_out_any
from starlette.types import ASGIApp

import volte
from volte.server.run.listening import listen
from volte.server.run.room import open_room
from volte.server.run.serving import Server
from volte.table.live import LiveTable
from volte.web.room import Room
from volte.web.settings import Settings

PATIENCE: Final = 60  # seconds for a process to start or to end

QUICK: Final = {
    "promise_within": 5.0,
    "grace": 1.0,
    "guests_per_hour": 10**6,
    "luck": False,
    "messages_per_second": 10**6,
    "requests_per_minute": 10**6,
    "sockets_per_address": 10**4,
    "sockets_per_person": 10**4,
    "work_per_person": 10**6,
    "work_per_address": 10**6,
    "passkeys_per_hour": 10**6,
    "tables_per_hour": 10**6,
    "sign_ins_per_hour": 10**6,
    "tries_per_login": 10**6,
}
"""Settings under which no limit stops a test, and nothing is told after a match at a time of its
own."""

Result = TypeVar("Result")


def run(story: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end, where no loop runs."""
    return asyncio.run(story)


class Site:
    """A server in this process."""

    stop: Callable[[], Awaitable[None]]  # of a server of `site_with`
    anew: Callable[[], Awaitable[Site]]  # stops it and starts another one with the same settings

    def __init__(self, address: str, room: Room) -> None:
        self.address = address  # `http://127.0.0.1:PORT`
        self.room = room

    async def live(self, table: str) -> LiveTable:
        """Find a live table by its id."""
        found = await self.room.lobby.find(table)
        assert found is not None
        return found


async def until(
    holds: Callable[[], object] | Callable[[], Awaitable[object]], seconds: float = PATIENCE
) -> None:
    """Wait until a condition holds; raise `TimeoutError` after so many seconds."""
    async with asyncio.timeout(seconds):
        while not (await held if isinstance(held := holds(), Awaitable) else held):
            await asyncio.sleep(0.005)


@asynccontextmanager
async def serving(
    folder: Path,
    database: str = "",
    front: Callable[[ASGIApp], ASGIApp] | None = None,
    **settings: Any,
) -> AsyncIterator[Site]:
    """Serve while the context lasts; the database lies in the folder unless one is named.

    Args:
        front: wrapped around the application.
    """
    url = database or f"sqlite:///{folder / 'playroom.sqlite'}"
    await lay_out_any(url)
    chosen = Settings.of({}, database=url, **(QUICK | settings))
    listening = listen("127.0.0.1", 0)
    started = asyncio.Event()
    try:
        async with open_room(chosen) as room:
            # Hundreds of people sign in: the work that thieves shall have is left out.
            room.passwords.hasher = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
            server = Server(room, started.set)
            if front is not None:
                server.config.loaded_app = front(server.config.loaded_app)
            task = asyncio.create_task(server.serve([listening]))
            ready = asyncio.create_task(started.wait())
            await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
            try:
                yield Site(f"http://127.0.0.1:{listening.getsockname()[1]}", room)
            finally:
                ready.cancel()
                server.should_exit = True
                await task
    finally:
        listening.close()


class Process:
    """`volte serve` as a program of its own."""

    before: Sequence[str] = ()  # words before the command

    def __init__(self, database: str, folder: Path, **environ: str) -> None:
        self.database = database
        self.address = ""  # `http://127.0.0.1:PORT`, the same after `restart`
        self.output: list[str] = []  # its printed lines
        self._folder = folder
        self._environ = {f"VOLTE_{name.upper()}": str(value) for name, value in QUICK.items()}
        self._environ |= environ
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def faults(self) -> list[str]:
        """The output, if there is a traceback in it; else nothing."""
        return self.output if any("Traceback" in line for line in self.output) else []

    def start(self, port: int = 0, *more: str) -> None:
        """Start the server, and wait until it listens."""
        self.begin(port, *more)
        self.wait()

    def begin(self, port: int = 0, *more: str) -> None:
        """Start the server, without waiting."""
        lay_out(self.database)
        self._process = subprocess.Popen(
            [
                *self.before,
                *(sys.executable, "-m", "volte", "serve", "--no-open", "--lang", "en"),
                *("--port", str(port or free_port()), *more),
                *(("--database", self.database) if self.database else ()),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment(self._folder) | self._environ,
            cwd=self._folder,
            start_new_session=True,
        )

    def wait(self) -> None:
        """Wait until the server listens."""
        assert self._process is not None
        assert self._process.stdout is not None
        listens = None
        for line in self._process.stdout:
            self.output.append(line.rstrip("\n"))
            listens = re.search(r"http://[^/ ]+", line)
            if listens is not None:
                break
        assert listens is not None, self.output
        self.address = listens[0]
        self._reader = threading.Thread(target=self._drain, args=(self._process.stdout,))
        self._reader.start()

    def _drain(self, stdout: Any) -> None:
        self.output += [line.rstrip("\n") for line in stdout]

    def kill(self) -> None:
        """Kill it at once, as when the power goes. Repeated calls are harmless."""
        self._end(signal.SIGKILL)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """End it in good order; returns its exit status."""
        return self._end(number)

    def _end(self, number: int) -> int:
        if self._process is None:
            return 0
        process, self._process = self._process, None
        process.send_signal(number)
        status = process.wait(PATIENCE)
        if self._reader is not None:  # else it never began to listen
            self._reader.join(PATIENCE)
        assert process.stdout is not None
        process.stdout.close()
        return status

    def restart(self) -> None:
        """Start it again at the same address."""
        self.start(int(self.address.rpartition(":")[2]))


def environment(folder: Path) -> dict[str, str]:
    """Variables for a program that finds nothing on this machine but the Volte under test."""
    kept = {name: os.environ[name] for name in ("PATH", "XDG_CACHE_HOME") if name in os.environ}
    place = str(Path(volte.__file__).parents[1])
    return {"HOME": str(folder), "LC_ALL": "C.UTF-8", "PYTHONPATH": place} | kept


class Playroom:
    """A server that runs in a thread of its own, so that tests may be plain functions."""

    def __init__(self, site: Site, portal: BlockingPortal) -> None:
        self.site = site
        self.address = site.address
        self._portal = portal

    def do(self, story: Coroutine[Any, Any, Result]) -> Result:
        """Run something in the server's loop."""
        result: Result = self._portal.start_task_soon(lambda: story).result(PATIENCE)
        return result

    def live(self, table: str) -> LiveTable:
        """Find a live table by its id."""
        return self.do(self.site.live(table))


@contextmanager
def open_playroom(folder: Path, **settings: Any) -> Iterator[Playroom]:
    """Serve in a thread while the context lasts."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(serving(folder, **settings)) as site,
    ):
        yield Playroom(site, portal)


# Fixtures: a conftest.py makes them known to its folder

SiteWith = Callable[..., Awaitable[Site]]


@pytest.fixture(scope="module")
async def shared_site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    async with serving(tmp_path_factory.mktemp("site")) as opened:
        yield opened


@pytest.fixture
async def site(shared_site: Site) -> AsyncIterator[Site]:
    """The server of all tests of a module; at the end, everybody hangs up."""
    yield shared_site
    await part()


@pytest.fixture
async def site_with(tmp_path: Path) -> AsyncIterator[SiteWith]:
    """Start servers of a test's own; see `serving` for the database and the settings."""
    async with AsyncExitStack() as stack:

        async def start(database: str = "", **more: Any) -> Site:
            running = await stack.enter_async_context(AsyncExitStack())
            opened = await running.enter_async_context(serving(tmp_path, database, **more))

            async def anew() -> Site:
                await part()
                await running.aclose()
                return await start(database, **more)

            opened.stop, opened.anew = running.aclose, anew
            return opened

        yield start
        await part()


@pytest.fixture(scope="module")
def playroom(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Playroom]:
    """A server in a thread; its settings are those of the module's `SETTINGS`, if it has any."""
    settings = getattr(request.module, "SETTINGS", {})
    with open_playroom(tmp_path_factory.mktemp("playroom"), **settings) as opened:
        yield opened
