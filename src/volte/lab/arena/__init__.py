"""Many deals or matches between bots: simulated, counted, and found again; duels in duplicate.

Needs the extra `strong`.
"""

import volte.kernel  # noqa: F401  # first, since it says in a sentence what is missing
from volte.cards.public import in_sentences
from volte.lab.arena.contest import Contest, DuelResult, play_duel
from volte.lab.arena.contestant import Contestant
from volte.lab.arena.duel import Duel, Piece, few, play_deck, play_piece, seatings, unit
from volte.lab.arena.keeping import pack
from volte.lab.arena.readable import record_of
from volte.lab.arena.request import EngineKind, Request, chosen_engine
from volte.lab.arena.simulate import code_needed, simulate
from volte.lab.arena.standing import (
    Choices,
    DeckScore,
    DuelEnding,
    DuelStanding,
    SideTotals,
    Stop,
    looks,
)
from volte.lab.arena.statistics import FIRST, WHOLE_WIN, Frequencies, Mean, SimulationResult, Tally
from volte.lab.seeded import RANDOM

__all__ = [
    "FIRST",
    "RANDOM",
    "WHOLE_WIN",
    "Choices",
    "Contest",
    "Contestant",
    "DeckScore",
    "Duel",
    "DuelEnding",
    "DuelResult",
    "DuelStanding",
    "EngineKind",
    "Frequencies",
    "Mean",
    "Piece",
    "Request",
    "SideTotals",
    "SimulationResult",
    "Stop",
    "Tally",
    "chosen_engine",
    "code_needed",
    "few",
    "looks",
    "pack",
    "play_deck",
    "play_duel",
    "play_piece",
    "record_of",
    "seatings",
    "simulate",
    "unit",
]

in_sentences(__name__)
