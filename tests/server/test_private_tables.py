"""Private tables, as "Play now" opens them, and what the invitation of a host gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from kit.browsing import Page
from kit.hostile import faults
from kit.people import Guest, Player
from kit.requests import Reply, post_form, post_json, request
from kit.sites import Site, run, serving
from server.test_live_protocol import refused
from starlette.routing import Route

from volte.rules import make_ruleset
from volte.server.app import make_app
from volte.table import Access, OpenSeats, Setup
from volte.table import commands as cmd
from volte.web.security import csrf_of
from volte.wire.messages import Closing

NOWHERE: Final = "0" * 20
NO_MATCH: Final = "f" * 20
"""Ids of no table and of no match."""

RULES: Final = make_ruleset("coeurs", {"match_end": "deals:2"})


async def play_now(host: Guest) -> str:
    """The id of a table as the button of the first page opens it."""
    fields = {"csrf": csrf_of(host.cookie.partition("=")[2])}
    reply = await post_form(host.address, "/play", fields, host.cookie)
    assert reply.status == 303
    return reply.header("location").removeprefix("/tables/").partition("?")[0]


async def in_a_deal(site: Site, table: str, host: Guest) -> None:
    """The match has begun, and waits for its host in the middle of the first deal."""
    await host.join(table)
    await host.prefer(bot_pace=0, trick_pace=0)
    assert (await host.do(cmd.Start())).ok
    await host.until(lambda: host.state is not None and host.state.hands_are_out)
    live = site.room.lobby.living(table)
    assert live is not None
    assert live.state.hands_are_out


async def got(address: str, path: str, cookie: str) -> Reply:
    return await request(address, "GET", path, headers={"cookie": cookie})


async def sent(address: str, path: str, cookie: str, content: dict[str, Any]) -> Reply:
    if path.startswith("/api/"):
        return await post_json(address, path, content, cookie)
    fields = {"csrf": csrf_of(cookie.partition("=")[2]), **content}
    return await post_form(address, path, fields, cookie)


def told(reply: Reply, *asked: str) -> tuple[int, str]:
    """All that an answer tells, but the ids that were asked for, and what differs each time."""
    assert faults(reply) == []
    passing = ("date", "x-request-id", "content-length")
    text = str(sorted(pair for pair in reply.headers if pair[0] not in passing)) + reply.text
    for key in asked:
        text = text.replace(key, "ASKED")
    return reply.status, text


async def answers(site: Site, cookie: str, table: str, match: str) -> dict[str, object]:
    """What every address of a table and of its match answers to somebody."""
    found: dict[str, object] = {}
    for route in make_app(site.room).routes:
        if not isinstance(route, Route) or not ("{table}" in route.path or "{match}" in route.path):
            continue
        path = route.path.replace("{table}", table).replace("{match}", match)
        path = path.replace("{invitation}", "a" * 32)
        for method in sorted((route.methods or set()) - {"HEAD"}):
            if method == "GET":
                reply = await got(site.address, path, cookie)
            else:
                content = {"password": "sesame", "invitation": "", "do": "open"}
                reply = await sent(site.address, path, cookie, content)
            assert reply.status < 400 or b"no_such" not in reply.body
            found[f"{method} {route.path}"] = told(reply, table, match)
    reply = await got(site.address, f"/signin?next=/tables/{table}", cookie)
    found["signin"] = told(reply, table, match)
    fields = {"name": "", "next": f"/tables/{table}?sit"}
    reply = await post_form(site.address, "/guest", fields, cookie)
    found["name"] = told(reply, table, match)
    return found


def test_a_private_table_answers_strangers_as_no_table_does(tmp_path: Path) -> None:
    """To the letter, at every address, with a session and without, waiting, played at, closed."""

    async def story() -> None:
        async with serving(tmp_path, promise_within=0.01) as site:
            host, stranger = [await Guest.come(site.address, name) for name in ("Zoé", "Eve")]
            table = await play_now(host)
            await same_everywhere(site, stranger, table, NO_MATCH)
            await in_a_deal(site, table, host)
            (row,) = await site.room.store.matches_at(table)
            await same_everywhere(site, stranger, table, row.id)
            assert (await host.do(cmd.Close())).ok
            await host.leave()
            assert (await got(site.address, f"/tables/{table}", host.cookie)).status == 410
            await same_everywhere(site, stranger, table, row.id)

    async def same_everywhere(site: Site, stranger: Guest, table: str, match: str) -> None:
        for cookie in (stranger.cookie, ""):
            none = await answers(site, cookie, NOWHERE, NO_MATCH)
            assert len(none) > 15
            for address, answer in (await answers(site, cookie, table, match)).items():
                assert answer == none[address], address
            unknown = Guest(site.address, cookie, "", "")
            assert await refused(unknown, table) == await refused(unknown, NOWHERE)
        assert await refused(stranger, table) == ("no_table", Closing.NO_TABLE)
        listed = await got(site.address, "/api/tables", stranger.cookie)
        assert table not in listed.text
        assert table not in (await got(site.address, "/", stranger.cookie)).text

    run(story())


async def test_a_stranger_against_play_now(tmp_path: Path) -> None:
    """Whoever learns the address of somebody's table gets no seat, no card, and no pause."""

    async with serving(tmp_path, promise_within=0.01) as site:
        host, eve = [await Guest.come(site.address, name) for name in ("Zoé", "Eve")]
        table = await play_now(host)
        await in_a_deal(site, table, host)
        assert await refused(eve, table) == ("no_table", Closing.NO_TABLE)
        for path in (f"/tables/{table}?sit", f"/api/tables/{table}", f"/tables/{table}/qr.svg"):
            assert (await got(site.address, path, eve.cookie)).status == 404
        assert (await host.do(cmd.Invite())).ok  # Eve has the address all the same
        await eve.join(table)
        assert (await eve.do(cmd.Sit(2))).ok
        live = site.room.lobby.living(table)
        assert live is not None
        assert live.state.seats[2].asker == eve.person
        for command in (cmd.Sit(1), cmd.Pause(), cmd.AnswerSeat(2, eve.person, allow=True)):
            assert not (await eve.do(command)).ok
        assert eve.match is not None
        assert eve.match.deal is not None
        assert not any(eve.match.deal.hands)
        assert not live.state.paused
        assert (await host.do(cmd.AnswerSeat(2, eve.person, allow=False))).ok
        answer = await eve.do(cmd.Sit(2))
        assert answer.refusal is not None
        assert answer.refusal.reason == "seat_denied"
        assert live.state.seat_of(eve.person) is None
        await eve.leave()
        await host.leave()


