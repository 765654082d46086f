"""The store of talk: sayings in their order, mutes, reports decided once, measures."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from kit.postgres import on_both
from kit.stores import rows_changed
from msgspec.structs import replace

from volte.store import Conflict, Gone, Person
from volte.store.store import Store
from volte.talk.store import Measure, Said, TalkReport, TalkStore

NOW = time.time()


@pytest.fixture
def talk(store: Store) -> TalkStore:
    return store[TalkStore]


def said(number: int, text: str, person: str = "ann", room: str = "table", **more: Any) -> Said:
    return Said("t", number, room, person, person.title(), "", text, more.get("at", NOW + number))


def report(name: str, at: float = NOW, against: str = "bob") -> TalkReport:
    return TalkReport(name, "t", "ann", against, "insult", "", b"{}", at)


def measure(name: str, kind: str = "silence", *, until: float | None = None) -> Measure:
    return Measure(name, "bob", kind, "Be kind.", "mod", "r", NOW, until)


@on_both
async def test_sayings_are_numbered_one_after_the_other_whoever_is_faster(
    store: Store, other: Store
) -> None:
    kept = await asyncio.gather(
        *(
            each[TalkStore].say(said(1, f"number {number}"), f"ann:{number}")
            for number, each in enumerate((store, other) * 5)
        )
    )
    assert sorted(each.number for each in kept) == list(range(1, 11))
    assert await store[TalkStore].last("t") == 10
    assert await store[TalkStore].last("elsewhere") == 0


async def test_the_same_message_is_said_once(talk: TalkStore) -> None:
    first = await talk.say(said(1, "hello"), "ann:1")
    again = await talk.say(said(2, "hello"), "ann:1")
    assert again == first
    assert await talk.last("t") == 1


async def test_the_last_sayings_come_in_their_order_from_the_rooms_one_may_read(
    talk: TalkStore,
) -> None:
    one, two = said(1, "a"), said(2, "b", "bob", "watchers")
    three, four = said(3, "c", "cleo"), said(4, "d")
    lines = [one, two, three, four]
    for each in lines:
        await talk.say(each, f"{each.person}:{each.number}")
    assert await talk.latest("t", ["table"]) == [one, three, four]
    assert await talk.latest("t", ["table", "watchers"]) == lines
    assert await talk.latest("t", ["table"], limit=1) == [four]
    assert await talk.latest("t", ["table"], after=3) == [four]
    assert await talk.latest("t", ["table"], without=["cleo"]) == [one, four]
    assert await talk.latest("\0", ["table"]) == []
    assert await talk.from_on("t", 1, 2) == [two, three]
    assert await talk.numbered("t", [4, 1, 9]) == [one, four]
    assert await talk.said_by("ann") == [four, one]
    assert await talk.said_by("ann", table="u") == []


async def test_what_is_old_is_forgotten(store: Store) -> None:
    await store[TalkStore].say(said(1, "old", at=NOW - 100), "ann:1")
    await store[TalkStore].say(said(2, "new", at=NOW), "ann:2")
    await store[TalkStore].report(replace(report("r1", NOW - 100), note="mine"))
    await store[TalkStore].report(report("r2", NOW - 100))
    kept = replace(report("r1"), decision="nothing", decided_by="mod", decided=NOW - 50)
    await store[TalkStore].decide(kept)
    await store[TalkStore].sweep(NOW - 10)
    assert [each.text for each in await store[TalkStore].latest("t", ["table"])] == ["new"]
    decided = replace(kept, at=NOW - 100, evidence=b"", note="")
    assert await store[TalkStore].report_of("r1") == decided
    assert await store[TalkStore].report_of("r2") == report("r2", NOW - 100)
    with rows_changed(store, "reports") as changed:
        await store[TalkStore].sweep(NOW - 10)
    assert changed == [0]  # what is forgotten is not forgotten again and again


async def test_people_are_muted_and_read_again(store: Store) -> None:
    for name in ("ann", "cleo"):
        await store.put_person(Person(name, name.title(), "en", {}, NOW))
        await store[TalkStore].mute(name, "bob", "Bob")
    await store[TalkStore].mute("ann", "bob", "Bobby")
    bob, nobody = frozenset(["bob"]), frozenset[str]()
    mutes = await store[TalkStore].mutes_of(["ann", "bob", "cleo"])
    assert mutes == {"ann": bob, "bob": nobody, "cleo": bob}
    assert await store[TalkStore].muted("ann") == {"bob": "Bobby"}
    assert await store[TalkStore].muted_by("bob") == 2
    await store[TalkStore].unmute("ann", "bob")
    assert await store[TalkStore].muted("ann") == {}
    assert await store[TalkStore].muted_by("bob") == 1
    with pytest.raises(Gone):
        await store[TalkStore].mute("nobody", "bob", "Bob")


@on_both
async def test_a_report_is_made_once_and_decided_once(talk: TalkStore, other: Store) -> None:
    assert await talk.report(report("r"))
    assert not await other[TalkStore].report(report("r"))
    assert await talk.open_reports() == [report("r")]
    kept = replace(report("r"), decision="warning", decided_by="mod", decided=NOW + 1)
    done = await asyncio.gather(
        talk.decide(kept, measure("m1", "warning")),
        other[TalkStore].decide(replace(kept, decided_by="mad"), measure("m2", "warning")),
        return_exceptions=True,
    )
    assert [type(each) for each in done if each is not None] == [Conflict]
    assert len(await talk.measures()) == 1
    assert await talk.open_reports() == []
    (decided,) = await talk.decided_reports()
    assert decided.decision == "warning"
    assert await talk.reports_about("bob") == [decided]
    assert await talk.reports_by("ann") == [decided]
    with pytest.raises(Conflict):
        await talk.decide(replace(kept, id="another"))


async def test_a_measure_binds_until_it_ends_or_is_lifted(talk: TalkStore) -> None:
    for number, until in enumerate((NOW - 1, NOW + 1000, NOW + 500)):
        await _measured(talk, measure(str(number), until=until))
    assert await talk.binding("bob", "exclusion") is None
    assert await talk.binding("ann", "silence") is None
    binding = await talk.binding("bob", "silence")
    assert binding == measure("1", until=NOW + 1000)
    await _measured(talk, measure("3"))
    assert await talk.binding("bob", "silence") == measure("3")
    for name in ("3", "1", "2"):
        await talk.lift(name, "mod", "enough")
    assert await talk.binding("bob", "silence") is None
    with pytest.raises(Conflict):
        await talk.lift("3", "mad", "again")
    lifted = await talk.measure_of("3")
    assert lifted is not None
    assert (lifted.lifted_by, lifted.lifted_why) == ("mod", "enough")


async def _measured(talk: TalkStore, taken: Measure) -> None:
    name = f"r{taken.id}"
    await talk.report(report(name))
    decided = replace(report(name), decision="silence_hour", decided_by="mod", decided=NOW)
    await talk.decide(decided, taken)


async def test_people_are_told_once_of_measures_and_of_what_came_of_their_reports(
    talk: TalkStore,
) -> None:
    await _measured(talk, measure("m", until=NOW + 1000))
    assert await talk.untold() == {"ann", "bob"}
    assert await talk.unseen("bob") == [measure("m", until=NOW + 1000)]
    await talk.has_seen("bob", NOW + 1)
    await talk.has_seen("ann", NOW + 1)
    assert await talk.unseen("bob") == []
    assert await talk.untold() == set()
    await talk.lift("m", "mod", "enough")
    assert await talk.untold() == {"bob"}


async def test_ones_talk_can_be_taken_along_and_forgotten(store: Store) -> None:
    await store.put_person(Person("ann", "Ann", "en", {}, NOW))
    await store[TalkStore].say(said(1, "mine"), "ann:1")
    await store[TalkStore].say(said(2, "not mine", "bob"), "bob:1")
    await store[TalkStore].mute("ann", "bob", "Bob")
    await store[TalkStore].report(replace(report("r"), note="look"))
    taken = await store[TalkStore].export("ann")
    assert [each["text"] for each in taken["sayings"]] == ["mine"]
    assert taken["muted"] == {"bob": "Bob"}
    assert [each["note"] for each in taken["reports"]] == ["look"]
    await store[TalkStore]._write(*store[TalkStore].forgetting("ann"))
    assert [each.text for each in await store[TalkStore].latest("t", ["table"])] == ["not mine"]
    assert [each.note for each in await store[TalkStore].reports_by("ann")] == [""]
