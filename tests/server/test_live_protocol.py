"""Messages of a client that cannot be done: each gets one clear answer, and others are unharmed."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from kit.people import ONE_DEAL, Guest
from kit.playing import Player
from kit.requests import post_json
from kit.sites import Site, SiteWith, until
from kit.talking import ending, flood, hello, refused
from websockets.exceptions import InvalidStatus

from volte.rules import make_ruleset
from volte.table import Access, Setup, Watching
from volte.table.commands import Sit, Start
from volte.wire.messages import LONGEST_MESSAGE, PROTOCOL, Closing, Notice

WIRE: Final = (Path(__file__).parents[2] / "docs" / "wire.md").read_text(encoding="utf-8")

# At the door


@pytest.mark.parametrize(
    ("text", "reason", "code"),
    [
        (b"\x00\xff", "malformed", Closing.MALFORMED),
        (hello(protocol=PROTOCOL + 1), "old_protocol", Closing.OLD_PROTOCOL),
        ("x" * (LONGEST_MESSAGE + 1), "too_big", Closing.TOO_BIG),
    ],
)
async def test_whoever_does_not_say_hello_is_told_so(
    site: Site, text: str | bytes, reason: str, code: int
) -> None:
    guest = await Guest.come(site.address)
    assert await refused(guest, await guest.open_table(), text) == (reason, code)


async def test_who_may_not_come_in(site_with: SiteWith) -> None:
    site = await site_with(patience=2.0)
    host, other = [await Guest.come(site.address, name) for name in ("Host", "Other")]
    locked = Setup("Locked", ONE_DEAL, Access.PASSWORD, Watching.NOBODY)
    table = await host.open_table(setup=locked, password="sesame")
    for nowhere in ("nowhere", "é" * 80):
        assert await refused(other, nowhere) == ("no_table", Closing.NO_TABLE)
    wrong = await other.post(f"/api/tables/{table}/enter", {"password": "x"})
    assert (wrong.status, wrong.json["reason"]) == (403, "wrong_password")
    right = await other.post(f"/api/tables/{table}/enter", {"password": "sesame"})
    assert right.status == 204
    await other.join(table)
    await host.join(table)
    assert (await host.do(Start())).ok
    assert await other.until_closed() == Closing.NOT_ADMITTED
    assert other.notices[-1].reason == "nobody_watches"
    assert await refused(other, table) == ("nobody_watches", Closing.NOT_ADMITTED)
    heard, code = await ending(await other.dial(table))
    assert [each.reason for each in heard if isinstance(each, Notice)] == ["no_hello"]
    assert code == Closing.TOO_SLOW


@pytest.mark.parametrize(
    "origin", ["https://{host}", "http://elsewhere.example", "null", "http://"]
)
async def test_a_page_of_another_site_gets_no_connection(site: Site, origin: str) -> None:
    guest, table = await Guest.with_table(site.address)
    host = site.address.partition("//")[2]
    reply = await guest.denied(table, Origin=origin.format(host=host))
    assert (reply.status, reply.json["reason"]) == (403, "wrong_origin")
    await (await guest.dial(table, Origin=site.address)).close()


async def test_configured_origins_count_alone(site_with: SiteWith) -> None:
    site = await site_with(origins=("https://volte.example",))
    guest, table = await Guest.with_table(site.address)
    assert (await guest.denied(table, Origin=site.address)).status == 403
    await (await guest.dial(table, Origin="https://volte.example")).close()


async def test_too_many_connections_from_one_address(site_with: SiteWith) -> None:
    site = await site_with(sockets_per_address=3)
    guest, table = await Guest.with_table(site.address)
    sockets = [await guest.dial(table) for _ in range(3)]
    assert (await guest.denied(table)).status == 429
    await sockets.pop().close()
    async with asyncio.timeout(30):
        while len(sockets) < 3:  # until the server has noticed that there is room
            with suppress(InvalidStatus):
                sockets.append(await guest.dial(table))
    for socket in sockets:
        await socket.close()


# At the addresses for programs


async def test_a_table_opens_as_the_docs_open_it(site: Site) -> None:
    guest = await Guest.come(site.address, lang="fr")
    (body,) = re.findall(r"POST /api/tables   ({.+})   →", WIRE)
    body = json.loads(body)
    opened = await guest.post("/api/tables", body)
    assert opened.status == 201
    rules = (await site.live(opened.json["table"])).state.setup.rules
    assert rules == make_ruleset("salon", {"players": 5, "slam": "off"})
    body["setup"]["rules"] |= {"pass_cycle": ["left", "right"]}
    table = (await guest.post("/api/tables", body)).json["table"]
    shown = (await guest.get(f"/api/tables/{table}")).json
    assert shown["rules"] == "salon players=5 pass_cycle=left,right slam=off"
    assert shown["told"].startswith("La Dame de pique, comme on la joue en ligne, ")


async def test_what_programs_post_wrongly_is_refused_by_the_field(site: Site) -> None:
    """Each row of the table in the docs."""
    guest = await Guest.come(site.address)
    plain = {"name": "T", "rules": {"preset": "salon"}}
    rows = re.findall(r"\| `(/api/\w+)` \| `({.+})` \| `(\w+)` \| `([\w.]+)` \|", WIRE)
    assert len(rows) > 7
    for path, body, why, field in rows:
        refused = await guest.post(path, json.loads(body))
        assert (refused.status, refused.json["reason"], refused.json["field"]) == (
            *(422, why, field),
        ), body
        if why.endswith(("_field", "field_number")):
            assert f"“{field}”" in refused.json["line"]
    wrong: list[tuple[dict[str, object], str]] = [
        ({"setup": {**plain, "access": "password"}}, "password"),
        ({"setup": {**plain, "rated": True}}, "setup.rated"),
        ({"setup": {**plain, "evening": "x"}}, "setup.evening"),
    ]
    for body, field in wrong:
        assert (await guest.post("/api/tables", body)).json["field"] == field
    for nothing in ("[]", None, 7):
        assert (await post_json(site.address, "/api/guest", nothing)).json["reason"] == "not_json"


# At the table


async def test_a_flood_is_cut_off(site_with: SiteWith) -> None:
    site = await site_with(messages_per_second=5)
    guest = await Guest.at_table(site.address)
    await flood(guest)
    assert await guest.until_closed() == 1006
    await guest.join()


async def test_whoever_reads_nothing_is_cut_off_and_can_come_back(site_with: SiteWith) -> None:
    site = await site_with(patience=1)
    host = await Player.at_table(site.address, levels=("casual", "casual", ""))
    slow = await Player.come(site.address, "Slow")
    await slow.join(host.table, told=True)
    assert (await slow.do(Sit(3))).ok
    slow.stop_reading()
    flooding = asyncio.create_task(flood(slow))  # more than the system holds for them
    await until(lambda: len(site.room.live) == 1)
    slow.drop()
    await flooding
    await slow.until_closed()
    await slow.join()
    assert slow.seat == 3


async def test_whoever_answers_no_ping_is_gone(site_with: SiteWith) -> None:
    site = await site_with(patience=0.5)
    guest = await Guest.at_table(site.address)
    guest.stop_reading()
    await until(lambda: not site.room.live)
    guest.drop()


async def test_a_session_that_ends_hangs_up(site: Site) -> None:
    guest, other = await Guest.at_table(site.address, levels=()), await Guest.come(site.address)
    await other.join(guest.table)
    page = await guest.get("/")
    assert f'name="csrf" value="{guest.csrf}.' in page.text
    assert (await guest.post("/logout")).status == 303
    assert await guest.until_closed() == Closing.NO_SESSION
    assert (await other.do(Sit(1))).ok
    assert await refused(guest, guest.table) == ("no_session", Closing.NO_SESSION)
