"""What whoever starts a server is told: where the playroom is, and that it is closed."""

from __future__ import annotations

import io
import os
import socket
import sys
import webbrowser
from threading import Thread

import segno

from volte.say import N_, Words
from volte.web.addresses import addresses


def announce(words: Words, listening: socket.socket, browser: bool | None, base: str = "") -> None:
    """Tells where the playroom is, and opens it."""
    host, port = listening.getsockname()[:2]
    own, house = addresses(host, port, base)
    say(words, N_("The playroom is open: {address}"), address=own)
    if house:
        say(words, N_("Others in your house come in here: {address}"), address=house)
        code = qr_code(house)
        if code:
            print(code)
    say(words, N_("Ctrl-C closes it; nothing is lost."))
    if browser if browser is not None else can_open_browser() and not house:
        Thread(target=webbrowser.open, args=(own,), daemon=True).start()


def visit(words: Words, address: str) -> None:
    """Tells where a playroom is that runs already, and opens it."""
    say(words, N_("The playroom is open already: {address}"), address=address)
    if can_open_browser():
        webbrowser.open(address)


def say(words: Words, message: str, **params: object) -> None:
    """Prints a sentence."""
    print(words.t(message, **params), flush=True)


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
