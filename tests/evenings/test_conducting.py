"""A whole evening at a real server: tables opened and followed, the same cards at all of them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from kit.evenings import DEALS, begun, come, log_of, now, over, plan, play, seated, who
from kit.nodes import fronting
from kit.people import Guest, Lost
from kit.playing import Player
from kit.postgres import on_both, on_sqlite
from kit.sites import Process, Site, SiteWith
from msgspec.structs import replace
from websockets.exceptions import InvalidHandshake

from volte import game
from volte.bots import make_bot
from volte.evenings.conducting import Conductor, Evenings, Judge
from volte.evenings.decide import begin_round, end_round, join, miss, sit_late
from volte.evenings.evening import Evening, Stage, digest_of, house_of
from volte.evenings.results import standings
from volte.evenings.store import Club, Clubs
from volte.game.codec import encode
from volte.server.run.membership import Membership
from volte.store import Person
from volte.store.store import Store
from volte.table import Happening, Someone
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.lobby import Lobby
from volte.table.pacing import Timing
from volte.web.refused import Refused
from volte.wire.messages import Closing

SETTINGS: Final[dict[str, Any]] = {"conducting": 0.1, "assembling": 30.0}


@pytest.fixture
async def site(site_with: SiteWith) -> Site:
    return await site_with(**SETTINGS)


async def plays(site: Site, key: str, number: int, player: Player) -> None:
    """Let a player play their match of a round."""
    await play(player, await seated(site, key, number, player))


async def test_a_whole_evening(site: Site) -> None:
    """Six people at two tables, a bot at each, and somebody who comes late."""
    players = await come(site, "Anne", "Bert", "Cara", "Dora", "Emil", "Fanny")
    late = await Player.come(site.address, "Léa")
    key = await begun(site, players, plan())
    first = await now(site, key)
    await nobody_else_comes_in(site, await seated(site, key, 1, players[0]), late)
    evening = await site.room[Evenings].do(key, partial(sit_late, who=who(late)))
    assert evening.round is not None
    assert sorted(sitting.seats.count("") for sitting in evening.round.tables) == [0, 1]
    everybody = [*players, late]
    for number in (1, 2):
        await asyncio.gather(*(plays(site, key, number, each) for each in everybody))
        evening = await over(site, key, number)
    assert evening.stage is Stage.OVER
    assert digest_of(evening.secret) == digest_of(first.secret)
    await comparable(site.room.store, evening)
    assert {each.person for each in standings(evening)} == {each.person for each in everybody}


async def nobody_else_comes_in(site: Site, table: str, stranger: Player) -> None:
    """Check that a stranger, who would see cards still to be played elsewhere, is kept out."""
    with pytest.raises(Lost):
        await stranger.join(table)
    assert stranger.closed == Closing.NOT_ADMITTED
    assert [notice.reason for notice in stranger.notices] == ["not_your_table"]
    assert (await stranger.get(f"/tables/{table}")).status == 403
    await stranger.leave()


async def comparable(store: Store, evening: Evening) -> None:
    """Check that in each round both tables had the same commitments, dealers, cards and secrets,
    and that standings worked out from logs and seats alone are the same."""
    found: dict[str, list[int]] = {}
    for number, each in enumerate(evening.rounds, start=1):
        logs = [await log_of(store, sitting.table) for sitting in each.tables]
        assert len(logs) == 2
        for kind in (game.Committed, game.DealerDrawn, game.Dealt, game.Revealed):
            one, other = ([event for event in log if isinstance(event, kind)] for log in logs)
            assert one == other
            assert one
        assert not any(isinstance(event, game.Promised) for log in logs for event in log)
        secrets = [event.secret for event in logs[0] if isinstance(event, game.Revealed)]
        house = house_of(evening.secret, number)
        assert secrets == [house.secret(deal) for deal in range(1, len(secrets) + 1)]
        points = [
            [event.points for event in log if isinstance(event, game.DealScored)] for log in logs
        ]
        sat = [people_by_deal(log) for log in logs]
        for deal in range(DEALS):
            for here, there in ((0, 1), (1, 0)):
                for seat, person in enumerate(sat[here][deal]):
                    if person:
                        more = points[here][deal][seat] - points[there][deal][seat]
                        found.setdefault(person, []).append(more)
    averages = {person: Fraction(sum(more), len(more)) for person, more in found.items()}
    assert {each.person: each.average for each in standings(evening)} == averages


def people_by_deal(log: list[Happening]) -> list[list[str]]:
    """The people by seat, for each deal of a log, when it was dealt."""
    there = [""] * 4
    found: list[list[str]] = []
    for event in log:
        match event:
            case hap.Sat():
                there[event.seat] = event.person
            case hap.BotSat() | hap.Stood():
                there[event.seat] = ""
            case game.Dealt():
                found.append(list(there))
    return found


async def test_two_people_play_the_same_cards_each_against_bots(site: Site) -> None:
    """Both can read the record, once both have played the round."""
    players = await come(site, "Anne", "Bert")
    key = await begun(site, players, plan(rounds=1, alone=True))
    await plays(site, key, 1, players[0])
    (match,) = await site.room.store.matches_at(await seated(site, key, 1, players[0]))
    assert await statuses(site, match.id, *players) == [403, 403]
    await plays(site, key, 1, players[1])
    evening = await over(site, key, 1)
    stranger = await Player.come(site.address, "Eve")
    assert await statuses(site, match.id, *players, stranger) == [200, 200, 404]
    await comparable(site.room.store, evening)
    one, other = standings(evening)
    assert one.difference == -other.difference
    assert one.comparisons == DEALS


async def test_a_table_leads_to_its_evening_and_to_the_next_table(site: Site) -> None:
    """The server tells of them at once, without a request."""
    anne, bert = await come(site, "Anne", "Bert")
    key = await begun(site, [anne, bert], plan(alone=True))
    table = await seated(site, key, 1, anne)
    await anne.join(table, told=True)
    await anne.hurry()
    await anne.play()
    await anne.until(lambda: anne.scenes[-1].phase == "ended")
    scene = anne.scenes[-1]
    assert (scene.evening, scene.next_table) == (f"/evenings/{key}", "")
    assert "This table has played its round." in scene.status
    assert "Friday" not in scene.status
    await plays(site, key, 1, bert)
    await anne.until(lambda: anne.scenes[-1].next_table)
    scene = anne.scenes[-1]
    assert scene.next_table == f"/tables/{await seated(site, key, 2, anne)}"
    assert "The next round has begun: your table is ready." in scene.status
    assert (await anne.get(scene.next_table)).status == 200


async def test_whoever_comes_back_at_their_table_is_here_again(site: Site) -> None:
    """They had been noted as absent while a bot played for them."""
    anne, bert = await come(site, "Anne", "Bert")
    key = await begun(site, [anne, bert], plan(alone=True))
    await anne.join(await seated(site, key, 1, anne))
    assert (await anne.do(cmd.Away())).ok
    evening = await site.room[Evenings].do(key, partial(miss, person=anne.person))
    assert [comer.name for comer in evening.present] == ["Bert"]
    assert (await anne.do(cmd.Back())).ok
    evening = await now(site, key)
    assert evening.present == evening.coming


async def test_pages_are_told_of_changes_at_every_node(
    site_with: SiteWith, postgres_url: str
) -> None:
    """The stream of changes stays open, and ends with the node."""
    one, other = [await site_with(postgres_url, node=node, conducting=3600.0) for node in "ab"]
    anne = await Player.come(one.address, "Anne")
    club = Club("c", "Club", anne.person, "", False, 1.0, "key")
    await one.room.store[Clubs].put(club)
    key = await one.room[Evenings].plan(replace(plan(), club=club.id), who(anne))
    async with asyncio.timeout(60), changes(other, anne, key, seen=1) as lines:
        assert await anext(lines) == "retry: 5000"
        waiting = asyncio.ensure_future(anext(lines))
        await one.room[Evenings].do(key, partial(join, who=who(anne)))
        assert await waiting == "id: 2"
        await other.stop()
        assert [line async for line in lines] == ["data:"]


@asynccontextmanager
async def changes(
    site: Site, guest: Guest, key: str, seen: int
) -> AsyncIterator[AsyncIterator[str]]:
    """The lines sent to the page of an evening that shows version `seen`."""
    address = f"{site.address}/evenings/{key}/changes?seen={seen}"
    headers = {"cookie": guest.cookie, "accept": "text/event-stream"}
    async with httpx.AsyncClient() as client, client.stream("GET", address, headers=headers) as got:
        got.raise_for_status()
        lines = got.aiter_lines()
        yield (line async for line in lines if line)


async def statuses(site: Site, match: str, *players: Player) -> list[int]:
    """The statuses of the answers to players who ask for the record of a match."""
    asked = (player.get(f"/matches/{match}/record") for player in players)
    return [reply.status for reply in await asyncio.gather(*asked)]


async def test_nobody_opens_a_table_in_the_name_of_an_evening(site: Site) -> None:
    eve = await Player.come(site.address, "Eve")
    setup = {"name": "Table", "rules": json.loads(encode(plan().rules)), "evening": "friday"}
    reply = await eve.post("/api/tables", {"setup": setup})
    assert (reply.status, reply.json["reason"]) == (422, "evening_by_hand")


async def test_an_evening_begins_at_its_time(site: Site) -> None:
    players = await come(site, "Anne", "Bert")
    key = await begun(site, players, plan(starts=time.time() + 3.0))
    assert (await now(site, key)).stage is Stage.PLANNED
    await seated(site, key, 1, players[0])
    evening = await now(site, key)
    assert evening.rounds[0].began >= evening.plan.starts


async def nobody_plays(_: object) -> None:
    """Wake no table: all rest in the store."""


@on_both
async def test_of_many_conductors_each_table_is_opened_once(database: str) -> None:
    """Three processes look after the same evening at the same time."""
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(await Store.open(database)) for _ in "abc"]
        everybody = [Evenings(store) for store in stores]
        pairs = zip(stores, everybody, strict=True)
        conductors = [Conductor(store, each, 3600, nobody_plays) for store, each in pairs]
        people = [Someone(f"p{number}", f"P{number}") for number in range(9)]
        gone = Someone("gone", "Gone")  # their account is deleted once they have said they come
        for person in (*people, gone):
            await stores[0].put_person(Person(person.id, person.name, "en", {}, 1.0))
        key = await everybody[0].plan(plan(starts=time.time() - 1), people[0])
        for person in (*people, gone):
            await everybody[0].do(key, partial(join, who=person))
        await stores[0].forget(gone.id)
        await asyncio.gather(*(each.attend(key) for each in conductors * 3))
        evening, *others = [await each.find(key) for each in everybody]
        assert others == [evening] * 2
        assert evening is not None
        assert evening.round is not None
        assert len(evening.rounds) == 1
        assert evening.round.place_of(gone.id) is None
        for sitting in evening.round.tables:
            log = await log_of(stores[1], sitting.table)
            assert [type(event).__name__ for event in log].count("MatchStarted") == 1
            (row,) = await stores[2].matches_at(sitting.table)
            assert row.master == house_of(evening.secret, 1).master
        ending = [each.do(key, partial(end_round, now=2.0)) for each in everybody]
        outcomes = await asyncio.gather(*ending, return_exceptions=True)
        assert sum(isinstance(each, Refused) for each in outcomes) == 2


class Held(Evenings):
    """Evenings that are changed only once a test lets them."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.reached, self.let = asyncio.Event(), asyncio.Event()

    async def do(self, key: str, judge: Judge) -> Evening:
        self.reached.set()
        await self.let.wait()
        return await super().do(key, judge)


