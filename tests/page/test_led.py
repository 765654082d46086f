"""A playroom of several nodes: the page goes where it is led, and whoever looks at it sees none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from kit.nodes import Nodes
from kit.sites import open_house
from page.players import Player
from playwright.sync_api import Browser

from volte.wire.messages import Closing

BASE: Final = "/games/volte"

BANNERS: Final = """
window.banners = [];
window.welcomes = [];
const attend = WebSocket.prototype.addEventListener;
WebSocket.prototype.addEventListener = function (kind, work) {
    attend.call(this, kind, work);
    if (kind === "message") attend.call(this, kind, ({ data }) => {
        if (data.startsWith('{"say":"welcome"')) window.welcomes.push(data);
    });
};
addEventListener("DOMContentLoaded", () => {
    const banner = document.getElementById("connection");
    new MutationObserver(() => {
        if (!banner.hidden) window.banners.push(banner.textContent);
    }).observe(banner, { attributes: true, childList: true, subtree: true });
});"""
"""What the page shows of its connection, and the welcomes that it has read."""


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    nodes, folder = Nodes(), tmp_path_factory.mktemp("nodes")
    with open_house(folder, base_path=BASE, node="a", front=nodes.front) as house:
        nodes.address = house.address
        yield nodes


def goes(player: Player, nodes: Nodes, *calls: str) -> list[str]:
    """Waits until the page has called there and is welcome; what it has shown meanwhile."""
    player.wait("() => window.welcomes.length > 0")
    assert nodes.calls == list(calls)
    nodes.calls.clear()
    shown: list[str] = player.page.evaluate("window.welcomes.splice(0) && window.banners.splice(0)")
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
