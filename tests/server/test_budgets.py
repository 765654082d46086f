"""Budgets: who asks for much is answered later, and forty people at one address never are."""

from __future__ import annotations

import asyncio
from pathlib import Path

from server.guests import Player
from server.harness import QUICK, run, serving
from server.talking import Talker

from volte.rules import make_ruleset
from volte.server.metrics import REGISTRY
from volte.server.settings import FIELDS
from volte.table import Setup
from volte.table.commands import Sit, Start
from volte.wire.messages import Closing, Question

USUAL = {name: FIELDS[name].default for name in QUICK}
TABLES = 10
KEYS = [what for what in Question if what is not Question.HINT]


def hindered() -> float:
    """How often a message had to wait, or was refused since it was too much."""
    return sum(
        sample.value
        for metric in REGISTRY.collect()
        if metric.name in ("volte_slowed", "volte_limited")
        for sample in metric.samples
        if sample.name.endswith("_total")
    )


async def evening(address: str) -> None:
    """Forty people at ten tables, each one of each with a second connection; they play and ask."""

    async def table(number: int) -> None:
        people = [await Player.come(address, f"{number}.{seat}") for seat in range(4)]
        setup = Setup("Club", make_ruleset("microsoft", {"match_end": "deals:1"}))
        where = await people[0].open_table(("", "", ""), setup)
        for seat, person in enumerate(people):
            await person.join(where, told=True)
            assert seat == 0 or (await person.do(Sit(seat))).ok
        second = Player(address, people[1].cookie, people[1].person, people[1].name)
        await second.join(where, told=True)
        assert (await people[0].do(Start())).ok
        for person in people:
            for what in KEYS:
                assert (await person.ask(what)).ok
        asking = people[2].next_id()
        said = f'{{"say":"speak","id":"{asking}","room":"table","phrase":"hello"}}'
        assert (await people[2].say(asking, said)).ok
        await asyncio.gather(*(play(person) for person in people))
        for person in (*people, second):
            await person.leave()

    await asyncio.gather(*(table(number) for number in range(TABLES)))


async def play(person: Player) -> None:
    """The first tricks."""
    await person.play(lambda: person.number > 40)


def test_forty_people_behind_one_address_are_never_hindered(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, **USUAL) as site:
            before = hindered()
            await evening(site.address)
            assert hindered() == before

    run(story())


def test_one_who_asks_for_much_is_answered_later(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, work_per_person=1) as site:
            guest = await Talker.come(site.address)
            await guest.join(await guest.open_table())
            before = hindered()
            for _ in range(15):
                assert (await guest.ask(Question.RULES)).ok
            assert hindered() > before
            await guest.leave()

    run(story())


def test_a_ninth_connection_of_one_person_is_refused_with_a_sentence(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, sockets_per_person=8) as site:
            first = await Player.come(site.address)
            tables = [await first.open_table() for _ in range(2)]
            devices = [
                Player(site.address, first.cookie, first.person, first.name) for _ in range(9)
            ]
            for place, device in enumerate(devices[:8]):
                await device.join(tables[place % 2])
            await devices[8].call(tables[0])
            assert await devices[8].until_closed() == Closing.TOO_FAST
            assert "8" in devices[8].notices[-1].line
            other = await Player.come(site.address)
            await other.join(tables[0])
            for device in (*devices[:8], other):
                await device.leave()

    run(story())
