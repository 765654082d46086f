"""The list of open tables, while tables come, fill and go under somebody’s eyes, ears and hands."""

from __future__ import annotations

from typing import Any, Final

import pytest
from kit.browser.judging import axe_faults
from kit.browser.players import Browse, Player, scripts
from kit.tables import ANNE, setup
from playwright.sync_api import Error

from volte.server.tables.open_tables import OpenTables
from volte.table import Someone
from volte.table.commands import Close, Command, Sit, Stand
from volte.table.live import LiveTable

SCRIPTS: Final = scripts(__file__)
OTHERS: Final = tuple(Someone(name.lower(), name) for name in ("Ben", "Cleo", "Dan"))
HIDDEN: Final = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Looks away from a page, or at it again."""


class Looker:
    """Somebody who looks at the list, and tables that come and go meanwhile."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.lobby = player.playroom.site.room.lobby
        listed = player.playroom.do(self.lobby.listed())  # those of other tests
        for each in (player.playroom.do(self.lobby.find(listing.table)) for listing in listed):
            assert each is not None
            for seat in each.state.seats:  # nobody closes a table at which strangers have met
                if seat.person not in ("", each.state.host):
                    self.do(each, Someone(seat.person, seat.name), Stand())
            self.close(each)

    def open(self, name: str, people: int = 1, **chosen: Any) -> LiveTable:
        table = self.player.playroom.do(self.lobby.open(setup(name=name, **chosen), ANNE))
        for seat, who in enumerate((ANNE, *OTHERS)[:people]):
            self.do(table, who, Sit(seat))
        return table

    def fill(self, table: LiveTable) -> None:
        for seat, who in enumerate(OTHERS, start=1):
            if table.state.seats[seat].free:
                self.do(table, who, Sit(seat))

    def close(self, table: LiveTable) -> None:
        self.player.playroom.do(
            table.do(Someone(table.state.host, ""), Close(), table.state.version)
        )

    def do(self, table: LiveTable, who: Someone, command: Command) -> None:
        reply = self.player.playroom.do(table.do(who, command, table.state.version))
        assert reply.refusal is None

    def come(self) -> None:
        """Come to the page, at which no time passes but by `look`."""
        self.player.page.clock.install(time=0)
        self.player.page.clock.pause_at(1000)
        self.player.go_to("/")
        self.player.page.evaluate(f"{SCRIPTS}.mark()")

    def look(self, seconds: int = 30) -> None:
        """Let time pass until the page has asked for the list, which the server reads anew."""
        self.player.playroom.site.room[OpenTables]._until = 0.0
        page = self.player.page
        with page.expect_response("**/lobby/list*") as found:
            page.clock.run_for(1000 * seconds)
        found.value.finished()

    def shows(self, **groups: str) -> None:
        """Check what is shown: groups with their tables, a star for a row that is new."""
        wanted = {name: tables.split() for name, tables in groups.items()}
        until = f"(wanted) => JSON.stringify({SCRIPTS}.shown()) === JSON.stringify(wanted)"
        try:
            self.player.wait(until, wanted)
        except Error as error:
            error.add_note(str(self.player.page.evaluate(f"{SCRIPTS}.shown()")))
            raise

    def link(self, name: str) -> Any:
        return self.player.page.get_by_role("link", name=name, exact=True)

    def tells(self, line: str) -> None:
        """Check what the live region says."""
        self.player.shown("#list-told").to_have_text(line)


@pytest.fixture
def looker(browse: Browse) -> Looker:
    return Looker(browse("en", own=True))


def test_tables_come_and_go_around_a_row_that_has_the_focus(looker: Looker) -> None:
    """It stays where it is with its link, marked; the focus is where it was; what is new is said
    once, and of the others how many."""
    player = looker.player
    one, two, three = (looker.open(name, people) for name, people in (("A", 3), ("B", 2), ("C", 1)))
    looker.come()
    looker.shows(seats="A B C")
    looker.link("Take a seat: B").focus()
    looker.close(one)
    looker.fill(two)
    looker.open("D", 3)
    looker.open("E", 1)
    looker.look()
    looker.shows(seats="B C D* E*")
    player.shown("li.out .mark").to_have_text("B is no longer in the list.")
    player.shown(":focus").to_have_attribute("aria-label", "Take a seat: B")
    looker.tells("B is no longer in the list.")
    looker.open("F", 1)
    player.keys("Tab")
    player.shown(":focus").to_have_attribute("aria-label", "Take a seat: C")
    looker.look()
    looker.shows(seats="C D* E* F*")
    looker.tells("One more table has a seat for you.")
    looker.look()
    looker.tells("")
    looker.fill(three)
    looker.look()
    looker.shows(seats="C D* E* F*")
    looker.tells("C is no longer in the list.")
    player.keep_focus()
    player.page.clock.resume()
    assert not axe_faults(player.page)


def test_nothing_moves_under_a_mouse_that_may_be_about_to_press(looker: Looker) -> None:
    one = looker.open("A", 3)
    looker.open("B", 1)
    looker.come()
    looker.link("Take a seat: B").hover()
    before = looker.link("Take a seat: B").bounding_box()
    looker.fill(one)
    looker.open("C", 1)
    looker.look(5)
    looker.shows(seats="A B")
    looker.player.shown("li.out .mark").to_have_text("A is no longer in the list.")
    after = looker.link("Take a seat: B").bounding_box()
    assert before["x"] == after["x"]
    looker.player.page.mouse.move(5, 5)
    looker.player.page.clock.run_for(10)
    looker.shows(seats="B C*")
    looker.link("Take a seat: B").hover()
    looker.open("D", 1)
    looker.look()  # the mouse lies there, and nobody touches it
    looker.shows(seats="B C* D*")


def test_a_page_that_nobody_sees_asks_for_nothing(looker: Looker) -> None:
    looker.open("A")
    looker.come()
    asked = []
    looker.player.page.on("request", lambda request: asked.append(request.url))
    looker.player.page.evaluate(HIDDEN, True)
    looker.player.page.clock.run_for(600_000)
    assert asked == []
    with looker.player.page.expect_response("**/lobby/list*"):
        looker.player.page.evaluate(HIDDEN, False)