@on_sqlite
async def test_a_conductor_is_idle_only_once_it_has_done_all_that_it_found(store: Store) -> None:
    """The work is found by looking, as no match has ended at this node."""
    people = [Someone(name.lower(), name) for name in ("Anne", "Bert")]
    for each in people:
        await store.put_person(Person(each.id, each.name, "en", {}, 1.0))
    key = await Evenings(store).plan(plan(starts=time.time() - 1), people[0])
    for each in people:
        await Evenings(store).do(key, partial(join, who=each))
    conductor = Conductor(store, held := Held(store), 3600, nobody_plays)
    conductor.begin()
    await held.reached.wait()
    idle = asyncio.create_task(conductor.idle())
    asyncio.get_running_loop().call_soon(held.let.set)  # after `idle` has begun to wait
    await idle
    evening = await Evenings(store).find(key)
    assert evening is not None
    assert evening.round is not None
    assert await store.listing(evening.round.tables[0].table) is not None
    await conductor.close()


async def is_over(evenings: Evenings, key: str) -> bool:
    """Whether the first round is over."""
    evening = await evenings.find(key)
    return evening is not None and evening.rounds != () and evening.round is None


@on_sqlite
async def test_a_round_is_played_to_its_end_though_nobody_comes(store: Store) -> None:
    """The people are noted as absent, and the next round waits until two of them are there."""
    people = [Someone(name.lower(), name) for name in ("Anne", "Bert")]
    evenings = Evenings(store)
    for each in people:
        await store.put_person(Person(each.id, each.name, "en", {}, 1.0))
    key = await evenings.plan(plan(starts=time.time() - 1), people[0])
    for each in people:
        await evenings.do(key, partial(join, who=each))
    timing = Timing(assembling=0.0, grace=0.0, bot_pace=0.0, trick_pace=0.0)
    lobby = Lobby(store, make_bot, timing=timing)
    conductor = Conductor(store, evenings, 0.05, Membership(store, lobby, "").wake)
    conductor.begin()
    async with asyncio.timeout(60):
        while not (
            (evening := await evenings.find(key)) and evening.rounds[0:1] and not evening.round
        ):
            await asyncio.sleep(0.02)
    await conductor.close()
    await lobby.close()
    assert [len(each.results) for each in evening.rounds[0].tables] == [DEALS, DEALS]
    assert evening.stage is Stage.RUNNING
    assert [comer.name for comer in evening.comers if comer.away] == ["Anne", "Bert"]
    assert {each.place for each in standings(evening)} == {None}


