"""`volte engine`: the engine protocol between standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO, TextIOWrapper

from msgspec.structs import replace

from volte.bots import Clock, make_bot
from volte.cards import Fault
from volte.console.numbers import SEEDS, read_number
from volte.console.options import chosen_rules
from volte.console.terminal import harmless
from volte.engine import EngineSession, EngineSettings, serve
from volte.engine.session import MOST_THREADS
from volte.say import Words


def engine(
    rules: str | None,
    settings: Sequence[str],
    players: str | None,
    level: str | None,
    seed: str | None,
    movetime: int | None,
    simulations: int | None,
    threads: str | None,
) -> None:
    """Answers until the input ends. Raises `Misuse` and `RulesetFault` before anything is read."""
    table = chosen_rules(rules, settings, players)
    number = 0 if seed is None else read_number("--seed", seed, 0, SEEDS - 1)
    chosen = EngineSettings(
        seed=number,
        clock=Clock(movetime, simulations),
        threads=1 if threads is None else read_number("--threads", threads, 1, MOST_THREADS),
    )
    if level is not None:
        make_bot(level)
        chosen = replace(chosen, level=level)
    if isinstance(sys.stdout, TextIOWrapper):  # whatever the system's own encoding
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    words = Words("en")

    def say(fault: Fault) -> str:
        return harmless(" ".join(words.fault(fault).split()))

    source = sys.stdin.buffer if sys.stdin is not None else BytesIO()
    serve(EngineSession(table, chosen, say), source, lambda line: print(line, flush=True))
