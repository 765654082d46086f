"""Several nodes on one PostgreSQL behind one address: it is one playroom."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import asyncpg
import pytest
from kit import Guest, Player, play_on, post_form, post_json, request
from kit.nodes import Front, fronting
from kit.postgres import Cluster
from kit.sites import Site, SiteWith, serving, until
from kit.strategies import in_full
from msgspec.structs import replace

from volte.rules import make_ruleset
from volte.server.run import membership
from volte.server.run.listening import ServingFault
from volte.server.run.membership import Membership
from volte.server.run.room import open_room
from volte.store import StoreFault
from volte.store.store import Store
from volte.table import Access, Setup
from volte.table import commands as cmd
from volte.web.settings import Settings
from volte.wire.messages import Closing

LOCKED = Setup("Locked", make_ruleset("coeurs"), access=Access.PASSWORD)
NONE = "0" * 20  # the id of no table


class Nodes(NamedTuple):
    """The nodes `a` and `b`, which know of each other by the database alone, behind a front."""

    a: Site
    b: Site
    front: Front


@pytest.fixture
def base_path() -> str:
    return ""


@pytest.fixture
async def nodes(site_with: SiteWith, postgres_url: str, base_path: str) -> AsyncIterator[Nodes]:
    a, b = [await site_with(postgres_url, node=node, base_path=base_path) for node in "ab"]
    async with fronting(a=a.address, b=b.address) as front:
        yield Nodes(a, b, front)


def lives_at(table: str, *sites: Site) -> list[bool]:
    """The node at which a table lives."""
    return [site.room.lobby.living(table) is not None for site in sites]


async def seated(opened_at: str, then: str) -> tuple[Player, Player]:
    """Anne, who has opened a table at one address, and Bert; both are at it by the other."""
    anne, bert = await Player.come(opened_at, "Anne"), await Player.come(then, "Bert")
    table = await anne.open_table(("", "casual", "casual"))
    anne.address = then
    for person in (anne, bert):
        await person.join(table)
        await person.hurry()
    assert (await bert.do(cmd.Sit(1))).ok
    return anne, bert


async def test_a_table_is_played_by_people_who_came_in_by_different_nodes(nodes: Nodes) -> None:
    a, b, front = nodes
    anne, bert = await seated(a.address, front.address)
    for person in (anne, bert):  # by turns the front asks either first
        await person.join()
    assert f"/node/a/live/{anne.table}" in front.led
    assert lives_at(anne.table, a, b) == [True, False]
    await anne.do(cmd.Start())
    await play_on(anne, bert)
    assert anne.number == bert.number


@pytest.mark.parametrize("base_path", ["", *in_full("/games/volte")])
async def test_who_asks_for_a_table_elsewhere_is_told_where_it_is(
    nodes: Nodes, base_path: str
) -> None:
    """By a path of ours, and whatever they say of hosts: nobody can be led off the site."""
    a, b, _ = nodes
    host = await Guest.come(a.address)
    table = await host.open_table()
    own = {"cookie": host.cookie}
    lies = {
        "host": "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "http",
        "forwarded": "host=evil.example",
    }
    for method, path in (
        ("GET", f"/tables/{table}"),
        ("HEAD", f"/tables/{table}/qr.svg?size=2"),
        ("GET", f"/api/tables/{table}"),
        ("POST", f"/tables/{table}/setup"),
        ("POST", f"/api/tables/{table}/invited"),
        ("GET", f"/tables/{table}//evil.example/%2F?x=//evil.example"),
    ):
        asked = f"{base_path}{path}"
        for headers in (own, own | lies):
            led = await request(b.address, method, asked, headers=headers)
            assert (led.status, led.header("location")) == (307, f"{base_path}/node/a{path}")
        below = await request(b.address, method, f"{base_path}/node/b{path}", headers=own)
        mark = "&led_twice" if "?" in path else "?led_twice"
        assert below.header("location") == f"{base_path}/node/a{path}{mark}"
        third = await request(b.address, method, f"{asked}{mark}", headers=own)
        assert (third.status, third.header("location")) == (503, "")
    for path in (f"/node/a/tables/{table}", f"/tables/{table}"):
        assert (await request(a.address, "GET", base_path + path, headers=own)).status == 200
    come = await post_json(b.address, "/api/guest", {"name": "Zoé"})
    assert f"Path={base_path or '/'};" in f"{come.header('set-cookie')};"


async def test_a_node_that_does_not_have_a_private_table_answers_as_if_there_were_none(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host and the people seated there are led to it; they are to try again if the node does
    not know yet which node has it."""
    a, b, _ = nodes
    host, friend, stranger = [await Guest.come(a.address, name) for name in ("Zoé", "Max", "Eve")]
    setup = Setup("Ours", make_ruleset("coeurs"), Access.LINK)
    table = await host.open_table(("",) * 3, setup)
    for person in (host, friend):
        await person.join(table)
    assert (await friend.do(cmd.Sit(1))).ok
    assert (await host.do(cmd.Change(replace(setup, access=Access.PRIVATE)))).ok
    for person in (host, friend, stranger):
        person.address = b.address
    for person in (host, friend):
        assert (await person.get(f"/tables/{table}")).status == 307
        await person.call(table)
        assert await person.until_closed() == Closing.MOVED_AWAY
    nobody = Guest(b.address, "", "", "")
    for person in (stranger, nobody):
        for path in ("/tables/{}", "/tables/{}/rules", "/api/tables/{}", "/tables/{}/qr.svg"):
            asked, none = [await person.get(path.format(each)) for each in (table, NONE)]
            assert asked.status == none.status
            assert asked.lasting.replace(table, NONE) == none.lasting, path
    await stranger.call(table)
    assert await stranger.until_closed() == Closing.NO_TABLE

    async def unknown(_: str) -> None:
        return None

    monkeypatch.setattr(b.room[Membership], "elsewhere", unknown)
    statuses = [(await each.get(f"/tables/{table}")).status for each in (host, friend, stranger)]
    assert statuses == [503, 503, 404]


