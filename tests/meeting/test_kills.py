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
from kit.seeking import Seeker
from kit.sites import Process, Site, until

from volte.meeting.matchmaker import Matchmaker
from volte.meeting.store import Seeks
from volte.rules import PRESETS
from volte.server.run.membership import Membership
from volte.store.store import Store

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
        """Write, or die. One that is refused, as another was first, does not count."""
        if self._left != 1 or self._written:
            await self._write(*writes)
        self._left -= 1
        if self._left:
            return
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
            await until(lambda ending=ending: ending.died)  # the last writes may come later
        assert people_at([site], anne.table) == [anne.who.id, bert.who.id]
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
    anne, bert = [
        await Seeker.among(store, front.address, f"{name} {number}") for name in ("Anne", "Bert")
    ]
    for each in (anne, bert):
        await each.press(rules)
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
        for each in (anne, bert):
            await each.give_up()
        await asyncio.to_thread(victim.restart)
