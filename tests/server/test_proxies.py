"""Caddy and nginx with the files of `deploy/`, each started from nothing in front of real nodes."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

import httpx
import pytest
from server.guests import Guest, Player
from server.harness import PATIENCE, Process, run, serving
from server.judging import judge
from server.load import Company, companies
from server.web import Reply, post_form, post_json, request
from websockets.exceptions import InvalidStatus

from volte.rules import make_ruleset
from volte.server.security import csrf_of
from volte.table import Access, OpenSeats, Setup
from volte.table import commands as cmd

ROOT: Final = Path(__file__).parents[2]
DEPLOY: Final = ROOT / "deploy"
UNPACKED: Final = ROOT / "build" / "proxies" / "usr"
KINDS: Final = ("caddy", "nginx")
NAMES: Final = ("a", "b")
BASE: Final = "/games/volte"
ELSEWHERE: Final = "https://elsewhere.example"
ENOUGH: Final = 60
"""Requests after which each of two nodes has had some of them, even where chance decides."""

CADDY: Final = """{
	admin off
	auto_https disable_redirects
	skip_install_trust
}
"""
"""What the tests put before Caddy's file: it shall touch nothing of this machine."""

NGINX: Final = """daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr;
events {}
http {
	access_log off;
	client_body_temp_path body;
	proxy_temp_path proxied;
	fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi;
	scgi_temp_path scgi;
	include volte.conf;
}
"""
"""What Debian's own file would be around nginx's."""


def program(kind: str) -> str:
    """Unpacked by scripts/setup, or installed."""
    for folder in (UNPACKED / "bin", UNPACKED / "sbin"):
        if (folder / kind).exists():
            return str(folder / kind)
    found = shutil.which(kind)
    if found is None:
        pytest.skip(f"{kind} is not here; scripts/setup fetches it on Debian")
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def in_front(
    kind: str, folder: Path, nodes: Sequence[str], *, base: str = "", https: bool = False
) -> Iterator[str]:
    """A proxy in front of the nodes a and b; its address.

    Args:
        folder: for what it writes.
        nodes: `http://127.0.0.1:PORT` of each.
        base: the base path, where the comments of the file say how.
        https: with a certificate of its own; else plain HTTP.
    """
    home = folder / kind
    home.mkdir()
    port = free_port()
    hosts = [address.removeprefix("http://") for address in nodes]
    given = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    if kind == "caddy":
        site = f"https://localhost:{port}" if https else f"http://127.0.0.1:{port}"
        given |= {"SITE": site, "NODE_A": hosts[0], "NODE_B": hosts[1]}
        (home / "Caddyfile").write_text(CADDY + caddyfile(base), encoding="utf-8")
        command = [program(kind), "run", "--config", "Caddyfile"]
    else:
        site = f"{'https://localhost' if https else 'http://127.0.0.1'}:{port}"
        (home / "volte.conf").write_text(nginx_conf(hosts, port, base, https), encoding="utf-8")
        user = "user root;\n" if os.geteuid() == 0 else ""
        (home / "nginx.conf").write_text(user + NGINX, encoding="utf-8")
        if https:
            make_certificate(home)
        command = [program(kind), "-p", str(home), "-c", "nginx.conf", "-e", "stderr"]
    log = home / "log"
    with log.open("wb") as output:
        running = subprocess.Popen(command, cwd=home, env=given, stdout=output, stderr=output)
    try:
        end = monotonic() + PATIENCE
        while not listens(port, https):
            assert running.poll() is None, log.read_text()
            assert monotonic() < end, log.read_text()
            sleep(0.02)
        yield site + base
    finally:
        running.terminate()
        running.wait(PATIENCE)


def caddyfile(base: str) -> str:
    """The file as it is; for a base path, with the comment in place of the line above it."""
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    if not base:
        return text
    at_the_root, comment = "\n\timport playroom\n", r"^\t#(redir .*|handle_path .*|\t.*|\})$"
    assert text.count(at_the_root) == 1
    under, count = re.subn(comment, r"\t\1", text.replace(at_the_root, "\n"), flags=re.MULTILINE)
    assert count == 4
    return under


