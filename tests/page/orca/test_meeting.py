"""People who find each other: the list of tables, whom one looks for, who comes, as Orca speaks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from math import inf
from typing import Any, Final
from unittest.mock import patch

import pytest
from kit.browser.states import SIXTEEN
from kit.orca.desk import Desk, wait
from kit.orca.ear import Ear, compare
from kit.orca.playroom import Friend, Guest, Seat
from kit.sites import Playroom
from page.orca.conftest import ByEar

from volte.rules import make_ruleset, preset
from volte.rules.options import Value
from volte.say import Words
from volte.say.measures import planned_told, time_told
from volte.scene import table as scenes
from volte.server.tables import planned, reminding, rows
from volte.table import Access, Setup, pacing
from volte.table.commands import Anew, Stand
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
def stopped(playroom: Playroom) -> Iterator[Callable[[], None]]:
    """Inside the context, 60 seconds are left of each wait at a meeting table, until all end by a
    call of what the context gives."""
    over, ends, left = False, pacing.meeting_ends, LiveTable.meeting_left
    lobby = playroom.site.room.lobby

    def ends_by_call(*known: Any) -> float | None:
        end = ends(*known)
        return end if end in (None, pacing.AT_ONCE) else pacing.AT_ONCE if over else inf

    def still(live: LiveTable) -> float | None:
        return None if left(live) is None else 60.0

    async def wake() -> None:
        for live in lobby.tables:
            live._woken.set()

    def end() -> None:
        nonlocal over
        over = True
        playroom.do(wake())
        wait("the end", lambda: not any(map(still, lobby.tables)))
        over = False

    with (
        patch.object(pacing, "meeting_ends", ends_by_call),
        patch.object(LiveTable, "meeting_left", still),
    ):
        yield end


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
    guest.open(ear, "/", "the first page", word="skip")
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
    ear.until("Return", "at the table", dealt, "people wait + to pass")
    ear.press("t", "shift+g")
    ear.chapter("met")
    ear.listen("Bob presses, too", lambda: bob.meet("dame-de-pique"), "with Bob + people wait")
    ear.press("t", "shift+g")
    ear.seek("Tab", "more")
    ear.seek("Right", "stop looking")
    ear.press("Return", "Return")
    compare(ear)
    for each in (dan, bob):
        each.leave()


def test_a_match_is_begun_anew_and_left(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        with stopped(playroom) as end:
            begin_anew_and_leave(playroom, guest, Ear(desk), end)

    by_ear(listen)


def begin_anew_and_leave(
    playroom: Playroom, guest: Guest, ear: Ear, end: Callable[[], None]
) -> None:
    """Bob comes after a deal, and nobody begins anew; Dan comes, and all do. Then one leaves."""
    device = guest.device(playroom)
    bob, dan = Friend.come(playroom, "Bob"), Friend.come(playroom, "Dan")
    options: dict[str, Value] = {"pass_count": 0, "removed": SIXTEEN, "match_end": "deals:9"}
    rules = make_ruleset(preset("coeurs").name, options)
    table = guest.open_setup(Setup("Essai", rules, access=Access.PUBLIC, meeting=True))
    seat = Seat(playroom, table=table)
    guest.open(ear, f"/tables/{table}?begin", "a table", word="to pass")
    device.join(table)
    device.play(lambda: seat.what is TurnKind.NEXT)
    device.lose()
    ear.seek("Tab", "next")
    ear.chapter("anew")
    ear.listen("Bob comes", lambda: bob.sit(table, 1), "Bob + anew")
    ear.press("t")
    ear.listen("20 seconds later", end, "as it stands")
    ear.listen("Dan comes", lambda: dan.sit(table, 2), "Dan + anew")
    ear.press("shift+Tab")
    ear.seek("shift+Tab", "begin anew", most=3)
    ear.until("Return", "one would", None, "you would")
    ear.listen("Bob would, too", lambda: bob.do(Anew()), "Bob")
    ear.listen("Dan would, too", lambda: dan.do(Anew()), "Dan + Deal 1")
    ear.press("t")
    ear.chapter("left")
    ear.seek("Tab", "more")
    ear.seek("Right", "leave table")
    ear.press("Return", "Tab")
    ear.pass_over("Return", "table left")
    ear.top("the people met")
    ear.press("h", "h", *["Down"] * 6, "shift+h")
    ear.seek("Tab", "not again", most=2)
    ear.pass_over("Return", "kept apart")
    ear.press("Up", "Down", "Tab")
    ear.pass_over("Return", "together again")
    ear.press("Tab")
    compare(ear)
    for each in (bob, dan):
        each.leave()


def test_who_waits_without_bots_hears_for_how_long_and_who_comes(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        with stopped(playroom) as end:
            wait_without_bots(playroom, guest, Ear(desk), end)

    by_ear(listen)


def wait_without_bots(playroom: Playroom, guest: Guest, ear: Ear, end: Callable[[], None]) -> None:
    """The box is checked; Bob comes to the empty table; bots take the other seats in the end."""
    bob = Friend.come(playroom)
    guest.open(ear, "/", "the first page")
    ear.seek("Tab", "change")
    ear.seek("Tab", "change")
    ear.chapter("empty")
    ear.press("Return")
    ear.seek("Tab", "no bots", most=12)
    ear.press("space")
    ear.seek("Tab", "with people")
    ear.pass_over("Return", "until bots")
    ear.press("t", "shift+g")
    ear.listen("Bob presses, too", lambda: bob.meet(""), "Bob sits + with Bob + nobody waits")
    ear.press("t", "shift+Tab", "Tab", "Right", "t")
    ear.listen("the wait is over", end, "Deal 1 + to pass")
    ear.press("t")
    compare(ear)
    bob.leave()
