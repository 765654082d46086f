"""Measurements of every figure that the project claims, here and now, beside its peers.

The rows of a table take turns (`volte.lab.bench.measure`). Peers that are not installed are left
out, and named.
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
from volte.say.language import N_

__all__ = ["PEERS", "TABLES", "BenchTable", "Figure", "conditions", "measured", "missing"]

PEERS: Final = {"OpenSpiel": "pyspiel", "PettingZoo": "pettingzoo", "Gymnasium": "gymnasium"}
"""Software of others, by name, with the module to import."""

_PACKAGES: Final = ("numba", "numpy", "open_spiel", "pettingzoo", "gymnasium")


class BenchTable(NamedTuple):
    """Rows that are measured together, and compared."""

    title: str
    rows: Callable[[], list[Benchmark]]  # makes the rows; may take a while
    unit: str  # of the time in the table
    peers: tuple[str, ...] = ()  # software measured beside, by name


_CARD: Final = N_("a card")

TABLES: Final = {
    "random": BenchTable(N_("The kernel, at random"), kernel.random_deals, _CARD, ("OpenSpiel",)),
    "threads": BenchTable(
        N_("The kernel, two threads beside one (by the clock)"), kernel.threads, _CARD
    ),
    "casual": BenchTable(N_("The kernel, casual players"), kernel.casual, _CARD),
    "steps": BenchTable(
        N_("Steps of learners, with mask and observation"),
        kernel.steps,
        N_("a step"),
        ("PettingZoo", "Gymnasium"),
    ),
    "start": BenchTable(
        N_("Start of a process that plays a deal (by the clock)"), kernel.start, N_("a start")
    ),
    "engine": BenchTable(
        N_("The readable engine, at random"), engine.engine, _CARD, ("OpenSpiel",)
    ),
    "presets": BenchTable(N_("The readable engine, every preset"), engine.presets, _CARD),
    "pieces": BenchTable(N_("The readable engine, what a call costs"), engine.pieces, N_("a call")),
    "bots": BenchTable(N_("The bots"), engine.bots, N_("a choice")),
}
"""Tables by name, the kernel first."""


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