async def test_a_call_is_led_by_a_notice_and_its_close(nodes: Nodes) -> None:
    a, b, _ = nodes
    guest = await Guest.come(a.address)
    table = await guest.open_table()
    guest.address = b.address
    socket = await guest.dial(table)
    notice = str(await socket.recv())
    assert '"reason":"elsewhere"' in notice
    assert f'"at":"/node/a/live/{table}"' in notice
    await socket.wait_closed()
    assert socket.close_code == Closing.MOVED_AWAY


async def test_a_node_that_has_lost_its_database_leaves_a_call_to_the_others(
    cluster: Cluster, cluster_url: str, site_with: SiteWith
) -> None:
    """It is refused before there is a connection, so that the proxy can ask the next node."""
    site = await site_with(cluster_url, node="a")
    guest = await Guest.come(site.address)
    cluster.stop()
    try:
        reply = await guest.denied(NONE)
    finally:
        cluster.start()
    assert (reply.status, reply.json["reason"]) == (503, "unavailable")


async def test_a_password_is_said_once_wherever_one_comes_in(nodes: Nodes) -> None:
    a, b, _ = nodes
    host, guest, program = [await Guest.come(site.address) for site in (a, b, b)]
    page = f"/tables/{await host.open_table(setup=LOCKED, password='melon')}"
    for password, token, status in (
        ("lemon", guest.csrf, 403),
        ("melon", "forged", 403),
        ("melon", guest.csrf, 303),
    ):
        entered = await guest.post(f"{page}/enter", {"password": password, "csrf": token})
        assert entered.status == status
    assert entered.header("location") == page
    assert (await program.post(f"/api{page}/enter", {"password": "melon"})).status == 204
    for person in (guest, program):
        person.address = a.address
        await person.join(page.rpartition("/")[2])


@pytest.mark.full
async def test_what_is_not_there_is_so_everywhere(nodes: Nodes) -> None:
    a, b, _ = nodes
    host, guest = await Guest.at_table(a.address), await Guest.come(b.address)
    assert (await host.do(cmd.Close())).ok
    assert await host.until_closed() == Closing.CLOSED
    for table, status, code in ((NONE, 404, Closing.NO_TABLE), (host.table, 410, Closing.CLOSED)):
        assert (await guest.get(f"/tables/{table}")).status == status
        await guest.call(table)
        assert await guest.until_closed() == code
    assert not await a.room.store.nodes.living([host.table, NONE])


@pytest.mark.full
async def test_the_lobby_is_the_same_on_every_node(nodes: Nodes) -> None:
    a, b, _ = nodes
    host = await Player.at_table(a.address, name="Anne")
    for state in ("waiting", "playing"):
        if state == "playing":
            assert (await host.do(cmd.Start())).ok
        for site in (a, b):
            listed = (await request(site.address, "GET", "/api/tables")).json["tables"]
            found = [(each["table"], each["state"], each["host"]) for each in listed]
            assert found == [(host.table, state, "Anne")]


