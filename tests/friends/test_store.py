"""The store of friendships and invitations, over each kind of database."""

from __future__ import annotations

import asyncio
import time

import pytest
from kit.postgres import on_both

from volte.friends.circle import LASTING
from volte.friends.store import INVITATIONS, Friendships
from volte.people.store import Account, Accounts
from volte.store import Gone, Listing, MatchRow, Person
from volte.store.schema import LISTINGS
from volte.store.store import Store
from volte.store.writer import NewRow, put
from volte.talk.store import TalkStore

NAMES = ("anne", "bert", "cara")


@pytest.fixture
async def people(store: Store) -> Store:
    for name in NAMES:
        await store.put_person(Person(name, name.title(), "en", {}, 1.0))
        await store[Accounts].make(Account(name, name, "", 1.0, 1.0), ())
    for table in ("t", "u"):
        await store.write(put_listing(table, "waiting"))
    return store


def put_listing(table: str, state: str) -> NewRow:
    return put(LISTINGS, Listing(table, f"Table {table}", "anne", "public", state))


async def befriend(store: Store, one: str, two: str) -> None:
    await store[Friendships].agree(one, two)
    await store[Friendships].agree(two, one)


async def names(store: Store, person: str) -> list[list[str]]:
    """Friends, those asked, those who ask."""
    circle = await store[Friendships].of(person)
    return [[each.name for each in some] for some in (circle.friends, circle.asked, circle.asking)]


async def test_an_asking_stands_with_both_until_the_other_agrees(people: Store) -> None:
    rows = people[Friendships]
    await rows.agree("anne", "bert")
    assert await names(people, "anne") == [[], ["Bert"], []]
    assert await names(people, "bert") == [[], [], ["Anne"]]
    assert not await rows.are_friends("anne", "bert")
    await rows.agree("bert", "anne")
    assert await names(people, "anne") == [["Bert"], [], []]
    assert await names(people, "bert") == [["Anne"], [], []]
    assert await rows.are_friends("anne", "bert")
    assert await rows.are_friends("bert", "anne")


async def test_two_who_ask_each_other_at_the_same_moment_are_friends(
    people: Store, other: Store
) -> None:
    await asyncio.gather(
        people[Friendships].agree("anne", "bert"), other[Friendships].agree("bert", "anne")
    )
    assert await people[Friendships].are_friends("anne", "bert")


async def test_a_friendship_ends_for_both_with_its_invitations(people: Store) -> None:
    await befriend(people, "anne", "bert")
    rows = people[Friendships]
    assert await rows.invite("anne", "bert", "t") == ""
    await rows.end("bert", "anne")
    for person in ("anne", "bert"):
        assert await names(people, person) == [[], [], []]
    assert await rows.invitations("bert") == []


async def test_a_no_looks_like_no_answer_and_holds_when_the_other_asks_anew(people: Store) -> None:
    rows = people[Friendships]
    await rows.agree("anne", "bert")
    await rows.decline("bert", "anne")
    for _ in range(2):
        assert await names(people, "anne") == [[], ["Bert"], []]
        assert await names(people, "bert") == [[], [], []]
        await rows.end("anne", "bert")
        assert await names(people, "anne") == [[], [], []]
        await rows.agree("anne", "bert")
    await rows.agree("bert", "anne")  # who said no may think again
    assert await rows.are_friends("anne", "bert")


async def test_an_asking_of_somebody_muted_looks_asked_and_reaches_nobody(people: Store) -> None:
    await people[TalkStore].mute("bert", "anne", "Anne")
    await people[Friendships].agree("anne", "bert")
    assert await names(people, "anne") == [[], ["Bert"], []]
    assert await names(people, "bert") == [[], [], []]


async def test_friends_have_the_names_that_they_have_now(people: Store) -> None:
    await befriend(people, "anne", "bert")
    await people.put_person(Person("bert", "Bertha", "en", {}, 1.0))
    assert await names(people, "anne") == [["Bertha"], [], []]


@on_both
async def test_one_invitation_is_open_however_often_it_is_pressed(
    people: Store, other: Store
) -> None:
    await befriend(people, "anne", "bert")
    found = await asyncio.gather(
        *(each[Friendships].invite("anne", "bert", "t") for each in (people, other) * 3)
    )
    assert sorted(found) == ["", *["invited_already"] * 5]
    assert [each.table for each in await people[Friendships].invitations("bert")] == ["t"]


@on_both
async def test_of_two_answers_at_once_one_counts_and_a_yes_lets_in(
    people: Store, other: Store
) -> None:
    await befriend(people, "anne", "bert")
    await people[Friendships].invite("anne", "bert", "t")
    yes, no = await asyncio.gather(
        people[Friendships].answer("bert", "anne", True),
        other[Friendships].answer("bert", "anne", False),
    )
    assert {yes, no} == {"", "t"}
    assert await people.admitted("t", "bert") == bool(yes)
    invited = await people[Friendships].invite("anne", "bert", "u")
    assert invited == ("" if yes else "invited_too_soon")


