"""A browser without a server keeps every card: through crashes, other tabs, and want of room."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from kit.browser.alone import Alone, address_of
from kit.browser.means import Mouse, do_what_is_due
from kit.browser.players import QUICK, scripts, until
from kit.browser.programs import Program
from kit.exporting import exported
from kit.hosting import Host
from kit.solo import SlowKeeper
from kit.strategies import few
from playwright.sync_api import Browser, Route, expect

from volte.say.texts import table
from volte.solo.kept import KeptStore
from volte.solo.room import SoloRoom
from volte.store import Entry

pytestmark = pytest.mark.full

BASE: Final = "/games/volte"
TOLD: Final = table("solo")["start"]
PAGE: Final = scripts(__file__)
MEMORY: Final = scripts(str(Path(__file__).with_name("test_alone.py")))
MATCH: Final = "0123456789abcdef0123"
ANY: Final = "#actions [data-key=Next], #hand [role=option]:not([aria-disabled=true])"
GAME: Final = {"preset": "simple-hearts", "players": "4", "level": "beginner"}  # without a pass
ROOM: Final = 1_000_000
"""Bytes that the browser leaves a site whose room is soon full."""


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    with Host({BASE: exported(BASE)}) as host:
        yield host


@pytest.fixture
def alone(browser: Browser, host: Host) -> Iterator[Alone]:
    player = Alone(browser, host.address + BASE)
    yield player
    player.close()
    assert player.complaints == []


def kept(player: Alone) -> dict[str, str]:
    """The texts that the browser keeps."""
    texts: dict[str, str] = player.page.evaluate(f"(base) => {PAGE}.kept(base)", BASE)
    return texts


def log_of(texts: dict[str, str], match: str) -> list[Entry]:
    """The log of a table, which is read back and folded as a room does it."""

    async def log() -> list[Entry]:
        store = KeptStore(SlowKeeper(texts))
        room = SoloRoom(store, "en")
        live = await room.find(match)
        assert live is not None
        entries = await store.read(match)
        assert live.state.version == len(entries)
        await room.lobby.close()
        return entries

    with ThreadPoolExecutor(1) as elsewhere:  # a browser's loop runs here
        return elsewhere.submit(asyncio.run, log()).result()


def test_no_card_that_was_told_is_lost_however_often_the_browser_is_killed(
    browser: Browser, host: Host, tmp_path: Path
) -> None:
    chance = random.Random()
    told: dict[int, Any] = {}
    for _ in range(few(3, 12)):
        with Program(browser.browser_type, tmp_path) as program:
            player = Alone(program.as_browser, host.address + BASE)
            player.context.expose_function("told", lambda heard: told.update([heard]))
            player.context.add_init_script(f"{PAGE}.tell()")
            player.go_to("/en/")
            if told:
                check(told, log_of(kept(player), MATCH))
            player.go_to(address_of("en", MATCH, **GAME))
            if not told:
                player.dealt()
                player.suit(**QUICK)
                player.page.reload()
            for _ in range(chance.randrange(4)):
                do_what_is_due(player, Mouse(), player.due())
            player.due()
            player.page.locator(ANY).first.press("Enter")
            player.page.wait_for_timeout(300 * chance.random())
            program.kill()
    assert sum(each["event"] == "Played" for each in told.values()) > few(3, 50)


def check(told: dict[int, Any], log: list[Entry]) -> None:
    """Check that a log has all happenings that somebody has been told of."""
    stored = [json.loads(entry.data) for entry in log]
    for number, happening in told.items():
        there = stored[number - 1]
        assert happening["event"] == there["event"]
        assert happening == there or happening["event"] != "Played"


def test_one_tab_has_the_matches_and_another_takes_them_over_when_asked(alone: Alone) -> None:
    alone.sit_alone(**GAME)
    alone.suit(**QUICK)
    alone.page.reload()
    alone.due()
    alone.page.locator(ANY).first.focus()
    log = kept(alone)
    first, alone.page = alone.page, alone.context.new_page()
    alone.page.goto(first.url)
    expect(alone.page.locator("#start-told")).to_have_text(TOLD["elsewhere"])
    alone.hears(TOLD["elsewhere"])
    expect(alone.page.locator("#hand [role=option]")).to_have_count(0)
    assert kept(alone) == log
    second, alone.page = alone.page, first
    do_what_is_due(alone, Mouse(), "Play")  # the first has the matches still
    alone.due()
    log = kept(alone)
    second.get_by_role("button", name=TOLD["take_over"]).press("Enter")
    alone.hears(TOLD["taken_over"])
    alone.keep_focus()
    alone.page.locator(ANY).first.press("Enter")
    alone.page = second
    alone.due()
    alone.keep_focus()
    assert own(kept(alone)) == own(log)
    held = alone.held()
    alone.page = first
    alone.page.locator(ANY).first.press("Enter")
    alone.page = second
    do_what_is_due(alone, Mouse(), "Play")
    assert alone.held() == held - 1
    first.close()


def own(texts: dict[str, str]) -> dict[str, str]:
    """The texts that are the table's, without who has them."""
    return {key: text for key, text in texts.items() if key.startswith("entry/")}


