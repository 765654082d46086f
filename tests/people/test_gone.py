"""Deletion of people: requests in flight then write nothing, and their tables pass on or close."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from kit import Guest, Page, Reply, request
from kit.accounts import WORDS
from kit.evenings import plan
from kit.nodes import fronting
from kit.postgres import on_both
from kit.sheet_pages import NAMES
from kit.sites import Site, SiteWith, until
from kit.strategies import in_full
from msgspec.structs import replace
from sqlalchemy import select
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from volte.evenings.conducting import Evenings
from volte.evenings.store import Club, Clubs
from volte.game.codec import encode
from volte.rules import make_ruleset
from volte.server.app import make_app
from volte.store import Gone, Person, acting
from volte.store.schema import METADATA
from volte.store.store import Store
from volte.table import Access, OpenSeats, Setup, Someone
from volte.table import commands as cmd
from volte.talk.service import TalkService
from volte.wire.messages import Speak

RULES: Final = make_ruleset("coeurs", {"match_end": "deals:1"})
TYPED: Final = {"seat1": "", "seat2": "", "seat3": "", "do": "open"}
LATE: Final = time.time() + 3600

Sending = tuple[str, dict[str, Any]]
"""An address, and the fields that are posted there."""


class Holding:
    """Middleware that holds the bodies of requests marked `x-held` until `come` is set, when the
    server knows already who sends them."""

    def __init__(self, app: ASGIApp) -> None:
        self.waiting = 0
        self.come = asyncio.Event()
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        held = scope["type"] == "http" and (b"x-held", b"1") in scope["headers"]

        async def receive_late() -> Message:
            self.waiting += 1
            await self.come.wait()
            return await receive()

        await self._app(scope, receive_late if held else receive, send)


async def post(who: Guest, path: str, fields: dict[str, Any], **more: str) -> Reply:
    """Send a form, or JSON to `/api/…`."""
    headers = {"cookie": who.cookie, "origin": who.address} | more
    if path.startswith("/api/"):
        body, kind = json.dumps(fields).encode(), "application/json"
        headers["x-volte"] = "1"
    else:
        body = urlencode({"csrf": who.csrf} | fields, doseq=True).encode()
        kind = "application/x-www-form-urlencoded"
    return await request(who.address, "POST", path, body, headers | {"content-type": kind})


async def deleted(who: Guest) -> Reply:
    return await post(who, "/me/data/delete", {"confirm": who.name})


async def named(store: Store, person: str) -> list[str]:
    """The columns that still hold a person's id, except in logs and closed tables."""
    found = []
    for table in METADATA.sorted_tables:
        if table.name == "entries":
            continue
        for row in await store._reader.rows(select(table)):
            if row._asdict().get("state") == "closed":
                continue
            names = (name for name, value in row._asdict().items() if person in str(value))
            found += [f"{table.name}.{name}" for name in names]
    return found


async def writing(site: Site, zed: Guest) -> list[Sending]:
    """Requests of Zebulon that leave a row, at the tables, clubs and evenings of Anne."""
    anne = await Guest.come(site.address, "Anne")
    table = await anne.open_table(setup=Setup("Public", RULES))
    link = (await anne.get(f"/api/tables/{table}")).json["invitation"]
    locked = Setup("Locked", RULES, Access.PASSWORD)
    locked_table = await anne.open_table(setup=locked, password="sesame")
    clubs, evenings = site.room.store[Clubs], site.room[Evenings]
    for key in ("joined", "other"):
        await clubs.put(Club(key, key.title(), anne.person, "", True, 1.0, "key"))
    await clubs.admit("joined", zed.person, "organiser")
    evening = await evenings.plan(
        replace(plan(starts=LATE), club="joined"), Someone(anne.person, "Anne")
    )
    new_table = Page.of(await zed.get("/tables/new")).fields("table-form")
    new_sheet = Page.of(await zed.get("/score/new")).fields("table-form")
    named_seats = {f"seat{seat}": name for seat, name in enumerate(NAMES)}
    api_table = {"setup": json.loads(encode(Setup("Mine", RULES))), "levels": []}
    return [
        ("/tables", new_table | TYPED),
        ("/play", {}),
        ("/learn/deal", {}),
        ("/api/tables", api_table),
        (f"/tables/{locked_table}/enter", {"password": "sesame"}),
        (f"/api/tables/{locked_table}/enter", {"password": "sesame"}),
        (f"/api/tables/{table}/invited", {"invitation": link}),
        ("/clubs/new", {"name": "Ours"}),
        ("/clubs/other/do", {"do": "join"}),
        ("/clubs/other/invited/key", {}),
        (f"/evenings/{evening}/do", {"do": "come"}),
        ("/account", {"login": "zebulon", "password": WORDS}),
        ("/me/device", {}),
        ("/score/new", new_sheet | named_seats | {"dealer": "0", "do": "open"}),
    ]


