"""A program that takes all connections a PostgreSQL server has, those of Volte included.

    python crowding.py URL

Prints `full` once no other has a connection or can get one; frees them at the end of its input.
"""

from __future__ import annotations

import asyncio
import sys

import asyncpg

OTHERS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'volte'"


async def main(url: str) -> None:
    mine = [await asyncpg.connect(url)]
    while True:
        while await got_one_more(url, mine):
            pass
        if not await mine[0].fetch(OTHERS):
            break
        await mine[0].execute(f"SELECT pg_terminate_backend(pid) FROM ({OTHERS}) AS others")
    print("full", flush=True)
    await asyncio.to_thread(sys.stdin.read)


async def got_one_more(url: str, mine: list[asyncpg.Connection]) -> bool:
    try:
        mine.append(await asyncpg.connect(url))
    except asyncpg.TooManyConnectionsError:
        return False
    return True


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
