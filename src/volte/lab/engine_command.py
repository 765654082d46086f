"""`volte engine`: the engine protocol between standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO, TextIOWrapper

from msgspec.structs import replace

from volte.bots import MARKS, Clock, check_level, installed, player_named
from volte.cards import VolteError
from volte.console.options import chosen_rules
from volte.console.parameters import Count
from volte.console.terminal import harmless
from volte.engine import EngineSession, EngineSettings, serve
from volte.engine.session import MOST_THREADS
from volte.say import Words


def engine(
    _: str,
    rules: str | None,
    settings: Sequence[str],
    players: str | None,
    level: str | None,
    seed: int,
    movetime: int | None,
    simulations: int | None,
    threads: str,
) -> None:
    """Answer until the input ends. Raises `Misuse` and `RulesetFault` before anything is read."""
    table = chosen_rules(rules, settings, players)
    chosen = EngineSettings(
        seed=seed,
        clock=Clock(movetime, simulations),
        threads=Count(1, MOST_THREADS).read("--threads", threads),
    )
    if level is not None:
        level = player_named(level)
        check_level(level, MARKS, installed())
        chosen = replace(chosen, level=level)
    if isinstance(sys.stdout, TextIOWrapper):  # whatever the encoding of the system
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    words = Words("en")

    def say(fault: VolteError) -> str:
        return harmless(" ".join(words.fault(fault).split()))

    source = sys.stdin.buffer if sys.stdin is not None else BytesIO()
    serve(EngineSession(table, chosen, say), source, lambda line: print(line, flush=True))
