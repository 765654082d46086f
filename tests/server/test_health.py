"""Alive, ready, and the metrics: for people who watch over a server."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from kit import Player, Process, Site, SiteWith
from kit.companies import companies, got_on, while_playing
from kit.judges import judge
from kit.postgres import Cluster, run_sql
from kit.requests import grown, post_json, request, scrape
from kit.stores import damage

from volte.server.run.health import DAMAGED, DATABASE_ANSWERS, Pulse
from volte.table.commands import Sit, Start
from volte.wire.messages import Closing, Question

UNWRITABLE = b"nothing can be written to the database\n"


async def status(address: str, path: str = "/readyz") -> int:
    return (await request(address, "GET", path)).status


async def says(address: str, answer: bytes) -> None:
    """Wait until `/readyz` gives that answer."""
    async with asyncio.timeout(60):
        while (await request(address, "GET", "/readyz")).body != answer:
            await asyncio.sleep(0.05)


async def test_a_server_is_alive_and_ready_until_it_stops_or_is_stuck(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("/healthz", "/readyz"):
        reply = await request(site.address, "GET", path)
        assert (reply.status, reply.body, reply.cookie) == (200, b"ok\n", "")
    monkeypatch.setattr(site.room, "stopping", True)
    reply = await request(site.address, "GET", "/readyz")
    assert (reply.status, reply.body) == (503, b"the server stops\n")
    assert await status(site.address, "/healthz") == 200
    monkeypatch.setattr(site.room, "stopping", False)
    async with asyncio.timeout(60):
        while (await request(site.address, "GET", "/readyz")).body != b"the server is too busy\n":
            site.room[Pulse].late = 60.0  # until it is measured again


async def test_a_file_that_is_damaged_while_the_server_runs(
    site_with: SiteWith, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is reported although nobody has asked for data in the damaged part."""
    monkeypatch.setattr("volte.server.run.health.LOOKED_THROUGH", 0.01)
    monkeypatch.setattr("volte.server.run.health.SHARE", 0)
    site = await site_with()
    await says(site.address, b"ok\n")
    damage(tmp_path / "playroom.sqlite")
    await says(site.address, DAMAGED.encode() + b"\n")
    assert await status(site.address) == 503


@pytest.mark.full
async def test_a_database_that_does_not_answer(
    cluster: Cluster, cluster_url: str, site_with: SiteWith
) -> None:
    """It is told soon, by as many as ask, and with one question to the database."""
    site = await site_with(cluster_url)
    assert await status(site.address) == 200
    with cluster.frozen():
        async with asyncio.timeout(DATABASE_ANSWERS + 10):
            while await status(site.address) == 200:  # for as long as its answer is good
                pass
            asked = await asyncio.gather(*(status(site.address) for _ in range(50)))
        assert set(asked) == {503}
        assert await status(site.address, "/healthz") == 200
    await says(site.address, b"ok\n")


async def test_a_disk_that_takes_nothing_more(site_with: SiteWith, tmp_path: Path) -> None:
    """Pages are read as ever, but nobody new is to be sent here until there is room again."""
    site = await site_with()
    await says(site.address, b"ok\n")
    with no_file_longer_than(tmp_path / "playroom.sqlite-wal"):
        await says(site.address, UNWRITABLE)
        assert await status(site.address, "/healthz") == 200
        assert await status(site.address, "/") == 200
    await says(site.address, b"ok\n")