async def test_the_page_of_play_now_invites_by_a_press_and_tells_nobody_before(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, promise_within=0.01) as site:
        host = await Guest.come(site.address, "Zoé")
        table = await play_now(host)
        page = Page(await page_of(site, host, f"/tables/{table}"))
        assert page.wrong == []
        assert "hidden" in page.all("div", id="inviting")[0]
        assert "hidden" not in page.all("div", id="uninvited")[0]
        await host.join(table)
        assert (await host.do(cmd.Invite())).ok
        await host.leave()
        page = Page(await page_of(site, host, f"/tables/{table}"))
        assert "hidden" not in page.all("div", id="inviting")[0]
        assert page.all("input", id="address")[0]["value"].endswith(f"/tables/{table}")


async def page_of(site: Site, guest: Guest, path: str) -> httpx.Response:
    reply = await got(site.address, path, guest.cookie)
    return httpx.Response(reply.status, text=reply.text)


async def test_the_hosts_link_to_a_public_table_opens_bots_seats(tmp_path: Path) -> None:
    """It is the host's alone to give; who came by it stays invited, also once all begins anew."""

    async with serving(tmp_path, promise_within=0.01) as site:
        host, friend, eve = [await Guest.come(site.address, name) for name in ("Zoé", "Max", "Eve")]
        table = await host.open_table(setup=Setup("Public", RULES))
        link = (await got(site.address, f"/api/tables/{table}", host.cookie)).json["invitation"]
        assert len(link) == 32
        told = (await got(site.address, f"/api/tables/{table}", eve.cookie)).json
        assert (told["invitation"], told["free"]) == ("", 0)
        assert link in (await got(site.address, f"/tables/{table}", host.cookie)).text
        assert link not in (await got(site.address, f"/tables/{table}", eve.cookie)).text
        for wrong in (link[:-1], link.upper(), "a" * 32, "é"):
            guess = {"invitation": wrong}
            path = f"/api/tables/{table}/invited"
            assert (await sent(site.address, path, eve.cookie, guess)).status == 404
        name = await got(site.address, f"/tables/{table}/invited/{link}", "")
        assert f'value="/tables/{table}/invited/{link}?sit"' in name.text
        bare = await got(site.address, f"/tables/{table}", "")
        assert "?sit" not in bare.text
        came = await got(site.address, f"/tables/{table}/invited/{link}?sit", friend.cookie)
        assert came.header("location") == f"/tables/{table}?sit"
        await eve.join(table)
        assert (await eve.do(cmd.Sit(1))).refusal.reason == "bots_by_invitation"  # type: ignore[union-attr]
        await eve.leave()
    async with serving(tmp_path, promise_within=0.01) as site:
        eve.address = friend.address = host.address = site.address
        assert link in (await got(site.address, f"/tables/{table}", host.cookie)).text
        await friend.join(table)
        assert (await friend.do(cmd.Sit(1))).ok
        await friend.leave()


