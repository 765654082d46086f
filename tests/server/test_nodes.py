"""Several nodes on one PostgreSQL behind one address: it is one playroom."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from kit.nodes import Front, fronting
from kit.people import Guest, Player
from kit.postgres import Cluster
from kit.requests import post_form, post_json, request
from kit.sites import Site, serving
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from volte.rules import make_ruleset
from volte.server.run import membership
from volte.server.run.listening import ServingFault
from volte.server.run.membership import Membership
from volte.server.run.room import open_room
from volte.store import Store, StoreFault
from volte.table import Access, Setup
from volte.table import commands as cmd
from volte.web.security import csrf_of
from volte.web.settings import SettingFault, Settings
from volte.wire.messages import Closing

PATIENCE = 30

LOCKED = Setup("Locked", make_ruleset("coeurs"), access=Access.PASSWORD)


@asynccontextmanager
async def two_nodes(
    folder: Path, database: str, **settings: Any
) -> AsyncIterator[tuple[Site, Site, Front]]:
    """The nodes `a` and `b`, which know of each other by the database alone, behind a front."""
    async with (
        serving(folder, database, node="a", **settings) as a,
        serving(folder, database, node="b", **settings) as b,
        fronting(a=a.address, b=b.address) as front,
    ):
        yield a, b, front


def lives_at(table: str, *sites: Site) -> list[bool]:
    """On which of the nodes it lives."""
    return [site.room.lobby.living(table) is not None for site in sites]


async def test_a_table_is_played_by_people_who_came_in_by_different_nodes(
    postgres_url: str, tmp_path: Path
) -> None:
    async with two_nodes(tmp_path, postgres_url) as (a, b, front):
        anne = await Player.come(a.address, "Anne")
        table = await anne.open_table(("", "casual", "casual"))
        bert = await Player.come(front.address, "Bert")
        anne.address = front.address
        for _ in range(2):  # by turns the front asks either first
            for person in (anne, bert):
                await person.join(table)
        assert f"/node/a/live/{table}" in front.led
        assert lives_at(table, a, b) == [True, False]
        assert (await bert.do(cmd.Sit(1))).ok
        for person in (anne, bert):
            await person.prefer(bot_pace=0, trick_pace=0)
        await anne.do(cmd.Start())
        await asyncio.gather(anne.play(), bert.play())
        assert anne.number == bert.number
        for person in (anne, bert):
            await person.leave()


@pytest.mark.parametrize("base", ["", "/games/volte"])
async def test_who_asks_for_a_table_elsewhere_is_told_where_it_is(
    postgres_url: str, tmp_path: Path, base: str
) -> None:
    """By a path of ours, and whatever they say of hosts: nobody can be led off the site."""

    async with two_nodes(tmp_path, postgres_url, base_path=base) as (a, b, _):
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
            asked = f"{base}{path}"
            for headers in (own, own | lies):
                led = await request(b.address, method, asked, headers=headers)
                assert (led.status, led.header("location")) == (307, f"{base}/node/a{path}")
            below = await request(b.address, method, f"{base}/node/b{path}", headers=own)
            mark = "&led_twice" if "?" in path else "?led_twice"
            assert below.header("location") == f"{base}/node/a{path}{mark}"
            third = await request(b.address, method, f"{asked}{mark}", headers=own)
            assert (third.status, third.header("location")) == (503, "")
        for address in (f"/node/a/tables/{table}", f"/tables/{table}"):
            assert (await request(a.address, "GET", base + address, headers=own)).status == 200
        cookie = (await post_json(b.address, "/api/guest", {"name": "Zoé"})).header("set-cookie")
        assert f"Path={base or '/'};" in f"{cookie};"


async def test_a_call_is_led_by_a_notice_and_its_close(postgres_url: str, tmp_path: Path) -> None:
    async with two_nodes(tmp_path, postgres_url) as (a, b, _):
        guest = await Guest.come(a.address)
        table = await guest.open_table()
        socket = await connect(
            f"{b.address.replace('http', 'ws')}/live/{table}",
            additional_headers={"cookie": guest.cookie},
            proxy=None,
        )
        notice = await socket.recv()
        assert '"reason":"elsewhere"' in str(notice)
        assert f'"at":"/node/a/live/{table}"' in str(notice)
        await socket.wait_closed()
        assert socket.close_code == Closing.MOVED_AWAY


async def test_a_node_that_has_lost_its_database_leaves_a_call_to_the_others(
    cluster: Cluster, cluster_url: str, tmp_path: Path
) -> None:
    """It is refused before there is a connection, so that the proxy can ask the next node."""

    async with serving(tmp_path, cluster_url, node="a") as site:
        guest = await Guest.come(site.address)
        cluster.stop()
        try:
            with pytest.raises(InvalidStatus) as refused:
                await guest.dial("0" * 20)
        finally:
            cluster.start()
        assert refused.value.response.status_code == 503
        assert json.loads(refused.value.response.body)["reason"] == "unavailable"


async def test_a_password_is_said_once_wherever_one_comes_in(
    postgres_url: str, tmp_path: Path
) -> None:
    async with two_nodes(tmp_path, postgres_url) as (a, b, _):
        host, guest = [await Guest.come(site.address) for site in (a, b)]
        table = await host.open_table(setup=LOCKED, password="melon")
        page, own = f"/tables/{table}", {"cookie": guest.cookie}
        csrf = csrf_of(guest.cookie.partition("=")[2])
        for password, token, status in (
            ("lemon", csrf, 403),
            ("melon", "forged", 403),
            ("melon", csrf, 303),
        ):
            fields = {"password": password, "csrf": token}
            entered = await post_form(b.address, f"{page}/enter", fields, **own)
            assert entered.status == status
        assert entered.header("location") == page
        program = await Guest.come(b.address)
        said = {"password": "melon"}
        told = await post_json(b.address, f"/api{page}/enter", said, program.cookie)
        assert told.status == 204
        for person in (guest, program):
            person.address = a.address
            await person.join(table)
            await person.leave()


@pytest.mark.full
async def test_what_is_not_there_is_so_everywhere(postgres_url: str, tmp_path: Path) -> None:
    async with two_nodes(tmp_path, postgres_url) as (a, b, _):
        host = await Guest.come(a.address)
        closed = await host.open_table()
        await host.join(closed)
        assert (await host.do(cmd.Close())).ok
        assert await host.until_closed() == Closing.CLOSED
        guest = await Guest.come(b.address)
        own = {"cookie": guest.cookie}
        for table, status, code in (("0" * 20, 404, Closing.NO_TABLE), (closed, 410, 4410)):
            page = await request(b.address, "GET", f"/tables/{table}", headers=own)
            assert page.status == status
            await guest.call(table)
            assert await guest.until_closed() == code
        assert not await a.room.store.nodes.living([closed, "0" * 20])


@pytest.mark.full
async def test_the_lobby_is_the_same_on_every_node(postgres_url: str, tmp_path: Path) -> None:
    async with two_nodes(tmp_path, postgres_url) as (a, b, _):
        host = await Player.come(a.address, "Anne")
        table = await host.open_table()
        for state in ("waiting", "playing"):
            for site in (a, b):
                listed = (await request(site.address, "GET", "/api/tables")).json["tables"]
                told = [(each["table"], each["state"], each["host"]) for each in listed]
                assert told == [(table, state, "Anne")]
            if state == "waiting":
                await host.join(table)
                assert (await host.do(cmd.Start())).ok
        await host.leave()


async def test_a_session_that_is_ended_on_one_node_is_over_on_all(
    postgres_url: str, tmp_path: Path
) -> None:
    async with two_nodes(tmp_path, postgres_url) as (a, b, front):
        table = await (await Guest.come(a.address)).open_table()
        for ended_at in (a, b):
            guest = await Guest.come(front.address)
            await guest.join(table)
            fields = {"csrf": csrf_of(guest.cookie.partition("=")[2])}
            out = await post_form(ended_at.address, "/logout", fields, cookie=guest.cookie)
            assert out.status == 303
            assert await guest.until_closed() == Closing.NO_SESSION


async def test_a_node_that_stops_frees_its_tables_before_it_says_so(
    postgres_url: str, tmp_path: Path
) -> None:
    """Whoever is told to come back finds the table somewhere else."""

    async with (
        serving(tmp_path, postgres_url, node="b") as b,
        fronting(b=b.address) as front,
    ):
        async with serving(tmp_path, postgres_url, node="a", grace=PATIENCE) as a:
            front.nodes["a"] = a.address
            anne, bert = [await Player.come(front.address, name) for name in ("Anne", "Bert")]
            anne.address = a.address
            table = await anne.open_table(("", "casual", "casual"))
            idle = await anne.open_table()
            anne.address = front.address
            for person in (anne, bert):
                await person.join(table)
            assert (await bert.do(cmd.Sit(1))).ok
            for person in (anne, bert):
                await person.prefer(bot_pace=0, trick_pace=0)
            await anne.do(cmd.Start())
            playing = asyncio.gather(anne.play(), bert.play(), return_exceptions=True)
            await anne.until(lambda: anne.match is not None and anne.match.deal is not None)

            async def told() -> None:
                assert await anne.until_closed() == Closing.STOPPING
                owner = await b.room.store.nodes.owner(table)
                assert owner is None or owner[0].name == "b"

            telling = asyncio.create_task(told())
        await telling
        assert await bert.until_closed() == Closing.STOPPING
        await playing
        await asyncio.gather(anne.join(), bert.join())
        assert lives_at(table, b) == [True]
        assert lives_at(idle, b) == [False]
        await asyncio.gather(anne.play(), bert.play())
        await anne.join(idle)
        assert lives_at(idle, b) == [True]
        for person in (anne, bert):
            await person.leave()


# Names


async def test_a_node_that_stops_hands_its_tables_over_a_few_at_a_time(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches go on at the other node whether somebody comes or not."""
    monkeypatch.setattr(membership, "FEW", 1)

    async with two_nodes(tmp_path, postgres_url) as (a, b, front):
        people = [await Player.come(a.address, name) for name in ("Anne", "Bert")]
        for person in people:
            await person.join(await person.open_table())
            assert (await person.do(cmd.Start())).ok
        handing = asyncio.create_task(a.room[Membership].hand_over())
        await asyncio.wait(
            [asyncio.create_task(each.until_closed()) for each in people],
            return_when=asyncio.FIRST_COMPLETED,
        )
        assert len(a.room.lobby.tables) == 1
        await handing
        assert [await each.until_closed() for each in people] == [Closing.STOPPING] * 2
        async with asyncio.timeout(PATIENCE):
            while not all(lives_at(each.table, b) == [True] for each in people):
                await asyncio.sleep(0.01)
        with pytest.raises(InvalidStatus) as refused:
            await people[0].dial("0" * 20)
        assert refused.value.response.status_code == 503
        for person in people:
            person.address = front.address
            await person.join()
            await person.leave()


