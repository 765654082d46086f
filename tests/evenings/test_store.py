"""Clubs, their members and their evenings, on both databases."""

from __future__ import annotations

import asyncio
import time

import pytest
from kit.postgres import on_both
from msgspec.structs import replace

from volte.evenings.store import Club, Clubs, EveningRow
from volte.store import Conflict, Person
from volte.store.store import Store

CLUB = Club("c", "Friday club", "ann", "Every Friday.", True, 5.0, "key")
ROW = EveningRow("e", "c", "planned", 1000.0, b"{}")


async def with_people(store: Store) -> None:
    for key in ("ann", "bob", "cleo"):
        await store.put_person(Person(key, key.title(), "en", {}, 1.0))
    await store[Clubs].put(CLUB)


async def test_a_club_has_members_and_is_listed(store: Store) -> None:
    await with_people(store)
    clubs = store[Clubs]
    assert await clubs.club("c") == CLUB
    assert await clubs.club("d") is None
    await clubs.admit("c", "bob")
    await clubs.admit("c", "bob", "organiser")
    members = [(each.name, each.role) for each in await clubs.members("c")]
    assert members == [("Ann", "organiser"), ("Bob", "organiser")]
    assert await clubs.sizes(["c", "d"]) == {"c": 2}
    roles = [await clubs.role("c", person) for person in ("bob", "cleo")]
    assert roles == ["organiser", ""]
    hidden = replace(CLUB, id="d", name="A club", listed=False)
    await clubs.put(hidden)
    assert await clubs.listed() == [CLUB]
    assert await clubs.of("ann") == [hidden, CLUB]
    await clubs.dismiss("c", "bob")
    assert await clubs.of("bob") == []
    await clubs.dissolve("c")
    assert await clubs.of("ann") == [hidden]
    with pytest.raises(Conflict):
        await clubs.admit("c", "bob")


@on_both
async def test_members_are_in_the_order_of_their_names(store: Store) -> None:
    await with_people(store)
    for name in ("Zoé", "emma", "Émile", "Eve"):
        await store.put_person(Person(name, name, "fr", {}, 1.0))
        await store[Clubs].admit("c", name)
    members = [each.name for each in await store[Clubs].members("c")]
    assert members == ["Ann", "Émile", "emma", "Eve", "Zoé"]


async def test_an_evening_is_written_by_whoever_is_first(store: Store) -> None:
    await with_people(store)
    clubs = store[Clubs]
    await clubs.append(ROW, 0, [b"one", b"two"])
    with pytest.raises(Conflict):
        await clubs.append(replace(ROW, state="running"), 1, [b"other"])
    assert await clubs.evenings(["c"]) == [ROW]
    await clubs.append(replace(ROW, state="running"), 2, [b"three"])
    assert [entry.data for entry in await clubs.read("e", 1)] == [b"two", b"three"]
    with pytest.raises(Conflict):
        await clubs.append(ROW, 2, [b"other"], ["ann"])
    assert await clubs.evenings_of("ann") == []
    assert await clubs.evenings(["c"]) == [replace(ROW, state="running")]


async def test_evenings_that_go_on_are_found(store: Store) -> None:
    now = time.time()
    for key, state, starts in (
        ("later", "planned", now + 60),
        ("due", "planned", now - 60),
        ("running", "running", now - 7200),
        ("over", "over", now - 7200),
    ):
        await store[Clubs].append(EveningRow(key, "c", state, starts, b"{}"), 0, [b"x"])
    assert sorted(await store[Clubs].going_on(now)) == ["due", "running"]
    rows = await store[Clubs].evenings(["c"], ("planned", "running"))
    assert [row.id for row in rows] == ["later", "due", "running"]
    assert await store[Clubs].evenings([]) == []


@on_both
async def test_evenings_are_found_by_whoever_is_named_there(store: Store) -> None:
    await with_people(store)
    clubs, later = store[Clubs], replace(ROW, id="f", starts=2000.0, state="over")
    await clubs.append(ROW, 0, [b"one"], ["ann"])
    await clubs.append(ROW, 1, [b"two", b"three"], ["ann", "bob"])
    await clubs.append(later, 0, [b"one"], ["ann"])
    assert await clubs.evenings_of("ann") == [later, ROW]
    assert await clubs.evenings_of("ann", ("planned",)) == [ROW]
    assert await clubs.evenings_of("bob") == [ROW]
    exported = (await clubs.export("ann"))["evenings"]
    assert [each["evening"] for each in exported] == ["f", "e"]
    await store.forget("ann")
    assert await clubs.evenings_of("ann") == []
    assert await clubs.evenings_of("bob") == [ROW]


@on_both
async def test_a_club_is_led_by_somebody_though_its_owner_and_the_heir_go_at_once(
    store: Store,
) -> None:
    await with_people(store)
    await store[Clubs].admit("c", "bob", "organiser")
    await store[Clubs].admit("c", "cleo")
    await store[Clubs].put(replace(CLUB, id="both"))
    await store[Clubs].admit("both", "bob")
    await asyncio.gather(store.forget("ann"), store.forget("bob"))
    assert await store[Clubs].club("c") == replace(CLUB, owner="cleo")
    assert await store[Clubs].club("both") is None


async def test_whoever_goes_leaves_their_clubs_to_others(store: Store) -> None:
    """Organisers inherit before others; a club without members is dissolved."""
    await with_people(store)
    clubs = store[Clubs]
    await clubs.put(replace(CLUB, id="alone"))
    await clubs.admit("c", "bob")
    await clubs.admit("c", "cleo", "organiser")
    owned = {"club": "Friday club", "role": "owner"}
    assert await clubs.export("ann") == {"clubs": [owned, owned]}
    await store.forget("ann")
    assert await clubs.club("c") == replace(CLUB, owner="cleo")
    assert await clubs.club("alone") is None
    assert [each.person for each in await clubs.members("c")] == ["bob", "cleo"]
    assert await clubs.export("ann") == {}