async def test_no_request_that_was_in_flight_during_a_deletion_writes(
    site_with: SiteWith,
) -> None:
    """The answer says that the person is gone; no other request fails."""
    fronts: list[Holding] = []

    def front(app: ASGIApp) -> ASGIApp:
        fronts.append(Holding(app))
        return fronts[-1]

    site = await site_with(front=front)
    zed = await Guest.come(site.address, "Zebulon")
    sendings = await writing(site, zed)
    known = {path for path, _ in sendings}
    others: list[Sending] = [
        (path, {})
        for route in make_app(site.room).routes
        if isinstance(route, Route) and "POST" in (route.methods or ())
        if (path := route.path.replace(":int", "")) not in known | {"/me/data/delete"}
    ]
    await zed.open_table(setup=Setup("Zebulon’s", RULES), levels=("", "", ""))
    sent = [
        asyncio.create_task(post(zed, path, fields, **{"x-held": "1"}))
        for path, fields in sendings + others
    ]
    (holding,) = fronts
    await until(lambda: holding.waiting >= len(sendings))
    assert (await deleted(zed)).status == 200
    holding.come.set()
    replies = await asyncio.gather(*sent)
    told = {path: reply.status for (path, _), reply in zip(sendings, replies, strict=False)}
    assert told == dict.fromkeys(known, 410)
    failed = [
        (path, reply.status)
        for (path, _), reply in zip(sendings + others, replies, strict=True)
        if reply.status >= 500
    ]
    assert failed == []
    assert await named(site.room.store, zed.person) == []


async def test_what_is_said_or_done_at_a_table_after_a_deletion_is_not_written(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    anne, zed = [await Guest.come(site.address, name) for name in ("Anne", "Zebulon")]
    live = await site.live(await anne.open_table(("", "", "")))
    someone = Someone(zed.person, "Zebulon")
    await deleted(zed)
    with acting(zed.person):
        reply = await live.do(someone, cmd.Sit(1), live.state.version)
        assert reply.refusal is not None
        assert reply.refusal.reason == "person_gone"
        with pytest.raises(Gone):
            await site.room[TalkService].speak(live, someone, Speak("x", "table", "", "Hello"))
    assert live.state.seat_of(zed.person) is None
    assert await named(site.room.store, zed.person) == []


@on_both
async def test_a_row_names_only_people_who_are_here(store: Store) -> None:
    """This holds for any writer, and for any other writes of the job."""
    clubs = store[Clubs]
    club = Club("c", "Club", "ann", "", True, 1.0, "key")
    await store.put_person(Person("ann", "Ann", "en", {}, 1.0))
    gone = replace(club, owner="bob")
    writes = store.admit("t", "ann"), store.admit("t", "bob"), clubs.put(gone), clubs.put(club)
    done = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(each) for each in done] == [type(None), Gone, Gone, type(None)]
    assert await clubs.club("c") == club
    await store.forget("ann")
    with acting("ann"), pytest.raises(Gone):
        await store.append("stream", 0, [b"x"])
    assert await store.read("stream") == []
    assert await named(store, "ann") == []


# Their tables


async def listed(site: Site) -> str:
    """The lists of tables for strangers, on the page and for programs."""
    pages = [await request(site.address, "GET", path) for path in ("/", "/api/tables")]
    return "".join(page.text for page in pages)