async def test_what_is_meant_for_another_node_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async with serving(tmp_path, node="a") as site:
        guest = await Guest.come(site.address)
        table = await guest.open_table()
        reply = await request(site.address, "GET", f"/node/b/tables/{table}")
        assert reply.status == 421
        assert 'data-reason="wrong_node"' in reply.text
        with pytest.raises(InvalidStatus):
            await connect(f"{site.address.replace('http', 'ws')}/node/b/live/{table}")


async def test_a_second_node_of_the_same_name_says_so_and_ends(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "NAMED", 0.5)

    async with (
        serving(tmp_path, postgres_url, node="a"),
        open_room(Settings.of({}, database=postgres_url, node="a")) as room,
    ):
        with pytest.raises(ServingFault) as caught:
            await room[Membership].join()
        assert caught.value.reason == "name_taken"


@pytest.mark.parametrize("name", ["A", "a/b", "..", "ä", "a" * 33])
def test_what_is_no_name_of_a_node(name: str) -> None:
    with pytest.raises(SettingFault) as caught:
        Settings.of({}, node=name)
    assert caught.value.reason == "bad_node"


def test_whoever_asks_for_workers_is_told_what_there_is_instead(tmp_path: Path) -> None:
    file = tmp_path / "volte.toml"
    file.write_text("workers = 4\n")
    for environ, config, options in (
        ({"VOLTE_WORKERS": "4"}, None, {}),
        ({}, str(file), {}),
        ({}, None, {"workers": "4"}),
    ):
        with pytest.raises(SettingFault) as caught:
            Settings.of(environ, config=config, **options)
        assert caught.value.reason == "no_workers"


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
