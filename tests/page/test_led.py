"""A playroom of several nodes: the page goes where it is led, and whoever looks at it sees none."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Final

import pytest
from page.players import Player
from playwright.sync_api import Browser
from server.leading import Nodes
from server.visiting import open_house

from volte.wire.messages import Closing

PATIENCE: Final = 60
"""Seconds for the page to call."""

BASE: Final = "/games/volte"

BANNERS: Final = """addEventListener("DOMContentLoaded", () => {
    const banner = document.getElementById("connection");
    window.banners = [];
    new MutationObserver(() => {
        if (!banner.hidden) window.banners.push(banner.textContent);
    }).observe(banner, { attributes: true, childList: true, subtree: true });
})"""
"""What the page shows of its connection, one after the other."""


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    nodes, folder = Nodes(), tmp_path_factory.mktemp("nodes")
    with open_house(folder, base_path=BASE, node="a", front=nodes.front) as house:
        nodes.address = house.address
        yield nodes


def goes(player: Player, nodes: Nodes, *calls: str) -> list[str]:
    """Waits until the page has called there and been answered; what it has shown meanwhile."""
    end = monotonic() + PATIENCE
    while len(nodes.calls) < len(calls) and monotonic() < end:
        player.page.wait_for_timeout(10)
    player.page.keyboard.press("w")
    player.page.wait_for_selector("#answer p")
    assert nodes.calls == list(calls)
    nodes.calls.clear()
    player.page.click("#answer-close")
    player.page.wait_for_selector("#answer-section", state="hidden")
    shown: list[str] = player.page.evaluate("window.banners.splice(0)")
    return shown


def test_a_page_goes_where_it_is_led(browser: Browser, nodes: Nodes) -> None:
    player = Player(browser, nodes.address + BASE, "en")
    player.page.add_init_script(BANNERS)
    player.come_in()
    table = player.open_table()
    plain, *there = [f"{BASE}/live/{table}", *(f"{BASE}/node/{x}/live/{table}" for x in "abc")]

    # The page begins at the node of its table. The address bar outlives that node.
    nodes.redirects.append(f"{BASE}/node/a/tables/{table}")
    player.go_to(f"/tables/{table}#cards")
    player.wait("() => window.watched.scene !== null")
    assert ("GET", f"{BASE}/node/a/tables/{table}") in nodes.requests
    assert player.page.url == f"{player.address}/tables/{table}#cards"
    goes(player, nodes, there[0])

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
    gone = f"{BASE}/node/gone/live/{table}"
    player.forgiven = gone
    nodes.hang_up(Closing.MOVED_AWAY, gone)
    assert goes(player, nodes, gone, plain) == [lost]

    # Of a node that stops, the tables are anywhere.
    nodes.hang_up(Closing.STOPPING, "")
    assert goes(player, nodes, plain) == [lost]
    assert not any("lead" in line or "elsewhere" in line for line in player.said)
    player.assert_content()
    player.close()
