"""The news desk: it tells what was asked for, as long as it is true, and costs others nothing."""

from __future__ import annotations

import time
from typing import Any

import pytest
from kit.postgres import on_both
from kit.pushing import PushService, data_of
from kit.sites import until
from kit.stores import queries
from kit.strategies import in_full
from msgspec import json
from msgspec.structs import replace

from volte.news.desk import NewsDesk
from volte.news.kinds import LASTS, NAMES, News, NewsKind, NewsWishes
from volte.news.store import NewsStore
from volte.news.telling import line_of
from volte.push.door import PushDoor
from volte.push.sender import Sender
from volte.push.store import Subscriptions
from volte.say import words_of
from volte.store import Person
from volte.store.store import Store

ASKED = {kind.setting: True for kind in NewsKind}


async def person(store: Store, name: str, settings: dict[str, Any] = ASKED) -> Person:
    found = Person(name.lower(), name, "en", settings, 1.0)
    await store.put_person(found)
    return found


def desk_of(store: Store, sender: Sender | None = None) -> NewsDesk:
    desk = NewsDesk(store, sender or Sender(store, None, PushDoor(())))
    desk.begin()
    return desk


def news(who: str, kind: NewsKind, about: str = "t", at: float = 0.0) -> News:
    return News.of(who, kind, about, f"/tables/{about}", "Thursday", at or time.time())


async def told(desk: NewsDesk, who: str) -> list[tuple[NewsKind, str]]:
    return [(each.kind, each.about) for each in await desk.of(who)]


async def test_a_kind_that_was_not_asked_for_is_not_kept_but_for_an_invitation(
    store: Store,
) -> None:
    desk = desk_of(store)
    await person(store, "Ann", {NewsKind.FULL.setting: True})
    for kind in NewsKind:
        await desk.tell(news("ann", kind))
    assert {kind for kind, _ in await told(desk, "ann")} == {NewsKind.FULL, NewsKind.INVITED}
    words, wishes = words_of("en"), await desk.wishes("ann")
    outside = {each.kind for each in await desk.of("ann") if line_of(words, each, wishes).outside}
    assert outside == {NewsKind.FULL}


async def test_what_is_over_is_told_no_more(store: Store) -> None:
    desk = desk_of(store)
    for name in ("Ann", "Bob"):
        await person(store, name)
        await desk.tell(news(name.lower(), NewsKind.TURN))
        await desk.tell(news(name.lower(), NewsKind.TURN, "u"))
        await desk.tell(news(name.lower(), NewsKind.FULL))
    await desk.over(NewsKind.TURN, "t", "ann")
    assert set(await told(desk, "ann")) == {(NewsKind.TURN, "u"), (NewsKind.FULL, "t")}
    assert (NewsKind.TURN, "t") in await told(desk, "bob")
    await desk.over(NewsKind.FULL, "t")
    for name in ("ann", "bob"):
        assert (NewsKind.FULL, "t") not in await told(desk, name)


@pytest.mark.parametrize("kind", [*[*NewsKind][:2], *in_full(*[*NewsKind][2:])])
async def test_news_lasts_for_a_short_time_and_is_then_swept_away(
    store: Store, kind: NewsKind
) -> None:
    desk = desk_of(store)
    await person(store, "Ann")
    await desk.tell(news("ann", kind, "old", time.time() - LASTS[kind] - 1))
    await desk.tell(news("ann", kind, "new"))
    assert await told(desk, "ann") == [(kind, "new")]
    await store.sweep(time.time())
    kept = (await store.export("ann"))["news"]
    assert [each["path"] for each in kept] == ["/tables/new"]


