"""Addresses that a page uses: a playroom below a path of its host, and one of several nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

import pytest
from kit.browser.means import Mouse, play_match
from kit.browser.players import QUICK, Browse, Player, scripts
from kit.nodes import Nodes
from kit.sites import Playroom, open_playroom

from volte.wire.messages import Closing

BASE: Final = "/games/volte"


@pytest.fixture(scope="module")
def playroom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playroom]:
    with open_playroom(tmp_path_factory.mktemp("playroom"), base_path=BASE) as open_one:
        yield open_one


@pytest.mark.full
def test_a_match_and_all_that_is_fetched_stay_under_it(browse: Browse, playroom: Playroom) -> None:
    player = browse("en", at=playroom.address + BASE, service_workers="allow")
    page, asked = player.page, set[str]()
    page.on("request", lambda request: asked.add(urlsplit(request.url).path))
    page.on("websocket", lambda socket: asked.add(urlsplit(socket.url).path))
    player.go_to("/")
    worker = page.evaluate("navigator.serviceWorker.ready.then((found) => found.scope)")
    assert worker == f"{playroom.address}{BASE}/"
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


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    nodes, folder = Nodes(), tmp_path_factory.mktemp("nodes")
    with open_playroom(folder, base_path=BASE, node="a", front=nodes.front) as playroom:
        nodes.address = playroom.address
        yield nodes


def goes(player: Player, nodes: Nodes, *calls: str) -> list[str]:
    """Wait until the page has called those nodes and is welcome; return what it has shown."""
    player.wait("() => window.welcomes.length > 0")
    assert nodes.calls == list(calls)
    nodes.calls.clear()
    shown: list[str] = player.page.evaluate("window.welcomes.splice(0) && window.banners.splice(0)")
    return shown


def test_a_page_goes_where_it_is_led(browse: Browse, nodes: Nodes) -> None:
    player = browse("en", at=nodes.address + BASE, own=True)
    player.page.add_init_script(f"{scripts(__file__)}.watch()")
    player.come_in()
    table = player.open_table()
    plain, *there = [f"{BASE}/live/{table}", *(f"{BASE}/node/{x}/live/{table}" for x in "abc")]
    gone = f"{BASE}/node/gone/live/{table}"
    # There is no such node; and messages of a node may arrive after it has hung up.
    player.forgiven = f"{gone}|Data frame received after close"

    # The page begins at the node of its table. The address bar outlives that node.
    nodes.redirects.append(f"{BASE}/node/a/tables/{table}")
    player.go_to(f"/tables/{table}#cards")
    goes(player, nodes, there[0])
    assert ("GET", f"{BASE}/node/a/tables/{table}") in nodes.requests
    assert player.page.url == f"{player.address}/tables/{table}#cards"

    # Led once or twice, it goes there and says nothing.
    nodes.hang_up(Closing.MOVED_AWAY, there[1])
    assert goes(player, nodes, there[1]) == []
    nodes.leads.append(there[2])
    nodes.hang_up(Closing.MOVED_AWAY, there[1])
    assert goes(player, nodes, *there[1:]) == []

    # A third time, to another site, or to a node that is gone: it is lost, and calls them all.
    nodes.leads.extend(there[1:])
    nodes.hang_up(Closing.MOVED_AWAY, there[0])
    [lost] = goes(player, nodes, *there[:2], plain)
    assert lost.startswith("The connection is lost")
    for place in ("//elsewhere.example/live/x", "/\\elsewhere.example/live/x"):
        nodes.hang_up(Closing.MOVED_AWAY, place)
        assert goes(player, nodes, plain) == [lost]
    nodes.hang_up(Closing.MOVED_AWAY, gone)
    assert goes(player, nodes, gone, plain) == [lost]

    # Of a node that stops, the tables are anywhere.
    nodes.hang_up(Closing.STOPPING, "")
    assert goes(player, nodes, plain) == [lost]
    assert not any("lead" in line or "elsewhere" in line for line in player.said)
