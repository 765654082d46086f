"""The readable engine on one core, beside OpenSpiel from Python: `volte bench` on its tables.

python benchmarks/engine.py [engine] [presets] [pieces] [--rounds N] [--json]
"""

from __future__ import annotations

import sys

from volte.cli import volte
from volte.console.command import run

TABLES = ("engine", "presets", "pieces")

if __name__ == "__main__":
    tables = [] if set(TABLES) & set(sys.argv) else TABLES
    sys.exit(run(volte, ["bench", *tables, *sys.argv[1:]]))
