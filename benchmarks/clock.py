"""Punctuality of bots that search, while the machine is busy.

    python benchmarks/clock.py [--level expert] [--choices 200] [--busy 2] [MILLISECONDS...]

Every choice of deals that `casual` plays is thought over once with each budget; the program prints
the median, the 99th percentile and the longest, in milliseconds, the choices a second, and in the
end the largest memory.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from resource import RUSAGE_SELF, getrusage
from time import perf_counter

import numpy as np

from volte.bots import Clock, make_bot, think
from volte.engine.session import rehearse
from volte.lab.bench.rows import views_of


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Run so many busy processes meanwhile."""
    command = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(command) for _ in range(processes)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--level", default="expert")
    parser.add_argument("--choices", type=int, default=200)
    parser.add_argument("--busy", type=int, default=2, help="other processes that work")
    parser.add_argument("budgets", nargs="*", type=int, default=[10, 40, 100], help="milliseconds")
    options = parser.parse_args()
    views = views_of(options.choices)
    bot = make_bot(options.level, 1)
    for rules in {view.state.rules for view in views}:
        rehearse(bot, rules)
    print(f"{options.level}, {len(views)} choices, {options.busy} busy processes")
    print("budget    p50    p99    max  simulations  choices/s")
    with busy(options.busy):
        for budget in options.budgets:
            times, simulations = [], []
            for view in views:
                begun = perf_counter()
                thought = think(bot, view, Clock(milliseconds=budget))
                times.append((perf_counter() - begun) * 1000)
                simulations.append(thought.simulations)
            p50, p99, most = np.percentile(times, [50, 99, 100])
            middle = int(np.median(simulations))
            rate = 1000 / np.mean(times)
            columns = f"{budget:6} {p50:6.1f} {p99:6.1f} {most:6.1f}  {middle:11}  {rate:9.1f}"
            print(columns, flush=True)
    print(f"{getrusage(RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


if __name__ == "__main__":
    main()
