"""Caddy and nginx with the files of `deploy/`, in front of real nodes: people come and play."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final

import httpx
import pytest
from kit.companies import Company, companies, judge
from kit.people import Guest, Player
from kit.proxies import in_front
from kit.requests import Reply, post_form, post_json, request
from kit.sites import PATIENCE, Process, run, serving
from websockets.exceptions import InvalidStatus

from volte.rules import make_ruleset
from volte.table import Access, OpenSeats, Setup
from volte.table import commands as cmd
from volte.web.security import csrf_of

KINDS: Final = ("caddy", "nginx")
NAMES: Final = ("a", "b")
BASE: Final = "/games/volte"
ELSEWHERE: Final = "https://elsewhere.example"
ENOUGH: Final = 60
"""Requests after which each of two nodes has had some of them, even where chance decides."""


async def with_two_nodes(
    kind: str,
    folder: Path,
    database: str,
    story: Callable[[str], Awaitable[None]],
    **front: Any,
) -> None:
    """Runs the story with the address of a proxy, in front of two nodes in this process."""
    settings = {"base_path": front.get("base", "")}
    async with (
        serving(folder, database, node="a", **settings) as a,
        serving(folder, database, node="b", **settings) as b,
    ):
        with in_front(kind, folder, (a.address, b.address), **front) as site:
            await story(site)


@contextmanager
def two_processes(
    kind: str, database: str, folder: Path
) -> Iterator[tuple[tuple[Process, Process], str]]:
    """The nodes a and b as programs of their own, and the address of the proxy."""
    with (
        Process(database, folder, VOLTE_NODE="a") as a,
        Process(database, folder, VOLTE_NODE="b") as b,
        in_front(kind, folder, (a.address, b.address)) as site,
    ):
        yield (a, b), site


async def both_ways(ask: Callable[[], Awaitable[Reply]]) -> dict[int, Reply]:
    """The answers of the node that has the table, and of the other, by status."""
    answers: dict[int, Reply] = {}
    for _ in range(ENOUGH):
        reply = await ask()
        answers[reply.status] = reply
        if len(answers) == 2:
            break
    return answers


@pytest.mark.parametrize("kind", KINDS)
def test_two_people_come_by_different_nodes_and_play(
    kind: str, postgres_url: str, tmp_path: Path
) -> None:
    async def story(site: str) -> None:
        anne, bert = await Player.come(site, "Anne"), await Player.come(site, "Bert")
        table = await anne.open_table(("", "casual", "casual"))

        async def look() -> Reply:
            return await request(
                site, "GET", f"/api/tables/{table}?x=1", headers={"cookie": bert.cookie}
            )

        answers = await both_ways(look)
        assert set(answers) == {200, 307}
        path = answers[307].header("location")
        found = re.fullmatch(rf"/node/([ab])/api/tables/{table}\?x=1", path)
        assert found is not None, path
        owner = found[1]
        other = NAMES[owner == "a"]
        led = await request(site, "GET", path, headers={"cookie": bert.cookie})
        assert (led.status, led.json) == (200, answers[200].json)
        page = await request(
            site, "GET", f"/node/{owner}/tables/{table}", headers={"cookie": bert.cookie}
        )
        assert f'data-live="/node/{owner}/live/{table}"' in page.text
        # A connection that reaches the other node is led to the owner.
        anne.address = f"{site}/node/{other}"
        await anne.join(table)
        assert anne.led == [f"/node/{owner}/live/{table}"]
        anne.address = site
        await bert.join(table)
        assert (await bert.do(cmd.Sit(1))).ok
        for person in (anne, bert):
            await person.prefer(bot_pace=0, trick_pace=0)
        assert (await anne.do(cmd.Start())).ok
        await asyncio.gather(anne.play(), bert.play())
        assert anne.number == bert.number
        await private_addresses_are_not_found(site)
        await unknown_nodes_are_not_found(site, table)
        await passwords_and_origins(site, bert)
        for person in (anne, bert):
            await person.leave()

    run(with_two_nodes(kind, tmp_path, postgres_url, story))


async def private_addresses_are_not_found(site: str) -> None:
    for path in ("/metrics", "/readyz", "/metric%73", "/node/a/metrics", "/node/b/readyz"):
        assert (await request(site, "GET", path)).status == 404, path
    assert (await request(site, "GET", "/healthz")).text == "ok\n"


async def unknown_nodes_are_not_found(site: str, table: str) -> None:
    for path in (f"/node/zz/tables/{table}", "/node/zz/", "/node/", f"/node/zz/live/{table}"):
        reply = await request(site, "GET", path)
        assert (reply.status, reply.header("location")) == (404, ""), path


async def passwords_and_origins(site: str, guest: Guest) -> None:
    rules = make_ruleset("coeurs", {"match_end": "deals:1"})
    setup = Setup("Locked", rules, access=Access.PASSWORD, open_seats=OpenSeats.ALL)
    locked = await (await Guest.come(site)).open_table(setup=setup, password="melon")
    entering, word = f"/api/tables/{locked}/enter", {"password": "melon"}
    for name in NAMES:
        reply = await post_json(site, f"/node/{name}{entering}", word, guest.cookie)
        assert reply.status == 204, (name, reply)
    for origin, status in ((ELSEWHERE, 403), (f"{site}1", 403), (site, 204)):
        headers = {"origin": origin}
        reply = await post_json(site, entering, word, guest.cookie, headers)
        assert reply.status == status, origin
        form = {"name": "Zoé", "next": "/", "csrf": csrf_of(guest.cookie.partition("=")[2])}
        reply = await post_form(site, "/guest", form, guest.cookie, origin)
        assert reply.status == (303 if status == 204 else status), origin
        if status == 204:
            await (await guest.dial(locked, Origin=origin)).close()
            continue
        with pytest.raises(InvalidStatus) as refused:
            await guest.dial(locked, Origin=origin)
        assert refused.value.response.status_code == status


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
async def test_clients_cannot_say_where_they_come_from(kind: str, tmp_path: Path) -> None:
    """The proxy replaces the headers by which it tells the node who asks, and how."""

    async with serving(tmp_path, guests_per_hour=2) as node:
        with in_front(kind, tmp_path, (node.address, node.address)) as site:
            statuses = []
            for number in range(3):
                said = {"x-forwarded-for": f"203.0.113.{number}", "x-forwarded-proto": "https"}
                name = {"name": "Zoé", "lang": "en"}
                reply = await post_json(site, "/api/guest", name, headers=said)
                statuses.append(reply.status)
                assert "strict-transport-security" not in dict(reply.headers)
    assert statuses == [200, 200, 429]


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_under_a_path_of_a_host_with_other_things(
    kind: str, postgres_url: str, tmp_path: Path
) -> None:
    async def story(site: str) -> None:
        host = site.removesuffix(BASE)
        come = await post_json(host, f"{BASE}/api/guest", {"name": "Anne", "lang": "en"})
        anne = Player(site, come.cookie, come.json["person"], "Anne")
        form = {"csrf": csrf_of(come.cookie.partition("=")[2])}
        opened = await post_form(host, f"{BASE}/play", form, come.cookie)
        found = re.match(rf"{BASE}(?:/node/[ab])?/tables/(\w+)", opened.header("location"))
        assert found is not None, opened
        table = found[1]
        led = set()
        for name in NAMES:
            anne.address = f"{site}/node/{name}"
            await anne.join(table)
            led |= set(anne.led)
        assert led <= {f"{BASE}/node/{name}/live/{table}" for name in NAMES}
        assert len(led) == 1
        assert (await anne.do(cmd.Start())).ok
        await anne.prefer(bot_pace=0, trick_pace=0)
        await anne.play(lambda: anne.number > 30)
        await anne.leave()
        bare = await request(host, "GET", BASE)
        assert bare.status in (301, 302, 308)
        assert bare.header("location").removeprefix(host) == f"{BASE}/"
        for path in ("/metrics", "/readyz", "/node/a/metrics", "/node/zz/"):
            assert (await request(host, "GET", BASE + path)).status == 404, path
        for name in NAMES:
            form = {"name": "Luc", "next": "/"}
            come = await post_form(host, f"{BASE}/node/{name}/guest", form)
            assert f"Path={BASE};" in come.header("set-cookie")

    run(with_two_nodes(kind, tmp_path, postgres_url, story, base=BASE))


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_with_https_cookies_are_those_of_the_whole_host(
    kind: str, postgres_url: str, tmp_path: Path
) -> None:
    async def story(site: str) -> None:
        async with httpx.AsyncClient(base_url=site, verify=False) as visitor:
            for path in ("/guest", "/node/a/guest", "/node/b/guest"):
                come = await visitor.post(
                    path, data={"name": "Luc", "next": "/"}, headers={"origin": site}
                )
                cookies = come.headers.get_list("set-cookie")
                assert cookies
                assert all(each.startswith("__Host-volte") for each in cookies), cookies
                assert all("Path=/;" in each and "Secure" in each for each in cookies), cookies
                visitor.cookies.clear()

    run(with_two_nodes(kind, tmp_path, postgres_url, story, https=True))


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_people_play_on_while_nodes_are_killed_and_stopped(
    kind: str, postgres_url: str, tmp_path: Path
) -> None:
    async def story(nodes: Sequence[Process], site: str) -> list[Company]:
        tables = await companies(site, 4)

        async def trouble() -> None:
            for end in (Process.kill, Process.stop):
                for node in nodes:
                    await get_on(tables)
                    await asyncio.to_thread(end, node)
                    await get_on(tables)
                    await asyncio.to_thread(node.restart)

        async with asyncio.TaskGroup() as group:
            troubling = group.create_task(trouble())
            for each in tables:
                group.create_task(each.play(lambda: not troubling.done()))
        for each in tables:
            await each.leave()
        for node in nodes:
            await asyncio.to_thread(node.kill)
        none = await request(site, "GET", "/")
        assert none.status in (502, 503)
        assert none.text == "The playroom does not answer at the moment. Please try again shortly."
        return tables

    with two_processes(kind, postgres_url, tmp_path) as (nodes, site):
        tables = run(story(nodes, site))
    assert run(judge(postgres_url, tables)).acknowledged


async def get_on(tables: Sequence[Company]) -> None:
    """Returns when some more has happened at each of the tables."""
    goals = [table.heard + 20 for table in tables]
    end = monotonic() + PATIENCE
    while any(table.heard < goal for table, goal in zip(tables, goals, strict=True)):
        assert monotonic() < end, list(map(str, tables))
        await asyncio.sleep(0.01)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_a_node_that_is_back_takes_all_who_come(
    kind: str, postgres_url: str, tmp_path: Path
) -> None:
    """Connections to tables last, so that a proxy cannot judge a node by how they end."""

    async def story(nodes: Sequence[Process], site: str) -> None:
        guest, other = await Guest.come(site), nodes[1]
        lines = []
        for node in nodes:
            guest.address = other.address
            table = await guest.open_table()
            await asyncio.to_thread(node.kill)
            guest.address = site
            gone = await request(site, "GET", f"/node/{NAMES[nodes.index(node)]}/tables/{table}")
            assert (gone.status, gone.header("location")) == (502, "")
            for _ in range(6):
                lines.append(await guest.dial(table))
            await asyncio.to_thread(node.restart)
            other = node
        for line in lines:
            await line.close()

    with two_processes(kind, postgres_url, tmp_path) as (nodes, site):
        run(story(nodes, site))


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_a_node_that_hangs_is_passed_over(kind: str, postgres_url: str, tmp_path: Path) -> None:
    with two_processes(kind, postgres_url, tmp_path) as (nodes, site):
        os.kill(nodes[0].pid, signal.SIGSTOP)
        try:
            for _ in range(6):
                assert run(request(site, "GET", "/rules")).status == 200
        finally:
            os.kill(nodes[0].pid, signal.SIGCONT)


@asynccontextmanager
async def in_trouble(answer: bytes, asked: list[str]) -> AsyncIterator[str]:
    """The address of what looks like a node that is ready, and answers all else with these bytes.

    Args:
        asked: the method of each request is added.
    """

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if head.startswith(b"GET /readyz "):
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        else:
            asked.append(head.decode().split(" ")[0])
            writer.write(answer)
        writer.close()

    async with await asyncio.start_server(meet, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.full
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("kind", KINDS)
async def test_what_may_have_been_done_is_not_sent_again(
    kind: str, method: str, tmp_path: Path
) -> None:
    """Here both nodes break off after they have read the request."""
    asked: list[str] = []

    async with in_trouble(b"", asked) as a, in_trouble(b"", asked) as b:
        with in_front(kind, tmp_path, (a, b)) as site:
            assert (await request(site, method, "/play")).status in (502, 503)
    assert (set(asked), len(asked) > 1) == ({method}, method == "GET")


@pytest.mark.full
async def test_nginx_asks_another_node_where_one_cannot_answer(tmp_path: Path) -> None:
    """Caddy knows it from /readyz before."""
    unavailable = b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n"
    fine = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
    asked: list[str] = []

    async with in_trouble(unavailable, asked) as a, in_trouble(fine, []) as b:
        with in_front("nginx", tmp_path, (a, b)) as site:
            for _ in range(4):
                assert (await request(site, "GET", "/rules")).status == 200
    assert asked
