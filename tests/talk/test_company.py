"""The store of people who are kept apart: by the wish of either, whoever's it was."""

from __future__ import annotations

from itertools import permutations

from kit.postgres import on_both

from volte.store import Person
from volte.store.store import Store
from volte.talk.company import Avoided


@on_both
async def test_two_people_are_apart_by_the_wish_of_either_at_every_node_until_both_take_it_back(
    store: Store, other: Store
) -> None:
    for each in ("anne", "bert", "cara"):
        await store.put_person(Person(each, each.title(), "en", {}, 1.0))
    here, elsewhere = store[Avoided], other[Avoided]
    for one, another in permutations(("anne", "bert")):
        await here.avoid(one, another, another.title())
        for node in (here, elsewhere):
            assert await node.apart_from("anne") == {"bert"}
            assert await node.apart_from("bert") == {"anne"}
            assert await node.apart_from("cara") == frozenset()
            assert await node.apart(["anne", "cara"]) == {"anne": {"bert"}}
            assert await node.apart(["anne", "bert"]) == {"anne": {"bert"}, "bert": {"anne"}}
            assert await node.of(another) == {}
        await elsewhere.take_back(one, another)
        assert await here.apart_from(another) == frozenset()
    await here.avoid("anne", "bert", "Bert")
    await here.avoid("bert", "anne", "Anne")
    await here.take_back("anne", "bert")
    assert await here.apart_from("anne") == {"bert"}


async def test_nobody_is_apart_from_somebody_who_is_forgotten(store: Store) -> None:
    for each in ("anne", "bert"):
        await store.put_person(Person(each, each.title(), "en", {}, 1.0))
    await store[Avoided].avoid("anne", "bert", "Bert")
    assert [each["name"] for each in (await store[Avoided].export("anne"))["avoided"]] == ["Bert"]
    assert await store[Avoided].export("bert") == {"avoided": []}
    await store.forget("bert")
    assert await store[Avoided].apart_from("anne") == frozenset()
