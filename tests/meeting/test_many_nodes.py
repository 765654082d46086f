"""Matchmakers of several nodes: whoever waits at one is paired with whoever waits at another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from kit.meeting import HEARTS, MARIA, Stranger, parted, people_at
from kit.nodes import fronting
from kit.seeking import Seeker
from kit.sites import Process, Site, SiteWith, until

from volte.meeting import matchmaker, patience
from volte.meeting.seeks import Wish
from volte.meeting.store import Seeks
from volte.store.store import Store

NAMES = "Anne", "Bert", "Cara", "Dora", "Emma", "Finn", "Gabi", "Hugo"


@pytest.fixture
async def nodes(
    site_with: SiteWith, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> Sequence[Site]:
    """The nodes `a` and `b`, which know of each other by the database alone, and have time."""
    monkeypatch.setattr(matchmaker, "STRAIGHT", 60.0)
    return [await site_with(postgres_url, node=node) for node in "ab"]


@pytest.fixture
async def people(nodes: Sequence[Site]) -> AsyncIterator[list[Stranger]]:
    """Eight people, who leave at the end."""
    come = await Stranger.come(nodes, *NAMES)
    yield come
    await parted(*come)


async def test_somebody_is_seated_at_once_at_a_table_of_another_node(
    nodes: Sequence[Site], people: list[Stranger]
) -> None:
    anne, bert, *_ = people
    table = await anne.press(node=0)
    await anne.dealt()
    await until(lambda: anne.waiting(node=1))
    assert await bert.press(node=1) == table
    assert not bert.opened
    await bert.dealt()
    assert people_at(nodes, table) == [anne.who.id, bert.who.id]


async def test_whoever_presses_at_a_node_that_has_not_looked_yet_is_seated_at_once_all_the_same(
    nodes: Sequence[Site], people: list[Stranger]
) -> None:
    anne, bert, *_ = people
    await bert.matchmaker(node=1).close()  # by which it looks no more
    table = await anne.press(node=0)
    await anne.dealt()
    assert await bert.press(node=1) == table
    assert not bert.opened


@pytest.mark.full
async def test_eight_people_at_two_nodes_and_one_who_leaves_come_together_by_their_games(
    nodes: Sequence[Site], people: list[Stranger], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two are in the middle of a deal; the others have each a table of their own meanwhile."""
    wishes = Wish(HEARTS), Wish(MARIA)
    for number, (who, wish) in enumerate(zip(people[:2], wishes, strict=True)):
        await who.press(wish, node=number)
        await who.dealt()
        await who.act()
    await until(lambda: all(who.waiting(node) for who in people[:2] for node in (0, 1)))
    for number, who in enumerate(people[2:]):
        await who.press(wishes[number % 2], node=1 - number % 2)
    tables = {who.table for who in people}
    assert len(tables) == len(people)
    monkeypatch.setattr(patience, "GRACE", 0.2)
    monkeypatch.setattr(matchmaker, "EVERY", 0.1)
    gone = people.pop()
    await gone.leave()
    await until(lambda: over(gone))
    for who in people[:2]:
        await who.play_on()
    for number, who in enumerate(people):
        await who.at(people[number % 2].table)
    assert people_at(nodes, people[0].table) == [who.who.id for who in people[::2]]
    assert sorted(people_at(nodes, people[1].table)) == [who.who.id for who in people[1::2]]
    await until(lambda: alone_at_no_other_table(nodes, people))


async def over(who: Stranger) -> bool:
    return await who.seek() is None


async def alone_at_no_other_table(nodes: Sequence[Site], people: Sequence[Stranger]) -> bool:
    """Whether everybody has a seat at one live table, and seeks from there."""
    live = [table for site in nodes for table in site.room.lobby.tables if not table.state.closed]
    seeks = await nodes[0].room.store[Seeks].all({})
    for who in people:
        there = [table.id for table in live if table.state.seat_of(who.who.id) is not None]
        seek = seeks[who.who.id]
        if there != [seek.table] or seek.joins:
            return False
    return True


async def test_a_node_that_stops_leaves_its_people_to_the_others(
    nodes: Sequence[Site], people: list[Stranger]
) -> None:
    """Bert is on the way to Anne's table, whose node stops in good order."""
    anne, bert, *_ = people
    await anne.press(node=0)
    await anne.dealt()
    await anne.act()
    await bert.press(node=1)
    stopping = asyncio.ensure_future(nodes[0].stop())
    for who in people:
        who.nodes = nodes[1:]
    await stopping
    await anne.play_on()
    await bert.at(anne.table)
    assert people_at(nodes[1:], anne.table) == [anne.who.id, bert.who.id]


@pytest.mark.full
async def test_eight_people_at_two_servers_and_one_who_leaves_come_together_by_their_games(
    postgres_url: str, tmp_path: Path
) -> None:
    with (
        Process(postgres_url, tmp_path, VOLTE_NODE="a") as a,
        Process(postgres_url, tmp_path, VOLTE_NODE="b") as b,
    ):
        async with (
            fronting(a=a.address, b=b.address) as front,
            await Store.open(postgres_url) as store,
        ):
            people = [await Seeker.among(store, front.address, name) for name in NAMES]
            for number, each in enumerate(people):
                await each.press((HEARTS, MARIA)[number % 2])
            gone = people[-1]
            await gone.give_up()
            for one, *others in (people[::2], people[1:-1:2]):
                await until(partial(one.together, *others), 120)

            async def over() -> bool:
                return gone.person not in await store[Seeks].all({})

            await until(over, 120)
            for each in people[:-1]:
                await each.give_up()
        assert not a.faults
        assert not b.faults
