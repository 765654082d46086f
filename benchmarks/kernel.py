"""Speed of the kernel, beside its peers where they are installed. For docs/kernel.md.

    python benchmarks/kernel.py [random] [threads] [casual] [steps] [start] [--rounds N] [--json]

Times are CPU times, but those of `threads` and `start`, which are told by the clock on the wall.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.tables import main
from benchmarks.written import ROOT
from volte.bots import BotOwner, Casual
from volte.console.command import asked_language
from volte.console.compiling import compiling_told
from volte.game import Driver, PlainChance
from volte.kernel import KernelFault, encode
from volte.kernel.batch import Batch, Observations
from volte.lab.bench import BenchTable
from volte.lab.bench.measure import Benchmark, Loop, repeated
from volte.lab.bench.rows import casual_policies, kernel_loop, started
from volte.rules import PRESETS, Ruleset, make_ruleset

TABLES_AT_ONCE: Final = 4096
PLAIN: Final = "Volte"
"""Name of the row that other rulesets are compared with: four seats, no pass."""


# Deals at random


def random_deals() -> list[Benchmark]:
    """Rows beside OpenSpiel from Python; then the pass, and the presets that the kernel plays."""
    return [
        # As in its examples; and with a shuffled deck, which spares it the lists
        *open_spiel_row("OpenSpiel", False, asking),
        *open_spiel_row("OpenSpiel, a deck shuffled for it", False, shuffling, "OpenSpiel"),
        Benchmark(PLAIN, kernel_loop(held()), 52, "OpenSpiel"),
        portable(),
        Benchmark("Volte, with the pass", kernel_loop(passed()), 52, PLAIN),
        *presets(kernel_loop, PLAIN, fits_kernel),
    ]


def held() -> Ruleset:
    return make_ruleset("microsoft", {"pass_count": 0})


def passed() -> Ruleset:
    return make_ruleset("microsoft")


def presets(
    loop: Callable[[Ruleset], Loop],
    beside: str = "",
    plays: Callable[[Ruleset], bool] = lambda _: True,
) -> Iterator[Benchmark]:
    """The presets that `plays` accepts, with every number of players that they are made for."""
    for name, preset in PRESETS.items():
        for players in sorted(preset.players):
            rules = make_ruleset(name, {"players": players})
            cards = players * rules.hand_size
            if plays(rules):
                yield Benchmark(f"{name}, {players} players", loop(rules), cards, beside)


def fits_kernel(rules: Ruleset) -> bool:
    """Whether the kernel has room for the packs and the seats of that ruleset."""
    try:
        encode(rules)
    except KernelFault:
        return False
    return True


def portable() -> Benchmark:
    """A row of the kernel without `pdep`, in another process, measured by that one's CPU time."""
    child = Child()
    return Benchmark("Volte, portable", child.play, 52, "OpenSpiel", child.clock, cores=0)


class Child:
    """Another process that plays deals with the portable kernel."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from benchmarks.kernel import serve; serve()"],
            cwd=ROOT,
            env={**os.environ, "VOLTE_KERNEL": "portable"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._seconds = 0.0

    def play(self, deals: int) -> int:
        assert self._process.stdin
        assert self._process.stdout
        print(deals, file=self._process.stdin, flush=True)
        self._seconds = float(self._process.stdout.readline())
        return deals

    def clock(self) -> float:
        return self._seconds


def serve() -> None:
    """Play as many deals as each line says, and print the CPU time of all so far."""
    loop = kernel_loop(held())
    seconds = 0.0
    with compiling_told(asked_language(()), plain=False):
        for line in sys.stdin:
            start = process_time()
            loop(int(line))
            seconds += process_time() - start
            print(seconds, flush=True)


Dealing = Callable[[Any, random.Random], None]
"""Function that deals the cards of an OpenSpiel state."""


def open_spiel_row(
    name: str, pass_cards: bool, dealing: Dealing, beside: str = ""
) -> list[Benchmark]:
    """Random deals of OpenSpiel; no row if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        print(f"OpenSpiel is not installed here: no row “{name}”.", file=sys.stderr)
        return []
    game = pyspiel.load_game("hearts", {"pass_cards": pass_cards})

    def loop(deals: int) -> int:
        rng = random.Random(1)
        for _ in range(deals):
            state = game.new_initial_state()
            dealing(state, rng)
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.random() * len(actions))])
            state.returns()
        return deals

    return [Benchmark(name, loop, 52, beside)]


def asking(state: Any, rng: random.Random) -> None:
    while state.is_chance_node():
        outcomes = state.chance_outcomes()  # all equally likely
        state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])


def shuffling(state: Any, rng: random.Random, ways: int = 1) -> None:
    """Pass in one of so many ways, the first of which is no pass; then deal a shuffled deck."""
    state.apply_action(rng.randrange(ways))
    deck = list(range(52))
    rng.shuffle(deck)
    for card in deck:
        state.apply_action(card)


# Threads


def threads() -> list[Benchmark]:
    """Rows by wall time; the second of each pair needs two cores that nothing else uses."""
    rows = []
    for name, policies in (("random", []), ("casual", casual_policies(4))):
        one, two = (kernel_loop(passed(), policies, threads) for threads in (1, 2))
        rows += [
            Benchmark(f"{name}, one thread", one, 52, clock=perf_counter),
            Benchmark(
                f"{name}, two threads", two, 52, f"{name}, one thread", perf_counter, cores=2
            ),
        ]
    return rows


