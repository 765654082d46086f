"""Coming, watching, and being cut off in the middle, as a real screen reader speaks it."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.browser.line import Line
from kit.orca.desk import Desk
from kit.orca.ear import Ear, compare
from kit.orca.playroom import Guest, Seat
from kit.sites import Playroom, Process
from page.orca.conftest import ByEar
from page.orca.test_heard import SPOKEN

from volte.table.commands import Start
from volte.table.turns import TurnKind

pytestmark = pytest.mark.full


def test_who_comes_and_who_watches_hears_the_table(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, host: Guest, desk: Desk) -> None:
        come(playroom, host, desk)
        watch(playroom, host, desk)

    by_ear(listen, "Ana")


def come(playroom: Playroom, host: Guest, desk: Desk) -> None:
    """Somebody new follows a link that they were sent, and sits down."""
    ear = Ear(desk)
    table, device = host.open_table(levels=["casual", "casual", ""]), host.device(playroom)
    device.join(table)
    ear.chapter("invited")
    ear.open(f"{playroom.address}/tables/{table}", "an invitation")
    ear.press("h", "Down", "Down")
    ear.seek("Tab", "name")
    ear.type("Zoe")
    ear.pass_over("Return", "sits down")
    ear.listen("Ana begins", lambda: device.do(Start()), "to pass")
    desk.settle(SPOKEN)  # or the page would say it again
    ear.seek("Tab", "to hand")
    ear.press("Return", "t")
    compare(ear)
    device.leave()


def watch(playroom: Playroom, host: Guest, desk: Desk) -> None:
    """Somebody watches a table at which one person plays with bots."""
    ear, lang = Ear(desk), desk.lang
    with Guest(playroom, lang) as guest:
        table, device = host.open_table(pass_count=0), host.device(playroom)
        seat = Seat(playroom, lang, table)
        device.join(table)
        device.do(Start())
        device.play(lambda: seat.what is TurnKind.PLAY)
        guest.open(ear, f"/tables/{table}?watch", "a table to watch")
        ear.seek("Tab", "questions")
        ear.chapter("watching")
        device.play(lambda: seat.what is None)
        ear.listen("Ana plays", lambda: device.play(lambda: seat.what is TurnKind.PLAY), "leads")
        ear.press("t", "c", "s")
        compare(ear)
        device.leave()


def test_a_line_that_is_cut_is_told_and_keys_are_answered_meanwhile(by_ear: ByEar) -> None:
    by_ear(cut)


def cut(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    """The line is dead: questions are answered from what is known, and a card waits."""
    ear = Ear(desk)
    table = guest.open_table(pass_count=0)
    with Line(playroom.address) as line:
        guest.open(ear, f"/tables/{table}?begin", "a table", at=line.address, word="to pass")
        seat = Seat(playroom, desk.lang, table)
        ear.seek("Tab", "hand")
        ear.chapter("cut")
        ear.listen("the line is cut", line.cut, "line lost")
        ear.press("t", "c", "h")
        seat.go_to(ear, seat.legal)
        ear.press("Return", "t")
        ear.listen("the line is back", line.mend, "line back")
        ear.press("t")
        compare(ear)


def test_a_server_that_was_killed_comes_back(
    tmp_path_factory: pytest.TempPathFactory, lang: str
) -> None:
    kill(tmp_path_factory.mktemp("playroom"), lang)


def kill(folder: Path, lang: str) -> None:
    """Kill the server; no card is named, as nobody knows beforehand what this server deals."""
    database = f"sqlite:///{folder / 'playroom.sqlite'}"
    with (
        Process(database, folder) as server,
        Guest(server, lang, bot_pace=0, trick_pace=0) as guest,
        Desk(lang) as desk,
    ):
        ear = Ear(desk)
        table = guest.open_table()
        guest.open(ear, f"/tables/{table}?begin", "a table", word="to pass")
        ear.seek("Tab", "hand")
        ear.chapter("killed")
        ear.listen("the server is killed", server.kill, "line lost")
        ear.press("t", "l")
        ear.listen("the server is back", server.restart, "line back")
        ear.press("t", "l")
        compare(ear)