async def test_a_session_that_is_ended_on_one_node_is_over_on_all(nodes: Nodes) -> None:
    a, b, front = nodes
    table = await (await Guest.come(a.address)).open_table()
    for ended_at in (a, b):
        guest = await Guest.come(front.address)
        await guest.join(table)
        out = await post_form(ended_at.address, "/logout", {"csrf": guest.csrf}, guest.cookie)
        assert out.status == 303
        assert await guest.until_closed() == Closing.NO_SESSION


async def test_a_node_that_stops_frees_its_tables_before_it_says_so(
    postgres_url: str, tmp_path: Path, site_with: SiteWith
) -> None:
    """People who are told to come back find the table at another node."""
    b = await site_with(postgres_url, node="b")
    async with fronting(b=b.address) as front:
        async with serving(tmp_path, postgres_url, node="a", grace=30) as a:
            front.nodes["a"] = a.address
            anne, bert = await seated(a.address, front.address)
            table = anne.table
            anne.address = a.address
            idle = await anne.open_table()
            anne.address = front.address
            await anne.do(cmd.Start())
            playing = asyncio.gather(anne.play(), bert.play(), return_exceptions=True)
            await anne.until(lambda: anne.match is not None and anne.match.deal is not None)

            async def stops() -> None:
                assert await anne.until_closed() == Closing.STOPPING
                owner = await b.room.store.nodes.owner(table)
                assert owner is None or owner[0].name == "b"

            stopping = asyncio.create_task(stops())
        await stopping
        assert await bert.until_closed() == Closing.STOPPING
        await playing
        await asyncio.gather(anne.join(), bert.join())
        assert lives_at(table, b) == [True]
        assert lives_at(idle, b) == [False]
        await play_on(anne, bert)
        await anne.join(idle)
        assert lives_at(idle, b) == [True]


async def test_a_node_that_stops_hands_its_tables_over_a_few_at_a_time(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches go on at the other node whether somebody comes or not."""
    monkeypatch.setattr(membership, "FEW", 1)
    a, b, front = nodes
    people = [await Player.begun(a.address, name=name) for name in ("Anne", "Bert")]
    handing = asyncio.create_task(a.room[Membership].hand_over())
    await asyncio.wait(
        [asyncio.create_task(each.until_closed()) for each in people],
        return_when=asyncio.FIRST_COMPLETED,
    )
    assert len(a.room.lobby.tables) == 1
    await handing
    assert [await each.until_closed() for each in people] == [Closing.STOPPING] * 2
    await until(lambda: all(lives_at(each.table, b) == [True] for each in people))
    assert (await people[0].denied(NONE)).status == 503
    for person in people:
        person.address = front.address
        await person.join()


# Names


async def test_what_is_meant_for_another_node_is_refused_in_a_sentence(site_with: SiteWith) -> None:
    site = await site_with(node="a")
    guest, table = await Guest.with_table(site.address)
    reply = await request(site.address, "GET", f"/node/b/tables/{table}")
    assert reply.status == 421
    assert 'data-reason="wrong_node"' in reply.text
    guest.address += "/node/b"
    assert (await guest.denied(table)).status == 403


async def test_a_second_node_of_the_same_name_says_so_and_ends(
    postgres_url: str, site_with: SiteWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "NAMED", 0.5)
    await site_with(postgres_url, node="a")
    async with open_room(Settings.of({}, database=postgres_url, node="a")) as room:
        with pytest.raises(ServingFault) as caught:
            await room[Membership].join()
        assert caught.value.reason == "name_taken"


async def test_a_node_without_a_name_beside_others_says_so_and_ends(
    postgres_url: str, site_with: SiteWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No proxy could lead anybody to its tables."""
    monkeypatch.setattr(membership, "NAMED", 0.5)
    one = await site_with(postgres_url, node="a")
    async with open_room(Settings.of({}, database=postgres_url)) as room:
        with pytest.raises(ServingFault) as caught:
            await room[Membership].join()
        assert caught.value.reason == "node_unnamed"
    await one.stop()
    async with open_room(Settings.of({}, database=postgres_url)) as room:
        await room[Membership].join()  # it is alone now


# Between a node and PostgreSQL


async def test_connections_that_are_shared_out_are_refused_at_the_start(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by PgBouncer, which names processes of PostgreSQL that there are not."""
    real = asyncpg.Connection.get_server_pid
    monkeypatch.setattr(asyncpg.Connection, "get_server_pid", lambda self: real(self) ^ 1)
    with pytest.raises(StoreFault) as caught:
        await Store.open(postgres_url)
    assert caught.value.reason == "store_pooled"
