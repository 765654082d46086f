"""Caddy and nginx with the files of `deploy/`, in front of real nodes: people come and play."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from kit import Guest, Player, Process, Reply, SiteWith, play_on, post_form, post_json, request
from kit.companies import all_got_on, companies, while_playing
from kit.judges import judge
from kit.proxies import in_front

from volte.rules import make_ruleset
from volte.table import Access, OpenSeats, Setup
from volte.table import commands as cmd

KINDS: Final = ("caddy", "nginx")
NAMES: Final = ("a", "b")
BASE: Final = "/games/volte"
ELSEWHERE: Final = "https://elsewhere.example"
ENOUGH: Final = 60
"""Requests after which each of two nodes has had some of them, even where chance decides."""

pytestmark = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def front() -> dict[str, Any]:
    """Settings of the proxy in front of the nodes."""
    return {}


@pytest.fixture
async def proxied(
    kind: str, front: dict[str, Any], postgres_url: str, tmp_path: Path, site_with: SiteWith
) -> AsyncIterator[str]:
    """The address of a proxy before two nodes in this process."""
    base = front.get("base", "")
    a, b = [await site_with(postgres_url, node=name, base_path=base) for name in NAMES]
    with in_front(kind, tmp_path, (a.address, b.address), **front) as site:
        yield site


Both = tuple[tuple[Process, Process], str]


@pytest.fixture
def processes(kind: str, postgres_url: str, tmp_path: Path) -> Iterator[Both]:
    """The nodes a and b as programs of their own, and the address of the proxy."""
    with (
        Process(postgres_url, tmp_path, VOLTE_NODE="a") as a,
        Process(postgres_url, tmp_path, VOLTE_NODE="b") as b,
        in_front(kind, tmp_path, (a.address, b.address)) as site,
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


async def test_two_people_come_by_different_nodes_and_play(proxied: str) -> None:
    site = proxied
    anne, bert = await Player.come(site, "Anne"), await Player.come(site, "Bert")
    table = await anne.open_table(("", "casual", "casual"))
    answers = await both_ways(lambda: bert.get(f"/api/tables/{table}?x=1"))
    assert set(answers) == {200, 307}
    path = answers[307].header("location")
    found = re.fullmatch(rf"/node/([ab])/api/tables/{table}\?x=1", path)
    assert found is not None, path
    owner = found[1]
    led = await bert.get(path)
    assert (led.status, led.json) == (200, answers[200].json)
    page = await bert.get(f"/node/{owner}/tables/{table}")
    assert f'data-live="/node/{owner}/live/{table}"' in page.text
    # A connection that reaches the other node is led to the owner.
    anne.address = f"{site}/node/{NAMES[owner == 'a']}"
    await anne.join(table)
    assert anne.led == [f"/node/{owner}/live/{table}"]
    anne.address = site
    await bert.join(table)
    assert (await bert.do(cmd.Sit(1))).ok
    for person in (anne, bert):
        await person.hurry()
    assert (await anne.do(cmd.Start())).ok
    await play_on(anne, bert)
    assert anne.number == bert.number
    for path in ("/metrics", "/readyz", "/metric%73", "/node/a/metrics", "/node/b/readyz"):
        assert (await request(site, "GET", path)).status == 404, path
    assert (await request(site, "GET", "/healthz")).text == "ok\n"
    for path in (f"/node/zz/tables/{table}", "/node/zz/", "/node/", f"/node/zz/live/{table}"):
        reply = await request(site, "GET", path)
        assert (reply.status, reply.header("location")) == (404, ""), path
    await passwords_and_origins(site, bert)


async def passwords_and_origins(site: str, guest: Guest) -> None:
    rules = make_ruleset("coeurs", {"match_end": "deals:1"})
    setup = Setup("Locked", rules, access=Access.PASSWORD, open_seats=OpenSeats.ALL)
    locked = await (await Guest.come(site)).open_table(setup=setup, password="melon")
    entering, word = f"/api/tables/{locked}/enter", {"password": "melon"}
    for name in NAMES:
        assert (await guest.post(f"/node/{name}{entering}", word)).status == 204, name
    for origin, status in ((ELSEWHERE, 403), (f"{site}1", 403), (site, 204)):
        reply = await post_json(site, entering, word, guest.cookie, {"origin": origin})
        assert reply.status == status, origin
        form = {"name": "Zoé", "next": "/", "csrf": guest.csrf}
        reply = await post_form(site, "/guest", form, guest.cookie, origin)
        assert reply.status == (303 if status == 204 else status), origin
        if status == 204:
            await (await guest.dial(locked, Origin=origin)).close()
            continue
        assert (await guest.denied(locked, Origin=origin)).status == status


@pytest.mark.full
async def test_clients_cannot_say_where_they_come_from(
    kind: str, site_with: SiteWith, tmp_path: Path
) -> None:
    """The proxy replaces the headers by which it tells the node who asks, and how."""
    node = await site_with(guests_per_hour=2)
    statuses = []
    with in_front(kind, tmp_path, (node.address, node.address)) as site:
        for number in range(3):
            said = {"x-forwarded-for": f"203.0.113.{number}", "x-forwarded-proto": "https"}
            reply = await post_json(site, "/api/guest", {"name": "Zoé", "lang": "en"}, headers=said)
            statuses.append(reply.status)
            assert "strict-transport-security" not in dict(reply.headers)
    assert statuses == [200, 200, 429]


@pytest.mark.full
@pytest.mark.parametrize("front", [{"base": BASE}])
async def test_under_a_path_of_a_host_with_other_things(proxied: str) -> None:
    host = proxied.removesuffix(BASE)
    come = await post_json(host, f"{BASE}/api/guest", {"name": "Anne", "lang": "en"})
    anne = Player(proxied, come.cookie, come.json["person"], "Anne")
    opened = await post_form(host, f"{BASE}/play", {"csrf": anne.csrf}, come.cookie)
    found = re.match(rf"{BASE}(?:/node/[ab])?/tables/(\w+)", opened.header("location"))
    assert found is not None, opened
    table = found[1]
    led = set()
    for name in NAMES:
        anne.address = f"{proxied}/node/{name}"
        await anne.join(table)
        led |= set(anne.led)
    assert led <= {f"{BASE}/node/{name}/live/{table}" for name in NAMES}
    assert len(led) == 1
    assert (await anne.do(cmd.Start())).ok
    await anne.hurry()
    await anne.play(lambda: anne.number > 30)
    bare = await request(host, "GET", BASE)
    assert bare.status in (301, 302, 308)
    assert bare.header("location").removeprefix(host) == f"{BASE}/"
    for path in ("/metrics", "/readyz", "/node/a/metrics", "/node/zz/"):
        assert (await request(host, "GET", BASE + path)).status == 404, path
    for name in NAMES:
        come = await post_form(host, f"{BASE}/node/{name}/guest", {"name": "Luc", "next": "/"})
        assert f"Path={BASE};" in come.header("set-cookie")


@pytest.mark.full
@pytest.mark.parametrize("front", [{"https": True}])
async def test_with_https_cookies_are_those_of_the_whole_host(proxied: str) -> None:
    async with httpx.AsyncClient(base_url=proxied, verify=False) as visitor:
        for path in ("/guest", "/node/a/guest", "/node/b/guest"):
            form = {"name": "Luc", "next": "/"}
            come = await visitor.post(path, data=form, headers={"origin": proxied})
            cookies = come.headers.get_list("set-cookie")
            assert cookies
            assert all(each.startswith("__Host-volte") for each in cookies), cookies
            assert all("Path=/;" in each and "Secure" in each for each in cookies), cookies
            visitor.cookies.clear()


@pytest.mark.full
async def test_people_play_on_while_nodes_are_killed_and_stopped(
    processes: Both, postgres_url: str
) -> None:
    nodes, site = processes
    tables = await companies(site, 4)

    async def trouble() -> None:
        for end in (Process.kill, Process.stop):
            for node in nodes:
                await all_got_on(tables, 20)
                await asyncio.to_thread(end, node)
                await all_got_on(tables, 20)
                await asyncio.to_thread(node.restart)

    await while_playing(tables, trouble())
    for node in nodes:
        await asyncio.to_thread(node.kill)
    none = await request(site, "GET", "/")
    assert none.status in (502, 503)
    assert none.text == "The playroom does not answer at the moment. Please try again shortly."
    assert (await judge(postgres_url, tables)).acknowledged


@pytest.mark.full
async def test_a_node_that_is_back_takes_all_who_come(processes: Both) -> None:
    """Connections to tables last, so that a proxy cannot judge a node by how they end."""
    nodes, site = processes
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


@pytest.mark.full
async def test_a_node_that_hangs_is_passed_over(processes: Both) -> None:
    nodes, site = processes
    os.kill(nodes[0].pid, signal.SIGSTOP)
    try:
        for _ in range(6):
            assert (await request(site, "GET", "/rules")).status == 200
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
async def test_another_node_is_asked_where_one_cannot_answer(kind: str, tmp_path: Path) -> None:
    if kind == "caddy":
        pytest.skip("Caddy knows it from /readyz before")
    unavailable = b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n"
    fine = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
    asked: list[str] = []
    async with in_trouble(unavailable, asked) as a, in_trouble(fine, []) as b:
        with in_front(kind, tmp_path, (a, b)) as site:
            for _ in range(4):
                assert (await request(site, "GET", "/rules")).status == 200
    assert asked
