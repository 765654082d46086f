"""Several processes on one PostgreSQL: whichever of them one asks, it is one playroom."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from server.guests import Guest, Player
from server.harness import Site, run, serving
from server.web import post_form, post_json, request
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from volte.rules import make_ruleset
from volte.server.cluster.inside import CLIENT, SCHEME, SECRET
from volte.server.security import csrf_of
from volte.store.processes import Process
from volte.table import Access, Setup
from volte.table import commands as cmd
from volte.wire.messages import Closing

PATIENCE = 30


@asynccontextmanager
async def two_sites(
    folder: Path, database: str, **settings: object
) -> AsyncIterator[tuple[Site, Site]]:
    """Two servers, which know of each other by the database alone."""
    async with (
        serving(folder, database, **settings) as one,
        serving(folder, database, **settings) as other,
    ):
        yield one, other


def lives_at(table: str, *sites: Site) -> list[bool]:
    """In which of the processes it lives."""
    return [site.room.lobby.living(table) is not None for site in sites]


async def owner_of(table: str, site: Site) -> Process:
    owner = await site.room.store.processes.owner(table)
    assert owner is not None
    return owner


def test_a_table_is_opened_at_one_and_played_at_both(postgres_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two_sites(tmp_path, postgres_url) as (one, other):
            anne = await Player.come(one.address, "Anne")
            bert = await Player.come(other.address, "Bert")
            table = await anne.open_table(("", "casual", "casual"))
            await anne.join(table)
            await bert.join(table)
            assert lives_at(table, one, other) == [True, False]
            assert (await bert.do(cmd.Sit(1))).ok
            for person in (anne, bert):
                await person.prefer(bot_pace=0, trick_pace=0)
            await anne.do(cmd.Start())
            await asyncio.gather(anne.play(), bert.play())
            # Both come back by the other door, and it is still one table.
            anne.address, bert.address = bert.address, anne.address
            for person in (anne, bert):
                await person.join()
            assert lives_at(table, one, other) == [True, False]
            assert anne.number == bert.number
            for person in (anne, bert):
                await person.leave()

    run(story())


def test_pages_and_programs_get_a_table_by_any_door(postgres_url: str, tmp_path: Path) -> None:
    setup = Setup("Locked", make_ruleset("coeurs"), access=Access.PASSWORD)

    async def story() -> None:
        async with two_sites(tmp_path, postgres_url) as (one, other):
            host = await Guest.come(one.address, "Anne")
            guest = await Guest.come(other.address, "Bert")
            table = await host.open_table(setup=setup, password="melon")
            page, own = f"/tables/{table}", {"cookie": guest.cookie}

            for address in (one.address, other.address):
                told = await request(address, "GET", f"/api{page}", headers=own)
                assert told.json["needs_password"]
                assert told.json["name"] == "Locked"
                assert not told.json["host"]
            asked = await request(other.address, "GET", page, headers=own)
            assert (asked.status, page in asked.text) == (200, True)
            csrf = csrf_of(guest.cookie.partition("=")[2])
            wrong = {"password": "lemon", "csrf": csrf}
            assert (await post_form(other.address, f"{page}/enter", wrong, **own)).status == 403
            forged = {"password": "melon", "csrf": "no"}
            assert (await post_form(other.address, f"{page}/enter", forged, **own)).status == 403
            fields = {"password": "melon", "csrf": csrf}
            entered = await post_form(other.address, f"{page}/enter", fields, **own)
            assert (entered.status, entered.header("location")) == (303, page)

            here, there = [
                await request(address, "GET", f"{page}/rules", headers=own)
                for address in (one.address, other.address)
            ]
            assert here.text == there.text
            assert there.header("content-security-policy")
            head = await request(other.address, "HEAD", f"{page}/qr.svg", headers=own)
            assert (head.status, head.body) == (200, b"")
            assert lives_at(table, one, other) == [True, False]

    run(story())


@pytest.mark.full
def test_what_is_not_there_is_so_everywhere(postgres_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two_sites(tmp_path, postgres_url) as (one, other):
            host = await Guest.come(one.address)
            closed = await host.open_table()
            await host.join(closed)
            assert (await host.do(cmd.Close())).ok
            assert await host.until_closed() == Closing.CLOSED
            guest = await Guest.come(other.address)
            own = {"cookie": guest.cookie}
            for table, status, code in (("0" * 20, 404, Closing.NO_TABLE), (closed, 410, 4410)):
                page = await request(other.address, "GET", f"/tables/{table}", headers=own)
                assert page.status == status
                await guest.call(table)
                assert await guest.until_closed() == code
            assert not await one.room.store.processes.living([closed, "0" * 20])

    run(story())


@pytest.mark.full
def test_the_lobby_is_the_same_at_every_door(postgres_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two_sites(tmp_path, postgres_url) as (one, other):
            host = await Player.come(one.address, "Anne")
            table = await host.open_table()
            for state in ("waiting", "playing"):
                for address in (one.address, other.address):
                    listed = (await request(address, "GET", "/api/tables")).json["tables"]
                    told = [(each["table"], each["state"], each["host"]) for each in listed]
                    assert told == [(table, state, "Anne")]
                if state == "waiting":
                    await host.join(table)
                    assert (await host.do(cmd.Start())).ok
            await host.leave()

    run(story())


@pytest.mark.full
def test_who_is_sent_away_at_one_door_goes_at_the_other(postgres_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two_sites(tmp_path, postgres_url) as (one, other):
            host = await Guest.come(one.address, "Anne")
            guest = await Guest.come(other.address, "Bert")
            table = await host.open_table()
            await host.join(table)
            await guest.join(table)
            assert (await guest.do(cmd.Sit(1))).ok
            assert (await host.do(cmd.Remove(1, bar=True))).ok
            assert await guest.until_closed() == Closing.NOT_ADMITTED
            await host.leave()

    run(story())


def test_a_session_that_is_ended_at_one_door_is_over_at_all(
    postgres_url: str, tmp_path: Path
) -> None:
    """Where the table is, at the door by which one came, and wherever one signs out."""

    async def story() -> None:
        async with two_sites(tmp_path, postgres_url) as (one, other):
            table = await (await Guest.come(one.address)).open_table()
            for seen_at, ended_at in ((one, one), (one, other), (other, one), (other, other)):
                guest = await Guest.come(seen_at.address)
                await guest.join(table)
                token = guest.cookie.partition("=")[2]
                fields = {"csrf": csrf_of(token)}
                out = await post_form(ended_at.address, "/logout", fields, cookie=guest.cookie)
                assert out.status == 303
                assert await guest.until_closed() == Closing.NO_SESSION

    run(story())


def test_a_process_that_stops_leaves_its_tables_to_the_others(
    postgres_url: str, tmp_path: Path
) -> None:
    """However long that takes: a match that waits for its people would not be gone on with."""

    async def story() -> None:
        async with AsyncExitStack() as stack:
            other = await stack.enter_async_context(serving(tmp_path, postgres_url))
            async with serving(tmp_path, postgres_url, grace=PATIENCE) as one:
                anne = await Player.come(one.address, "Anne")
                bert = await Player.come(other.address, "Bert")
                table = await anne.open_table(("", "casual", "casual"))
                idle = await anne.open_table()
                await anne.join(table)
                await bert.join(table)
                assert (await bert.do(cmd.Sit(1))).ok
                for person in (anne, bert):
                    await person.prefer(bot_pace=0, trick_pace=0)
                await anne.do(cmd.Start())
                playing = asyncio.gather(anne.play(), bert.play(), return_exceptions=True)
                await anne.until(lambda: anne.match is not None and anne.match.deal is not None)
            assert await anne.until_closed() == Closing.STOPPING
            assert await bert.until_closed() in (Closing.STOPPING, Closing.MOVED_AWAY)
            await playing
            async with asyncio.timeout(PATIENCE):
                while not other.room.lobby.living(table):
                    await asyncio.sleep(0.01)
            assert other.room.lobby.living(idle) is None
            anne.address = other.address
            await asyncio.gather(anne.join(), bert.join())
            await asyncio.gather(anne.play(), bert.play())
            await anne.join(idle)
            assert other.room.lobby.living(idle)
            for person in (anne, bert):
                await person.leave()

    run(story())


# Nobody else comes in by the doors between the processes


def test_from_outside_nobody_asks_as_a_process_does(postgres_url: str, tmp_path: Path) -> None:
    """Not even with the secret: what is said of passing on is not read at the public door."""

    async def story() -> None:
        async with two_sites(tmp_path, postgres_url, requests_per_minute=12) as (one, other):
            guest = await Guest.come(one.address)
            table = await guest.open_table()
            owner = await owner_of(table, one)
            said = {SECRET: owner.secret.hex(), CLIENT: "203.0.113.9", SCHEME: "https"}
            for site in (one, other):
                replies = [
                    await request(site.address, "GET", f"/tables/{table}", headers=said)
                    for _ in range(13)
                ]
                assert replies[0].status in (200, 401)
                assert not replies[0].header("strict-transport-security")
                assert replies[-1].status == 429

    run(story())


def test_the_inner_door_is_closed_to_strangers(postgres_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, postgres_url) as site:
            guest = await Guest.come(site.address)
            table = await guest.open_table()
            owner = await owner_of(table, site)
            inner = f"http://{owner.address}"
            for secret in (None, "", "00" * 32, "ß"):
                said = {"cookie": guest.cookie} | ({} if secret is None else {SECRET: secret})
                for path in ("/", f"/tables/{table}", "/healthz", "/static/site.css"):
                    reply = await request(inner, "GET", path, headers=said)
                    assert reply.status == 403
                    assert len(reply.body) < 100
                headers = {name: text.encode().decode("latin-1") for name, text in said.items()}
                address = f"ws://{owner.address}/live/{table}"
                with pytest.raises(InvalidStatus) as caught:
                    await connect(address, additional_headers=headers)
                assert caught.value.response.status_code == 403
            known = {"cookie": guest.cookie, SECRET: owner.secret.hex(), CLIENT: "203.0.113.9"}
            assert (await request(inner, "GET", f"/tables/{table}", headers=known)).status == 200

    run(story())


@pytest.mark.full
def test_a_page_of_another_site_comes_in_by_no_door(postgres_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with two_sites(tmp_path, postgres_url) as (one, other):
            guest = await Guest.come(other.address)
            table = await (await Guest.come(one.address)).open_table()
            with pytest.raises(InvalidStatus) as caught:
                await guest.dial(table, Origin="https://elsewhere.example")
            assert caught.value.response.status_code == 403

    run(story())


@pytest.mark.full
def test_what_is_passed_on_counts_once(postgres_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        limits = {"requests_per_minute": 8, "sockets_per_address": 2}
        async with two_sites(tmp_path, postgres_url, **limits) as (one, other):
            host = await Guest.come(one.address)
            table = await host.open_table()
            guest = await Guest.come(other.address)
            sockets = [await guest.dial(table) for _ in range(2)]
            with pytest.raises(InvalidStatus) as caught:
                await guest.dial(table)
            assert caught.value.response.status_code == 429
            for socket in sockets:
                await socket.close()
            own = {"cookie": guest.cookie}
            statuses = [
                (await request(other.address, "GET", f"/tables/{table}", headers=own)).status
                for _ in range(5)
            ]
            assert statuses == [200] * 4 + [429]
            # At the door of the table, that address has asked twice.
            reply = await post_json(one.address, "/api/guest", {"name": "Cara"})
            assert reply.status == 200

    run(story())
