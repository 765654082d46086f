"""What a server counts, and who may read it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from kit.people import Player
from kit.requests import post_json, request
from kit.sites import run, serving
from prometheus_client.parser import text_string_to_metric_families

from volte.table.commands import Sit, Start

Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def scrape(address: str, headers: Mapping[str, str] | None = None) -> Figures:
    reply = await request(address, "GET", "/metrics", headers=headers)
    assert reply.status == 200
    assert reply.header("content-type").startswith("text/plain; version=0.0.4")
    return read(reply.text)


def read(text: str) -> Figures:
    """By name and labels; a text that is no good to Prometheus is no good here."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def grown(before: Figures, after: Figures, name: str, **labels: str) -> float:
    key = (name, tuple(sorted(labels.items())))
    return after.get(key, 0) - before.get(key, 0)


async def test_what_happens_is_counted(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        before = await scrape(site.address)
        player = await Player.come(site.address)
        await player.join(await player.open_table())
        await player.prefer(bot_pace=0, trick_pace=0)
        assert (await player.do(Start())).ok
        assert not (await player.do(Sit(1))).ok
        await player.play(lambda: player.match is not None and len(player.match.deals) == 0)
        during = await scrape(site.address)
        assert grown({}, during, "volte_tables") == 1
        assert grown({}, during, "volte_matches") == 1
        assert grown({}, during, "volte_connections") == 1
        await player.play()
        await player.leave()
        await request(site.address, "GET", "/nowhere/at/all?token=sesame")
        after = await scrape(site.address)
    assert grown(before, after, "volte_actions_total", outcome="done") > 10
    assert grown(before, after, "volte_actions_total", outcome="refused") >= 1
    assert grown(before, after, "volte_action_seconds_count") == grown(
        before, after, "volte_actions_total", outcome="done"
    )
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


async def test_limits_that_are_hit_are_counted(tmp_path: Path) -> None:
    async with serving(tmp_path, guests_per_hour=1) as site:
        before = await scrape(site.address)
        for _ in range(3):
            await post_json(site.address, "/api/guest", {"name": "Zoé"})
        after = await scrape(site.address)
    assert grown(before, after, "volte_limited_total", limit="guest") == 2


@pytest.mark.parametrize(
    ("settings", "headers", "status"),
    [
        ({}, {}, 200),
        ({}, {"x-forwarded-for": "203.0.113.9"}, 403),
        ({"metrics_from": ()}, {}, 403),
        ({"metrics_from": ()}, {"authorization": "Bearer "}, 403),
        ({"metrics_from": ("203.0.113.9",)}, {"x-forwarded-for": "203.0.113.9"}, 200),
        ({"metrics_from": (), "metrics_token": "sesame"}, {}, 403),
        ({"metrics_from": (), "metrics_token": "sesame"}, {"authorization": "Bearer x"}, 403),
        ({"metrics_from": (), "metrics_token": "sesame"}, {"authorization": "Basic sesame"}, 403),
        ({"metrics_from": (), "metrics_token": "sesame"}, {"authorization": "bearer sesame"}, 200),
    ],
)
async def test_who_may_read_them(
    tmp_path: Path, settings: dict[str, Any], headers: dict[str, str], status: int
) -> None:
    async with serving(tmp_path, **settings) as site:
        reply = await request(site.address, "GET", "/metrics", headers=headers)
    assert reply.status == status
    assert ("volte_tables" in reply.text) is (status == 200)


def test_every_figure_stands_in_the_docs(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `(volte_\w+)`", page, re.MULTILINE))

    async def story() -> str:
        async with serving(tmp_path) as site:
            return (await request(site.address, "GET", "/metrics")).text

    kept = re.findall(r"^# TYPE (volte_\w+) ", run(story()), re.MULTILINE)
    assert told == {name for name in kept if not name.endswith("_created")}
