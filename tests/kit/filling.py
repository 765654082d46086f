"""Full disks. As a program, fill a store whose file may not grow, until it is refused; then give it
room, and go on.

    python filling.py URL BYTES
"""

from __future__ import annotations

import asyncio
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from volte.store import Unavailable
from volte.store.store import Store


@contextmanager
def small_filesystem(folder: Path, size: int) -> Iterator[None]:
    """Mount a small filesystem at a folder, so that it is soon full."""
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={size}", "none"]
    mounted = subprocess.run(["mount", *options, folder], capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"no filesystem can be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


async def fill(store: Store, stream: str) -> int:
    """Append until there is no room, and return the last version that was stored."""
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