async def test_news_about_somebody_goes_with_them_and_ones_own_with_oneself(store: Store) -> None:
    desk = desk_of(store)
    for name in ("Ann", "Bob"):
        await person(store, name)
    await desk.tell(news("ann", NewsKind.FRIEND, "bob"))
    await desk.tell(news("bob", NewsKind.TURN))
    await store.forget("bob")
    assert await store[NewsStore].of("ann", time.time()) == ()
    assert await store[NewsStore].of("bob", time.time()) == ()
    await desk.tell(news("bob", NewsKind.INVITED))  # nobody is there any more
    assert await desk.of("bob") == ()


@on_both
async def test_other_nodes_tell_the_same_and_hear_what_somebody_asks_for(
    store: Store, other: Store
) -> None:
    here, there = desk_of(store), desk_of(other)
    await person(store, "Ann", {})
    for desk in (here, there):
        assert await desk.of("ann") == ()
        assert not (await desk.wishes("ann")).kinds
    if store.nodes.alone:
        return
    await store.change_person("ann", lambda ann: replace(ann, settings=ASKED))
    await until(lambda: there.may_want("ann", NewsKind.TURN))
    await there.tell(news("ann", NewsKind.TURN))

    async def heard() -> bool:
        return bool(await here.of("ann"))

    await until(heard)


async def test_whoever_has_asked_for_nothing_costs_nothing(store: Store) -> None:
    desk = NewsDesk(store, Sender(store, None, PushDoor(())))  # no hint makes it look again
    desk.know(await person(store, "Ann", {}))
    assert await desk.of("ann") == ()
    with queries(store) as sent:
        for kind in set(NewsKind) - {NewsKind.INVITED}:
            assert not desk.may_want("ann", kind)
            await desk.tell(news("ann", kind))
        assert await desk.of("ann") == ()
    assert sent == []


async def test_what_is_true_already_is_not_told_again(store: Store) -> None:
    desk = desk_of(store)
    await person(store, "Ann")
    await desk.tell(news("ann", NewsKind.EVENING, "e"))
    (before,) = await desk.of("ann")
    await desk.tell(replace(before, at=before.at + 5))
    assert await desk.of("ann") == (before,)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_text_outside_bears_a_name_only_if_that_is_switched_on(lang: str) -> None:
    words = words_of(lang)
    for kind in NewsKind:
        each = replace(news("ann", kind), name="Zoé’s")
        plain, named = (
            line_of(words, each, NewsWishes.of({**ASKED, NAMES: names})) for names in (False, True)
        )
        assert plain.outside
        assert "Zoé" not in plain.outside
        assert "Zoé" in named.outside
        assert plain.line == named.outside
        assert line_of(words, each, NewsWishes.of({NAMES: True})).outside == ""


async def test_a_message_goes_only_to_whoever_asked_and_does_not_look_and_while_it_is_true(
    store: Store, other: Store, push_service: PushService
) -> None:
    """Whichever node says that it is true no longer."""
    sender = push_service.sender(store)
    desk = desk_of(store, sender)
    for name, settings in (
        ("Ann", ASKED),
        ("Bob", ASKED),
        ("Cleo", {}),
        ("Dan", ASKED),
        ("Eve", ASKED),
    ):
        who = await person(store, name, settings)
        await store.put_session(who.id.encode(), who.id, time.time() + 60)
        found = push_service.browser(f"/{who.id}").subscription
        keys = [data_of(found["keys"][key]) for key in ("p256dh", "auth")]
        await store[Subscriptions].add(who.id.encode(), who.id, found["endpoint"], *keys)
    desk.looked("bob", True)
    for each in ("bob", "cleo", "dan", "eve", "ann"):
        await desk.tell(news(each, NewsKind.INVITED, f"of-{each}"))
    await desk.over(NewsKind.INVITED, "of-dan")
    await desk_of(other).over(NewsKind.INVITED, "of-eve")
    sender.begin()
    (text,) = await push_service.got(1)
    assert json.decode(text) == {
        "outside": "A friend has invited you to a table.",
        "path": "/tables/of-ann",
    }
    await sender.close()
    assert push_service.pushed == []
