"""The way to a playroom, piece by piece: addresses, keys, cookies, and lines that come between."""

from __future__ import annotations

import stat
import sys
from io import BytesIO, StringIO
from pathlib import Path
from threading import Event

import pytest
from kit.terminals import Keyboard, Script

from volte.console.terminal import Misuse, Quit
from volte.terminal.live_console import LiveConsole, Typed
from volte.terminal.playroom import Address, KeyRing


@pytest.mark.parametrize(
    ("typed", "page", "live"),
    [
        ("http://h:8150", "http://h:8150", "ws://h:8150/live/"),
        ("http://h:8150/", "http://h:8150", "ws://h:8150/live/"),
        ("h:8150", "http://h:8150", "ws://h:8150/live/"),
        ("HTTPS://Volte.Example/tables/a_B-9", "https://volte.example/tables/a_B-9", None),
        ("http://[::1]:8150/tables/x/", "http://[::1]:8150/tables/x", "ws://[::1]:8150/live/x"),
        ("192.168.1.20:80/tables/x?from=anne#top", "http://192.168.1.20:80/tables/x", None),
    ],
)
def test_an_address_as_it_is_copied(typed: str, page: str, live: str | None) -> None:
    address = Address.read(typed)
    assert address.page == page
    assert address.live == live or (live is None and address.live.startswith("ws"))


@pytest.mark.parametrize(
    "typed",
    [
        *("", "http://", "ftp://h", "http://h:99999", "http://h:0", "http://a b"),
        *("http://anne:secret@h/", "http://h/tables/", "http://h/tables/../x"),
        *("http://h/else where", "file:///etc/passwd", "http://h\n/tables/x y"),
    ],
)
def test_what_is_no_address(typed: str) -> None:
    with pytest.raises(Misuse) as caught:
        Address.read(typed)
    assert caught.value.reason == "not_an_address"


# Cookies


def test_a_cookie_is_kept_for_each_name_at_each_playroom(folder: Path) -> None:
    ring = KeyRing(folder, "http://one")
    assert ring.find(None) == ("", "")
    ring.keep("Zoé", "volte=1")
    ring.keep("Anne", "volte=2")
    again = KeyRing(folder, "http://one")
    assert again.find(None) == ("Anne", "volte=2")
    assert again.find("Zoé") == ("Zoé", "volte=1")
    assert again.find("Paul") == ("Paul", "")
    assert KeyRing(folder, "http://other").find(None) == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="there, files have no modes")
def test_cookies_are_for_nobody_elses_eyes(folder: Path) -> None:
    KeyRing(folder, "http://one").keep("Zoé", "volte=1")
    (file,) = (path for path in folder.rglob("*") if path.is_file())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_file_of_cookies_that_makes_no_sense_is_as_none(folder: Path) -> None:
    KeyRing(folder, "http://one").keep("Zoé", "volte=1")
    (file,) = (path for path in folder.rglob("*") if path.is_file())
    file.write_bytes(b"\xff")
    assert KeyRing(folder, "http://one").find(None) == ("", "")


def test_where_nothing_can_be_kept_one_is_a_stranger_next_time(folder: Path) -> None:
    (folder / "playrooms").write_text("in the way")
    ring = KeyRing(folder, "http://one")
    ring.keep("Zoé", "volte=1")
    assert ring.find(None) == ("Zoé", "volte=1")
    assert KeyRing(folder, "http://one").find(None) == ("", "")


# Lines between


def interrupted(news: int, at_terminal: bool = False) -> tuple[LiveConsole, StringIO]:
    """A console, with its screen, at which "qs" is typed after that many pieces of news."""

    def answer(_: str) -> str:
        for number in range(news):
            console.inbox.put(number)
        console.inbox.put(None)  # as when nothing comes for a while
        return "qs"

    screen = StringIO()
    console = LiveConsole(Keyboard(answer, screen, at_terminal), screen)
    console.meanwhile = lambda item: None if item is None else console.say(f"News {item}.")
    return console, screen


def test_a_question_that_was_interrupted_is_asked_again() -> None:
    console, screen = interrupted(2)
    assert console.ask("Your card?") == "qs"
    assert screen.getvalue() == "Your card?\nNews 0.\nNews 1.\nYour card?\n"


def test_at_a_terminal_news_begin_a_line_of_their_own() -> None:
    console, screen = interrupted(1, at_terminal=True)
    assert console.ask("Your card?") == "qs"
    assert screen.getvalue() == "Your card? \nNews 0.\nYour card? "


def test_whatever_news_raise_ends_the_question() -> None:
    def drop(item: object) -> None:
        if item == 0:
            raise KeyError

    console, _ = interrupted(1)
    console.meanwhile = drop
    with pytest.raises(KeyError):
        console.ask("Your card?")
    console.meanwhile = lambda _: None
    assert console.ask("Your lead?") == "qs"  # out of a file, a line waits for its question


def test_lines_out_of_a_file_wait_for_a_question() -> None:
    screen = StringIO()
    console = LiveConsole(Keyboard(Script(["one", "two"]), screen), screen)
    assert console.listen() is None
    assert console.ask("?") == "one"
    assert console.listen() is None
    assert console.ask("?") == "two"
    with pytest.raises(Quit):
        console.ask("?")
    with pytest.raises(Quit):
        console.ask("?")


def test_at_a_terminal_somebody_types_at_any_time() -> None:
    screen = StringIO()
    console = LiveConsole(Keyboard(Script(["w"]), screen, terminal=True), screen)
    typed = None
    while typed is None:
        typed = console.listen()
    assert isinstance(typed, Typed)
    assert console.text_of(typed) == "w"


def test_what_was_typed_for_a_question_that_is_gone_answers_no_other() -> None:
    over = Event()

    def drop(_: object) -> None:
        console.inbox.put(Typed(b".2\n"))
        console.forget_typing()
        console.inbox.put(Typed(b".4\n"))
        raise KeyError

    screen = StringIO()
    keyboard = Keyboard(lambda _: None if over.wait(60) else "", screen, terminal=True)
    console = LiveConsole(keyboard, screen)
    console.meanwhile = drop
    console.inbox.put("news")
    try:
        with pytest.raises(KeyError):
            console.ask("Your card?")
        console.meanwhile = lambda _: None
        assert console.ask("Your lead?") == ".4"
    finally:
        over.set()
    assert screen.getvalue() == "Your card? \nYour lead? "


def test_a_line_that_never_ends_is_the_end_of_the_input() -> None:
    class Endless(BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            return b"x" * (size or 1)

    with pytest.raises(Quit):
        LiveConsole(Endless(), StringIO()).ask("?")
