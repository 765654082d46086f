"""Results and ratings in the store: written once, and wholly or not at all."""

from __future__ import annotations

import asyncio

import pytest
from kit.postgres import on_both
from msgspec.structs import replace

from volte.history.rows import Rating, Result
from volte.history.store import Results
from volte.store import Conflict, MatchRow, Person
from volte.store.store import Store


def row(match: str, *people: str, ended: float = 9.0) -> MatchRow:
    return MatchRow(match, "t" + match, 1, b"m" * 32, 5.0, people, 3, ended, people)


def result(match: str, seat: int, person: str, **more: object) -> Result:
    """A result in a match of one deal of Les Cœurs, of two people and two bots."""
    usual = Result(
        *(match, seat, person, person.title(), "", "coeurs", 4, 2, 1, 5 + seat, 1 + seat, None),
        *(0, 0, False, False, False, 9.0),
    )
    return replace(usual, **more)


def rating(person: str, matches: int, mu: float = 25.0) -> Rating:
    return Rating(person, "coeurs", mu, 8.0, matches, 9.0)


async def keep_matches(store: Store, *rows: MatchRow) -> None:
    for each in rows:
        await store.append(each.table, 0, [b"{}"], matches=[each])


async def keep_people(store: Store, *people: str) -> None:
    for each in people:
        await store.put_person(Person(each, each.title(), "en", {}, 1.0))


async def test_what_is_kept_is_read_again(store: Store) -> None:
    await keep_people(store, "anne", "bert")
    await keep_matches(store, row("m1", "anne", "bert", "", ""))
    assert await store[Results].unreckoned(10.0) == ["m1"]
    assert await store[Results].unreckoned(8.0) == []
    ours = [
        result("m1", 0, "anne", stake=-3, rated=True),
        result("m1", 1, "bert", left=True, rated=True),
        result("m1", 2, "", name="Lou", level="casual"),
        result("m1", 2, "cara", late=True),
    ]
    await store[Results].keep("m1", ours, [rating("anne", 1, 26.0), rating("bert", 1)])
    assert (await store[Results].of_matches(["m1", "m0"])) == {"m1": ours, "m0": []}
    assert await store[Results].unreckoned(10.0) == []
    assert await store[Results].rating("anne", "coeurs") == rating("anne", 1, 26.0)
    assert await store[Results].ladders() == {"coeurs": 2}
    standings = await store[Results].standings("coeurs", 1)
    assert [each.name for each in standings] == ["Anne", "Bert"]
    assert await store[Results].standings("coeurs", 2) == []
    assert len(await store[Results].standings("coeurs", 2, fewer=True)) == 2


@on_both
async def test_of_two_who_reckon_at_once_one_is_heard(store: Store, other: Store) -> None:
    await keep_people(store, "anne")
    await keep_matches(store, row("m1", "anne", "bert"))
    found = [result("m1", 0, "anne")], [rating("anne", 1)]
    work = [each[Results].keep("m1", *found) for each in (store, other)]
    errors = await asyncio.gather(*work, return_exceptions=True)
    assert [type(error) for error in errors if error] == [Conflict]
    assert len((await store[Results].of_matches(["m1"]))["m1"]) == 1


async def test_a_rating_follows_from_the_one_before_it(store: Store) -> None:
    """If another match has changed the rating meanwhile, nothing of this match is stored."""
    results = store[Results]
    await keep_people(store, "anne")
    await keep_matches(store, *(row(f"m{number}", "anne") for number in range(4)))
    await results.keep("m0", [], [rating("anne", 1)])
    await results.keep("m1", [], [rating("anne", 2)], [rating("anne", 1)])
    for stale in ([rating("anne", 1)], []):
        with pytest.raises(Conflict):
            await results.keep("m2", [result("m2", 0, "anne")], [rating("anne", 2)], stale)
        assert not await results.reckoned("m2")
        assert await results.of_matches(["m2"]) == {"m2": []}
    await results.keep("m2", [], [rating("anne", 3)], [rating("anne", 2)])
    assert await results.rating("anne", "coeurs") == rating("anne", 3)


@on_both
async def test_statistics_add_up_what_was_played_to_the_end(store: Store) -> None:
    played = [
        result("m0", 0, "anne", deals=4, total=40, moons=1, queens=2),
        result("m1", 1, "anne", deals=2, total=10, queens=1),
        result("m2", 1, "anne", left=True, total=99),
        result("m3", 1, "anne", late=True, total=99),
        result("m4", 0, "anne", people=1),
        result("m5", 0, "anne", rules="salon"),
    ]
    await keep_matches(store, *(row(each.match, "anne", "bert") for each in played))
    for each in played:
        await store[Results].keep(each.match, [each])
    found = {(each.rules, each.people): each for each in await store[Results].statistics("anne")}
    assert sorted(found) == [("coeurs", False), ("coeurs", True), ("salon", True)]
    ours = found["coeurs", True]
    assert (ours.matches, ours.won, ours.places, ours.left) == (2, 1, 3, 1)
    assert (ours.deals, ours.points, ours.moons, ours.queens) == (6, 50, 1, 3)
    assert await store[Results].statistics("bert") == []
    of = store[Results].matches_of
    assert len(await of("anne")) == 6
    assert await of("anne", rules="salon") == ["m5"]
    assert await of("anne", people=False) == ["m4"]
    assert len(await of("anne", people=True)) == 5
    assert await of("anne", skip=5) == (await of("anne"))[5:]


async def test_who_is_forgotten_leaves_the_others_their_matches(store: Store) -> None:
    await keep_people(store, "anne", "bert")
    await keep_matches(store, row("m1", "anne", "bert"))
    ours = [result("m1", seat, person) for seat, person in enumerate(("anne", "bert"))]
    ours += [result("m1", 1, "cara", late=True)]
    await store[Results].keep("m1", ours, [rating("anne", 1), rating("bert", 1)])
    for gone in ("anne", "cara"):
        await store[Results]._write(*store[Results].forgetting(gone))
    kept = (await store[Results].of_matches(["m1"]))["m1"]
    assert [(each.person, each.name) for each in kept] == [("", ""), ("bert", "Bert")]
    assert await store[Results].matches_of("anne") == []
    assert await store[Results].matches_of("bert") == ["m1"]
    assert await store[Results].ladders() == {"coeurs": 1}
    assert (await store[Results].export("bert"))["results"][0]["match"] == "m1"


async def test_all_can_be_thrown_away_and_worked_out_anew(store: Store) -> None:
    await keep_people(store, "anne")
    late, soon = row("m1", "anne", ended=9.0), row("m2", "anne", ended=8.0)
    await keep_matches(store, late, soon)
    for match in ("m1", "m2"):
        await store[Results].keep(match, [result(match, 0, "anne")])
    await store[Results].forget_all()
    assert await store[Results].unreckoned(10.0) == ["m2", "m1"]
    assert await store[Results].all_of("anne") == []