@contextmanager
def no_file_longer_than(path: Path) -> Iterator[None]:
    """The system refuses this program to write further in any file: `SIGXFSZ` is ignored."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.full
async def test_a_database_that_may_only_be_read(
    cluster: Cluster, cluster_url: str, site_with: SiteWith
) -> None:
    async def set_read_only(value: str) -> None:
        setting = f"ALTER SYSTEM SET default_transaction_read_only = {value}"
        statements = ("SET default_transaction_read_only = off", setting)
        await asyncio.to_thread(run_sql, cluster_url, *statements, "SELECT pg_reload_conf()")

    site = await site_with(cluster_url)
    assert await status(site.address) == 200
    await set_read_only("on")
    await says(site.address, UNWRITABLE)
    assert await status(site.address, "/") == 200
    await set_read_only("off")
    await says(site.address, b"ok\n")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_nobody_is_asked_who_they_are(site_with: SiteWith, path: str) -> None:
    site = await site_with(requests_per_minute=1)
    assert [await status(site.address, path) for _ in range(5)] == [200] * 5


@pytest.mark.full
async def test_whoever_watches_is_told_before_the_tables_are(tmp_path: Path) -> None:
    """So that nobody new is sent to a server that stops."""
    with Process(f"sqlite:///{tmp_path / 'p.sqlite'}", tmp_path, VOLTE_DRAIN="2") as process:
        player = await Player.at_table(process.address)
        os.kill(process.pid, signal.SIGTERM)
        async with asyncio.timeout(60):
            while await status(process.address) == 200:
                pass
        assert await status(process.address, "/healthz") == 200
        assert (await player.do(Start())).ok  # until then, all goes on
        assert await player.until_closed() == Closing.STOPPING
        assert process.stop() == 0


@pytest.mark.full
async def test_a_server_stops_under_load_and_nothing_is_lost(tmp_path: Path) -> None:
    """Each time it ends by itself, in good order; what it has acknowledged is there afterwards."""
    database = f"sqlite:///{tmp_path / 'p.sqlite'}"
    with Process(database, tmp_path) as process:
        tables = await companies(process.address, 3)

        async def stop() -> None:
            for _ in range(2):
                await got_on(tables, 100)
                assert await asyncio.to_thread(process.stop) == 0
                await asyncio.to_thread(process.restart)

        await while_playing(tables, stop())
        assert await asyncio.to_thread(process.stop) == 0
    assert process.faults == []
    assert (await judge(database, tables)).acknowledged > 0


# Metrics


async def test_what_happens_is_counted(site_with: SiteWith) -> None:
    site = await site_with()
    before = await scrape(site.address)
    player = await Player.begun(site.address)
    assert not (await player.do(Sit(1))).ok
    during = await scrape(site.address)
    for name in ("tables", "matches", "connections"):
        assert grown({}, during, f"volte_{name}") == 1
    await player.play(player.view_is_mine)
    before_hint = await scrape(site.address)
    assert (await player.ask(Question.HINT)).ok
    hinted = await scrape(site.address)
    new = {each for each in hinted if grown(before_hint, hinted, each[0], **dict(each[1]))}
    counted = {name for name, _ in new}
    assert {"volte_hints_total", "volte_hint_seconds_count", "volte_hint_seconds_sum"} <= counted
    assert not {name for name in counted if name.startswith("volte_bots_choice")}
    await player.play()
    await player.leave()
    await request(site.address, "GET", "/nowhere/at/all?token=sesame")
    after = await scrape(site.address)
    done = grown(before, after, "volte_actions_total", outcome="done")
    assert done > 10
    assert grown(before, after, "volte_actions_total", outcome="refused") >= 1
    assert grown(before, after, "volte_action_seconds_count") == done
    assert grown(before, after, "volte_store_write_seconds_count") > 10
    assert grown(before, after, "volte_store_write_jobs_sum") > 10
    assert grown(before, after, "volte_bots_choices_total", how="usual") > 10
    assert grown(before, after, "volte_sessions_total") == 1
    asked = {"route": "/api/tables", "status": "201"}
    assert grown(before, after, "volte_requests_total", **asked) == 1
    assert grown(before, after, "volte_requests_total", route="(none)", status="404") == 1
    assert grown({}, after, "volte_memory_bytes") > 10**7
    assert grown({}, after, "volte_open_files") > 3
    assert "sesame" not in str(after)


async def test_limits_that_are_hit_are_counted(site_with: SiteWith) -> None:
    site = await site_with(guests_per_hour=1)
    before = await scrape(site.address)
    for _ in range(3):
        await post_json(site.address, "/api/guest", {"name": "Zoé"})
    assert grown(before, await scrape(site.address), "volte_limited_total", limit="guest") == 2


NOBODY: dict[str, Any] = {"metrics_from": ()}
TOKEN: dict[str, Any] = NOBODY | {"metrics_token": "sesame"}


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        ({}, [({}, 200), ({"x-forwarded-for": "203.0.113.9"}, 403)]),
        (NOBODY, [({}, 403), ({"authorization": "Bearer "}, 403)]),
        ({"metrics_from": ("203.0.113.9",)}, [({"x-forwarded-for": "203.0.113.9"}, 200)]),
        (
            TOKEN,
            [
                ({}, 403),
                ({"authorization": "Bearer x"}, 403),
                ({"authorization": "Basic sesame"}, 403),
                ({"authorization": "bearer sesame"}, 200),
            ],
        ),
    ],
)
async def test_who_may_read_them(
    site_with: SiteWith, settings: dict[str, Any], asked: list[tuple[dict[str, str], int]]
) -> None:
    site = await site_with(**settings)
    for headers, status in asked:
        reply = await request(site.address, "GET", "/metrics", headers=headers)
        assert reply.status == status, headers
        assert ("volte_tables" in reply.text) is (status == 200)


async def test_every_figure_stands_in_the_docs(site: Site) -> None:
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `(volte_\w+)`", page, re.MULTILINE))
    text = (await request(site.address, "GET", "/metrics")).text
    counted = re.findall(r"^# TYPE (volte_\w+) ", text, re.MULTILINE)
    assert documented == {name for name in counted if not name.endswith("_created")}
