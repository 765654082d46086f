"""Puzzles: positions out of self-play in which one card is clearly best, and the daily one."""

from volte.puzzles.collection import (
    Puzzles,
    collection,
    daily,
    following,
    in_turn,
    of_grade,
    puzzle,
)
from volte.puzzles.fault import PuzzleFault
from volte.puzzles.position import position_of, read_position, seated
from volte.puzzles.puzzle import Grade, Option, Puzzle

__all__ = [
    "Grade",
    "Option",
    "Puzzle",
    "PuzzleFault",
    "Puzzles",
    "collection",
    "daily",
    "following",
    "in_turn",
    "of_grade",
    "position_of",
    "puzzle",
    "read_position",
    "seated",
]
