"""A real terminal at a playroom: signals, keys at any time, and what is not shown."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from terminal.playrooms import Guest, Playroom, open_playroom
from terminal.test_being_stopped import Terminal, environ

from volte.table import Access
from volte.table import happenings as hap
from volte.table.commands import Start

__all__ = ["environ"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there, terminals are other things")


@pytest.fixture
def playroom(folder: Path) -> Iterator[Playroom]:
    with open_playroom(folder) as opened:
        yield opened


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_in_good_order_and_the_way_back_is_one(
    number: signal.Signals, environ: dict[str, str], playroom: Playroom
) -> None:
    connect = ("play", "--connect", playroom.address, "--name", "Zoé")
    terminal = Terminal(environ, *connect, "--rules", "coeurs", columns=200)
    terminal.until("to Alice? ")
    terminal.process.send_signal(number)
    assert terminal.end() == 128 + number
    way = re.search(r"^The match waits for you: .* --connect (\S+)\r$", terminal.said, re.M)
    assert way is not None, terminal.said
    assert "Traceback" not in terminal.said

    again = Terminal(environ, "play", "--connect", way[1], columns=200)
    again.until("to Alice? ")
    again.type("\x04")
    assert again.end() == 0


def test_keys_are_answered_while_others_are_waited_for(
    environ: dict[str, str], playroom: Playroom
) -> None:
    anne = Guest(playroom.address, "Anne")
    table = anne.open("", "casual", "casual")
    page = f"{playroom.address}/tables/{table}"
    terminal = Terminal(environ, "play", "--connect", page, "--name", "Paul", columns=200)
    terminal.until("and 0 watches. ")
    terminal.type("\n")
    terminal.until("The host begins the match.\r\n")
    for typed, answer in (
        ("w", "Seat 2: you."),
        ("qs", "Nothing is asked of you now."),
        ("?", "W: who is at the table."),
        ("\x01x", "That was no text."),
    ):
        terminal.type(typed + "\n")
        terminal.until(answer)
    playroom.do(table, anne.who, Start())
    terminal.until("Your 3 cards to Alice? ")
    terminal.type(".1 .2 .3\n")
    terminal.until("You pass ")
    terminal.type("u\n")
    terminal.until("You take your cards back.\r\n")
    terminal.until("Your 3 cards to Alice? ")
    terminal.type("q\n")
    assert terminal.end() == 0


def test_a_password_is_not_shown(environ: dict[str, str], playroom: Playroom) -> None:
    anne = Guest(playroom.address, "Anne")
    table = anne.open("", "", "", password="sésame", access=Access.PASSWORD)
    page = f"{playroom.address}/tables/{table}"
    terminal = Terminal(environ, "play", "--connect", page, "--name", "Paul", columns=200)
    terminal.until("The password of this table? ")
    terminal.type("simsim\n")
    terminal.until("The password of this table? ")
    terminal.type("sésame\n")
    terminal.until("and 0 watches. ")
    terminal.type("0\n")
    terminal.until("You watch.")
    terminal.type("w\n")
    terminal.until("Seat 2: free.")
    terminal.type("q\n")
    assert terminal.end() == 0
    assert "simsim" not in terminal.said
    assert "sésame" not in terminal.said


def test_ctrl_c_before_a_password_is_told(environ: dict[str, str], playroom: Playroom) -> None:
    anne = Guest(playroom.address, "Anne")
    table = anne.open("", "", "", password="sésame", access=Access.PASSWORD)
    page = f"{playroom.address}/tables/{table}"
    terminal = Terminal(environ, "play", "--connect", page, "--name", "Paul", columns=200)
    terminal.until("The password of this table? ")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 128 + signal.SIGINT
    assert "Traceback" not in terminal.said


def test_a_window_that_is_closed(environ: dict[str, str], playroom: Playroom) -> None:
    connect = ("play", "--connect", playroom.address, "--name", "Zoé", "--rules", "coeurs")
    terminal = Terminal(environ, *connect, columns=200, stderr=subprocess.PIPE)
    terminal.until("to Alice? ")
    table = re.search(r"/tables/([\w-]+)", terminal.said)
    assert table is not None
    terminal.close()
    _, complaints = terminal.process.communicate(timeout=20)
    assert complaints == b""
    assert hap.Paused("Zoé") in playroom.happenings(table[1])