# Casual players


def casual() -> list[Benchmark]:
    """Rows of the compiled policy beside the bots of the readable engine."""
    rows = []
    for name, players in (("microsoft", 4), ("coeurs", 4), ("coeurs", 5), ("salon", 6)):
        rules = make_ruleset(name, {"players": players})
        cards = players * rules.hand_size
        title = f"{name}, {players} players"
        readable = f"{title}, readable"
        rows += [
            Benchmark(readable, driver_loop(rules), cards),
            Benchmark(title, kernel_loop(rules, casual_policies(players)), cards, readable),
        ]
    return rows


def driver_loop(rules: Ruleset) -> Loop:
    """Whole matches in the readable engine."""
    begun = started(rules)

    def match(seed: int) -> int:
        owners = [BotOwner(Casual(), seat) for seat in range(rules.players)]
        return len(Driver([begun], owners, PlainChance(seed)).run().deals)

    return repeated(match)


# Steps of learners


def steps() -> list[Benchmark]:
    """Steps of a card each, with mask and full observation; the lowest legal card is played."""
    return [
        *one_by_one(),
        Benchmark(
            f"{TABLES_AT_ONCE} deals at once", batch_loop(passed()), beside="PettingZoo's loop"
        ),
        *tables_at_once(),
    ]


def batch_loop(rules: Ruleset) -> Loop:
    batch = Batch(rules, TABLES_AT_ONCE, again=True)
    room = Observations.room(rules.players, batch.size)

    def step(_: int) -> int:
        batch.step(batch.observe(out=room).mask.argmax(axis=1))
        return batch.size

    return repeated(step)


def one_by_one() -> list[Benchmark]:
    try:
        from volte.lab.env import hearts_v0
    except ImportError:
        print("PettingZoo is not installed here, and left out.", file=sys.stderr)
        return []
    env = hearts_v0.env(passed())

    def episode(seed: int) -> int:
        env.reset(seed=seed)
        steps = 0
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            over = ended or cut
            env.step(None if over else int(seen["action_mask"].argmax()))
            steps += not over
        return steps

    return [Benchmark("PettingZoo's loop", repeated(episode))]


def tables_at_once() -> list[Benchmark]:
    """Rows of the Gymnasium environment: a step is a card of the learner and three of the bots."""
    try:
        from volte.lab.env import VectorEnv
    except ImportError:
        print("Gymnasium is not installed here, and left out.", file=sys.stderr)
        return []
    rows = []
    for bots in ("random", "casual"):
        env = VectorEnv(passed(), num_envs=TABLES_AT_ONCE, bots=bots, copy=False)
        seen, _ = env.reset(seed=1)

        def loop(times: int, env: Any = env, seen: Any = seen) -> int:
            done = 0
            while done < times:
                seen, *_ = env.step(seen["action_mask"].argmax(axis=1))
                done += TABLES_AT_ONCE
            return done

        rows.append(Benchmark(f"Gymnasium, {bots} bots", loop, beside="PettingZoo's loop"))
    return rows


# The start


def start() -> list[Benchmark]:
    """Rows of processes that play one deal and end, by wall time."""
    return [
        row
        for name, played in (("random", ""), ("casual", "casual"))
        for row in (
            Process(played).row(f"{name}, compiled", rounds=3),
            Process(played, cached=True).row(f"{name}, read from the cache", rounds=9),
        )
    ]


class Process:
    """A deal in a process of its own.

    Args:
        level: level of all players; at random without.
        cached: whether the cache stays from one process to the next, or is a new one every time.
    """

    def __init__(self, level: str = "", *, cached: bool = False) -> None:
        self._command = [sys.executable, str(ROOT / "benchmarks/one_deal.py"), *level.split()]
        self._cache = TemporaryDirectory() if cached else None
        self._peaks = [0.0]

    def row(self, name: str, rounds: int) -> Benchmark:
        if self._cache:
            self.run(1)
        return Benchmark(
            name,
            self.run,
            clock=perf_counter,
            rounds=rounds,
            megabytes=lambda: max(self._peaks),
            cores=int(os.name != "nt"),  # Windows does not report the time of children
        )

    def run(self, times: int) -> int:
        for _ in range(times):
            if self._cache:
                self._run(self._cache.name)
            else:
                with TemporaryDirectory() as folder:
                    self._run(folder)
        return times

    def _run(self, cache: str) -> None:
        places = {**os.environ, "NUMBA_CACHE_DIR": cache}
        done = subprocess.run(self._command, env=places, check=True, capture_output=True, text=True)
        self._peaks.append(float(done.stdout))


TABLES: Final = {
    "random": BenchTable("The kernel, at random", random_deals, "a card"),
    "threads": BenchTable("The kernel, two threads beside one (by the clock)", threads, "a card"),
    "casual": BenchTable("The kernel, casual players", casual, "a card"),
    "steps": BenchTable("Steps of learners, with mask and observation", steps, "a step"),
    "start": BenchTable("Start of a process that plays a deal (by the clock)", start, "a start"),
}

if __name__ == "__main__":
    main(__doc__, TABLES)
