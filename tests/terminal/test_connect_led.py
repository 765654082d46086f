"""A playroom of several nodes: the terminal goes where it is led, at the same origin alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

import pytest
from kit.nodes import Nodes
from kit.sites import open_playroom
from kit.terminals import PATIENCE, Guest, answering

from volte.console.terminal import TerminalFault
from volte.say import Words
from volte.terminal import connection
from volte.terminal.connection import Connection, ConnectionLost
from volte.terminal.playroom import Address
from volte.wire.messages import Closing, Welcome

Stranger = tuple[str, list[str]]


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    nodes = Nodes()
    with open_playroom(tmp_path_factory.mktemp("nodes"), front=nodes.front) as opened:
        nodes.address = opened.address
        yield nodes


@pytest.fixture
def guest(nodes: Nodes) -> Guest:
    nodes.leads.clear()
    nodes.redirects.clear()
    nodes.calls.clear()
    return Guest(nodes.address, "Zoé")


@pytest.fixture
def table(guest: Guest) -> str:
    return guest.open("casual", "casual", "casual")


@pytest.fixture(autouse=True)
def in_no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "FIRST_PAUSE", 0.05)


@contextmanager
def connected(guest: Guest, table: str) -> Iterator[SimpleQueue[Any]]:
    """The inbox of a connection to the table, open inside the context."""
    inbox: SimpleQueue[Any] = SimpleQueue()
    line = Connection(Address(guest.room.site, table), guest.room.cookie, "en", inbox, PATIENCE)
    try:
        yield inbox
    finally:
        line.close()


def until_welcome(inbox: SimpleQueue[Any]) -> int:
    """Number of times that the connection was reported lost before the next welcome."""
    lost = 0
    while not isinstance(news := inbox.get(timeout=PATIENCE), Welcome):
        assert isinstance(news, ConnectionLost), news
        lost += 1
    return lost


@pytest.fixture(scope="module")
def stranger() -> Iterator[Stranger]:
    """Another site: its host and port, and the cookies that it was given."""
    with answering(200, b'{"tables":[]}') as (address, cookies):
        yield address.removeprefix("http://"), cookies


# The connection to a table


@pytest.mark.parametrize("names", ["a", "ab"])
def test_it_goes_where_it_is_led_and_says_nothing(
    names: str, guest: Guest, table: str, nodes: Nodes
) -> None:
    there = [f"/node/{name}/live/{table}" for name in names]
    nodes.leads.extend(there)
    with connected(guest, table) as inbox:
        assert until_welcome(inbox) == 0
        assert nodes.calls == [f"/live/{table}", *there]
        nodes.hang_up(Closing.MOVED_AWAY, f"/node/c/live/{table}")
        assert until_welcome(inbox) == 0
        assert nodes.calls[-1] == f"/node/c/live/{table}"


def test_a_third_lead_in_a_row_is_a_loss(guest: Guest, table: str, nodes: Nodes) -> None:
    plain, *there = [f"/live/{table}", *(f"/node/{name}/live/{table}" for name in "abc")]
    with connected(guest, table) as inbox:
        until_welcome(inbox)
        nodes.leads.extend(there)
        nodes.hang_up(Closing.FAILED)
        assert until_welcome(inbox) == 1
        assert nodes.calls == [plain, plain, *there[:2], plain]


@pytest.mark.parametrize(
    "place",
    ["//{host}/live/x", "http://{host}/live/x", "/\\{host}/live/x", "/\t/{host}/x", "live/x", "/"],
)
def test_it_is_led_to_no_other_site(
    place: str, guest: Guest, table: str, nodes: Nodes, stranger: Stranger
) -> None:
    host, cookies = stranger
    nodes.leads.append(place.format(host=host))
    with connected(guest, table) as inbox:
        until_welcome(inbox)
    assert nodes.calls == [f"/live/{table}"] * 2
    assert cookies == []


def test_a_node_that_is_gone_says_nothing_about_its_tables(
    guest: Guest, table: str, nodes: Nodes
) -> None:
    plain, gone = f"/live/{table}", f"/node/gone/live/{table}"
    with connected(guest, table) as inbox:
        until_welcome(inbox)
        nodes.hang_up(Closing.MOVED_AWAY, gone)
        assert until_welcome(inbox) == 1
    assert nodes.calls == [plain, gone, plain]


def test_after_a_node_that_stops_it_calls_all_of_them(
    guest: Guest, table: str, nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "FIRST_PAUSE", 10 * PATIENCE)  # which is not what it waits
    plain, there = f"/live/{table}", f"/node/a/live/{table}"
    nodes.leads.append(there)
    with connected(guest, table) as inbox:
        until_welcome(inbox)
        nodes.hang_up(Closing.STOPPING)
        assert until_welcome(inbox) == 1
    assert nodes.calls == [plain, there, plain]


# Asking by HTTP


def test_what_is_asked_goes_twice_where_it_is_led(guest: Guest, table: str, nodes: Nodes) -> None:
    invitation = guest.room.invitation(table)
    friend = Guest(guest.room.site, "Luc")
    path = f"/api/tables/{table}/invited"
    nodes.redirects.extend([f"/node/a{path}", f"/node/b{path}?led_twice"])
    nodes.requests.clear()
    friend.room.accept(table, invitation)
    assert nodes.requests == [
        ("POST", path),
        ("POST", f"/node/a{path}"),
        ("POST", f"/node/b{path}"),
    ]
    nodes.redirects.extend(f"/node/{name}/api/tables/{table}" for name in "abc")
    with pytest.raises(TerminalFault) as caught:
        guest.room.invitation(table)
    assert caught.value.reason == "leads_on"
    assert f"/node/c/api/tables/{table}" in Words("en").fault(caught.value)


@pytest.mark.parametrize(
    "place",
    [
        *("//{host}/api/tables", "http://{host}/api/tables", "/\\{host}/x", "/\t/{host}/x", ""),
        *("https://[", "file:///etc/passwd", "javascript:x", "http://x/\x1b[2Jé"),
    ],
)
def test_a_session_is_told_to_no_other_site(
    place: str, guest: Guest, nodes: Nodes, stranger: Stranger
) -> None:
    host, cookies = stranger
    nodes.redirects.append(place.format(host=host))
    with pytest.raises(TerminalFault) as caught:
        guest.room.tables()
    assert cookies == []
    assert caught.value.reason == "leads_on"
    assert "\x1b" not in Words("en").fault(caught.value)


@pytest.mark.parametrize(
    ("text", "site"),
    [
        ("v.example/node/a/tables/x7", "http://v.example"),
        ("https://v.example/games/volte/node/b-2/live/x7", "https://v.example/games/volte"),
        ("v.example/node/tables/x7", "http://v.example/node"),
    ],
)
def test_an_address_that_names_a_node_is_one_of_its_playroom(text: str, site: str) -> None:
    assert Address.read(text) == Address(site, "x7")
