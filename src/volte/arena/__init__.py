"""Many deals or matches between bots: simulated, counted, and found again."""

from volte.arena.chunks import code_needed
from volte.arena.readable import record_of
from volte.arena.request import RANDOM, Engine, Request, chosen_engine
from volte.arena.simulate import simulate
from volte.arena.statistics import FIRST, WHOLE_WIN, Counts, Estimate, Statistics, Tally

__all__ = [
    "FIRST",
    "RANDOM",
    "WHOLE_WIN",
    "Counts",
    "Engine",
    "Estimate",
    "Request",
    "Statistics",
    "Tally",
    "chosen_engine",
    "code_needed",
    "record_of",
    "simulate",
]
