"""Evenings at real servers: plan, join and play them, and read their logs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial

from kit.people import Guest
from kit.playing import Player
from kit.sites import Site

from volte.evenings.conducting import Evenings
from volte.evenings.decide import begin_round, join
from volte.evenings.evening import Evening, Plan
from volte.rules import make_ruleset
from volte.store.store import Store
from volte.table import Happening, Someone, decode_happening

DEALS = 2


def plan(rounds: int = 2, starts: float = 0, **more: object) -> Plan:
    rules = make_ruleset("microsoft", {"match_end": f"deals:{DEALS}"})
    usual = {"by_itself": bool(starts), "pause": 0} | more
    return Plan("Friday", "", starts or time.time(), "UTC", rules, rounds, "beginner", **usual)  # type: ignore[arg-type]


async def come(site: Site, *names: str) -> list[Player]:
    return [await Player.come(site.address, name) for name in names]


def who(player: Guest) -> Someone:
    return Someone(player.person, player.name)


async def begun(
    site: Site, players: Sequence[Guest], chosen: Plan, host: Guest | None = None
) -> str:
    """Plan an evening that players join, begin it unless it begins by itself; return its id."""
    evenings = site.room[Evenings]
    key = await evenings.plan(chosen, who(host or players[0]))
    for player in players:
        await evenings.do(key, partial(join, who=who(player)))
    if not chosen.by_itself:
        await evenings.do(key, partial(begin_round, now=time.time()))
    return key


async def now(site: Site, key: str) -> Evening:
    evening = await site.room[Evenings].find(key)
    assert evening is not None
    return evening


async def seated(site: Site, key: str, number: int, player: Guest) -> str:
    """Wait until a round has begun; return the id of the player's table in it."""
    async with asyncio.timeout(60):
        while len((evening := await now(site, key)).rounds) < number:
            await asyncio.sleep(0.05)
        table = evening.rounds[number - 1].table_of(player.person)
        assert table
        while await site.room.store.listing(table) is None:
            await asyncio.sleep(0.05)
        return table


async def play(player: Player, table: str) -> None:
    """Join a table, play the match to its end, and leave."""
    await player.join(table)
    await player.hurry()
    await player.play()
    await player.leave()


async def over(site: Site, key: str, number: int) -> Evening:
    """Wait until a round is over; return the evening."""
    async with asyncio.timeout(60):
        while True:
            evening = await now(site, key)
            if len(evening.rounds) >= number and evening.rounds[number - 1].over is not None:
                return evening
            await asyncio.sleep(0.05)


async def log_of(store: Store, table: str) -> list[Happening]:
    return [decode_happening(entry.data) for entry in await store.read(table)]
