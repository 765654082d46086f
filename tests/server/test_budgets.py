"""Budgets: who asks for much is answered later, and forty people at one address never are."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from kit.people import Player
from kit.sites import QUICK, serving
from kit.talking import Talker

from volte.game.codec import encode
from volte.rules import make_ruleset
from volte.table import Setup
from volte.table.commands import Act, Command, Sit, Start
from volte.web.metrics import REGISTRY
from volte.web.settings import FIELDS
from volte.wire.messages import Answer, Closing, Question, Speak

USUAL = {name: FIELDS[name].default for name in QUICK}
TABLES = 10
KEYS = [what for what in Question if what not in {Question.HINT, Question.CARDS}]

ASKING = 1.5
"""Seconds between two questions of one person."""

THINKING = 0.5
"""Seconds before each card."""


def hindered() -> float:
    """How often a message had to wait, or was refused since it was too much."""
    return sum(
        sample.value
        for metric in REGISTRY.collect()
        if metric.name in ("volte_slowed", "volte_limited")
        for sample in metric.samples
        if sample.name.endswith("_total")
    )


async def evening(address: str, spend: Callable[[Lively], Awaitable[None]]) -> None:
    """Forty people at ten tables, one of each with a second connection, spend it like that."""

    async def table(number: int) -> None:
        people = [await Lively.come(address, f"{number}.{seat}") for seat in range(4)]
        setup = Setup("Club", make_ruleset("microsoft", {"match_end": "deals:1"}))
        where = await people[0].open_table(("", "", ""), setup)
        for seat, person in enumerate(people):
            await person.join(where, told=True)
            assert seat == 0 or (await person.do(Sit(seat))).ok
        second = Lively(address, people[1].cookie, people[1].person, people[1].name)
        await second.join(where, told=True)
        assert (await people[0].do(Start())).ok
        await asyncio.gather(*map(spend, people))
        assert (await second.ask(Question.SCORES)).ok
        for person in (*people, second):
            await person.leave()

    await asyncio.gather(*(table(number) for number in range(TABLES)))


class Lively(Player):
    """Somebody who asks for much while they play."""

    thinking = 0.0

    async def do(self, command: Command, seen: int | None = None, asking: str = "") -> Answer:
        if isinstance(command, Act):
            await asyncio.sleep(self.thinking)
        return await super().do(command, seen, asking)

    async def greet(self) -> None:
        asking = self.next_id()
        assert (await self.say(asking, encode(Speak(asking, "table", "hello")).decode())).ok

    async def ask_on(self) -> None:
        """Asks for one key after the other while the match lasts; now and then for more."""
        for count in itertools.count():
            await asyncio.sleep(ASKING)
            if self.over():
                return
            await self.ask(KEYS[count % len(KEYS)])
            if count % 4 == 0:
                await self.ask(Question.HINT)
            if count % 5 == 0:
                await self.greet()


async def first_tricks(person: Lively) -> None:
    """Asks for every key at once, and plays the first tricks as fast as it goes."""
    for what in KEYS:
        assert (await person.ask(what)).ok
    await person.greet()
    await person.play(lambda: person.number > 40)


async def whole_match(person: Lively) -> None:
    """Plays to the end at the pace of somebody quick, and asks all the while."""
    person.thinking = THINKING
    await asyncio.gather(person.play(), person.ask_on())


async def test_forty_people_behind_one_address_are_never_hindered(tmp_path: Path) -> None:
    async with serving(tmp_path, **USUAL) as site:
        before = hindered()
        await evening(site.address, first_tricks)
        assert hindered() == before


@pytest.mark.full
async def test_a_whole_evening_of_forty_people_is_never_hindered(tmp_path: Path) -> None:
    async with serving(tmp_path, **USUAL) as site:
        before = hindered()
        await evening(site.address, whole_match)
        assert hindered() == before


async def test_one_who_asks_for_much_is_answered_later(tmp_path: Path) -> None:
    async with serving(tmp_path, work_per_person=1) as site:
        guest = await Talker.come(site.address)
        await guest.join(await guest.open_table())
        before = hindered()
        for _ in range(15):
            assert (await guest.ask(Question.RULES)).ok
        assert hindered() > before
        await guest.leave()


async def test_a_ninth_connection_of_one_person_is_refused_with_a_sentence(tmp_path: Path) -> None:
    async with serving(tmp_path, sockets_per_person=8) as site:
        first = await Player.come(site.address)
        tables = [await first.open_table() for _ in range(2)]
        devices = [Player(site.address, first.cookie, first.person, first.name) for _ in range(9)]
        for place, device in enumerate(devices[:8]):
            await device.join(tables[place % 2])
        await devices[8].call(tables[0])
        assert await devices[8].until_closed() == Closing.TOO_FAST
        assert "8" in devices[8].notices[-1].line
        other = await Player.come(site.address)
        await other.join(tables[0])
        for device in (*devices[:8], other):
            await device.leave()
