"""Permissions: every address by the role of the visitor; private tables and invitations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest
from kit import Guest, Page, Player, Playroom, Reply, Site, SiteWith, Visitor, post_form
from kit.hostile import Address, faults
from kit.sheet_pages import begin, press, write
from kit.talking import reason, refused
from starlette.routing import Route

from volte.people.store import Accounts
from volte.rules import make_ruleset
from volte.server.app import make_app
from volte.table import Access, OpenSeats, Setup
from volte.table import commands as cmd
from volte.wire.messages import Closing

ROLES: Final = ("nobody", "stranger", "owner", "moderator")
"""Somebody without a session; and guests, of whom one has opened the table and the sheet."""

FILLED: Final = {"preset": "coeurs", "situation": "revoke", "name": "sheet.csv"}
"""Values for the parameters of addresses; 1 for the others, such as ids that do not exist."""

STATUSES: Final = Path(__file__).with_name("permissions.txt").read_text(encoding="utf-8")
"""Stanzas of the statuses by role, and the addresses where they are answered."""


@pytest.fixture
def visitors(playroom: Playroom) -> Iterator[dict[str, Visitor]]:
    with ExitStack() as stack:
        found = {each: stack.enter_context(Visitor(playroom.address)) for each in ROLES}
        for name in ROLES[1:]:
            found[name].come_in(name)
        person = found["moderator"].client.get("/api/me").json()["person"]
        playroom.do(playroom.site.room.store[Accounts].put_role(person, "moderator"))
        yield found


def test_every_address_is_for_those_who_may_see_it(
    visitors: dict[str, Visitor], addresses: list[Address]
) -> None:
    owner = visitors["owner"]
    sheet = begin(owner)
    write(owner, sheet, 4, 9, 0, 0, queen="0")
    press(owner, sheet, "share")
    table = owner.open_table(access="password", password="sesame").table
    filled = FILLED | {"sheet": sheet[7:], "table": table}
    found = defaultdict(set)
    for path in (path for path, methods in addresses if "GET" in methods):
        named = re.sub(r"\{(\w+)(:\w+)?\}", lambda m: m[0] if m[1] in filled else "{}", path)
        asked = named.replace("{}", "1").format_map(filled)
        answers = [each.client.get(asked, follow_redirects=False) for each in visitors.values()]
        found[" ".join(str(answer.status_code) for answer in answers)].add(named)
    expected = (stanza.partition("\n") for stanza in STATUSES.strip().split("\n\n")[1:])
    assert found == {statuses: {*paths.split()} for statuses, _, paths in expected}


# Private tables, as "Play now" opens them, and what the invitation of a host gives


NOWHERE: Final = "0" * 20
NO_MATCH: Final = "f" * 20  # ids of no table and of no match

RULES: Final = make_ruleset("coeurs", {"match_end": "deals:2"})
SETTINGS: Final[dict[str, Any]] = {"promise_within": 0.01}
"""Settings of the server: it waits for nobody's bytes."""


async def play_now(host: Guest) -> str:
    """The id of a table as the button of the first page opens it."""
    reply = await host.post("/play")
    assert reply.status == 303
    return reply.header("location").removeprefix("/tables/").partition("?")[0]


async def in_a_deal(table: str, host: Guest) -> None:
    """The match has begun, and waits for its host in the middle of the first deal."""
    await host.join(table)
    await host.hurry()
    assert (await host.do(cmd.Start())).ok
    await host.until(lambda: host.state is not None and host.state.hands_are_out)


def told(reply: Reply, *asked: str) -> tuple[int, str]:
    """The contents of an answer, without the ids that were asked for and other varying parts."""
    assert faults(reply) == []
    passing = ("date", "x-request-id", "content-length")
    text = str(sorted(pair for pair in reply.headers if pair[0] not in passing)) + reply.lasting
    for key in asked:
        text = text.replace(key, "ASKED")
    return reply.status, text


