"""A clock that is wrong for some seconds destroys nothing, at a server as it runs."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path

import pytest
from kit import Guest, crowding, request
from kit.evenings import plan, who
from kit.sites import Process, SiteWith, environment, until

from volte.evenings.conducting import Evenings
from volte.evenings.decide import begin_round, join
from volte.evenings.evening import Stage
from volte.server.run.clocks import Clocks
from volte.store.second_look import DUE
from volte.store.store import Store

CLOCK = Path(crowding.__file__).with_name("clock")
"""A folder whose `sitecustomize` makes the time of day jump."""

DAY = 86_400


async def test_a_wrong_clock_for_some_seconds_destroys_nothing(tmp_path: Path) -> None:
    """Neither tomorrow's evenings, nor a round that is played, nor anybody's session."""
    shift, database = tmp_path / "shift", f"sqlite:///{tmp_path / 'p.sqlite'}"
    environ = {
        "PYTHONPATH": os.pathsep.join([str(CLOCK), environment(tmp_path)["PYTHONPATH"]]),
        "VOLTE_TEST_SHIFT": str(shift),
        "VOLTE_CONDUCTING": "0.1",
        "VOLTE_SESSION_DAYS": "1",
    }

    def jump(seconds: int) -> None:
        part = shift.with_suffix(".part")
        part.write_text(str(seconds))
        part.replace(shift)

    async def readiness() -> tuple[int, list[str]]:
        reply = await request(process.address, "GET", "/readyz")
        return reply.status, reply.text.splitlines()

    jump(0)
    with Process(database, tmp_path, **environ) as process:
        people = [await Guest.come(process.address, name) for name in ("Anne", "Bert")]
        async with await Store.open(database) as store:
            evenings, now = Evenings(store), time.time()
            starts = {"tomorrow": now + DAY, "in two days": now + 2 * DAY - 3600, "played": 0.0}
            keys = {}
            for name, at in starts.items():
                keys[name] = await evenings.plan(plan(starts=at), who(people[0]))
                for each in people:
                    await evenings.do(keys[name], partial(join, who=who(each)))
            await evenings.do(keys["played"], partial(begin_round, now=time.time()))

            async def noted(what: set[str]) -> bool:
                return {row.what for row in await store._reader.rows(DUE.select())} == what

            given_up = {f"evening {keys[name]} given up" for name in ("tomorrow", "played")}
            jump(2 * DAY)
            await until(lambda: noted(given_up))
            late = await Guest.come(process.address, "Cara")  # as whose session begins, others end
            assert (await people[0].get("/api/me")).status == 401
            status, lines = await readiness()
            assert (status, lines[0]) == (200, "ok")
            assert "was set ahead by" in lines[1]
            jump(0)
            await until(lambda: noted(set()))
            for each in (*people, late):
                assert (await each.get("/api/me")).status == 200
            assert await readiness() == (200, ["ok"])
            for name, key in keys.items():
                evening = await evenings.find(key)
                assert evening is not None
                planned = evening.stage is Stage.PLANNED
                assert planned if starts[name] else evening.round is not None, name


async def test_a_node_whose_clock_differs_from_the_database_says_so(
    site_with: SiteWith, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People play on: a node is ready all the same."""
    site, right = await site_with(postgres_url), time.time

    async def readiness(seconds: int) -> tuple[int, str]:
        monkeypatch.setattr(time, "time", lambda: right() + seconds)
        await site.room[Clocks].look()
        reply = await request(site.address, "GET", "/readyz")
        return reply.status, reply.text

    difference = "the clock of this node is 90 seconds behind that of the database"
    assert await readiness(-50) == (200, "ok\n")
    assert await readiness(-90) == (200, f"ok\n{difference}\n")
    assert await readiness(-50) == (200, "ok\n")
