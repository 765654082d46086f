"""A process that has tables dies, or only stops: another one goes on with them within seconds."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median
from time import monotonic, sleep

import asyncpg
import pytest
from server.guests import Player
from server.harness import Process, Site, run, serving
from server.judging import judge
from server.load import OUT_OF_DATE, Company, companies
from server.web import post_form, post_json, request

from volte.rules import make_ruleset
from volte.server.listening import ServingFault
from volte.server.security import csrf_of
from volte.server.settings import Settings
from volte.server.supervisor import supervise
from volte.store import Store
from volte.table import Access, Setup
from volte.table import commands as cmd
from volte.wire.messages import Closing
from volte.words import Words

LONGEST = 100
"""Seconds in which something must come that is waited for."""


class Crew(Process):
    """`volte serve --workers 2`: one port, and a supervisor who can be asked for its workers."""

    def start(self, port: int = 0, *more: str) -> None:
        super().start(port, "--workers", "2", *more)

    @property
    def workers(self) -> list[int]:
        """Ids of those that there are at the moment."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        return [int(text) for text in children.read_text().split()]


async def until(done: Callable[[], Awaitable[bool]], what: object = "") -> None:
    end = monotonic() + LONGEST
    while not await done():
        assert monotonic() < end, what
        await asyncio.sleep(0.01)


async def living(database: str) -> list[str]:
    """Ids of the processes that there are, as the database knows them."""
    connection = await asyncpg.connect(database)
    try:
        return [row["id"] for row in await connection.fetch("SELECT id FROM processes")]
    finally:
        await connection.close()


async def taken_over(database: str, before: Sequence[str]) -> float:
    """Returns when one of these processes is dead, and all its matches live elsewhere."""
    began = monotonic()
    async with await Store.open(database) as store:

        async def buried() -> bool:
            return not set(before) <= set(await living(database))

        async def adopted() -> bool:
            return not await store.processes.orphans(1)

        await until(buried)
        await until(adopted)
    return monotonic() - began


async def all_got_on(tables: Sequence[Company]) -> float:
    """Returns when something has happened at each of the tables; the seconds that took."""
    began, heard = monotonic(), [table.heard for table in tables]

    async def got_on() -> bool:
        return all(table.heard > before for table, before in zip(tables, heard, strict=True))

    await until(got_on, list(map(str, tables)))
    return monotonic() - began


async def some_happenings(tables: Sequence[Company], number: int) -> None:
    """Returns when so much more has happened at all the tables together."""
    goal = sum(table.heard for table in tables) + number

    async def happened() -> bool:
        return sum(table.heard for table in tables) >= goal

    await until(happened, list(map(str, tables)))


def judged(database: str, played: Sequence[Company]) -> None:
    """All that was acknowledged is in the logs, and whatever was refused was out of date."""
    refused: Counter[str] = Counter()
    for company in played:
        for person in company.people:
            refused += person.refused
    assert set(refused) <= OUT_OF_DATE, refused
    found = run(judge(database, played))
    assert found.acknowledged
    assert found.matches >= len(played)


@pytest.mark.full
def test_a_match_goes_on_elsewhere_when_its_process_is_killed(
    postgres_url: str, tmp_path: Path
) -> None:
    """The people have come by the door of the other one, and need do nothing but come back."""

    async def story(owner: Process, site: Site) -> list[Company]:
        tables = await companies(owner.address, 2)
        for company in tables:
            for person in company.people:
                person.address = site.address
        ids = {company.table for company in tables}
        assert await site.room.store.processes.living(ids) == ids
        assert not site.room.lobby.tables

        async def kill() -> None:
            await some_happenings(tables, 40)
            owner.kill()
            await all_got_on(tables)

        async with asyncio.TaskGroup() as group:
            killing = group.create_task(kill())
            for each in tables:
                group.create_task(each.play(lambda: not killing.done()))
        assert {live.id for live in site.room.lobby.tables} >= {each.table for each in tables}
        for each in tables:
            await each.leave()
        return tables

    async def both() -> list[Company]:
        with Process(postgres_url, tmp_path) as owner:
            async with serving(tmp_path, postgres_url) as site:
                return await story(owner, site)

    judged(postgres_url, run(both()))


