"""Many deals or matches between bots: simulated, counted, and found again; duels in duplicate."""

from volte.arena.chunks import code_needed
from volte.arena.contest import Contest, Result, play_duel
from volte.arena.contestant import Contestant
from volte.arena.dealing import RANDOM
from volte.arena.duel import Duel, Piece, play_deck, play_piece
from volte.arena.keeping import pack
from volte.arena.readable import record_of
from volte.arena.request import Engine, Request, chosen_engine
from volte.arena.seatings import few, seatings, unit
from volte.arena.simulate import simulate
from volte.arena.standing import Choices, Score, Side, Standing
from volte.arena.statistics import FIRST, WHOLE_WIN, Counts, Estimate, Statistics, Tally
from volte.arena.stopping import Ending, Stop, looks

__all__ = [
    "FIRST",
    "RANDOM",
    "WHOLE_WIN",
    "Choices",
    "Contest",
    "Contestant",
    "Counts",
    "Duel",
    "Ending",
    "Engine",
    "Estimate",
    "Piece",
    "Request",
    "Result",
    "Score",
    "Side",
    "Standing",
    "Statistics",
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