@pytest.mark.parametrize("spoilt", [[1 << 20, {}], [None, {"kept": "{}"}]])
def test_a_memory_of_python_that_does_not_fit_is_made_anew(alone: Alone, spoilt: object) -> None:
    """One that is cut would take the page with it. And no memory has the cards of the next match in
    it."""
    alone.sit_alone(**GAME)
    until(alone.page, f"{MEMORY}.remembered")
    alone.page.evaluate(f"{MEMORY}.spoil", spoilt)
    alone.forgiven = ".*"
    alone.sit_alone(**GAME)
    alone.forgiven = "^$"
    until(alone.page, f"{MEMORY}.remembered")
    hands = set()
    for _ in range(2):
        alone.sit_alone(**GAME)
        hands.add("".join(alone.cards().all_inner_texts()))
    assert len(hands) == 2


def test_without_room_it_says_so_loses_nothing_and_goes_on_when_there_is_some(
    browser: Browser, host: Host
) -> None:
    alone = Alone(browser, host.address + BASE, service_workers="block")  # which would fill it
    alone.forgiven = "table_waits_for_store"
    quota = alone.context.new_cdp_session(alone.page)
    room = {"origin": host.address, "quotaSize": ROOM}
    quota.send("Storage.overrideQuotaForOrigin", room)
    alone.sit_alone(**GAME)
    alone.suit(**QUICK)
    alone.page.reload()
    alone.due()
    assert alone.page.evaluate(f"{PAGE}.fill()") > 0
    log, held = own(kept(alone)), alone.held()
    alone.page.locator(ANY).first.press("Enter")
    alone.hears(TOLD["full"])
    assert (alone.held(), own(kept(alone))) == (held, log)
    alone.keep_focus()
    quota.send("Storage.overrideQuotaForOrigin", {**room, "quotaSize": 9 * ROOM})
    alone.hears(TOLD["room"])
    do_what_is_due(alone, Mouse(), "Play")
    alone.due()
    assert alone.held() < held
    assert log.items() <= own(kept(alone)).items()
    assert alone.complaints == []
    alone.close()


REFUSED: Final = "() => { throw new DOMException('', 'SecurityError'); }"
NO_NOTES: Final = f"""for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {{ get: {REFUSED} }});"""
FORBIDDEN: Final = {
    "refused": f"indexedDB.open = {REFUSED};",
    "missing": "Object.defineProperty(self, 'indexedDB', { value: undefined });",
}


@pytest.mark.parametrize("how", FORBIDDEN)
def test_where_nothing_may_be_stored_it_plays_and_says_that_nothing_is_kept(
    browser: Browser, host: Host, how: str
) -> None:
    alone = Alone(browser, host.address + BASE, service_workers="block")
    alone.context.add_init_script(f"if (location.host) {{ {NO_NOTES} {FORBIDDEN[how]} }}")

    def worker(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=FORBIDDEN[how] + answer.text())

    alone.context.route("**/solo/static/worker.js", worker)
    alone.forgiven = "SecurityError|indexedDB|undefined"
    alone.go_to("/en/")
    alone.page.locator("#play-now").press("Enter")
    alone.hears(TOLD["unkept"])
    while alone.scene is None or alone.due() != "Play":
        do_what_is_due(alone, Mouse(), alone.due())
    do_what_is_due(alone, Mouse(), "Play")
    alone.keep_focus()
    assert alone.complaints == []
    alone.close()


def test_where_cookies_are_forbidden_it_plays_and_says_that_nothing_is_kept(
    browser: Browser, host: Host, tmp_path: Path
) -> None:
    forbidden = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (tmp_path / "Default").mkdir()
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(forbidden))
    with Program(browser.browser_type, tmp_path) as program:
        alone = Alone(program.as_browser, host.address + BASE)
        alone.go_to("/en/")
        alone.page.locator("#play-now").press("Enter")
        alone.hears(TOLD["unkept"])
        while alone.due() != "Play":
            do_what_is_due(alone, Mouse(), alone.due())
        do_what_is_due(alone, Mouse(), "Play")
        alone.keep_focus()
