"""The socket on which the server listens; messages to systemd and to people at a terminal."""

from __future__ import annotations

import errno
import io
import os
import socket
import sys
import webbrowser
from contextlib import suppress
from threading import Thread
from typing import Final

import segno

from volte.cards import VolteError
from volte.say import N_, Words
from volte.web.addresses import addresses

UNREAD: Final = 60_000
"""Milliseconds after which the system drops a client that acknowledges no data."""


class ServingFault(VolteError):
    """A reason why a server cannot start, such as a port in use."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at the address and port. Raises `ServingFault`."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise ServingFault("address_unknown", host=host) from None
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on Windows that would let two servers have one port
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


def tell_system(message: str) -> None:
    """Tell systemd `READY=1` or `STOPPING=1`, if it has started us; ignore all errors."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@") or not hasattr(socket, "AF_UNIX"):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as telling:
        telling.setblocking(False)
        telling.sendto(message.encode(), address.replace("@", "\0", 1))


def announce(words: Words, listening: socket.socket, browser: bool | None, base: str = "") -> None:
    """Print the playroom's addresses, and open it in a browser; if `browser` is None, only where it
    makes sense."""
    host, port = listening.getsockname()[:2]
    own, nearby = addresses(host, port, base)
    say(words, N_("The playroom is open: {address}"), address=own)
    if nearby:
        say(words, N_("Others in your home can join here: {address}"), address=nearby)
        code = qr_code(nearby)
        if code:
            print(code)
    say(words, N_("Ctrl-C closes the playroom; nothing is lost."))
    if browser if browser is not None else can_open_browser() and not nearby:
        Thread(target=webbrowser.open, args=(own,), daemon=True).start()


def visit(words: Words, address: str) -> None:
    """Print the address of a playroom that is running already, and open it."""
    say(words, N_("The playroom is already open: {address}"), address=address)
    if can_open_browser():
        webbrowser.open(address)


def say(words: Words, message: str, **params: object) -> None:
    """Print a sentence in the language of the words, at once."""
    print(words.t(message, **params), flush=True)


def qr_code(address: str) -> str:
    """The address as a QR code; empty if the terminal cannot show it, or for a screen reader."""
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
    """Whether there is a graphical screen."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
