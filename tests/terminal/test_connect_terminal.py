"""A real terminal at a playroom: signals, keys at any time, and hidden passwords."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest
from kit import Playroom, done
from kit.strategies import in_full
from kit.terminals import Guest, Terminal, Volte, happenings

from volte.table import Access
from volte.table import happenings as hap
from volte.table.commands import Start

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there, terminals are other things")

Connect = Callable[..., Terminal]


@pytest.fixture
def connect(environ: dict[str, str], playroom: Playroom) -> Connect:
    """A terminal at a table, or at a playroom where none is named."""

    def call(table: str = "", *args: str, **options: int) -> Terminal:
        address = f"{playroom.address}/tables/{table}" if table else playroom.address
        name = ("--name", "Paul")
        return Terminal(environ, "play", "--connect", address, *name, *args, columns=200, **options)

    return call


@pytest.fixture
def guarded(anne: Guest) -> str:
    """A table with a password."""
    return anne.open("", "", "", password="sésame", access=Access.PASSWORD)


@pytest.mark.parametrize("number", [signal.SIGINT, *in_full(signal.SIGTERM, signal.SIGHUP)])
def test_a_signal_ends_it_in_good_order_and_the_way_back_is_one(
    number: signal.Signals, connect: Connect, volte: Volte
) -> None:
    terminal = connect("", "--rules", "coeurs")
    terminal.until("to Alice? ")
    terminal.process.send_signal(number)
    assert terminal.end() == 128 + number
    way = re.search(r"^The match is waiting for you: .* --connect (\S+)\r$", terminal.said, re.M)
    assert way is not None, terminal.said
    assert "to Alice?" in volte("play", "--connect", way[1]).out


def test_keys_are_answered_while_others_are_waited_for(
    connect: Connect, playroom: Playroom, anne: Guest
) -> None:
    table = anne.open("", "casual", "casual")
    terminal = connect(table)
    terminal.converse(
        ("or type 0 to watch. ", ""),
        ("Waiting for the host to begin the match.\r\n", "ww"),
        ("Seat 2: you.", "qs"),
        ("There is nothing to do now.", "?"),
        ("WW: who is at the table.", "\x01x"),
    )
    terminal.until("Volte could not read that.")
    playroom.do(done(playroom.live(table), anne.who, Start()))
    terminal.converse(("Which 3 cards do you pass to Alice? ", ".1 .2 .3"), ("You pass ", "u"))
    terminal.until("You take your cards back.\r\n")
    terminal.converse(("Which 3 cards do you pass to Alice? ", "q"))
    assert terminal.end() == 0


def test_a_password_is_not_shown(connect: Connect, guarded: str) -> None:
    terminal = connect(guarded)
    question = "The password of this table? "
    terminal.converse(
        (question, "simsim"),
        (question, "sésame"),
        ("or type 0 to watch. ", "0"),
        ("You are watching.", "ww"),
        ("Seat 2: free.", "q"),
    )
    assert terminal.end() == 0
    assert "simsim" not in terminal.said
    assert "sésame" not in terminal.said


def test_ctrl_c_before_a_password_is_told(connect: Connect, guarded: str) -> None:
    terminal = connect(guarded)
    terminal.until("The password of this table? ")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 128 + signal.SIGINT


def test_a_window_that_is_closed(connect: Connect, playroom: Playroom) -> None:
    terminal = connect("", "--rules", "coeurs", stderr=subprocess.PIPE)
    terminal.until("to Alice? ")
    table = re.search(r"/tables/([\w-]+)", terminal.said)
    assert table is not None
    terminal.close()
    _, complaints = terminal.process.communicate(timeout=20)
    assert complaints == b""
    assert hap.Paused("Paul") in happenings(playroom, table[1])
