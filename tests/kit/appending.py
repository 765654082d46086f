"""A program that appends entries and prints what is stored, until a test kills it.

    python appending.py URL NAME

Each line names a stream and the version that the store has acknowledged.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from volte.store import Listing, MatchRow
from volte.store.store import Store

STREAMS = 8


def entries(stream: str, after: int) -> list[bytes]:
    """Return the entries of a stream that follow a version: one to three."""
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


# For tests


@contextmanager
def appending(url: str, name: str) -> Iterator[subprocess.Popen[str]]:
    """Run the program, and kill it at the end of the context."""
    command = [sys.executable, "-P", __file__, url, name]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as program:
        try:
            yield program
        finally:
            program.kill()


def acknowledged(program: subprocess.Popen[str], lines: int = 0) -> dict[str, int]:
    """Return the last version printed, by stream; read so many lines, or all if 0."""
    assert program.stdout is not None
    reached = {}
    for number, line in enumerate(program.stdout, 1):
        if not line.endswith("\n"):
            break  # half a line: the program was killed while it spoke
        stream, version = line.split()
        reached[stream] = int(version)
        if number == lines:
            break
    return reached


async def judge(url: str, reached: dict[str, int]) -> None:
    """Check that everything acknowledged is stored whole, and nothing in part."""
    async with await Store.open(url) as store:
        for stream, version in reached.items():
            read = await store.read(stream)
            assert len(read) >= version
            assert [entry.version for entry in read] == list(range(1, len(read) + 1))
            assert all(entry.data == f"{stream}:{entry.version}".encode() for entry in read)
            listing = await store.listing(stream)
            assert listing is not None
            assert int(listing.summary) == len(read)
            assert len(await store.matches_at(stream)) == len({entry.cause for entry in read})


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
