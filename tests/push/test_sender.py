"""Messages reach the browsers of a person, from a queue that holds nobody up."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from time import time
from typing import Final

import pytest
from kit.pushing import CONTACT, Browser, PushService, answer, proved
from kit.sites import until
from kit.strategies import in_full

from volte.push import sender as sending
from volte.push.door import MOST_LOOKUPS, PushDoor
from volte.push.sender import LONGEST, Sender
from volte.push.store import Subscriptions
from volte.store import Person, Unavailable
from volte.store.store import Store
from volte.web.metrics import REGISTRY

DAY: Final = 24 * 3600

Making = Callable[..., Sender]


@pytest.fixture
def database(sqlite_url: str) -> str:
    """What is sent does not depend on the kind of database."""
    return sqlite_url


@pytest.fixture
async def made(store: Store, push_service: PushService) -> AsyncIterator[Making]:
    """Make a sender that may ask the push service; it waits for `begin`."""
    async with AsyncExitStack() as stack:

        def make(seconds: float = 60) -> Sender:
            sender = push_service.sender(store, seconds=seconds)
            stack.push_async_callback(sender.close)
            return sender

        yield make


@pytest.fixture
async def sender(made: Making) -> Sender:
    """A sender that has begun."""
    sender = made()
    sender.begin()
    return sender


async def subscribed(store: Store, person: str, browser: Browser) -> Browser:
    """A browser of a person, who comes in with it, as its session."""
    if await store.person(person) is None:
        await store.put_person(Person(person, person, "fr", {}, 0.0))
    session = browser.p256dh[:32]
    await store.put_session(session, person, time() + 60)
    keys = browser.p256dh, browser.auth
    await store[Subscriptions].add(session, person, browser.endpoint, *keys)
    return browser


def counted(outcome: str) -> float:
    return REGISTRY.get_sample_value("volte_pushes_total", {"outcome": outcome}) or 0.0


async def test_a_message_reaches_every_browser_of_its_person_and_nobody_else(
    store: Store, push_service: PushService, sender: Sender
) -> None:
    browsers = [await subscribed(store, "anne", push_service.browser()) for _ in range(3)]
    await subscribed(store, "bert", push_service.browser())
    sender.send("nobody", b"?", 600)
    sender.send("anne", "À vous de jouer".encode(), 600, "turn")
    await until(lambda: len(push_service.pushed) == 3)
    pushed = {each.path: each for each in push_service.pushed}
    for browser in browsers:
        got = pushed.pop("/" + browser.endpoint.rpartition("/")[2])
        assert browser.reads(got.body).decode() == "À vous de jouer"
        assert b"jouer" not in got.body
        kept = {name: got.headers[name] for name in ("ttl", "topic", "content-encoding")}
        expected = {"ttl": "600", "topic": "turn"}
        assert kept == expected | {"content-encoding": "aes128gcm"}
        assert {"cookie", "user-agent", "referer"}.isdisjoint(got.headers)
        claims = proved(got.headers["authorization"])
        assert claims["aud"] == f"https://{push_service.place}"
        assert claims["sub"] == CONTACT
        assert time() < claims["exp"] < time() + DAY
        assert got.headers["authorization"].endswith(f"k={sender.key}")
    assert not pushed


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone"])
async def test_a_browser_that_is_gone_is_forgotten(
    store: Store, push_service: PushService, sender: Sender, status: str
) -> None:
    await subscribed(store, "anne", push_service.browser(answering=answer(status)))
    here = await subscribed(store, "anne", push_service.browser())
    sender.send("anne", b"1", 60)
    await push_service.got(2)
    await settled(sender)
    assert [each.endpoint for each in await store[Subscriptions].of("anne")] == [here.endpoint]


@pytest.mark.parametrize(
    "status",
    [
        *("403 Forbidden", "429 Too Many Requests", "500 Oh", "307 Moved"),
        *in_full("400 Bad Request", "401 Unauthorized", "413 Too Large", "503 Busy", "301 Moved"),
    ],
)
async def test_a_browser_whose_service_refuses_is_kept_and_left_alone_for_a_while(
    store: Store, push_service: PushService, sender: Sender, status: str
) -> None:
    elsewhere = push_service.browser("/elsewhere")
    sent = answer(status, f"Location: {elsewhere.endpoint}", "Retry-After: 120")
    await subscribed(store, "anne", push_service.browser("/anne", sent))
    await subscribed(store, "bert", push_service.browser("/bert"))
    sender.send("anne", b"1", 60)
    assert await push_service.got(1) == ["1"]
    await settled(sender)
    sender.send("anne", b"2", 60)
    sender.send("bert", b"3", 60)  # at the same service, which is not to blame
    assert await push_service.got(1) == ["3"]
    await settled(sender)
    assert push_service.pushed == []
    assert len(await store[Subscriptions].of("anne")) == 1


async def settled(sender: Sender) -> None:
    """Wait until everything has been sent."""
    await until(lambda: not sender._waiting and not sender._sending)


async def test_a_service_that_does_not_answer_holds_nobody_else_up_and_is_left_alone(
    store: Store, push_service: PushService, made: Making, sender: Sender
) -> None:
    for number in range(sending.AT_ONCE - 1):
        await subscribed(store, f"slow {number}", push_service.browser(answering=None))
    await subscribed(store, "anne", push_service.browser())
    for number in range(sending.AT_ONCE - 1):
        sender.send(f"slow {number}", b"slow", 60)
    await push_service.got(sending.AT_ONCE - 1)
    sender.send("anne", b"quick", 60)
    assert await push_service.got(1) == ["quick"]
    await sender.close()

    quick = made(seconds=0.2)
    quick.begin()
    quick.send("slow 0", b"1", 60)
    await settled(quick)
    before = counted("quiet")
    quick.send("slow 1", b"2", 60)
    await settled(quick)
    assert counted("quiet") == before + 1


async def test_names_of_others_that_take_long_are_not_held_against_a_service(
    store: Store, push_service: PushService, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    await subscribed(store, "anne", push_service.browser())
    before, lookups = counted("lost"), sender.door._lookups
    monkeypatch.setattr(lookups, "under_way", MOST_LOOKUPS)
    sender.send("anne", b"lost", 60)
    await until(lambda: counted("lost") == before + 1)
    monkeypatch.setattr(lookups, "under_way", 0)
    sender.send("anne", b"comes", 60)
    assert await push_service.got(1) == ["comes"]


async def test_of_messages_of_one_topic_the_last_goes(
    store: Store, push_service: PushService, made: Making
) -> None:
    for person in ("anne", "cara"):
        await subscribed(store, person, push_service.browser())
    sender = made()
    sender.send("anne", b"your turn", 60)
    sender.send("anne", b"Cara is here", 60)
    sender.send("anne", b"an evening", 60, "evening")
    sender.send("cara", b"last", 60)
    sender.begin()
    assert sorted(await push_service.got(3)) == ["Cara is here", "an evening", "last"]
    await settled(sender)
    assert push_service.pushed == []


async def test_what_is_over_before_it_could_go_is_not_sent(
    store: Store, push_service: PushService, sender: Sender
) -> None:
    await subscribed(store, "anne", push_service.browser())
    sender.send("anne", b"over", 0, "turn")
    sender.send("anne", b"true", 60)
    assert await push_service.got(1) == ["true"]


async def test_what_is_no_longer_true_when_it_is_to_go_is_not_sent(
    store: Store, push_service: PushService, made: Making
) -> None:
    true = {"anne"}
    sender = made()
    for person in ("anne", "bert"):
        await subscribed(store, person, push_service.browser())

        async def goes(person: str = person) -> bool:
            return person in true

        sender.send(person, person.encode(), 60, condition=goes)
    true.symmetric_difference_update(("anne", "bert"))
    sender.begin()
    assert await push_service.got(1) == ["bert"]
    await settled(sender)
    assert push_service.pushed == []


async def test_of_too_many_messages_the_oldest_is_lost(
    store: Store, push_service: PushService, monkeypatch: pytest.MonkeyPatch, made: Making
) -> None:
    monkeypatch.setattr(sending, "MOST_WAITING", 2)
    for person in ("anne", "bert", "cara"):
        await subscribed(store, person, push_service.browser())
    before = counted("lost")
    sender = made()
    for person in ("anne", "bert", "cara"):
        sender.send(person, person.encode(), 60)
    sender.begin()
    assert sorted(await push_service.got(2)) == ["bert", "cara"]
    assert counted("lost") == before + 1


async def test_who_has_signed_out_meanwhile_is_sent_nothing(
    store: Store, push_service: PushService, made: Making
) -> None:
    browser = await subscribed(store, "anne", push_service.browser())
    await subscribed(store, "bert", push_service.browser())
    sender = made()
    sender.send("anne", b"1", 60)
    sender.send("bert", b"2", 60)
    await store.drop_session(browser.p256dh[:32])
    sender.begin()
    assert await push_service.got(1) == ["2"]
    await settled(sender)
    assert push_service.pushed == []


async def test_a_database_that_is_away_costs_the_message_alone(
    store: Store, push_service: PushService, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    await subscribed(store, "anne", push_service.browser())
    before = counted("lost")

    async def away(person: str) -> None:
        raise Unavailable("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(store[Subscriptions], "of", away)
        sender.send("anne", b"1", 60)
        await settled(sender)
    assert counted("lost") == before + 1
    sender.send("anne", b"2", 60)
    assert await push_service.got(1) == ["2"]


async def test_without_keys_nothing_is_sent_and_an_address_in_the_house_never_asked(
    store: Store, push_service: PushService, sender: Sender
) -> None:
    """An exception that the settings no longer name is none."""
    await subscribed(store, "anne", push_service.browser())
    without = Sender(store, None, PushDoor())
    without.begin()
    without.send("anne", b"1", 60)
    assert (without.key, len(without._waiting)) == ("", 0)
    await without.close()
    before = counted("closed")
    sender._door = PushDoor(context=push_service.context)
    sender.send("anne", b"2", 60)
    await settled(sender)
    assert (counted("closed"), push_service.connections) == (before + 1, 0)


async def test_a_message_that_is_too_long_is_a_mistake_of_ours(
    store: Store, push_service: PushService, sender: Sender
) -> None:
    await subscribed(store, "anne", push_service.browser())
    with pytest.raises(ValueError, match="3001 bytes"):
        sender.send("anne", b"x" * (LONGEST + 1), 60)
    sender.send("anne", b"x" * LONGEST, 60)
    assert await push_service.got(1) == ["x" * LONGEST]
