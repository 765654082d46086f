"""A program that appends without end, and says what was kept: to be killed in the middle.

    python appending.py URL NAME

Each line is a stream, and the version that it had reached when the store said so.
"""

from __future__ import annotations

import asyncio
import sys
from itertools import count

from volte.store import Listing, MatchRow, Store

STREAMS = 8


def entries(stream: str, after: int) -> list[bytes]:
    """What a stream gets after that version: one entry to three."""
    return [f"{stream}:{after + step}".encode() for step in range(1, 2 + after % 3)]


async def fill(store: Store, stream: str) -> None:
    version = 0
    for number in count():
        added = entries(stream, version)
        listing = Listing(stream, stream, "", "public", "playing", b"%d" % (version + len(added)))
        match = MatchRow(f"{stream}:{number}", stream, version + 1, b"m" * 32, 0.0, ("ann", ""))
        cause = f"ann:{number}"
        await store.append(stream, version, added, cause=cause, listing=listing, matches=[match])
        version += len(added)
        print(stream, version, flush=True)


async def main(url: str, name: str) -> None:
    async with await Store.open(url) as store:
        await asyncio.gather(*(fill(store, f"{name}{number}") for number in range(STREAMS)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