async def answers(site: Site, who: Guest, table: str, match: str) -> dict[str, object]:
    """Answers of every address of a table and of its match to somebody."""
    found: dict[str, object] = {}
    for route in make_app(site.room).routes:
        if not isinstance(route, Route) or not ("{table}" in route.path or "{match}" in route.path):
            continue
        path = route.path.replace("{table}", table).replace("{match}", match)
        path = path.replace("{invitation}", "a" * 32)
        for method in sorted((route.methods or set()) - {"HEAD"}):
            content = {"password": "sesame", "invitation": "", "do": "open"}
            reply = await (who.get(path) if method == "GET" else who.post(path, content))
            assert reply.status < 400 or b"no_such" not in reply.body
            found[f"{method} {route.path}"] = told(reply, table, match)
    found["signin"] = told(await who.get(f"/signin?next=/tables/{table}"), table, match)
    fields = {"name": "", "next": f"/tables/{table}?sit"}
    reply = await post_form(site.address, "/guest", fields, who.cookie)
    found["name"] = told(reply, table, match)
    return found


async def test_a_private_table_answers_strangers_as_no_table_does(site_with: SiteWith) -> None:
    """To the letter, at every address, with a session and without, waiting, played at, closed."""
    site = await site_with(**SETTINGS)
    host, stranger = [await Guest.come(site.address, name) for name in ("Zoé", "Eve")]

    async def same_everywhere(match: str) -> None:
        for cookie in (stranger.cookie, ""):
            unknown = Guest(site.address, cookie, "", "")
            none = await answers(site, unknown, NOWHERE, NO_MATCH)
            assert len(none) > 15
            for address, answer in (await answers(site, unknown, table, match)).items():
                assert answer == none[address], address
            assert await refused(unknown, table) == await refused(unknown, NOWHERE)
        assert await refused(stranger, table) == ("no_table", Closing.NO_TABLE)
        for path in ("/api/tables", "/"):
            assert table not in (await stranger.get(path)).text

    table = await play_now(host)
    await same_everywhere(NO_MATCH)
    await in_a_deal(table, host)
    (row,) = await site.room.store.matches_at(table)
    await same_everywhere(row.id)
    assert (await host.do(cmd.Close())).ok
    assert (await host.get(f"/tables/{table}")).status == 410
    await same_everywhere(row.id)


async def test_a_stranger_against_play_now(site_with: SiteWith) -> None:
    """A stranger who learns the address of a table gets no seat, no card, and no pause."""
    site = await site_with(**SETTINGS)
    host, eve = [await Guest.come(site.address, name) for name in ("Zoé", "Eve")]
    table = await play_now(host)
    await in_a_deal(table, host)
    assert await refused(eve, table) == ("no_table", Closing.NO_TABLE)
    for path in (f"/tables/{table}?sit", f"/api/tables/{table}", f"/tables/{table}/qr.svg"):
        assert (await eve.get(path)).status == 404
    assert (await host.do(cmd.Invite())).ok  # Eve has the address all the same
    await eve.join(table)
    assert (await eve.do(cmd.Sit(2))).ok
    live = await site.live(table)
    assert live.state.seats[2].asker == eve.person
    for command in (cmd.Sit(1), cmd.Pause(), cmd.AnswerSeat(2, eve.person, allow=True)):
        assert not (await eve.do(command)).ok
    assert eve.match is not None
    assert eve.match.deal is not None
    assert not any(eve.match.deal.hands)
    assert not live.state.paused
    assert (await host.do(cmd.AnswerSeat(2, eve.person, allow=False))).ok
    assert reason(await eve.do(cmd.Sit(2))) == "seat_denied"
    assert live.state.seat_of(eve.person) is None


async def test_the_page_of_play_now_invites_by_a_press_and_tells_nobody_before(site: Site) -> None:
    host = await Guest.come(site.address, "Zoé")
    table = await play_now(host)
    page = Page.of(await host.get(f"/tables/{table}"))
    assert page.wrong == []
    assert "hidden" in page.all("div", id="inviting")[0]
    assert "hidden" not in page.all("div", id="uninvited")[0]
    await host.join(table)
    assert (await host.do(cmd.Invite())).ok
    page = Page.of(await host.get(f"/tables/{table}"))
    assert "hidden" not in page.all("div", id="inviting")[0]
    assert page.all("input", id="address")[0]["value"].endswith(f"/tables/{table}")