@pytest.mark.full
def test_bots_go_on_where_nobody_comes_back(postgres_url: str, tmp_path: Path) -> None:
    """Whoever was there counts as gone since the take-over: first bots play, then it waits."""

    async def story() -> None:
        with Process(postgres_url, tmp_path) as owner:
            host = await Player.come(owner.address)
            table = await host.open_table()
            await host.join(table)
            await host.prefer(bot_pace=0, trick_pace=0)
            await host.do(cmd.Start())
            await host.until(lambda: host.match is not None and host.match.deal is not None)
            async with serving(tmp_path, postgres_url) as site:
                known = host.number
                owner.kill()

                async def paused() -> bool:
                    live = site.room.lobby.living(table)
                    return live is not None and live.state.paused

                await until(paused)
                live = site.room.lobby.living(table)
                assert live is not None
                assert live.state.version > known
                host.address = site.address
                await host.join()
                await host.play()
                await host.leave()

    run(story())


@pytest.mark.full
@pytest.mark.parametrize("near", [True, False], ids=["one machine", "two machines"])
def test_a_process_that_was_only_stopped_does_no_harm(
    postgres_url: str, tmp_path: Path, near: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others count it as dead; when it goes on, it finds that out, and passes on.

    Whose connection it has itself must hang up; others are told by the process that passed it on.
    """
    monkeypatch.setattr("volte.server.cluster.handing.HERE", near)

    async def story() -> None:
        async def buried() -> bool:
            return len(await living(postgres_url)) == 1

        with Process(postgres_url, tmp_path) as owner:
            async with serving(tmp_path, postgres_url) as site:
                anne = await Player.come(owner.address, "Anne")
                bert = await Player.come(site.address, "Bert")
                table = await anne.open_table(("", "casual", "casual"))
                await anne.join(table)
                await bert.join(table)
                assert (await bert.do(cmd.Sit(1))).ok
                for person in (anne, bert):
                    await person.prefer(bot_pace=0, trick_pace=0)
                await anne.do(cmd.Start())
                before = await site.room.store.processes.owner(table)
                assert before is not None
                os.kill(owner.pid, signal.SIGSTOP)
                try:
                    if near:
                        await until(buried)
                        bert.drop()
                    assert await bert.until_closed() == (1006 if near else Closing.MOVED_AWAY)
                    await bert.join()
                    known = bert.number
                    await bert.play(lambda: bert.number > known)
                finally:
                    os.kill(owner.pid, signal.SIGCONT)
                assert await anne.until_closed() == Closing.MOVED_AWAY

                async def began_anew() -> bool:
                    ids = await living(postgres_url)
                    return len(ids) == 2 and before.id not in ids

                await until(began_anew)
                await anne.join()  # by the door of the one that was stopped
                await asyncio.gather(anne.play(), bert.play())
                assert anne.number == bert.number
                assert site.room.lobby.living(table)
                entries = await site.room.store.read(table)
                assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
                for person in (anne, bert):
                    await person.leave()

    run(story())


# What is asked of a process that dies before it answers

LOCKED = Setup("Locked", make_ruleset("coeurs"), access=Access.PASSWORD)


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_what_was_sent_to_a_process_that_dies_is_answered_once_and_done_once(
    postgres_url: str, tmp_path: Path, number: signal.Signals
) -> None:
    """Whoever has sent something is told to look; whoever only looks sees the table.

    One that is only stopped counts as dead in the end.
    """

    async def story(owner: Process, site: Site) -> None:
        host, guest = [
            await Player.come(address, name)
            for address, name in ((owner.address, "Anne"), (site.address, "Bert"))
        ]
        table = await host.open_table(setup=LOCKED, password="melon")
        page, cookie = f"/tables/{table}", guest.cookie
        csrf = csrf_of(cookie.partition("=")[2])
        fields = {"password": "melon", "csrf": csrf}

        async def all_held() -> bool:
            return len(site.room.cluster.passed) == 3

        os.kill(owner.pid, signal.SIGSTOP)
        asking = asyncio.gather(
            post_form(site.address, f"{page}/enter", fields, cookie),
            post_json(site.address, f"/api{page}/enter", {"password": "melon"}, cookie),
            request(site.address, "GET", f"/api{page}", headers={"cookie": cookie}),
        )
        await until(all_held)
        os.kill(owner.pid, number)
        form, program, look = await asking
        assert (form.status, program.status, look.status) == (503, 503, 200)
        assert 'data-reason="broken_off"' in form.text
        assert f'href="{page}"' in form.text
        assert program.json["reason"] == "broken_off"
        assert look.json["needs_password"]
        assert not site.room.cluster.passed
        assert not await site.room.store.admitted(table, guest.person)
        again = await post_form(site.address, f"{page}/enter", fields, cookie)
        assert (again.status, again.header("location")) == (303, page)
        assert site.room.lobby.living(table)

    async def both() -> None:
        with Process(postgres_url, tmp_path) as owner:
            async with serving(tmp_path, postgres_url) as site:
                await story(owner, site)

    run(both())


@pytest.mark.full
def test_what_is_sent_to_a_process_that_is_dead_waits_for_the_next(
    postgres_url: str, tmp_path: Path
) -> None:
    """Nothing was said to it, so it can be said to whoever takes over."""

    async def both() -> None:
        with Process(postgres_url, tmp_path) as owner:
            async with serving(tmp_path, postgres_url) as site:
                host = await Player.come(owner.address, "Anne")
                table = await host.open_table(setup=LOCKED, password="melon")
                guest = await Player.come(site.address, "Bert")
                csrf = csrf_of(guest.cookie.partition("=")[2])
                owner.kill()
                fields = {"password": "melon", "csrf": csrf}
                page = f"/tables/{table}"
                sent = await post_form(site.address, f"{page}/enter", fields, guest.cookie)
                assert (sent.status, sent.header("location")) == (303, page)

    run(both())


# A supervisor and its workers


def test_a_supervisor_has_its_workers_serve_and_stop(postgres_url: str, tmp_path: Path) -> None:
    killed(2, 1, 40, postgres_url, tmp_path)


@pytest.mark.full
def test_thirty_kills_of_one_of_two_processes_under_load(
    postgres_url: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    times = killed(20, 30, 1000, postgres_url, tmp_path)
    record_property("kills of one of two processes", len(times))
    kinds = "the tables were taken over", "all tables had got on"
    for what, seconds in zip(kinds, zip(*times, strict=True), strict=True):
        milliseconds = sorted(round(each * 1000) for each in seconds)
        print(f"milliseconds until {what}: {milliseconds}")
        record_property(f"milliseconds until {what}, median", round(median(milliseconds)))
        record_property(f"milliseconds until {what}, at most", milliseconds[-1])


@pytest.mark.full
def test_workers_do_not_outlive_their_supervisor(postgres_url: str, tmp_path: Path) -> None:
    """They stop in good order: nobody is left who would have to be buried."""

    async def nobody_left() -> bool:
        return not await living(postgres_url)

    with Crew(postgres_url, tmp_path) as crew:
        workers = crew.workers
        os.kill(crew.pid, signal.SIGKILL)
        run(until(nobody_left))
        end = monotonic() + LONGEST
        while any(Path(f"/proc/{worker}/cmdline").exists() for worker in workers):
            assert monotonic() < end
            sleep(0.01)


def killed(
    tables: int, kills: int, between: int, database: str, folder: Path
) -> list[tuple[float, float]]:
    """Plays at so many tables of two workers, and kills one of them so many times.

    The answer is how many seconds it took each time until all matches lived in the other one, and
    until something had happened at all the tables.

    Args:
        between: happenings between two kills, at most.
    """
    draws = random.Random()
    took: list[tuple[float, float]] = []

    async def story(crew: Crew) -> list[Company]:
        all_tables = await companies(crew.address, tables)

        async def kill() -> None:
            for _ in range(kills):
                await some_happenings(all_tables, draws.randrange(between))
                before = await living(database)
                os.kill(draws.choice(crew.workers), signal.SIGKILL)
                adopted = taken_over(database, before)
                took.append(await asyncio.gather(adopted, all_got_on(all_tables)))

                async def both_there(before: list[str] = before) -> bool:
                    ids = await living(database)
                    return len(ids) == 2 and set(ids) != set(before)

                await until(both_there)

        async with asyncio.TaskGroup() as group:
            killing = group.create_task(kill())
            for each in all_tables:
                group.create_task(each.play(lambda: not killing.done()))
        for each in all_tables:
            await each.leave()
        return all_tables

    with Crew(database, folder) as crew:
        assert len(crew.workers) == 2
        played = run(story(crew))
        assert crew.stop() == 0
    assert crew.output[-1] == "The playroom is closed. Everything is kept."
    assert sum("The playroom is open" in line for line in crew.output) == 1
    assert not any("Traceback" in line for line in crew.output), crew.output
    judged(database, played)
    return took


def test_workers_on_one_file_are_refused(sqlite_url: str) -> None:
    settings = Settings(database=sqlite_url, port=0, workers=2)
    with pytest.raises(ServingFault) as caught:
        run(supervise(Words("en"), settings, None))
    assert caught.value.reason == "workers_need_postgres"
    assert not Path(sqlite_url.removeprefix("sqlite:///")).exists()
