"""Gain of a search from several threads.

    python benchmarks/sharing.py [--threads 2] [--choices 150] [SIMULATIONS...]

Every choice is thought over by one thread and by so many, in turns, with as many simulations; both
find the same. The program prints the medians of one thread's milliseconds and of the ratio, for
choices that took at least half of the simulations: the others were settled before.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from volte.bots import Bot, Clock, Thought, make_bot, think
from volte.engine.session import rehearse
from volte.lab.bench.rows import views_of
from volte.view import View


def timed(bot: Bot, view: View, clock: Clock) -> tuple[Thought, float]:
    """A choice, and the milliseconds that it took."""
    begun = perf_counter()
    thought = think(bot, view, clock)
    return thought, (perf_counter() - begun) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--choices", type=int, default=150)
    parser.add_argument("simulations", nargs="*", type=int, default=[4_000, 20_000, 100_000])
    options = parser.parse_args()
    views = views_of(options.choices)
    bots = make_bot("expert", 1), make_bot("expert", 1, options.threads)
    for bot in bots:
        for rules in {view.state.rules for view in views}:
            rehearse(bot, rules)
    print("simulations  choices  ms alone  times as fast")
    for simulations in options.simulations:
        alone, ratios = [], []
        for view in views:
            (one, by_one), (same, by_many) = (
                timed(bot, view, Clock(simulations=simulations)) for bot in bots
            )
            assert (one.action, one.simulations) == (same.action, same.simulations)
            if one.simulations >= simulations / 2:
                alone.append(by_one)
                ratios.append(by_one / by_many)
        columns = f"{len(ratios):7}  {median(alone):8.1f}  {median(ratios):13.2f}"
        print(f"{simulations:11}  {columns}", flush=True)


if __name__ == "__main__":
    main()