async def test_the_hosts_link_to_a_public_table_opens_bots_seats(site_with: SiteWith) -> None:
    """It is the host's alone to give; who came by it stays invited, also once all begins anew."""
    site = await site_with()
    host, friend, eve = [await Guest.come(site.address, name) for name in ("Zoé", "Max", "Eve")]
    nobody = Guest(site.address, "", "", "")
    table = await host.open_table(setup=Setup("Public", RULES))
    link = (await host.get(f"/api/tables/{table}")).json["invitation"]
    assert len(link) == 32
    shown = (await eve.get(f"/api/tables/{table}")).json
    assert (shown["invitation"], shown["free"]) == ("", 0)
    assert link in (await host.get(f"/tables/{table}")).text
    assert link not in (await eve.get(f"/tables/{table}")).text
    for wrong in (link[:-1], link.upper(), "a" * 32, "é"):
        guess = {"invitation": wrong}
        assert (await eve.post(f"/api/tables/{table}/invited", guess)).status == 404
    name = await nobody.get(f"/tables/{table}/invited/{link}")
    assert f'value="/tables/{table}/invited/{link}?sit"' in name.text
    assert "?sit" not in (await nobody.get(f"/tables/{table}")).text
    came = await friend.get(f"/tables/{table}/invited/{link}?sit")
    assert came.header("location") == f"/tables/{table}?sit"
    await eve.join(table)
    assert reason(await eve.do(cmd.Sit(1))) == "bots_by_invitation"
    site = await site.anew()
    friend.address = host.address = site.address
    assert link in (await host.get(f"/tables/{table}")).text
    await friend.join(table)
    assert (await friend.do(cmd.Sit(1))).ok


@pytest.mark.parametrize("open_seats", OpenSeats)
async def test_a_scene_offers_the_seats_that_somebody_can_have(
    site_with: SiteWith, open_seats: OpenSeats
) -> None:
    site = await site_with()
    host, eve = [await Guest.come(site.address, name) for name in ("Zoé", "Eve")]
    setup = Setup("Public", RULES, open_seats=open_seats)
    table = await host.open_table(("casual", "casual", ""), setup)
    await eve.join(table, told=True)
    open_now = {OpenSeats.ALL: (1, 2, 3), OpenSeats.FREE: (3,), OpenSeats.INVITED: ()}[open_seats]
    assert eve.scenes[-1].open == open_now
    assert ("Sit" in eve.scenes[-1].may) is bool(open_now)
    listed = (await eve.get("/api/tables")).json["tables"]
    assert [each["free"] for each in listed] == [len(open_now)] * bool(open_now)
    assert (f"/tables/{table}?sit" in (await eve.get("/")).text) is bool(open_now)


async def test_the_host_sees_in_the_scene_who_asks_for_which_seat(site_with: SiteWith) -> None:
    site = await site_with(**SETTINGS)
    setup = Setup("Link", RULES, Access.LINK)
    host = await Player.begun(site.address, setup=setup, told=True)
    eve = await Guest.come(site.address, "Eve")
    await host.until(lambda: host.state is not None and host.state.hands_are_out)
    await eve.join(host.table, told=True)
    assert (await eve.do(cmd.Sit(2))).ok
    await host.until(lambda: "AnswerSeat" in host.scenes[-1].may)
    assert [each.asker for each in host.scenes[-1].seats] == ["", "", eve.person, ""]
    assert "AnswerSeat" not in eve.scenes[-1].may
    assert (await host.do(cmd.AnswerSeat(2, eve.person, allow=True))).ok
    await eve.until(lambda: eve.scenes[-1].seat == 2 and bool(eve.scenes[-1].hand))