@pytest.mark.parametrize("asleep", [False, *in_full(True)], ids=["live", "asleep"])
async def test_tables_of_whoever_is_deleted_pass_on_or_close(
    site_with: SiteWith, asleep: bool
) -> None:
    """A table where somebody else sits goes on with them; the lobby knows the name no more."""
    site = await site_with()
    anne, zed = [await Guest.come(site.address, name) for name in ("Anne", "Zebulon")]
    alone = await zed.open_table(("", "", ""), Setup("Alone", RULES))
    shared = await zed.open_table(("", "", ""), Setup("Shared", RULES))
    hers = await anne.open_table(("", "", ""), Setup("Hers", RULES, open_seats=OpenSeats.ALL))
    for who, table in ((anne, shared), (zed, hers)):
        await who.join(table)
        assert (await who.do(cmd.Sit(1))).ok
        await who.leave()
    assert "Zebulon" in await listed(site)
    if asleep:
        site = await site.anew()
        zed.address = site.address
    assert (await deleted(zed)).status == 200
    text = await listed(site)
    assert "Zebulon" not in text
    assert alone not in text
    assert shared in text
    assert hers in text
    assert await site.room.lobby.find(alone) is None
    assert (await site.live(shared)).state.host == anne.person
    assert (await site.live(hers)).state.seats[1].free
    assert await named(site.room.store, zed.person) == []


async def test_a_match_goes_on_with_a_bot_and_names_whoever_is_deleted_no_more(
    site_with: SiteWith,
) -> None:
    site = await site_with(promise_within=0.01)
    anne, zed = [await Guest.come(site.address, name) for name in ("Anne", "Zebulon")]
    table = await zed.open_table(("", "casual", "casual"), Setup("Ours", RULES))
    for who in (zed, anne):
        await who.join(table)
        await who.hurry()
    assert (await anne.do(cmd.Sit(1))).ok
    assert (await zed.do(cmd.Start())).ok
    assert (await deleted(zed)).status == 200
    live = await site.live(table)
    assert live.state.host == anne.person
    assert live.state.seats[0].level
    assert (await anne.do(cmd.Close())).ok
    (row,) = await site.room.store.matches_at(table)
    assert row.ended is not None
    assert row.players[1] == anne.person
    assert not row.played(zed.person)
    assert await named(site.room.store, zed.person) == []


async def test_a_table_at_another_node_is_left_as_well(
    site_with: SiteWith, postgres_url: str
) -> None:
    a, b = [await site_with(postgres_url, node=node) for node in "ab"]
    async with fronting(a=a.address, b=b.address):
        zed = await Guest.come(a.address, "Zebulon")
        table = await zed.open_table(("", "", ""), Setup("Alone", RULES))
        zed.address = b.address
        assert (await deleted(zed)).status == 200
        await until(lambda: a.room.lobby.living(table) is None)
        assert "Zebulon" not in await listed(b)


# By chance


@pytest.mark.full
async def test_whatever_is_sent_around_a_deletion_leaves_nothing(site_with: SiteWith) -> None:
    """Requests of all kinds, sent at the same time as the deletion, a little before and after."""
    site = await site_with()
    chance = random.Random(51)
    for number in range(40):
        zed = await Guest.come(site.address, f"Zebulon {number}")
        sendings = await writing(site, zed)
        await site.room[Evenings].plan(
            replace(plan(starts=LATE), club="joined"), Someone(zed.person, zed.name)
        )

        async def soon(send: Callable[[], Awaitable[Reply]]) -> Reply:
            await asyncio.sleep(chance.uniform(0, 0.1))
            return await send()

        chosen = [partial(post, zed, *each) for each in sendings if each[0] != "/account"]
        replies = await asyncio.gather(*map(soon, [*chosen, partial(deleted, zed), *chosen]))
        assert [reply.status for reply in replies if reply.status >= 500] == []
        gone = await request(site.address, "GET", "/me", headers={"cookie": zed.cookie})
        assert gone.status == 401
        await until(lambda: not site.room.lobby.loading)
        assert await named(site.room.store, zed.person) == []
