"""Look-ups beside the streams: tables, matches, people, sessions."""

from __future__ import annotations

import time

import pytest
from kit.postgres import on_both
from msgspec.structs import replace

from volte.store import Gone, Listing, MatchRow, Person
from volte.store.store import Store

ANN = Person("ann", "Anne-Élise", "fr", {"speech": {"rate": 1.5}, "keys": None, "on": True}, 12.5)
BOB = Person("bob", "Bob", "en", {}, 13.0)


def listing(table: str, state: str, updated: float, host: str = "ann") -> Listing:
    return Listing(table, f"Table {table}", host, "public", state, b'{"score":[1]}', "", updated)


async def test_listings_come_latest_first_and_by_state_and_host(store: Store) -> None:
    one = listing("1", "waiting", 1.0)
    two = listing("2", "playing", 3.0, host="bob")
    three = replace(listing("3", "closed", 2.0), password="$argon2id$…")
    for each in (one, two, three):
        await store.append(each.table, 0, [b"x"], listing=each)
    assert await store.listings() == [two, three, one]
    assert await store.listings(["waiting", "playing"]) == [two, one]
    assert await store.listings(["waiting"], host="bob") == []
    assert await store.listings(host="ann") == [three, one]
    assert await store.listings(limit=1) == [two]
    assert await store.listing("3") == three
    assert await store.listing("4") is None


@on_both
async def test_the_lobby_has_what_is_open_to_all_latest_first(store: Store) -> None:
    """Many tables that are found by their link alone do not get in the way."""
    there = [
        listing("1", "waiting", 1.0),
        listing("2", "playing", 2.0),
        replace(listing("3", "paused", 3.0), access="password"),
        listing("4", "waiting", 4.0),
    ]
    others = [listing("c", "closed", 5.0), listing("s", "sheet", 5.0)]
    links = [
        replace(listing(f"l{number}", state, 9.0), access="link")
        for number, state in enumerate(["waiting", "playing", "paused"] * 3)
    ]
    for each in (*there, *others, *links):
        await store.append(each.table, 0, [b"x"], listing=each)
    assert await store.public() == there[::-1]
    assert await store.public(limit=3) == there[:0:-1]
    assert await store.public(limit=1) == there[3:]
    assert await store.listings_at(["2", "c", "9"]) == {"2": there[1], "c": others[0]}
    assert await store.listings_at([]) == {}


@on_both
async def test_where_somebody_still_plays(store: Store) -> None:
    """Also where they have played: a match that somebody has left goes on, and they find it."""
    states = {"1": "playing", "2": "paused", "3": "closed", "4": "waiting"}
    for number, (table, state) in enumerate(states.items()):
        row = MatchRow(f"m{table}", table, 1, b"\0" * 32, 5.0, ("ann", "bob"))
        over = replace(row, last=1, ended=6.0) if table == "4" else row
        line = listing(table, state, float(number))
        await store.append(table, 0, [b"x"], listing=line, matches=[over])
    left = MatchRow("m1", "1", 1, b"\0" * 32, 5.0, ("", "bob"), began=("ann", "bob"))
    await store.append("1", 1, [b"y"], matches=[left])
    for person in ("ann", "bob"):
        assert [each.table for each in await store.played_by(person)] == ["2", "1"]
    assert await store.played_by("cleo") == []


async def test_a_listing_is_replaced(store: Store) -> None:
    await store.append("1", 0, [b"x"], listing=listing("1", "waiting", 1.0))
    await store.append("1", 1, [b"y"], listing=listing("1", "playing", 2.0))
    assert await store.listings() == [listing("1", "playing", 2.0)]


async def test_a_match_goes_on_and_ends(store: Store) -> None:
    one = MatchRow("m1", "t", 2, b"\x00" * 32, 5.0, ("ann", "", "bob", ""))
    await store.append("t", 0, [b"opened", b"started"], matches=[one])
    assert await store.matches_at("t") == [one]
    over = replace(one, last=3, ended=6.0)
    two = MatchRow("m2", "t", 4, b"\x01" * 32, 7.0, ("bob", "", "", "cleo"))
    await store.append("t", 2, [b"ended", b"started"], matches=[over, two])
    assert await store.match("m1") == over
    assert await store.match("m3") is None
    assert await store.matches_at("t") == [over, two]
    assert await store.matches_of("bob") == [two, over]
    assert await store.matches_of("bob", limit=1) == [two]
    assert await store.matches_of("ann") == [over]
    assert await store.matches_of("nobody") == []
    taken = replace(two, players=("bob", "ann", "", "cleo"))
    await store.append("t", 4, [b"sat"], matches=[taken])
    assert await store.matches_of("ann") == [taken, over]


async def test_people_are_kept_as_they_are(store: Store) -> None:
    assert await store.person("ann") is None
    await store.put_person(ANN)
    await store.put_person(BOB)
    assert await store.person("ann") == ANN
    changed = replace(ANN, lang="en", settings={"bot_pace": 0.5})
    await store.put_person(changed)
    assert await store.person("ann") == changed
    assert await store.person("bob") == BOB


async def test_a_session_lasts_until_it_expires_or_is_dropped(store: Store) -> None:
    await store.put_person(ANN)
    late, early = time.time() + 3600, time.time() - 1
    await store.put_session(b"\x00one", "ann", late)
    await store.put_session(b"two", "ann", early)
    assert await store.session(b"\x00one") == ANN
    assert await store.session(b"two") is None
    await store.put_session(b"two", "ann", late)
    assert await store.session(b"two") == ANN
    await store.put_session(b"two", "ann", early)
    assert await store.session(b"two") is None
    assert await store.session(b"three") is None
    await store.drop_session(b"\x00one")
    await store.drop_session(b"\x00one")
    assert await store.session(b"\x00one") is None


async def test_nobody_has_a_session_without_being_there(store: Store) -> None:
    with pytest.raises(Gone):
        await store.put_session(b"one", "nobody", time.time() + 3600)
    assert await store.session(b"one") is None


async def test_whoever_has_said_the_word_of_a_table_is_admitted_there(store: Store) -> None:
    await store.put_person(ANN)
    await store.admit("t", "ann")
    await store.admit("t", "ann")
    assert await store.admitted("t", "ann")
    assert not await store.admitted("t", "bob")
    assert not await store.admitted("other", "ann")