@pytest.mark.full
def test_an_evening_goes_on_after_the_server_was_killed(database: str, tmp_path: Path) -> None:
    """The server is killed again and again, in the middle of rounds and between them."""
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
            await comparable(store, evening)

    with Process(database, tmp_path, **environ) as process:
        asyncio.run(story(process))
    assert not any("Traceback" in line for line in process.output), process.output


async def persists(evenings: Evenings, key: str, player: Player, over: asyncio.Event) -> None:
    """Let a player play every round, and come back when they are cut off."""
    through = 0
    while not over.is_set():
        evening = await evenings.find(key)
        assert evening is not None
        table = evening.round.table_of(player.person) if evening.round is not None else ""
        if table and through != len(evening.rounds):
            with suppress(Lost, OSError, InvalidHandshake, TimeoutError):
                await player.join(table)
                await player.hurry()
                await player.play()
                through = len(evening.rounds)
                await player.leave()
        await asyncio.sleep(0.1)


@pytest.mark.full
async def test_an_evening_is_one_at_two_nodes(site_with: SiteWith, postgres_url: str) -> None:
    """People come in by either, also late, and one of them stops between the rounds."""
    one, other = [await site_with(postgres_url, node=node, **SETTINGS) for node in "ab"]
    async with fronting(a=one.address, b=other.address) as front:
        people = [await Player.come(front.address, f"P{number}") for number in range(6)]
        late = await Player.come(front.address, "Léa")
        key = await begun(one, people, plan())
        await seated(other, key, 1, people[0])
        evenings = other.room[Evenings]
        await evenings.do(key, partial(sit_late, who=who(late)))
        ended = asyncio.Event()
        everybody = (*people, late)
        playing = [asyncio.create_task(persists(evenings, key, p, ended)) for p in everybody]
        await over(other, key, 1)
        await one.stop()
        evening = await over(other, key, 2)
        ended.set()
        await asyncio.gather(*playing)
        await comparable(other.room.store, evening)
