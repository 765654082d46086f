"""Subscriptions belong to sessions, five to a person, and go with either."""

from __future__ import annotations

import asyncio
import time

import pytest
from kit.postgres import on_both

from volte.people.store import Accounts
from volte.push.store import MOST_BROWSERS, Subscriptions
from volte.store import Conflict, Gone, Person
from volte.store.store import Store

KEY, AUTH = b"\4" * 65, b"a" * 16


@pytest.fixture
async def subscriptions(store: Store) -> Subscriptions:
    """The subscriptions of a store in which Anne has the sessions 1 to 7, and Bert 8."""
    for name in ("anne", "bert"):
        await store.put_person(Person(name, name, "fr", {}, 0.0))
    for number in range(1, 9):
        await begin(store, number, "anne" if number < 8 else "bert")
    return store[Subscriptions]


async def begin(store: Store, number: int, person: str, seconds: float = 60.0) -> None:
    await store.put_session(b"%d" % number, person, time.time() + seconds)


async def subscribe(store: Store, number: int, person: str = "anne", path: str = "") -> None:
    """Has the browser of a session subscribe."""
    endpoint = f"https://push.example/{path or number}"
    await store[Subscriptions].add(b"%d" % number, person, endpoint, KEY, AUTH)


async def paths(store: Store, person: str = "anne") -> list[str]:
    """The addresses at which a person gets messages, the oldest first."""
    return [each.endpoint.rpartition("/")[2] for each in await store[Subscriptions].of(person)]


async def test_of_six_browsers_the_oldest_goes(store: Store, subscriptions: Subscriptions) -> None:
    for number in range(1, MOST_BROWSERS + 2):
        await subscribe(store, number)
    assert await paths(store) == ["2", "3", "4", "5", "6"]
    await subscribe(store, 2)  # once more
    await subscribe(store, 7)
    assert await paths(store) == ["4", "5", "6", "2", "7"]
    await subscribe(store, 8, "bert")
    assert len(await paths(store)) == MOST_BROWSERS


@on_both
async def test_browsers_that_come_at_the_same_time_are_counted(
    store: Store, other: Store, subscriptions: Subscriptions
) -> None:
    await asyncio.gather(
        *(
            subscribe(each, number)
            for number in range(1, 8)
            for each in (store, other)[number % 2 :]
        )
    )
    assert len(await paths(store)) == MOST_BROWSERS


async def test_a_browser_has_one_subscription_and_one_owner(
    store: Store, subscriptions: Subscriptions
) -> None:
    await subscribe(store, 1, path="old")
    await subscribe(store, 1, path="new")
    assert await paths(store) == ["new"]
    await subscribe(store, 8, "bert", path="new")  # the same browser, at which Bert has signed in
    assert (await paths(store), await paths(store, "bert")) == ([], ["new"])


@on_both
async def test_a_subscription_goes_with_its_session(
    store: Store, subscriptions: Subscriptions
) -> None:
    for number in (1, 2, 3, 4):
        await subscribe(store, number)
    await store.drop_session(b"1")
    assert await paths(store) == ["2", "3", "4"]
    await store[Accounts].end_sessions("anne", keep=b"3")
    assert await paths(store) == ["3"]
    await begin(store, 9, "anne", seconds=-1)  # over, though nobody has swept it away
    with pytest.raises(Conflict):
        await subscribe(store, 9)
    await store.sweep(time.time() + 3600)
    await begin(store, 3, "anne")
    assert await paths(store) == []


async def test_what_has_expired_gets_no_messages(
    store: Store, subscriptions: Subscriptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    await subscribe(store, 1)
    later = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: later)
    assert await paths(store) == []


async def test_a_subscription_goes_with_its_person(
    store: Store, subscriptions: Subscriptions
) -> None:
    await subscribe(store, 1)
    await subscribe(store, 8, "bert")
    told = (await store.export("anne"))["browsers_with_messages"]
    assert [each["push_service"] for each in told] == ["push.example"]
    assert all(secret not in str(told) for secret in ("/1", "aaaa"))
    await store.forget("anne")
    assert (await paths(store), await paths(store, "bert")) == ([], ["8"])
    with pytest.raises((Gone, Conflict)):
        await subscribe(store, 1)


async def test_one_can_have_a_browser_forgotten_or_all(
    store: Store, subscriptions: Subscriptions
) -> None:
    for number in (1, 2, 3):
        await subscribe(store, number)
    await subscribe(store, 8, "bert")
    await subscriptions.end("bert", b"1")  # that is none of his
    assert await paths(store) == ["1", "2", "3"]
    await subscriptions.end("anne", b"1")
    assert await paths(store) == ["2", "3"]
    await subscriptions.gone("https://push.example/2")
    assert await paths(store) == ["3"]
    await subscriptions.end("anne")
    assert (await paths(store), await paths(store, "bert")) == ([], ["8"])
