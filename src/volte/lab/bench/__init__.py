"""Every figure that the project claims, measured here and now, beside its peers.

A table is made of rows that take turns (`volte.lab.bench.measure`). Peers that are not installed
are left out, and named.
"""

from __future__ import annotations

import importlib
import os
import platform
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Final, NamedTuple

from volte.lab.bench import engine, kernel
from volte.lab.bench.measure import Benchmark, Figure, measured

__all__ = ["PEERS", "TABLES", "BenchTable", "Figure", "conditions", "measured", "missing"]

PEERS: Final = {"OpenSpiel": "pyspiel", "PettingZoo": "pettingzoo", "Gymnasium": "gymnasium"}
"""Software of others, by name, and the module that is imported for it."""

_PACKAGES: Final = ("numba", "numpy", "open_spiel", "pettingzoo", "gymnasium")


class BenchTable(NamedTuple):
    """Rows that are measured together, and compared."""

    rows: Callable[[], list[Benchmark]]  # makes them; that may take a while
    unit: str  # what the time in the table is the time of
    peers: tuple[str, ...] = ()  # what it is measured beside, by name


TABLES: Final = {
    "random": BenchTable(kernel.random_deals, "a card", ("OpenSpiel",)),
    "threads": BenchTable(kernel.threads, "a card"),
    "casual": BenchTable(kernel.casual, "a card"),
    "steps": BenchTable(kernel.steps, "a step", ("PettingZoo", "Gymnasium")),
    "start": BenchTable(kernel.start, "a start"),
    "engine": BenchTable(engine.engine, "a card", ("OpenSpiel",)),
    "presets": BenchTable(engine.presets, "a card"),
    "pieces": BenchTable(engine.pieces, "a call"),
    "bots": BenchTable(engine.bots, "a choice"),
}
"""By name, the kernel first."""


def missing(table: BenchTable) -> list[str]:
    """The peers of a table that are not installed here."""
    return [name for name in table.peers if not _installed(PEERS[name])]


def _installed(module: str) -> bool:
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def conditions() -> dict[str, str | int]:
    """The machine and the installed versions, on which all figures depend."""
    return {
        "machine": platform.machine(),
        "system": platform.system(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
        "volte": version("volte"),
        **{name: found for name in _PACKAGES if (found := _version(name))},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
