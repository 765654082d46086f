"""Too much from one address, one person or one connection is refused; others are let in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from server.guests import Guest
from server.harness import run, serving
from server.web import post_json, request
from websockets.exceptions import InvalidStatus

from volte.rules import make_ruleset
from volte.server.limits import BURST, Bucket, counted_address
from volte.table import Access, Setup


def test_new_people_from_one_address(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, guests_per_hour=2) as site:
            for status in (200, 200, 429, 429):
                reply = await post_json(site.address, "/api/guest", {"name": "Zoé"})
                assert reply.status == status
            assert reply.header("retry-after")
            assert reply.json["line"].endswith(".")
            other = {"x-forwarded-for": "203.0.113.9", "x-volte": "1"}
            other["content-type"] = "application/json"
            body = json.dumps({"name": "Zoé"}).encode()
            elsewhere = await request(site.address, "POST", "/api/guest", body, other)
            assert elsewhere.status == 200

    run(story())


def test_requests_of_one_address(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, requests_per_minute=5) as site:
            statuses = [(await request(site.address, "GET", "/rules")).status for _ in range(7)]
            assert statuses == [200] * 5 + [429] * 2
            assert (await request(site.address, "GET", "/healthz")).status == 200

    run(story())


def test_new_connections_count_as_requests(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, requests_per_minute=6) as site:
            guest = await Guest.come(site.address)
            table = await guest.open_table()
            for _ in range(4):
                await (await guest.dial(table)).close()
            with pytest.raises(InvalidStatus) as caught:
                await guest.dial(table)
            assert caught.value.response.status_code == 429

    run(story())


def test_tables_of_one_person(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, tables_per_hour=1) as site:
            one, other = [await Guest.come(site.address) for _ in range(2)]
            await one.open_table()
            content = {"setup": {"name": "x", "rules": {}}}
            refused = await post_json(site.address, "/api/tables", content, one.cookie)
            assert refused.status == 429
            await other.open_table()

    run(story())


def test_tries_at_the_word_of_a_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, tries_per_hour=3) as site:
            host, other = [await Guest.come(site.address) for _ in range(2)]
            setup = Setup("Locked", make_ruleset(), Access.PASSWORD)
            table, second = [await host.open_table((), setup, "sesame") for _ in range(2)]
            for password, status in [("a", 403), ("b", 403), ("c", 403), ("sesame", 429)]:
                path, body = f"/api/tables/{table}/enter", {"password": password}
                assert (await post_json(site.address, path, body, other.cookie)).status == status
            path, body = f"/api/tables/{second}/enter", {"password": "sesame"}
            assert (await post_json(site.address, path, body, other.cookie)).status == 204

    run(story())


def test_a_connection_may_talk_much_for_a_moment_only() -> None:
    bucket = Bucket(0.1)
    assert [bucket.take() for _ in range(3)] == [True, False, False]
    bucket = Bucket(2)
    assert sum(bucket.take() for _ in range(1000)) == 2 * BURST


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("testclient", "testclient"),
        (None, ""),
    ],
)
def test_a_household_counts_as_one_address(host: str | None, counted: str) -> None:
    assert counted_address(host) == counted
