"""The playroom under a path of its host that it shares with others: nothing leaves that path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

import pytest
from kit.sites import House, open_house
from page.means import Mouse, play_match
from page.players import QUICK, Player
from playwright.sync_api import Browser

BASE: Final = "/games/volte"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house"), base_path=BASE) as open_one:
        yield open_one


def test_a_match_and_all_that_is_fetched_stay_under_it(browser: Browser, house: House) -> None:
    player = Player(browser, house.address + BASE, "en", service_workers="allow")
    page, asked = player.page, set[str]()
    page.on("request", lambda request: asked.add(urlsplit(request.url).path))
    page.on("websocket", lambda socket: asked.add(urlsplit(socket.url).path))
    player.go_to("/")
    worker = page.evaluate("navigator.serviceWorker.ready.then((found) => found.scope)")
    assert worker == f"{house.address}{BASE}/"
    page.get_by_label("Your name").fill("Zoé")
    page.get_by_role("button", name="Play now").press("Enter")
    page.wait_for_selector("#hand [role=option]")
    player.suit(**QUICK)
    player.begin("coeurs", pass_count=0, match_end="deals:1")
    page.keyboard.press("w")
    page.wait_for_selector("#answer p")
    for part in ("talk", "rules", "settings"):
        page.click(f"#{part}-part summary")
        page.wait_for_selector(f"#{part} :is(h3, form, p)")
    page.click("#talk-part summary")
    play_match(player, Mouse())
    page.locator("#ending a").first.click()
    page.wait_for_url(f"**{BASE}/matches/**")
    page.wait_for_selector("#felt .seat")
    page.keyboard.press("End")
    assert {"static", "tables", "live", "me"} <= {path.split("/")[3] for path in asked}
    assert [path for path in asked if not path.startswith(f"{BASE}/")] == []
    player.assert_content()
    player.close()