def nginx_conf(hosts: Sequence[str], port: int, base: str, https: bool) -> str:
    """The file with other addresses; without HTTPS, its lines about certificates are left out."""
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    ssl = " ssl http2" if https else ""
    lines = {
        r"listen \[::\].*;": "",
        r"listen 80;": f"listen 127.0.0.1:{free_port()};",
        r"listen 443 ssl http2;": f"listen 127.0.0.1:{port}{ssl};",
        r"ssl_certificate \S+;": "ssl_certificate certificate.pem;" if https else "",
        r"ssl_certificate_key \S+;": "ssl_certificate_key key.pem;" if https else "",
        r"127\.0\.0\.1:8151": hosts[0],
        r"127\.0\.0\.1:8152": hosts[1],
    }
    if base:
        lines |= {r"location ~ \^": f"location ~ ^{base}", r"location /": f"location {base}/"}
    for old, new in lines.items():
        text, count = re.subn(old, new, text)
        assert count, old
    return text


def make_certificate(folder: Path) -> None:
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-nodes", "-subj", "/CN=localhost"),
            *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-keyout", "key.pem", "-out", "certificate.pem"),
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )


def listens(port: int, https: bool) -> bool:
    """Whether it answers; Caddy makes its certificate after it has begun to listen."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection(("127.0.0.1", port)) as probe:
            if https:
                trusting.wrap_socket(probe, server_hostname="localhost").close()
    except OSError:
        return False
    return True


async def with_two_nodes(
    kind: str,
    folder: Path,
    database: str,
    story: Callable[[str], Awaitable[None]],
    **front: Any,
) -> None:
    """The story of somebody who knows the address of the proxy."""
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
        # What comes to the other node, comes to the owner in the end.
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
        await what_is_not_for_the_public(site)
        await nobody_is_nowhere(site, table)
        await passwords_and_origins(site, bert)
        for person in (anne, bert):
            await person.leave()

    run(with_two_nodes(kind, tmp_path, postgres_url, story))


async def what_is_not_for_the_public(site: str) -> None:
    for path in ("/metrics", "/readyz", "/metric%73", "/node/a/metrics", "/node/b/readyz"):
        assert (await request(site, "GET", path)).status == 404, path
    assert (await request(site, "GET", "/healthz")).text == "ok\n"
    # Whoever asks, is whom the proxy has seen, whatever they say.
    said = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"}
    reply = await request(site, "GET", "/", headers=said)
    assert "strict-transport-security" not in dict(reply.headers)


async def nobody_is_nowhere(site: str, table: str) -> None:
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
def test_under_a_path_of_a_host_with_other_things(
    kind: str, postgres_url: str, tmp_path: Path
) -> None:
    async def story(site: str) -> None:
        host = site.removesuffix(BASE)
        come = await post_json(host, f"{BASE}/api/guest", {"name": "Anne", "lang": "en"})
        anne = Player(site, come.cookie, come.json["person"], "Anne")
        form = {"csrf": csrf_of(come.cookie.partition("=")[2])}
        opened = await post_form(host, f"{BASE}/play", form, come.cookie)
        path, _, table = opened.header("location").removesuffix("?begin").rpartition("/")
        assert path == f"{BASE}/tables"
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


@pytest.mark.full
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_may_have_been_done_is_not_sent_again(kind: str, method: str, tmp_path: Path) -> None:
    """Here both nodes break off after they have read the request."""
    asked: list[str] = []

    async def break_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if head.startswith(b"GET /readyz "):
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        else:
            asked.append(head.decode().split(" ")[0])
        writer.close()

    async def story() -> None:
        broken = [await asyncio.start_server(break_off, "127.0.0.1", 0) for _ in NAMES]
        ports = [each.sockets[0].getsockname()[1] for each in broken]
        with in_front(kind, tmp_path, [f"http://127.0.0.1:{port}" for port in ports]) as site:
            assert (await request(site, method, "/play")).status in (502, 503)
            assert (set(asked), len(asked) > 1) == ({method}, method == "GET")
        for each in broken:
            each.close()

    run(story())
