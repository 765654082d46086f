"""A whole evening at a real server: tables opened and followed, the same cards at all of them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from server.guests import Guest, Lost, Player
from server.harness import Process, Site, run, serving
from server.web import post_json, request
from volte.evenings.standings import standings
from websockets.exceptions import InvalidHandshake

from volte import game
from volte.evenings.conducting import Conductor, Declined, Evenings
from volte.evenings.decide import begin_round, end_round, join, sit_late
from volte.evenings.evening import Evening, Plan, Stage, digest_of, house_of
from volte.fair import House
from volte.game.codec import encode
from volte.rules import make_ruleset
from volte.store import Person, Store
from volte.table import Someone, decode_happening
from volte.wire.messages import Closing

DEALS = 2
SETTINGS: Final[dict[str, Any]] = {"conducting": 0.1, "assembling": 30.0}


def plan(rounds: int = 2, starts: float = 0, **more: object) -> Plan:
    rules = make_ruleset("microsoft", {"match_end": f"deals:{DEALS}"})
    usual = {"by_itself": bool(starts), "pause": 0} | more
    return Plan("Friday", "", starts or time.time(), "UTC", rules, rounds, "beginner", **usual)  # type: ignore[arg-type]


async def come(site: Site, *names: str) -> list[Player]:
    return [await Player.come(site.address, name) for name in names]


def who(player: Guest) -> Someone:
    return Someone(player.person, player.name)


async def begun(site: Site, players: Sequence[Player], chosen: Plan) -> str:
    """An evening to which they come, and that is begun unless it begins by itself."""
    evenings = site.room[Evenings]
    key = await evenings.plan(chosen, who(players[0]))
    for player in players:
        await evenings.do(key, partial(join, who=who(player)))
    if not chosen.by_itself:
        await evenings.do(key, lambda evening: begin_round(evening, time.time()))
    return key


async def now(site: Site, key: str) -> Evening:
    evening = await site.room[Evenings].find(key)
    assert evening is not None
    return evening


async def seated(site: Site, key: str, number: int, player: Guest) -> str:
    """The id of the table where somebody belongs in that round, once it has begun."""
    async with asyncio.timeout(60):
        while len((await now(site, key)).rounds) < number:
            await asyncio.sleep(0.05)
        going = (await now(site, key)).rounds[number - 1]
        while True:
            place = going.place_of(player.person)
            assert place is not None
            table = going.tables[place[0]].table
            if await site.room.store.listing(table) is not None:
                return table
            await asyncio.sleep(0.05)


async def plays(site: Site, key: str, number: int, player: Player) -> None:
    """Somebody plays their match of a round."""
    await player.join(await seated(site, key, number, player))
    await player.prefer(bot_pace=0, trick_pace=0)
    await player.play()
    await player.leave()


async def over(site: Site, key: str, number: int) -> Evening:
    """The evening once that round is over."""
    async with asyncio.timeout(60):
        while True:
            evening = await now(site, key)
            if len(evening.rounds) >= number and evening.rounds[number - 1].over is not None:
                return evening
            await asyncio.sleep(0.05)


async def log_of(store: Store, table: str) -> list[object]:
    return [decode_happening(entry.data) for entry in await store.read(table)]


async def test_a_whole_evening(tmp_path: Path) -> None:
    """Six people at two tables, a bot at each, and somebody who comes late."""

    async with serving(tmp_path, **SETTINGS) as site:
        players = await come(site, "Anne", "Bert", "Cara", "Dora", "Emil", "Fanny")
        late = await Player.come(site.address, "Léa")
        key = await begun(site, players, plan())
        first = await now(site, key)
        table = await seated(site, key, 1, players[0])
        await nobody_else_comes_in(site, table, late)
        evening = await site.room[Evenings].do(key, lambda e: sit_late(e, who(late)))
        assert evening.round is not None
        assert [t.seats.count("") for t in evening.round.tables] in ([0, 1], [1, 0])
        everybody = [*players, late]
        for number in (1, 2):
            await asyncio.gather(*(plays(site, key, number, each) for each in everybody))
            evening = await over(site, key, number)
        assert evening.stage is Stage.OVER
        assert digest_of(evening.secret) == digest_of(first.secret)
        for number in (1, 2):
            await same_cards(site.room.store, evening, number)
        assert {each.person for each in standings(evening)} == {p.person for p in everybody}
        by_hand = await reckoned(site.room.store, evening)
        told = {each.person: each.average for each in standings(evening)}
        assert told == by_hand


async def nobody_else_comes_in(site: Site, table: str, stranger: Player) -> None:
    """They would see cards that are still to be played at the other table."""
    with pytest.raises(Lost):
        await stranger.join(table)
    assert stranger.closed == Closing.NOT_ADMITTED
    assert [notice.reason for notice in stranger.notices] == ["not_your_table"]
    answer = await request(
        site.address, "GET", f"/tables/{table}", headers={"cookie": stranger.cookie}
    )
    assert answer.status == 403
    await stranger.leave()


async def same_cards(store: Store, evening: Evening, number: int) -> None:
    """At every table of a round: the same commitments, dealers, cards and secrets."""
    logs = [await log_of(store, each.table) for each in evening.rounds[number - 1].tables]
    assert len(logs) == 2
    house = house_of(evening.secret, number)
    for kind in (game.Committed, game.DealerDrawn, game.Dealt, game.Revealed):
        told = [[event for event in log if isinstance(event, kind)] for log in logs]
        assert told[0] == told[1]
        assert told[0]
    assert [type(e) for log in logs for e in log].count(game.Promised) == 0
    revealed = [event for event in logs[0] if isinstance(event, game.Revealed)]
    assert [event.secret for event in revealed] == secrets_of(house, len(revealed))


def secrets_of(house: House, count: int) -> list[bytes]:
    return [house.secret(number) for number in range(1, count + 1)]


async def reckoned(store: Store, evening: Evening) -> dict[str, Fraction]:
    """The standings, worked out a second time, from the logs and the seats alone."""
    found: dict[str, list[int]] = {}
    for each in evening.rounds:
        logs = [await log_of(store, sitting.table) for sitting in each.tables]
        points = [[e.points for e in log if isinstance(e, game.DealScored)] for log in logs]
        sat = [people_by_deal(log) for log in logs]
        for deal in range(DEALS):
            for one, other in ((0, 1), (1, 0)):
                for seat in range(4):
                    person = sat[one][deal][seat]
                    if person:
                        more = points[one][deal][seat] - points[other][deal][seat]
                        found.setdefault(person, []).append(more)
    return {person: Fraction(sum(more), len(more)) for person, more in found.items()}


def people_by_deal(log: list[object]) -> list[list[str]]:
    """Who sat where when a deal was dealt."""
    there = [""] * 4
    found: list[list[str]] = []
    for event in log:
        match type(event).__name__:
            case "Sat":
                there[event.seat] = event.person  # type: ignore[attr-defined]
            case "BotSat" | "Stood":
                there[event.seat] = ""  # type: ignore[attr-defined]
            case "Dealt":
                found.append(list(there))
    return found


async def test_two_people_play_the_same_cards_each_against_bots(tmp_path: Path) -> None:
    """What was played can be read once both have played it, and by both."""

    async with serving(tmp_path, **SETTINGS) as site:
        players = await come(site, "Anne", "Bert")
        key = await begun(site, players, plan(rounds=1, alone=True))
        await plays(site, key, 1, players[0])
        table = await seated(site, key, 1, players[0])
        (match,) = await site.room.store.matches_at(table)
        assert await statuses(site, match.id, *players) == [403, 403]
        await plays(site, key, 1, players[1])
        evening = await over(site, key, 1)
        assert await statuses(site, match.id, *players) == [200, 200]
        stranger = await Player.come(site.address, "Eve")
        assert await statuses(site, match.id, stranger) == [404]
        await same_cards(site.room.store, evening, 1)
        one, other = standings(evening)
        assert one.difference == -other.difference
        assert one.comparisons == DEALS


async def statuses(site: Site, match: str, *players: Player) -> list[int]:
    """How each is answered who asks for the record of a match."""
    path = f"/matches/{match}/record"
    asked = [request(site.address, "GET", path, headers={"cookie": p.cookie}) for p in players]
    return [reply.status for reply in await asyncio.gather(*asked)]


async def test_nobody_opens_a_table_in_the_name_of_an_evening(tmp_path: Path) -> None:
    async with serving(tmp_path, **SETTINGS) as site:
        eve = await Player.come(site.address, "Eve")
        rules = json.loads(encode(plan().rules))
        setup = {"name": "Table", "rules": rules, "evening": "friday"}
        reply = await post_json(site.address, "/api/tables", {"setup": setup}, eve.cookie)
        assert (reply.status, reply.json["reason"]) == (422, "evening_by_hand")


async def test_an_evening_begins_at_its_time(tmp_path: Path) -> None:
    async with serving(tmp_path, **SETTINGS) as site:
        players = await come(site, "Anne", "Bert")
        key = await begun(site, players, plan(starts=time.time() + 0.5))
        assert (await now(site, key)).stage is Stage.PLANNED
        await seated(site, key, 1, players[0])
        assert (await now(site, key)).rounds[0].began >= (await now(site, key)).plan.starts


async def test_of_many_conductors_each_table_is_opened_once(database: str) -> None:
    """Three processes look after the same evening at the same time."""

    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(await Store.open(database)) for _ in "abc"]
        everybody = [Evenings(store) for store in stores]
        conductors = [Conductor(*both, 3600) for both in zip(stores, everybody, strict=True)]
        people = [Someone(f"p{number}", f"P{number}") for number in range(9)]
        key = await everybody[0].plan(plan(starts=time.time() - 1), people[0])
        gone = Someone("gone", "Gone")  # they have been forgotten since they said they come
        for person in (*people, gone):
            await everybody[0].do(key, partial(join, who=person))
        for person in people:
            await stores[0].put_person(Person(person.id, person.name, "en", {}, 1.0))
        await asyncio.gather(*(each.attend(key) for each in conductors * 3))
        found = [await each.find(key) for each in everybody]
        assert found[0] == found[1] == found[2]
        assert found[0] is not None
        assert found[0].round is not None
        assert len(found[0].rounds) == 1
        assert found[0].round.place_of(gone.id) is None
        for sitting in found[0].round.tables:
            log = await log_of(stores[1], sitting.table)
            assert [type(event).__name__ for event in log].count("MatchStarted") == 1
            (row,) = await stores[2].matches_at(sitting.table)
            assert row.master == house_of(found[0].secret, 1).master
        ending = [each.do(key, partial(end_round, now=2.0)) for each in everybody]
        told = await asyncio.gather(*ending, return_exceptions=True)
        assert sum(isinstance(each, Declined) for each in told) == 2


@pytest.mark.full
def test_an_evening_goes_on_after_the_server_was_killed(database: str, tmp_path: Path) -> None:
    """Again and again, in the middle of rounds and between them."""
    environ = {"VOLTE_CONDUCTING": "0.1", "VOLTE_ASSEMBLING": "60"}

    async def story(process: Process) -> None:
        players = [await Player.come(process.address, f"P{number}") for number in range(6)]
        async with await Store.open(database) as store:
            evenings = Evenings(store)
            key = await evenings.plan(plan(rounds=2), who(players[0]))
            for player in players:
                await evenings.do(key, partial(join, who=who(player)))
            await evenings.do(key, partial(begin_round, now=time.time()))
            over = asyncio.Event()
            playing = [asyncio.create_task(persists(evenings, key, p, over)) for p in players]
            for _ in range(4):
                await asyncio.sleep(3)
                process.kill()
                await asyncio.to_thread(process.restart)
            async with asyncio.timeout(300):
                while True:
                    evening = await evenings.find(key)
                    assert evening is not None
                    if evening.stage is Stage.OVER:
                        break
                    await asyncio.sleep(0.2)
            over.set()
            await asyncio.gather(*playing)
            for number in (1, 2):
                await same_cards(store, evening, number)
            told = {each.person: each.average for each in standings(evening)}
            assert told == await reckoned(store, evening)

    with Process(database, tmp_path, **environ) as process:
        run(story(process))
    assert not any("Traceback" in line for line in process.output), process.output


async def persists(evenings: Evenings, key: str, player: Player, over: asyncio.Event) -> None:
    """Somebody plays whatever round there is, and comes back when they are cut off."""
    through = 0
    while not over.is_set():
        evening = await evenings.find(key)
        assert evening is not None
        going = evening.round
        place = going.place_of(player.person) if going is not None else None
        if going is None or place is None or through == len(evening.rounds):
            await asyncio.sleep(0.1)
            continue
        with suppress(Lost, OSError, InvalidHandshake, TimeoutError):
            await player.join(going.tables[place[0]].table)
            await player.prefer(bot_pace=0, trick_pace=0)
            await player.play()
            through = len(evening.rounds)
            await player.leave()
        await asyncio.sleep(0.1)


@pytest.mark.full
async def test_an_evening_is_one_at_two_processes(postgres_url: str, tmp_path: Path) -> None:
    """People come in by either door, also late, and one process stops between the rounds."""

    async with AsyncExitStack() as first:
        stopping = serving(tmp_path, postgres_url, **SETTINGS)
        one = await first.enter_async_context(stopping)
        async with serving(tmp_path, postgres_url, **SETTINGS) as other:
            doors = [one, other]
            players = [await come(doors[n % 2], f"P{n}") for n in range(6)]
            people = [player for (player,) in players]
            late = await Player.come(other.address, "Léa")
            key = await begun(one, people, plan())
            await seated(other, key, 1, people[0])
            await other.room[Evenings].do(key, partial(sit_late, who=who(late)))
            over_now = asyncio.Event()
            playing = [
                asyncio.create_task(persists(other.room[Evenings], key, player, over_now))
                for player in (*people, late)
            ]
            await over(other, key, 1)
            for player in people:
                player.address = other.address
            await first.aclose()
            evening = await over(other, key, 2)
            over_now.set()
            await asyncio.gather(*playing)
            for number in (1, 2):
                await same_cards(other.room.store, evening, number)
            told = {each.person: each.average for each in standings(evening)}
            assert told == await reckoned(other.room.store, evening)