async def test_a_yes_that_is_pressed_twice_leads_to_the_table_twice(
    people: Store, other: Store
) -> None:
    await befriend(people, "anne", "bert")
    await people[Friendships].invite("anne", "bert", "t")
    found = await asyncio.gather(
        *(each[Friendships].answer("bert", "anne", True) for each in (people, other))
    )
    assert found == ["t", "t"]
    await people.write(put_listing("t", "closed"))
    assert await people[Friendships].answer("bert", "anne", True) == ""


async def test_an_invitation_counts_among_friends_alone_even_one_that_came_as_that_ended(
    people: Store,
) -> None:
    await befriend(people, "anne", "bert")
    await people[Friendships].end("bert", "anne")
    assert await people[Friendships].invite("anne", "bert", "t") == ""
    assert await people[Friendships].invitations("bert") == []
    assert await people[Friendships].answer("bert", "anne", True) == ""


async def test_a_no_lets_nobody_in_and_bars_the_next_invitation_of_that_friend_alone(
    people: Store,
) -> None:
    await befriend(people, "anne", "bert")
    await befriend(people, "cara", "bert")
    rows = people[Friendships]
    await rows.invite("anne", "bert", "t")
    assert await rows.answer("bert", "anne", False) == "t"
    assert not await people.admitted("t", "bert")
    assert await rows.invite("anne", "bert", "u") == "invited_too_soon"
    assert await rows.invite("cara", "bert", "t") == ""


async def test_an_invitation_of_somebody_muted_looks_sent_and_reaches_nobody(people: Store) -> None:
    await befriend(people, "anne", "bert")
    await people[TalkStore].mute("bert", "anne", "Anne")
    rows = people[Friendships]
    assert await rows.invite("anne", "bert", "t") == ""
    assert await rows.invitations("bert") == []
    assert await rows.answer("bert", "anne", True) == ""
    assert await rows.invite("anne", "bert", "t") == "invited_already"


async def test_an_invitation_is_over_with_its_time_or_its_table_and_another_can_follow(
    people: Store,
) -> None:
    await befriend(people, "anne", "bert")
    rows = people[Friendships]
    late = {"table": "t", "at": time.time() - LASTING - 1, "answered": None, "accepted": False}
    await people.write(put(INVITATIONS, person="bert", by="anne", **late))
    assert await rows.invitations("bert") == []
    assert await rows.answer("bert", "anne", True) == ""
    assert await rows.invite("anne", "bert", "t") == ""
    await people.write(put_listing("t", "closed"))
    assert await rows.invitations("bert") == []
    assert await rows.invite("anne", "bert", "u") == ""
    assert [each.title for each in await rows.invitations("bert")] == ["Table u"]


async def test_people_have_played_together_who_had_seats_in_one_match(people: Store) -> None:
    row = MatchRow(
        "m", "t", 1, bytes(32), 1.0, ("anne", "bert", ""), began=("anne", "bert", "cara")
    )
    await people.append("t", 0, (b"1",), matches=(row,))
    rows = people[Friendships]
    assert await rows.have_played("anne", "bert")
    assert await rows.have_played("cara", "anne")
    await people.put_person(Person("dora", "Dora", "en", {}, 1.0))
    assert not await rows.have_played("dora", "anne")


@on_both
async def test_somebody_takes_their_friends_away_and_nobody_elses_secrets(people: Store) -> None:
    rows = people[Friendships]
    await befriend(people, "anne", "bert")
    await rows.hide("bert", "anne", True)
    await rows.agree("anne", "cara")
    await rows.decline("cara", "anne")
    await rows.invite("anne", "bert", "t")
    hers, his = await rows.export("anne"), await rows.export("bert")
    assert [(each["name"], each["invisible"]) for each in hers["friends"]] == [("Bert", False)]
    assert [each["name"] for each in hers["friends_asked"]] == ["Cara"]
    assert [(each["name"], each["table"]) for each in hers["invited"]] == [("Bert", "t")]
    assert [each["invisible"] for each in his["friends"]] == [True]
    assert [each["name"] for each in his["invitations"]] == ["Anne"]
    assert [each["name"] for each in (await rows.export("cara"))["friends_declined"]] == ["Anne"]


async def test_nothing_is_left_of_somebody_who_is_deleted(people: Store) -> None:
    rows = people[Friendships]
    await befriend(people, "anne", "bert")
    await rows.agree("anne", "cara")
    await rows.invite("bert", "anne", "t")
    await rows.hide_from_all("anne", True)
    await people.forget("anne")
    for person in NAMES:
        assert await names(people, person) == [[], [], []]
    assert await rows.invitations("anne") == []
    with pytest.raises(Gone):
        await rows.agree("bert", "anne")
    with pytest.raises(Gone):
        await rows.invite("bert", "anne", "t")


async def test_the_friends_of_a_guest_end_once_the_guest_cannot_come_back(people: Store) -> None:
    now = time.time()
    for guest in ("gone", "here"):
        await people.put_person(Person(guest, guest.title(), "en", {}, 1.0))
        await befriend(people, "anne", guest)
    await people.put_session(b"here", "here", now + 60)
    await people.put_session(b"gone", "gone", now - 60)
    await befriend(people, "anne", "bert")
    await people.sweep(now)
    assert await names(people, "anne") == [["Bert", "Here"], [], []]
