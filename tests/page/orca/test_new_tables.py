"""Tables that somebody opens, plans or finds full, and waiting ones, as Orca speaks them."""

from __future__ import annotations

import time
from typing import Final
from unittest.mock import patch

import pytest
from kit.orca.desk import Desk
from kit.orca.ear import Ear, compare
from kit.orca.playroom import Friend, Guest
from kit.sites import Playroom
from page.orca.conftest import ByEar
from page.orca.test_meeting import FREE, table_of, tonight

from volte.rules import make_ruleset, preset
from volte.table import Access, Setup
from volte.table.commands import Start
from volte.web import controls, table_form

pytestmark = pytest.mark.full

NOBODY: Final = ["", "", ""]


def test_a_new_table_is_heard(by_ear: ByEar) -> None:
    by_ear(lambda playroom, guest, desk: open_a_table(playroom, guest, Ear(desk)))


def open_a_table(playroom: Playroom, guest: Guest, ear: Ear) -> None:
    """The form from its head to its button, and the table that opens, to which somebody comes."""
    bob = Friend.come(playroom)
    guest.open(ear, "/tables/new", word="skip")
    ear.chapter("new-table")
    ear.press("h")
    ear.seek("Tab", "friends")
    ear.press("Tab", "Return", "Tab", "Escape", "Tab", "Tab", "Tab", "Tab", "Tab")
    ear.seek("shift+Tab", "open it", most=2)
    ear.chapter("gathering")
    ear.pass_over("Return", "take the free")
    ear.press("t", *["shift+Tab"] * 4, "Tab", "Return")
    table = table_of(playroom, guest)
    ear.listen("Bob comes", lambda: bob.sit(table, 1), "Bob sits")
    ear.press("Tab", "Tab", "t")
    compare(ear)
    bob.leave()


def test_a_planned_table_and_its_reminder_are_heard(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        with Guest(playroom, desk.lang, "Ana") as ana, tonight():
            plan(playroom, guest, Ear(desk))
            be_reminded(playroom, guest, ana, Ear(desk))

    by_ear(listen, zone="Europe/Paris")


def plan(playroom: Playroom, guest: Guest, ear: Ear) -> None:
    """The form, where the table is to be later, and the table that it opens."""
    proposed = {"date": "2030-01-31", "time": "20:30"}
    with (
        patch.object(controls, "proposed_time", lambda *_: proposed),
        patch.object(table_form, "planned_for", lambda form, *_: time.time() + 9000),
    ):
        guest.open(ear, "/tables/new", word="skip")
        ear.seek("Tab", "when")
        ear.chapter("planning")
        ear.press("Down")
        ear.seek("Tab", "open it", most=12)
        ear.pass_over("Return", "take the free")
        ear.press("t")
    compare(ear)


def be_reminded(playroom: Playroom, guest: Guest, ana: Guest, ear: Ear) -> None:
    """A planned table of somebody else, and its reminder on a page, where a match waits, too."""
    rules = make_ruleset(preset("coeurs").name)
    soon = Setup("Ce soir", rules, access=Access.PUBLIC, planned=time.time() + 600)
    table = ana.open_setup(soon, NOBODY)
    guest.open(ear, f"/tables/{table}/remind", "a planned table", word="skip")
    ear.chapter("planned")
    ear.press("h", *["Down"] * 3)
    ear.seek("Tab", "remind me", most=2)
    ear.pass_over("Return", "reminded")
    ear.press("Tab", "Up")
    playing = guest.device(playroom)
    playing.join(guest.open_table())
    playing.do(Start())
    ear.chapter("waiting")
    guest.open(ear, "/help", word="reminder")
    ear.press("m", "m", "m")
    ear.seek("Tab", "go on", most=4)
    ear.seek("shift+Tab", "to the table", most=2)
    compare(ear)


def test_a_full_table_is_heard(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        with Guest(playroom, desk.lang, "Ana") as ana:
            find_it_full(playroom, guest, ana, Ear(desk))

    by_ear(listen)


def find_it_full(playroom: Playroom, guest: Guest, ana: Guest, ear: Ear) -> None:
    """People have all seats; another table is offered, and one of one's own."""
    host, names = ana.device(playroom), ("Bob", "Dan", "Eva")
    rules = make_ruleset(preset("coeurs").name)
    table = ana.open_setup(Setup("Essai", rules, access=Access.PUBLIC), NOBODY)
    ana.open_setup(Setup("Chez Ana", rules, access=Access.PUBLIC), FREE)
    host.join(table)
    people = [Friend.come(playroom, name) for name in names]
    for seat, each in enumerate(people, start=1):
        each.sit(table, seat)
    guest.open(ear, f"/tables/{table}", "a full table", word="skip")
    ear.chapter("full")
    ear.press("h", "h", *["Down"] * 5, "h", "Down", "h", "Down", "Tab")
    ear.seek("shift+Tab", "own table", most=2)
    ear.pass_over("Return", "take the free")
    ear.press("t")
    compare(ear)
    for each in (host, *people):
        each.leave()
