"""Who comes, watches, or is cut off in the middle, as a real screen reader speaks it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from kit.sites import House, Process
from page.line import Line
from page.orca.desk import Desk, missing
from page.orca.ear import Ear, compare, twice
from page.orca.playroom import Guest, door
from page.orca.seat import Seat
from page.orca.test_heard import HAND, NAME, SPOKEN, TO_PASS, playroom

from volte.table.commands import Start
from volte.table.turns import TurnKind

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(missing() != "", reason=f"missing for Orca: {missing()}"),
]

LEADS: Final = {"fr": "entame", "en": "leads"}
LOST: Final = {"fr": "La connexion est perdue", "en": "The connection is lost"}
BACK: Final = {"fr": "La connexion est rétablie", "en": "The connection is back"}
SIT: Final = {"fr": "Vous prenez place", "en": "You sit down"}
TO_HAND: Final = {"fr": "À votre main", "en": "To your hand"}
QUESTIONS: Final = {"fr": "Questions", "en": "Questions"}


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_who_comes_and_who_watches_hears_the_table(
    tmp_path_factory: pytest.TempPathFactory, lang: str
) -> None:
    def listen() -> None:
        folder = tmp_path_factory.mktemp("house")
        with playroom(folder) as house, Desk(lang) as desk, Guest(house, lang, "Ana") as host:
            come(house, host, desk)
            watch(house, host, desk)

    twice(listen)


def come(house: House, host: Guest, desk: Desk) -> None:
    """Somebody new follows a link that they were sent, and sits down."""
    ear, lang = Ear(desk), desk.lang
    table, device = host.open_table(levels=["casual", "casual", ""]), host.device(house)
    device.join(table)
    ear.chapter("invited")
    ear.open(f"{house.address}/tables/{table}", "an invitation")
    ear.press("h", "Down", "Down")
    ear.seek("Tab", NAME[lang])
    ear.type("Zoe")
    ear.pass_over("Return", SIT[lang])
    ear.listen("Ana begins", lambda: device.do(Start()), TO_PASS[lang])
    desk.settle(SPOKEN)  # or the page would say it again
    ear.seek("Tab", TO_HAND[lang])
    ear.press("Return", "t")
    compare(ear)
    device.leave()


def watch(house: House, host: Guest, desk: Desk) -> None:
    """Somebody watches a table at which one person plays with bots."""
    ear, lang = Ear(desk), desk.lang
    with Guest(house, lang) as guest:
        table, device = host.open_table(pass_count=0), host.device(house)
        seat = Seat(house, lang, table)
        device.join(table)
        device.do(Start())
        device.play(lambda: seat.what is TurnKind.PLAY)
        with door(guest.cookie, f"{house.address}/tables/{table}?watch") as address:
            ear.open(address, "a table to watch")
        ear.seek("Tab", QUESTIONS[lang])
        ear.chapter("watching")
        device.play(lambda: seat.what is None)
        ear.listen(
            "Ana plays", lambda: device.play(lambda: seat.what is TurnKind.PLAY), LEADS[lang]
        )
        ear.press("t", "c", "s")
        compare(ear)
        device.leave()


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_line_that_is_cut_is_told_and_keys_are_answered_meanwhile(
    tmp_path_factory: pytest.TempPathFactory, lang: str
) -> None:
    def listen() -> None:
        folder = tmp_path_factory.mktemp("house")
        with playroom(folder) as house, Desk(lang) as desk, Line(house.address) as line:
            cut(house, line, desk)

    twice(listen)


def cut(house: House, line: Line, desk: Desk) -> None:
    """The line is dead: questions are answered from what is known, and a card waits."""
    ear, lang = Ear(desk), desk.lang
    with Guest(house, lang) as guest:
        table = guest.open_table(pass_count=0)
        with door(guest.cookie, f"{line.address}/tables/{table}?begin") as address:
            ear.open(address, "a table")
        seat = Seat(house, lang, table)
        ear.seek("Tab", HAND[lang])
        ear.chapter("cut")
        ear.listen("the line is cut", line.cut, LOST[lang])
        ear.press("t", "c", "h")
        seat.go_to(ear, seat.legal)
        ear.press("Return", "t")
        ear.listen("the line is back", line.mend, BACK[lang])
        ear.press("t")
        compare(ear)


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_server_that_was_killed_comes_back(
    tmp_path_factory: pytest.TempPathFactory, lang: str
) -> None:
    twice(lambda: kill(tmp_path_factory.mktemp("house"), lang))


def kill(folder: Path, lang: str) -> None:
    """What is said names no card: what this server deals, nobody knows beforehand."""
    database = f"sqlite:///{folder / 'playroom.sqlite'}"
    with (
        Process(database, folder) as server,
        Guest(server, lang, bot_pace=0, trick_pace=0) as guest,
        Desk(lang) as desk,
    ):
        ear = Ear(desk)
        table = guest.open_table()
        with door(guest.cookie, f"{server.address}/tables/{table}?begin") as address:
            ear.open(address, "a table")
        ear.seek("Tab", HAND[lang])
        ear.chapter("killed")
        ear.listen("the server is killed", server.kill, LOST[lang])
        ear.press("t", "l")
        ear.listen("the server is back", server.restart, BACK[lang])
        ear.press("t", "l")
        compare(ear)
