"""Deals per second of the kernel on one core, beside its peers: `volte bench` on its tables.

    python benchmarks/kernel.py [random] [threads] [casual] [steps] [start] [--rounds N] [--json]

Times are CPU times, but those of `threads` and `start`, which are told by the clock on the wall.
"""

from __future__ import annotations

import sys

from volte.cli import volte
from volte.console.command import run

TABLES = ("random", "threads", "casual", "steps", "start")

if __name__ == "__main__":
    tables = [] if set(TABLES) & set(sys.argv) else TABLES
    sys.exit(run(volte, ["bench", *tables, *sys.argv[1:]]))
