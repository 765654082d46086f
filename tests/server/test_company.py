"""People who would rather not sit with each other: a table with one of them looks full to the
other, here as everywhere, and nothing tells anybody why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import permutations
from typing import Any, NamedTuple, cast

import pytest
from kit.browsing import Visitor
from kit.people import Guest
from kit.sites import Playroom, Site
from kit.strategies import in_full
from kit.tables import setup
from kit.visits import Visit

from volte.friends.store import Friendships
from volte.meeting import matchmaker
from volte.people.sessions import Sessions
from volte.people.store import Accounts
from volte.server.tables.entrance import invitation_of
from volte.server.tables.open_tables import OpenTables
from volte.store import Listing, Person
from volte.store.store import Store
from volte.table import Someone
from volte.table.commands import Close, Sit, Stand, Start
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.talk.company import Avoided
from volte.talk.reports import Evidence, frozen
from volte.talk.store import TalkReport, TalkStore
from volte.wire.messages import Avoid

TOKENS = re.compile(r'name="csrf" value="[^"]*"|nonce="[^"]*"|nonce-[^\']*')
"""Parts of an answer that no two answers share."""


def person(visitor: Visitor) -> str:
    """The id of somebody."""
    return str(visitor.client.get("/api/me").json()["person"])


class Two(NamedTuple):
    """Two tables of one name, one with people at all seats, and one that only looks so to Dan."""

    full: LiveTable
    other: LiveTable
    anne: Visitor  # she is the host of that other one
    dan: Visitor

    def seen(self, table: LiveTable, path: str, **more: Any) -> tuple[int, list[Any], str]:
        """An answer to Dan, as it would be at any table."""
        answer = self.dan.client.get(path.format(table.id), **more)
        text = TOKENS.sub("", answer.text.replace(table.id, "TABLE"))
        left_out = ("date", "etag", "content-security-policy")
        headers = [each for each in answer.headers.items() if each[0] not in left_out]
        return answer.status_code, headers, text


@pytest.fixture
def two(playroom: Playroom, visit: Visit) -> Iterator[Two]:
    asked = {"preset": "omnibus", "players": "3", "seat1": "", "seat2": "", "access": "public"}
    asked |= {"name": "Evening", "open_seats": "all"}
    anne, beth, dan = visit("Anne"), visit("Anne"), visit("Dan")
    full, other = (playroom.live(each.open_table(**asked).table) for each in (beth, anne))
    for seat, name in enumerate(("Ben", "Cleo"), start=1):
        reply = playroom.do(full.do(Someone(name, name), Sit(seat), full.state.version))
        assert reply.refusal is None
    yield Two(full, other, anne, dan)
    for live in (full, other):  # what goes on there is news to those who look at the list
        playroom.do(live.do(Someone(live.state.host, "Anne"), Close(), live.state.version))


def wished(playroom: Playroom, one: Visitor, other: Visitor) -> None:
    """One of two people would rather not sit with the other."""
    store: Store = playroom.site.room.store
    playroom.do(store[Avoided].avoid(person(one), person(other), "Somebody"))
    playroom.site.room[OpenTables]._until = 0.0


def begin(playroom: Playroom, live: LiveTable) -> None:
    host = Someone(live.state.host, "Anne")
    assert playroom.do(live.do(host, Start(), live.state.version)).refusal is None


@pytest.mark.parametrize("whose", ["the other's", *in_full("one's own")])
def test_a_table_that_looks_full_is_that_of_one_that_is_full_byte_by_byte(
    playroom: Playroom, two: Two, whose: str
) -> None:
    wished(playroom, *((two.dan, two.anne) if whose == "one's own" else (two.anne, two.dan)))
    programs = {"headers": {"accept": "application/json"}}
    for path, more in (
        ("/tables/{}", {}),
        ("/tables/{}?sit", {}),
        ("/api/tables/{}", programs),
        ("/tables/{}/remind", {}),
        ("/tables/{}/setup", {}),
        ("/tables/{}/rules", {}),
        ("/tables/{}/talk", {}),
    ):
        assert two.seen(two.other, path, **more) == two.seen(two.full, path, **more), path
    assert "Every seat is taken: Evening" in two.dan.get(f"/tables/{two.other.id}").text
    for path in ("/", "/lobby/list", "/api/tables"):
        text = two.dan.client.get(path).text
        assert two.full.id not in text
        assert two.other.id not in text
    begin(playroom, two.full)
    begin(playroom, two.other)
    playroom.site.room[OpenTables]._until = 0.0
    for path in ("/", "/lobby/list"):
        text = two.dan.client.get(path).text
        for table in (two.full, two.other):
            assert re.findall(rf'href="/tables/{table.id}([^"]*)"', text) == ["?watch"]
    listed = two.dan.client.get("/api/tables").json()["tables"]
    assert [each["free"] for each in listed if each["table"] in (two.full.id, two.other.id)] == [
        *(0, 0)
    ]


def test_nobody_else_gets_another_answer_for_a_wish(
    playroom: Playroom, two: Two, visit: Visit
) -> None:
    """Strangers, the host, and in all places but that table the two themselves."""
    eve, stranger = visit("Eve"), visit()
    table = two.other.id

    def told() -> list[str]:
        playroom.site.room[OpenTables]._until = 0.0
        looks: list[tuple[Visitor, str]] = [
            *((who, path) for who in (eve, stranger) for path in ("/", "/lobby/list")),
            *((eve, path) for path in (f"/tables/{table}", "/api/tables", f"/api/tables/{table}")),
            *((two.anne, path) for path in ("/", f"/tables/{table}", f"/api/tables/{table}")),
            *((two.anne, path) for path in ("/me/talk", "/me", "/lobby/list", "/api/tables")),
        ]
        answers = [who.client.get(path) for who, path in looks]
        return [f"{each.headers.get('etag')} {TOKENS.sub('', each.text)}" for each in answers]

    before = told()
    wished(playroom, two.dan, two.anne)
    assert told() == before


def test_whoever_has_a_link_of_the_host_comes_all_the_same(playroom: Playroom, two: Two) -> None:
    wished(playroom, two.anne, two.dan)
    invitation = playroom.do(invitation_of(two.other))
    page = two.dan.get(f"/tables/{two.other.id}/invited/{invitation}")
    assert page.table == two.other.id
    assert two.dan.get(f"/tables/{two.other.id}").table == two.other.id


def test_a_full_table_leads_to_none_that_looks_full(playroom: Playroom, two: Two) -> None:
    assert f"/tables/{two.other.id}?sit" in two.dan.client.get(f"/tables/{two.full.id}").text
    wished(playroom, two.anne, two.dan)
    assert two.other.id not in two.dan.client.get(f"/tables/{two.full.id}").text


# At the table


async def test_a_seat_is_refused_alike_at_a_table_that_is_full_and_one_that_looks_so(
    site: Site,
) -> None:
    store = site.room.store
    answers = []
    for people in (4, 2):
        host, *others = [await Guest.come(site.address, f"Guest {each}") for each in range(people)]
        table = await host.open_table((), setup("coeurs"))
        await host.join(table)
        for seat, each in enumerate(others, start=1):
            await each.join(table)
            assert (await each.do(Sit(seat))).ok
        dan = await Guest.come(site.address, "Dan")
        await dan.join(table, told=True)
        if people == 2:
            await store[Avoided].avoid(others[0].person, dan.person, "Dan")
        answers.append(await dan.do(Sit(1 if people == 4 else 3)))
    real, other = answers
    assert real.refusal is not None
    assert (real.refusal, real.lines) == (other.refusal, other.lines)
    assert real.refusal.reason == "table_full"


async def test_no_seat_is_shown_as_free_to_take_where_none_is(site: Site) -> None:
    host = await Guest.come(site.address, "Anne")
    table = await host.open_table((), setup("coeurs"))
    dan, eve = await Guest.come(site.address, "Dan"), await Guest.come(site.address, "Eve")
    await site.room.store[Avoided].avoid(host.person, dan.person, "Dan")
    await dan.join(table, told=True)
    await eve.join(table, told=True)
    scenes = []
    for each in (dan, eve):
        await each.until(partial(bool, each.scenes))
        scenes.append(each.scenes[-1])
    assert [scene.open for scene in scenes] == [(), (1, 2, 3)]
    assert ["Sit" in scene.may for scene in scenes] == [False, True]


async def test_one_keeps_somebody_at_the_table_away_and_takes_it_back(site: Site) -> None:
    host, ben = await Guest.come(site.address, "Anne"), await Guest.come(site.address, "Ben")
    table = await host.open_table((), setup("coeurs"))
    await host.join(table)
    await ben.join(table)
    assert (await ben.do(Sit(1))).ok
    heard = len(ben.notices)
    answer = await host.request(Avoid, ben.person)
    assert answer.ok
    assert answer.lines[0].startswith("Noted: you will not be seated with Ben again")
    avoided = site.room.store[Avoided]
    assert await avoided.of(host.person) == {ben.person: "Ben"}
    assert await avoided.of(ben.person) == {}
    assert await avoided.apart_from(host.person) == {ben.person}
    assert await avoided.apart_from(ben.person) == {host.person}
    assert (await ben.do(Stand())).ok
    answer = await ben.do(Sit(1))
    assert answer.refusal is not None
    assert answer.refusal.reason == "table_full"
    assert len(ben.notices) == heard
    assert (await host.request(Avoid, ben.person, on=False)).lines == (
        "You and Ben can sit at the same table again.",
    )
    assert (await ben.do(Sit(1))).ok


async def test_nobody_is_kept_away_who_is_not_there_nor_oneself_nor_too_many(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, ben = await Guest.come(site.address, "Anne"), await Guest.come(site.address, "Ben")
    await host.join(await host.open_table((), setup("coeurs")))
    other = await Guest.come(site.address, "Cleo")
    await other.join(host.table)
    assert (await other.do(Sit(1))).ok
    dora = await Guest.come(site.address, "Dora")
    await site.room.store[Avoided].avoid(host.person, dora.person, "Dora")
    monkeypatch.setattr(matchmaker, "MOST_AVOIDED", 1)
    for who, reason in (
        (ben.person, "not_at_table"),
        (host.person, "own_saying"),
        (other.person, "too_many_avoided"),
    ):
        answer = await host.request(Avoid, who)
        assert answer.refusal is not None
        assert answer.refusal.reason == reason


# What it is not


def test_moderators_see_nothing_of_friends_and_of_people_kept_apart(
    playroom: Playroom, two: Two, visit: Visit
) -> None:
    store, moderator = playroom.site.room.store, visit("Eve")
    playroom.do(store[Accounts].put_role(person(moderator), "moderator"))
    about = *(person(two.dan), person(two.anne)), "insult", "Search", frozen(Evidence()), 1.0
    playroom.do(store[TalkStore].report(TalkReport("report", two.other.id, *about)))
    paths = (
        "/moderation",
        "/moderation/reports/report",
        "/moderation/measures",
        "/",
        "/me/talk",
        "/friends",
    )

    def seen() -> list[str]:
        playroom.site.room[OpenTables]._until = 0.0
        return [TOKENS.sub("", moderator.client.get(path).text) for path in paths]

    before = seen()
    assert "Search" in before[1]
    wished(playroom, two.dan, two.anne)
    wished(playroom, two.anne, two.dan)
    for one, other in permutations((person(two.dan), person(two.anne))):
        playroom.do(store[Friendships].agree(one, other))
        playroom.do(store[Friendships].hide(one, other, True))
        playroom.do(store[Friendships].hide_from_all(one, True))
        assert not playroom.do(store[Friendships].invite(one, other, two.other.id))
    assert seen() == before


def test_whom_one_does_not_read_one_still_finds_at_open_tables(
    playroom: Playroom, two: Two
) -> None:
    store = playroom.site.room.store
    playroom.do(store[TalkStore].mute(person(two.dan), person(two.anne), "Anne"))
    assert two.dan.get(f"/tables/{two.other.id}").table == two.other.id
    assert f"/tables/{two.other.id}?sit" in two.dan.client.get("/").text


async def test_a_session_is_looked_up_once_and_only_while_a_table_looks_full_to_somebody(
    site: Site,
) -> None:
    room, anne, dan = site.room, await Guest.come(site.address), await Guest.come(site.address)
    table, sessions, looked = await anne.open_table((), setup("coeurs")), room[Sessions], 0

    class Listed:
        """That table, and none of other tests."""

        async def listed(self) -> list[Listing]:
            return [each for each in await room.lobby.listed() if each.table == table]

    class Counted:
        async def person(self, token: str) -> Person | None:
            nonlocal looked
            looked += 1
            return await sessions.person(token)

    token = dan.cookie.partition("=")[2]
    counted = cast("Sessions", Counted())
    tables = OpenTables(room.store, cast("Lobby", Listed()))
    for wishes, found, times in ((False, "", 0), (True, dan.person, 1), (True, dan.person, 1)):
        if wishes:
            await room.store[Avoided].avoid(anne.person, dan.person, "Dan")
        await tables.read()
        assert (await tables.reader(token, counted), looked) == (found, times)


def test_the_list_of_the_people_at_a_table_says_what_one_has_decided_about_each(
    playroom: Playroom, two: Two
) -> None:
    """Those of the present match stand there, too, once they have left; not oneself."""

    def listed() -> list[tuple[str, bool, bool]]:
        found = two.anne.client.get(f"/tables/{two.other.id}/people").json()
        return [(each["name"], each["muted"], each["avoided"]) for each in found]

    dan, live, store = Someone(person(two.dan), "Dan"), two.other, playroom.site.room.store
    assert listed() == []
    playroom.do(live.do(dan, Sit(1), live.state.version))
    assert listed() == [("Dan", False, False)]
    begin(playroom, live)
    playroom.do(live.do(dan, Stand(), live.state.version))
    wished(playroom, two.anne, two.dan)
    playroom.do(store[TalkStore].mute(person(two.anne), dan.id, "Dan"))
    assert listed() == [("Dan", True, True)]
