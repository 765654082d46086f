"""Programs and databases that are killed: everything reported as written is there."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import settings
from kit.appending import acknowledged, appending, judge
from kit.postgres import Cluster

FULL = settings().max_examples >= 1000
KILLS = 50 if FULL else 1


async def test_a_killed_program_has_lost_nothing_it_acknowledged(
    database: str, record_property: Callable[[str, object], None]
) -> None:
    total = 0
    for kill in range(KILLS):
        with appending(database, f"k{kill}_") as program:
            reached = acknowledged(program, lines=50 + 37 * kill)
            program.kill()  # SIGKILL, in the middle of whatever it does
            reached |= acknowledged(program)
        await judge(database, reached)
        total += sum(reached.values())
    record_property("acknowledged entries that survived a killed program", total)


async def test_several_programs_append_at_once_and_one_is_killed(database: str) -> None:
    with appending(database, "one") as one, appending(database, "two") as two:
        reached = acknowledged(one, lines=60)
        one.kill()
        reached |= acknowledged(one) | acknowledged(two, lines=150)
        two.kill()
        reached |= acknowledged(two)
    await judge(database, reached)


async def test_a_killed_postgresql_has_lost_nothing_it_acknowledged(
    cluster: Cluster, cluster_url: str
) -> None:
    with appending(cluster_url, "t") as program:
        reached = acknowledged(program, lines=200)
        cluster.stop()  # as a crash
        reached |= acknowledged(program)
    cluster.start()
    await judge(cluster_url, reached)
