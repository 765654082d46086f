"""`volte serve`: the playroom on this machine, from its options to Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import io
import logging
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from types import FrameType
from typing import Final

import segno
import uvicorn

from volte.cards import Fault
from volte.server.addresses import addresses
from volte.server.app import make_app
from volte.server.doors import Requests, Sockets
from volte.server.room import Room, open_room
from volte.server.settings import Settings
from volte.wire.messages import LONGEST_MESSAGE
from volte.words import Words
from volte.words.serving import serving_sentence

FAREWELL: Final = 3.0
"""Seconds in which clients may hear that the server stops."""

CLOSING: Final = 5
"""Seconds in which what is under way may end."""

MOST_FILES: Final = 2**16
"""Files and connections that are enough for anybody."""

UNREAD: Final = 60_000
"""Milliseconds after which the system drops a client that takes nothing it is sent."""


class ServingFault(Fault):
    """Why the server cannot be started."""


def serve(
    lang: str,
    host: str | None = None,
    port: int | None = None,
    database: str | None = None,
    origins: Sequence[str] = (),
    browser: bool | None = None,
) -> int:
    """Serves until somebody stops it. Raises `Fault`.

    Args:
        browser: whether it is opened; None where it makes sense.
    """
    settings = Settings.of(
        os.environ, host=host, port=port, database=database, origins=tuple(origins) or None
    )
    _allow_many_files()
    _allow_many_connections()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(Words(lang), settings, browser))
    return 0


def _allow_many_connections() -> None:
    """As many as the system would let us have: the usual 1,024 files are few for a server."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # Windows has none
        return None
    return uvloop.new_event_loop


def _allow_many_files() -> None:
    """As many connections as the system lets a program have."""
    try:
        import resource
    except ImportError:  # Windows sets no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, MOST_FILES)), hard))


async def _serve(words: Words, settings: Settings, browser: bool | None) -> None:
    listening = listen(settings.host, settings.port)
    try:
        async with open_room(settings) as room:
            server = Server(room, lambda: _announce(words, listening, browser))
            await server.serve([listening])
    finally:
        listening.close()
    _say(words, "serving_stopped")


class Server(uvicorn.Server):
    """The server proper: says when it listens, and goodbye to the tables before it stops."""

    def __init__(self, room: Room, started: Callable[[], None]) -> None:
        settings = room.settings
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        super().__init__(
            uvicorn.Config(
                make_app(room),
                access_log=False,
                date_header=False,
                forwarded_allow_ips=list(settings.forwarded_from),
                lifespan="off",
                log_config=None,
                server_header=False,
                timeout_graceful_shutdown=CLOSING,
                http=Requests,
                ws=Sockets,
                ws_ping_interval=settings.patience,
                ws_ping_timeout=settings.patience,
                ws_max_size=4 * LONGEST_MESSAGE,  # what is a little too long gets an answer
                ws_per_message_deflate=False,
            )
        )
        self._room = room
        self._begun = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._begun()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if not self.force_exit:
            await self._room.live.say_goodbye(FAREWELL)
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Lets Ctrl-C, the system and a terminal that closes end the server in good order."""
        before = {}
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            with suppress(ValueError):  # not in the main thread: somebody else sees to it
                if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                    before[number] = signal.signal(number, self._stop)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, _: FrameType | None) -> None:
        if self.should_exit and number == signal.SIGINT:  # twice: at once
            self.force_exit = True
        self.should_exit = True


# Listening


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises `ServingFault`."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise ServingFault("address_unknown", host=host) from None
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere that would let two servers have one port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        listening.close()
        raise _not_listening(error, host, port) from None
    listening.setblocking(False)
    return listening


def _not_listening(error: OSError, host: str, port: int) -> ServingFault:
    match error.errno:
        case errno.EADDRINUSE:
            return ServingFault("port_taken", port=str(port))
        case errno.EACCES:
            return ServingFault("port_forbidden", port=str(port))
        case errno.EADDRNOTAVAIL:
            return ServingFault("address_unknown", host=host)
    why = error.strerror or str(error)
    return ServingFault("not_listening", host=host, port=str(port), why=why)


# What is said


def _announce(words: Words, listening: socket.socket, browser: bool | None) -> None:
    """Tells where the playroom is, and opens it."""
    host, port = listening.getsockname()[:2]
    own, house = addresses(host, port)
    _say(words, "serving", address=own)
    if house:
        _say(words, "serving_house", address=house)
        code = qr_code(house)
        if code:
            print(code)
    _say(words, "serving_stop")
    if browser if browser is not None else can_open_browser() and not house:
        Thread(target=webbrowser.open, args=(own,), daemon=True).start()


def _say(words: Words, name: str, **params: object) -> None:
    print(serving_sentence(words, name, **params), flush=True)


def qr_code(address: str) -> str:
    """The address for a telephone's camera; empty where it would only be noise."""
    if not sys.stdout.isatty() or os.environ.get("ACCESSIBLE"):
        return ""
    drawn = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(drawn, compact=True)
    text = drawn.getvalue()
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return ""
    return text


def can_open_browser() -> bool:
    """Whether there is a screen to open it on, and not this terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
