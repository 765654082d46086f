"""Exported sites for tests, made once of the same sources."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest

from volte.site.export import export, site_files
from volte.site.modules import SOURCE
from volte.site.runtime import PINNED

ROOT: Final = Path(__file__).parents[2]
RUNTIME: Final = ROOT / "build" / "runtime"
EXPORTED: Final = ROOT / "build" / "exported"

MOST_KEPT: Final = 4  # exports of other sources, in other checkouts that share the folder

ALONE: Final = Path(__file__).with_name("alone.cjs")
"""Script for Node.js that ends a program which wants the network."""


def runtime() -> Path:
    """The folder of the runtime, which `scripts/setup` fetches."""
    if not all((RUNTIME / name).exists() for name in PINNED) or shutil.which("node") is None:
        pytest.skip("Python for browsers is not here; scripts/setup fetches it where there is npm")
    return RUNTIME


@contextmanager
def without_network() -> Iterator[None]:
    """Let nothing here, or in programs of Node.js that are started, reach for the network."""

    def refused(*_: Any) -> None:
        raise AssertionError("the network was asked")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refused)
        patch.setenv("NODE_OPTIONS", f"--require={ALONE}")
        yield


def made(base: str = "") -> dict[str, bytes]:
    """The files of a site, made without a network."""
    with without_network():
        return site_files(base, runtime())


def exported(base: str = "") -> Path:
    """A folder with a site, which is made once for all tests of these sources."""
    paths = (path for path in sorted(SOURCE.glob("volte/**/*")) if path.is_file())
    parts = (path.read_bytes() for path in paths if path.parent.name != "__pycache__")
    digest = sha256(b"".join((base.encode(), *parts))).hexdigest()[:16]
    EXPORTED.mkdir(parents=True, exist_ok=True)
    folder = EXPORTED / digest
    with (EXPORTED / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not folder.exists():
            others = [each for each in EXPORTED.iterdir() if each.is_dir()]
            for old in sorted(others, key=lambda each: each.stat().st_mtime)[: -MOST_KEPT or None]:
                shutil.rmtree(old)
            export(folder, made(base))
        os.utime(folder)
    return folder


def packages_of(site: Path) -> Path:
    """The archive of a site with our modules."""
    [packages] = site.glob("runtime/*/packages.zip.txt")
    return packages
