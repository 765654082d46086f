"""People who find each other: the list of tables, whom one looks for, who comes, as Orca speaks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final
from unittest.mock import patch

import pytest
from kit.browser.players import opened_with
from kit.orca.desk import Desk, wait
from kit.orca.ear import Ear, compare
from kit.orca.playroom import Friend, Guest, Seat
from kit.sites import Playroom
from page.orca.conftest import ByEar

from volte.rules import make_ruleset, preset
from volte.say import Words
from volte.say.measures import planned_told, time_told
from volte.scene import table as scenes
from volte.server.tables import planned, reminding, rows
from volte.table import Access, Setup
from volte.table.commands import Stand
from volte.table.live import LiveTable
from volte.table.turns import TurnKind

pytestmark = pytest.mark.full

NOON: Final = 12 * 3600.0
TONIGHT: Final = 20.5 * 3600.0
FREE: Final = ["casual", "casual", ""]


def evening(words: Words) -> str:
    """The time of a planned table, in words."""
    return planned_told(words, TONIGHT, NOON)


@contextmanager
def tonight() -> Iterator[None]:
    """Inside the context, tables are planned for half past eight of this evening, as far as words
    tell, whatever the time is."""
    with ExitStack() as stack:
        for module in (rows, reminding, scenes):
            stack.enter_context(
                patch.object(module, "planned_told", lambda words, *_: evening(words))
            )
        hour = patch.object(planned, "time_told", lambda words, _: time_told(words, TONIGHT))
        stack.enter_context(hour)
        yield


@contextmanager
def stopped(playroom: Playroom) -> Iterator[None]:
    """Inside the context, no wait at a meeting table ends, and 60 seconds are left of each."""
    left = LiveTable.meeting_left

    def still(live: LiveTable) -> float | None:
        return None if left(live) is None else 60.0

    with (
        opened_with(playroom, fill=3600.0, anew=3600.0),
        patch.object(LiveTable, "meeting_left", still),
    ):
        yield


def table_of(playroom: Playroom, who: Guest) -> str:
    """The id of the table where somebody has a seat; empty as long as they have none."""
    tables = playroom.site.room.lobby.tables
    return next((each.id for each in tables if each.state.seat_of(who.person) is not None), "")


def test_people_find_each_other_from_the_first_page(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        with Guest(playroom, desk.lang, "Ana") as ana, tonight(), stopped(playroom):
            choose_a_table(playroom, guest, ana, Ear(desk))
            choose_people(playroom, guest, Ear(desk))

    by_ear(listen)


def choose_a_table(playroom: Playroom, guest: Guest, ana: Guest, ear: Ear) -> None:
    """The list of tables; one that is being read goes."""
    device = ana.device(playroom)
    rules = make_ruleset(preset("coeurs").name)
    table = ana.open_setup(Setup("Chez Ana", rules, access=Access.PUBLIC), FREE)
    device.join(table)
    later = Setup("Ce soir", rules, access=Access.PUBLIC, planned=time.time() + 9000)
    ana.open_setup(later, ["", "", ""])
    guest.open(ear, "/", "the first page")
    ear.chapter("tables")
    ear.press("h", "h", "h", "h", *["Down"] * 9)
    ear.press(*["Down"] * 7)
    ear.seek("Tab", "remind me", most=3)
    ear.seek("shift+Tab", "Chez Ana", most=3)
    device.do(Stand())
    gone = ear.word("no longer listed")
    ear.listen("Ana leaves", lambda: wait(gone, lambda: told(ear, gone)), "no longer listed")
    ear.press("Tab")
    compare(ear)
    device.leave()


def told(ear: Ear, word: str) -> bool:
    """Whether a word has been heard at this desk."""
    return any(word in each.text for each in ear.desk.voice.said)


def choose_people(playroom: Playroom, guest: Guest, ear: Ear) -> None:
    """Whom one would play with is chosen, and one press leads to the hand; then somebody comes."""
    dan, bob = Friend.come(playroom, "Dan"), Friend.come(playroom, "Bob")
    dan.meet("black-maria")
    guest.open(ear, "/", "the first page")
    ear.chapter("people")
    ear.seek("Tab", "change")
    ear.seek("Tab", "change")
    ear.press("Return", "Tab", "Down", "shift+Tab", "Tab")
    ear.seek("Tab", "with people")

    def dealt() -> bool:
        table = table_of(playroom, guest)
        return table != "" and Seat(playroom, table=table).what is TurnKind.PASS

    ear.chapter("seeking")
    ear.until("Return", "at the table", dealt, "people wait")
    ear.press("t", "shift+g")
    ear.chapter("met")
    ear.listen("Bob presses, too", lambda: bob.meet("dame-de-pique"), "with Bob")
    ear.press("t", "shift+g")
    ear.seek("Tab", "more")
    ear.seek("Right", "stop looking")
    ear.press("Return", "Return")
    compare(ear)
    for each in (dan, bob):
        each.leave()