@pytest.mark.parametrize("open_seats", OpenSeats)
async def test_a_scene_offers_the_seats_that_somebody_can_have(
    tmp_path: Path, open_seats: OpenSeats
) -> None:
    async with serving(tmp_path, promise_within=0.01) as site:
        host, eve = [await Guest.come(site.address, name) for name in ("Zoé", "Eve")]
        setup = Setup("Public", RULES, open_seats=open_seats)
        table = await host.open_table(("casual", "casual", ""), setup)
        await eve.join(table, told=True)
        open_now = {OpenSeats.ALL: (1, 2, 3), OpenSeats.FREE: (3,), OpenSeats.INVITED: ()}
        assert eve.scenes[-1].open == open_now[open_seats]
        assert ("Sit" in eve.scenes[-1].may) is bool(open_now[open_seats])
        listed = (await got(site.address, "/api/tables", eve.cookie)).json["tables"]
        assert [each["free"] for each in listed] == [len(open_now[open_seats])]
        lobby = (await got(site.address, "/", eve.cookie)).text
        assert (f"/tables/{table}?sit" in lobby) is bool(open_now[open_seats])
        await eve.leave()


async def test_the_host_sees_in_the_scene_who_asks_for_which_seat(tmp_path: Path) -> None:
    async with serving(tmp_path, promise_within=0.01) as site:
        host, eve = await Player.come(site.address), await Guest.come(site.address, "Eve")
        table = await host.open_table(setup=Setup("Link", RULES, Access.LINK))
        await host.join(table, told=True)
        await host.prefer(bot_pace=0, trick_pace=0)
        assert (await host.do(cmd.Start())).ok
        await host.until(lambda: host.state is not None and host.state.hands_are_out)
        await eve.join(table, told=True)
        assert (await eve.do(cmd.Sit(2))).ok
        await host.until(lambda: "AnswerSeat" in host.scenes[-1].may)
        assert [each.asker for each in host.scenes[-1].seats] == ["", "", eve.person, ""]
        assert "AnswerSeat" not in eve.scenes[-1].may
        assert (await host.do(cmd.AnswerSeat(2, eve.person, allow=True))).ok
        await eve.until(lambda: eve.scenes[-1].seat == 2 and bool(eve.scenes[-1].hand))
        await eve.leave()
        await host.leave()
