"""Texts in the browser's database: kept for good, by one window at a time, while there is room."""

from __future__ import annotations

import json
from itertools import count
from typing import Any, Final

import msgspec
import pytest
from kit.browser.players import Browse, Player, scripts
from kit.sites import Playroom
from kit.tables import setup
from playwright.sync_api import Page

from volte.solo.keeper import MemoryKeeper
from volte.solo.kept import KeptStore
from volte.solo.room import SoloRoom
from volte.web.assets import static

FUNCTIONS: Final = scripts(__file__)
NAMES: Final = (f"volte /{number}" for number in count())


def call(page: Page, name: str, argument: object) -> Any:
    return page.evaluate(f"(given) => {FUNCTIONS}.{name}(given)", argument)


class Window:
    """A window in which texts are open."""

    def __init__(self, player: Player, name: str, page: Page | None = None) -> None:
        self.name = name
        self.page = page or player.context.new_page()
        self.page.goto(f"{player.address}/help")
        call(self.page, "open", [static("solo/static/keeping.js"), name])

    def keep(self, **change: object) -> str:
        reason: str = call(self.page, "keep", change)
        return reason

    def texts(self, beginning: str = "") -> dict[str, str]:
        found: dict[str, str] = json.loads(
            self.page.evaluate("(beginning) => shelf.texts(beginning)", beginning)
        )
        return {key: text for key, text in found.items() if key != "holder"}

    def told(self, *names: str) -> None:
        """Wait until these messages have come, and no others."""
        self.page.wait_for_function(
            "(names) => JSON.stringify(told) === names",
            arg=json.dumps(names, separators=(",", ":")),
        )


@pytest.fixture
def window(player: Player) -> Window:
    return Window(player, next(NAMES), player.page)


def test_what_is_kept_is_there_for_the_next_window(window: Window, player: Player) -> None:
    assert window.keep(kept={"entry/a/1/": "x", "entry/ab/1/": "{}", "match/a/": "é"}) == ""
    window.told("held", "begun")
    window.page.close(run_before_unload=False)
    again = Window(player, window.name)
    again.told("held")
    assert again.texts("entry/a/") == {"entry/a/1/": "x"}
    assert again.texts() == {"entry/a/1/": "x", "entry/ab/1/": "{}", "match/a/": "é"}


def test_a_change_is_made_whole_or_not_at_all(window: Window) -> None:
    assert window.keep(kept={"a/1": "1", "a/2": "2", "b": "3"}) == ""
    before = window.texts()
    for wrong in ({"free": "a/2"}, {"there": "a/3"}, {"there": "a/2", "free": "a/1"}):
        assert window.keep(kept={"a/4": "4"}, forgotten=["a/"], **wrong) == "conflict"
        assert window.texts() == before
    assert window.keep(there="a/2", free="a/3", kept={"a/3": "5"}, forgotten=["a/"]) == ""
    assert window.texts() == {"a/3": "5", "b": "3"}


def test_one_window_at_a_time_has_the_texts_and_another_can_take_them_over(
    window: Window, player: Player
) -> None:
    assert window.keep(kept={"a": "1"}) == ""
    other, third = Window(player, window.name), Window(player, window.name)
    other.told("elsewhere")
    third.told("elsewhere")
    other.page.evaluate("takeOver()")
    other.told("elsewhere", "held")
    window.told("held", "lost")
    assert other.keep(kept={"a": "2"}) == ""
    assert window.keep(kept={"a": "3"}) == "lost"
    assert other.texts() == {"a": "2"}
    other.page.close()
    third.told("elsewhere", "held")
    third.page.close()


def test_without_room_nothing_is_kept_until_there_is_some(browse: Browse) -> None:
    player = browse("en", service_workers="block")  # one that knows nothing of its room yet
    window = Window(player, next(NAMES), player.page)
    browser = player.context.new_cdp_session(window.page)
    origin = {"origin": window.page.evaluate("origin")}
    browser.send("Storage.overrideQuotaForOrigin", {**origin, "quotaSize": 500_000})
    assert window.keep(kept={"a": "1"}) == ""
    assert call(window.page, "keepLong", ["b", 1_000_000]) == "full"
    assert call(window.page, "keepLong", ["c", 1_000_000]) == "full"
    assert window.texts() == {"a": "1"}
    browser.send("Storage.overrideQuotaForOrigin", origin)
    assert call(window.page, "keepLong", ["b", 1_000_000]) == ""
    assert [*window.texts()] == ["a", "b"]
    window.told("held", "full", "room")


async def kept() -> tuple[dict[str, str], list[Any]]:
    """Texts of two tables, and their lines as a page reads them."""
    keeper = MemoryKeeper()
    room = SoloRoom(KeptStore(keeper), "en")
    for _ in range(2):
        await room.open(setup(), ["casual"] * 3)
    rows = [msgspec.to_builtins(each) for each in await room.tables()]
    summaries = [json.loads(each.summary) for each in await room.tables()]
    return dict(await keeper.texts("")), [
        {**row, "summary": summary} for row, summary in zip(rows, summaries, strict=True)
    ]


def test_a_page_lists_the_tables_that_are_kept_without_python(
    player: Player, playroom: Playroom
) -> None:
    """A line that cannot be read is left to the room, which sets it aside."""
    texts, lines = playroom.do(kept())
    window = Window(player, "volte /", player.page)
    assert window.keep(kept=texts | {"listing/damaged/": "{"}) == ""
    assert window.page.evaluate("listings()") == lines
    assert window.keep(forgotten=[""]) == ""
