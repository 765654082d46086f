"""Whatever ends in the middle of a pairing: nobody waits in vain, and nobody is at two tables."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from kit import few
from kit.meeting import Stranger, parted, people_at
from kit.nodes import Front, fronting
from kit.playing import GONE, Player
from kit.sites import Process, Site, until

from volte.meeting.matchmaker import Matchmaker
from volte.meeting.store import Seeks
from volte.rules import PRESETS
from volte.server.run.membership import Membership
from volte.store.store import Store
from volte.table.stored import onward_of, read_table

STEPS = 6
"""Writes of a pairing at least: a seek begins, has to wait, has a table of its own and is seen
there; then it has a seat at the other table, and leaves the own one."""

KILLS = 20


class Ending:
    """A matchmaker whose node dies at one of its writes, and another one that goes on.

    Args:
        write: the number of the write.
        written: whether that is still done.
    """

    def __init__(self, site: Site, write: int, written: bool) -> None:
        self.site = site
        self.died = False
        self._left = write
        self._written = written
        self._rows = site.room.store[Seeks]
        self._write: Callable[..., Awaitable[None]] = self._rows.write

    async def write(self, *writes: object) -> None:
        """Write, or die."""
        self._left -= 1
        if self._left:
            await self._write(*writes)
            return
        if self._written:
            await self._write(*writes)
        self.died = True
        await self._go_on()
        raise asyncio.CancelledError

    async def _go_on(self) -> None:
        """Have another matchmaker in the place of the one that dies."""
        room, rows = self.site.room, self._rows
        rows.write = self._write  # type: ignore[method-assign, assignment]
        dying = room[Matchmaker]
        room.add(Matchmaker(room.store, room.lobby, room[Membership].wake))
        room[Matchmaker].begin()
        if dying._task is not asyncio.current_task():
            await dying.close()


@pytest.mark.parametrize("written", [False, True])
async def test_a_pairing_that_ends_at_any_step_is_carried_on(site: Site, written: bool) -> None:
    for step in range(1, STEPS + 1, few(3, 1)):
        names = f"Anne {step} {written}", f"Bert {step} {written}"
        anne, bert = await Stranger.come([site], *names)
        await anne.press()
        await anne.dealt()
        await anne.act()
        ending = Ending(site, step, written)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(site.room.store[Seeks], "write", ending.write)
            with suppress(asyncio.CancelledError):
                await bert.press()
            await bert.press()
            await anne.play_on()
            await bert.at(anne.table)
            await until(partial(settled, site, anne, bert))
        assert people_at([site], anne.table) == [anne.who.id, bert.who.id]
        assert ending.died
        await parted(anne, bert)


async def settled(site: Site, *people: Stranger) -> bool:
    """Whether each of them has a seat at one open table, and seeks from there."""
    live = [table for table in site.room.lobby.tables if not table.state.closed]
    for who in people:
        there = [table.id for table in live if table.state.seat_of(who.who.id) is not None]
        seek = await who.seek()
        if seek is None or there != [seek.table] or seek.joins:
            return False
    return True


class Seeker(Player):
    """Somebody who presses, plays, and goes on where the people of their table do, whatever happens
    to the servers.

    Attributes:
        store: of their playroom.
        first: id of the table where they begin.
        went: ids of the tables where they have been.
    """

    store: Store
    first: str
    went: set[str]

    async def press(self, rules: str) -> None:
        """Press until there is an answer."""
        self.went = set()
        while True:
            with suppress(*GONE):
                reply = await self.post("/api/meet", {"rules": rules})
                if reply.status == 200:
                    self.table = self.first = reply.json["table"]
                    self.starts = lambda: self.table == self.first
                    return
            await asyncio.sleep(0.05)

    async def come_back(self) -> None:
        listing = await self.store.listing(self.table)
        onward = onward_of(listing) if listing is not None else ""
        await self.join(onward or self.table)
        self.went.add(self.table)
        await self.hurry()

    async def at(self, table: str) -> bool:
        """Whether they have a seat at a table, by its log."""
        stored = await read_table(self.store, table)
        return (
            stored is not None
            and not stored.state.closed
            and stored.state.seat_of(self.person) is not None
        )

    async def together(self, other: Seeker) -> bool:
        """Whether both are seated at one table, from which they seek, and at no other one."""
        seeks = await self.store[Seeks].all({})
        if not {self.person, other.person} <= seeks.keys():
            return False
        here, there = seeks[self.person], seeks[other.person]
        if here.table != there.table or here.joins or there.joins:
            return False
        for each in (self, other):
            if [table for table in each.went | {here.table} if await each.at(table)] != [
                here.table
            ]:
                return False
        return True


@pytest.mark.full
async def test_nodes_are_killed_in_the_middle_of_pairings(
    postgres_url: str, tmp_path: Path
) -> None:
    """Each time two people press, one of them in the middle of the other's deal; then one of the
    two nodes is killed."""
    chance = random.Random(1)
    presets = itertools.cycle(each for each in PRESETS if each != "coeurs-table")  # without referee
    with (
        Process(postgres_url, tmp_path, VOLTE_NODE="a") as a,
        Process(postgres_url, tmp_path, VOLTE_NODE="b") as b,
    ):
        async with (
            fronting(a=a.address, b=b.address) as front,
            await Store.open(postgres_url) as store,
        ):
            for number in range(KILLS):
                await _kill(chance.choice([a, b]), front, store, next(presets), chance, number)
        assert not a.faults
        assert not b.faults


async def _kill(
    victim: Process, front: Front, store: Store, rules: str, chance: random.Random, number: int
) -> None:
    anne, bert = [await Seeker.come(front.address, f"{name} {number}") for name in ("Anne", "Bert")]
    playing = list[asyncio.Task[None]]()
    for each in (anne, bert):
        each.store = store
        await each.press(rules)
        playing.append(asyncio.create_task(each.stay(lambda: False)))
        await asyncio.sleep(chance.uniform(0.0, 0.5))
    victim.kill()
    try:
        await until(lambda: anne.together(bert))
    except TimeoutError:
        seeks = await store[Seeks].all({})
        raise AssertionError(
            rules, anne.went, bert.went, *map(seeks.get, (anne.person, bert.person))
        ) from None
    finally:
        for task in playing:
            task.cancel()
        await asyncio.wait(playing)
        for each in (anne, bert):
            await each.leave()
        await asyncio.to_thread(victim.restart)
