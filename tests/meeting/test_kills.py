"""Whatever ends in the middle of a pairing: nobody waits in vain, and nobody is at two tables."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from kit import few
from kit.meeting import Stranger, parted, people_at
from kit.sites import Site, until

from volte.meeting.matchmaker import Matchmaker
from volte.meeting.store import Seeks
from volte.server.run.membership import Membership

STEPS = 7
"""Writes of a pairing: a seek begins, asks, has a table of its own, is seen there; then it is seated,
leaves that table, and is seen at the other."""


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
        rows.write = self._write  # type: ignore[method-assign]
        dying = room[Matchmaker]
        room.add(Matchmaker(room.store, room.lobby, room[Membership].wake))
        room[Matchmaker].begin()
        if dying._task is not asyncio.current_task():
            await dying.close()


@pytest.mark.parametrize("written", [False, True])
async def test_a_pairing_that_ends_at_any_step_is_carried_on(site: Site, written: bool) -> None:
    for step in range(1, STEPS + 1, few(3, 1)):
        anne, bert = await Stranger.come([site], f"Anne {step} {written}", f"Bert {step} {written}")
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
            await until(lambda: settled(site, anne, bert))
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
