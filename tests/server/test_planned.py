"""Planned tables: in everybody's own time, with reminders, few of one person, and gone when nobody
comes."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import UTC, datetime

import pytest
from kit import Guest, Page, Player, Playroom, Site, SiteWith, Visitor, because
from kit.sites import until
from sqlalchemy import select

from volte.cards import VolteError
from volte.game.codec import encode
from volte.rules import make_ruleset
from volte.say import Words
from volte.say.measures import planned_told
from volte.server.run.plans import Plans
from volte.server.tables.planned import BEFORE, MOST_PLANNED, REMINDED, check_plan
from volte.store.second_look import DUE
from volte.table import Setup
from volte.table import commands as cmd
from volte.table.stored import AWAITED

HOUR = 3600.0
RULES = make_ruleset("coeurs", {"players": 3})


def planned(at: float) -> Setup:
    return Setup("Thursday", RULES, planned=at)


# In words


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("zone", "lang", "time_", "told"),
    [
        ("Europe/Paris", "fr", "2026-12-03 19:30", "Ce soir à 20:30"),
        ("America/New_York", "en", "2026-12-03 19:30", "Today at 2:30\u202fPM"),
        ("Asia/Tokyo", "en", "2026-12-03 19:30", "Today at 4:30\u202fAM"),
        ("", "en", "2026-12-03 19:30", "Tonight at 7:30\u202fPM UTC"),
        ("Europe/Paris", "fr", "2026-12-04 10:00", "Demain à 11:00"),
        ("Europe/Paris", "fr", "2026-12-06 19:30", "Dimanche 6 décembre 2026 à 20:30"),
        ("Europe/Paris", "en", "2026-12-02 19:30", "Wednesday, December 2, 2026 at 8:30\u202fPM"),
    ],
)
def test_a_time_is_told_in_the_reader_s_own_zone_as_people_say_it(
    zone: str, lang: str, time_: str, told: str
) -> None:
    now = at("2026-12-03 15:30")  # in Tokyo it is the 4th already
    assert planned_told(Words(lang, zone), at(time_), now) == told


# How many


async def test_three_open_plans_a_person_and_they_are_tables_opened(site: Site) -> None:
    anne = await Player.come(site.address, "Anne")
    soon = time.time() + HOUR
    tables = [await anne.open_table((), planned(soon + place)) for place in range(MOST_PLANNED)]
    store, spare = site.room.store, await anne.open_table((), Setup("Now", RULES))
    with pytest.raises(VolteError, check=because("too_many_planned")):
        await check_plan(store, anne.person, planned(soon))
    await anne.join(spare)
    answer = await anne.do(cmd.Change(planned(soon)))
    assert answer.refusal is not None
    assert (answer.refusal.reason, answer.lines) == (
        "too_many_planned",
        ("You have 3 planned tables: close one of them, or wait until one is over.",),
    )
    await anne.join(tables[0])
    assert (await anne.do(cmd.Change(planned(soon + HOUR)))).ok  # another time for the same table
    assert (await anne.do(cmd.Start())).ok  # it is no plan any more
    await check_plan(store, anne.person, planned(soon))


async def test_no_more_are_planned_by_pressing_at_once(site: Site) -> None:
    anne = await Player.come(site.address, "Anne")
    setup = json.loads(encode(planned(time.time() + HOUR)))
    presses = (anne.post("/api/tables", {"setup": setup}) for _ in range(2 * MOST_PLANNED))
    replies = await asyncio.gather(*presses)
    assert sorted(each.status for each in replies) == [201] * MOST_PLANNED + [422] * MOST_PLANNED


@pytest.mark.parametrize("seconds", [-HOUR, 15 * 24 * HOUR])
async def test_a_table_is_planned_for_the_next_two_weeks(site: Site, seconds: float) -> None:
    setup = planned(time.time() + seconds)
    with pytest.raises(VolteError, check=because("planned_out_of_range")):
        await check_plan(site.room.store, "anybody", setup)
    await check_plan(site.room.store, "anybody", setup, setup)  # its time may pass


# Reminders


async def reminders(guest: Guest, path: str = "/rules") -> list[str]:
    """The reminders on a page."""
    page = Page.of(await guest.get(path))
    return [found["data-title"] for found in page.all("div") if "data-title" in found]


async def test_people_who_ask_are_reminded_on_every_page_near_the_time(site: Site) -> None:
    host, guest, other = [await Player.come(site.address, name) for name in ("Anne", "Ben", "Cleo")]
    now = time.time()
    near = await host.open_table((), planned(now + BEFORE - 60))
    far = await host.open_table((), planned(now + BEFORE + HOUR))
    for table in (near, far):
        await guest.post(f"/tables/{table}/remind", {"do": "on"})
    for who in (host, guest):
        (line,) = await reminders(who)
        assert line.endswith(": Thursday")
        assert f"<title>{line} – " in (await who.get("/help")).text
    assert await reminders(other) == []
    assert await reminders(guest, f"/tables/{near}") == []  # there one is
    await guest.post(f"/tables/{near}/remind", {"do": "off"})
    assert await reminders(guest) == []
    await host.join(near)
    assert (await host.do(cmd.Close())).ok
    assert await reminders(host) == []


async def test_whoever_takes_a_seat_is_reminded_too_and_it_goes_with_their_data(site: Site) -> None:
    host, guest = [await Player.come(site.address, name) for name in ("Anne", "Ben")]
    table = await host.open_table((), planned(time.time() + HOUR))
    await guest.join(table)
    assert (await guest.do(cmd.Sit(1))).ok
    store = site.room.store
    for who in (host, guest):
        person = await store.person(who.person)
        assert person is not None
        assert person.settings[REMINDED] == [table]
    await store.forget(guest.person)
    assert await store.person(guest.person) is None


def test_a_stranger_says_a_name_before_being_reminded(playroom: Playroom, visitor: Visitor) -> None:
    host = playroom.do(Player.come(playroom.address))
    table = playroom.do(host.open_table((), planned(time.time() + HOUR)))
    page = visitor.post(f"/tables/{table}/remind", {"do": "on"})
    assert page.all("input", name="name")
    page = visitor.post(
        "/guest", {"name": "Dan", "next": page.all("button", name="next")[0]["value"]}
    )
    assert page.wrong == []
    assert page.all("button", name="do", value="on")
    page = visitor.post(f"/tables/{table}/remind", {"do": "on"})
    assert page.wrong == []
    assert "You will be reminded" in page.text


# Nobody comes


async def look(site: Site, at: float) -> None:
    await site.room[Plans].look(at)


async def is_open(site: Site, table: str) -> bool:
    listing = await site.room.store.listing(table)
    return listing is not None and listing.state != "closed"


async def test_a_plan_goes_half_an_hour_after_its_time_if_nobody_is_there(
    site_with: SiteWith,
) -> None:
    """Not while somebody is there, and not once a match has begun."""
    site = await site_with()
    site.room.store.second_look.seconds = 0.0
    anne, ben = [await Player.come(site.address, name) for name in ("Anne", "Ben")]
    due = time.time() + HOUR
    missed, attended, begun = [await anne.open_table((), planned(due)) for _ in range(3)]
    await ben.join(begun)
    await anne.join(begun)
    assert (await anne.do(cmd.Start())).ok
    await ben.join(attended)  # without a seat
    await look(site, due + AWAITED - 1)
    assert await is_open(site, missed)
    await look(site, due + AWAITED + 1)
    assert [await is_open(site, table) for table in (missed, attended, begun)] == [
        False,
        True,
        True,
    ]
    assert (await anne.get(f"/tables/{missed}")).status == 410
    await anne.open_table((), planned(due))  # there is room for another


async def test_a_plan_goes_after_two_looks_at_which_nobody_was_there_also_by_a_new_server(
    site_with: SiteWith,
) -> None:
    site = await site_with(second_look=HOUR)
    anne = await Player.come(site.address, "Anne")
    due = time.time() + HOUR
    table = await anne.open_table((), planned(due))
    late = due + AWAITED + 1
    await look(site, late)
    site = await site.anew()
    anne.address = site.address
    site.room.store.second_look.seconds = 0.0  # as if that much time had gone by
    await anne.join(table)
    await look(site, late)
    assert await is_open(site, table)
    await anne.leave()
    live = await site.live(table)
    await until(lambda: not live.present)
    await look(site, late)
    assert not await is_open(site, table)


async def test_whoever_was_there_between_two_looks_gives_the_plan_two_more(
    site_with: SiteWith,
) -> None:
    site = await site_with(second_look=HOUR)
    anne = await Player.come(site.address, "Anne")
    due = time.time() + HOUR
    table = await anne.open_table((), planned(due))

    async def noted() -> list[str]:
        return await site.room.store._column(select(DUE.c.what))

    await look(site, due + AWAITED + 1)
    assert await noted() == [f"plan of {table}"]
    await anne.join(table)
    await look(site, due + AWAITED + 61)
    assert await noted() == []
    assert await is_open(site, table)
