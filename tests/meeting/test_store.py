"""The store of seeks, and of people whom somebody would rather not meet again."""

from __future__ import annotations

import pytest
from kit.postgres import on_both
from msgspec.structs import replace

from volte.meeting.seeks import MeetingTable, Seek, Tempo, Wish
from volte.meeting.store import Seeks, after, begun, changed, over, touched
from volte.store import Conflict, Gone, Person
from volte.store.store import Store
from volte.talk.company import Avoided
from volte.talk.store import TalkStore

WISH = Wish("spot-hearts", 4, Tempo.CALM, ("en", "fr"), near=True)
ANNE = Seek("anne", WISH, 1500, 2.0, "t", MeetingTable("spot-hearts", 4, 0, ("anne",), ("Anne",)))


@pytest.fixture
async def people(store: Store) -> Store:
    for name in ("anne", "bert", "cara"):
        await store.put_person(Person(name, name.title(), "en", {}, 1.0))
    return store


async def test_a_person_has_one_seek_and_whoever_builds_upon_an_old_one_is_refused(
    people: Store, other: Store
) -> None:
    seeks, elsewhere = people[Seeks], other[Seeks]
    await seeks.write(begun(ANNE))
    with pytest.raises(Conflict):
        await elsewhere.write(begun(ANNE))
    assert await elsewhere.of("anne") == ANNE
    joining = replace(ANNE, joins="u")
    await seeks.write(changed(joining))
    assert await seeks.of("anne") == after(joining)
    for write in (changed(ANNE), over(ANNE)):
        with pytest.raises(Conflict):
            await elsewhere.write(write)
    assert await elsewhere.all({}) == {"anne": after(joining)}
    await elsewhere.write(over(after(joining)))
    assert await seeks.of("anne") is None


@on_both
async def test_a_pairing_is_stored_whole_or_not_at_all(people: Store) -> None:
    seeks, bert = people[Seeks], replace(ANNE, person="bert")
    await seeks.write(begun(ANNE), begun(bert))
    await seeks.write(changed(bert))
    with pytest.raises(Conflict):
        await seeks.write(changed(replace(ANNE, joins="u")), changed(bert))
    assert await seeks.of("anne") == ANNE


@on_both
async def test_whoever_is_muted_or_avoided_is_apart_from_whoever_seeks(people: Store) -> None:
    seeks, avoided, talk = people[Seeks], people[Avoided], people[TalkStore]
    await seeks.write(begun(ANNE), begun(replace(ANNE, person="bert")))
    assert await seeks.apart() == {}
    await talk.mute("bert", "anne", "Anne")
    await avoided.avoid("anne", "bert", "Bert")
    await avoided.avoid("cara", "anne", "Anne")
    assert await seeks.apart() == {"anne": {"bert"}, "bert": {"anne"}}
    assert await seeks.apart(["cara"]) == {"anne": {"bert"}, "bert": {"anne"}, "cara": {"anne"}}
    await avoided.take_back("anne", "bert")
    assert await avoided.of("anne") == {}
    assert await avoided.of("cara") == {"anne": "Anne"}
    assert await seeks.apart() == {"bert": {"anne"}}


async def test_a_newcomer_is_apart_from_whoever_avoids_them_even_without_a_seek(
    people: Store,
) -> None:
    await people[Avoided].avoid("cara", "anne", "Anne")
    await people[TalkStore].mute("bert", "anne", "Anne")
    assert await people[Seeks].apart_from("anne") == {"bert", "cara"}


async def test_no_pairing_is_stored_that_was_found_before_somebody_avoids_the_other(
    people: Store,
) -> None:
    bert = replace(ANNE, person="bert")
    await people[Seeks].write(begun(ANNE), begun(bert))
    await people[Avoided].avoid("bert", "anne", "Anne", touched("bert"), touched("anne"))
    for seek in (ANNE, bert):
        with pytest.raises(Conflict):
            await people[Seeks].write(changed(seek))


async def test_somebody_takes_their_seek_and_their_list_away_and_nobody_elses(
    people: Store,
) -> None:
    await people[Seeks].write(begun(ANNE))
    await people[Avoided].avoid("anne", "bert", "Bert")
    await people[Avoided].avoid("cara", "anne", "Anne")
    hers = await people[Seeks].export("anne") | await people[Avoided].export("anne")
    assert hers["seeks"]["preset"] == "spot-hearts"
    assert [each["name"] for each in hers["avoided"]] == ["Bert"]
    his = await people[Seeks].export("bert") | await people[Avoided].export("bert")
    assert his == {"avoided": []}


async def test_a_person_who_is_forgotten_seeks_no_longer_and_is_on_no_list(people: Store) -> None:
    await people[Seeks].write(begun(ANNE))
    await people[Avoided].avoid("anne", "bert", "Bert")
    await people[Avoided].avoid("cara", "anne", "Anne")
    await people.forget("anne")
    assert await people[Seeks].all({}) == {}
    assert await people[Avoided].of("anne") == await people[Avoided].of("cara") == {}
    for refused in (
        people[Seeks].write(begun(ANNE)),
        people[Avoided].avoid("cara", "anne", "Anne"),
    ):
        with pytest.raises(Gone):
            await refused
