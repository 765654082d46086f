"""A program whose files may not grow: it fills its store, is refused, gets room, and goes on.

python filling.py URL BYTES
"""

from __future__ import annotations

import asyncio
import resource
import signal
import sys

from volte.store import Store, Unavailable


async def fill(store: Store, stream: str) -> int:
    """Appends until there is no room; the answer is the last version that was kept."""
    version = 0
    try:
        while True:
            await store.append(stream, version, [b"x" * 1000])
            version += 1
    except Unavailable:
        return version


async def main(url: str, size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write is refused instead
    async with await Store.open(url) as store:
        most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
        kept = await fill(store, "t")
        assert kept > 0
        assert len(await store.read("t")) == kept
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        await store.append("t", kept, [b"y" * 1000])
        assert len(await store.read("t")) == kept + 1


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
