"""Puzzles: positions out of self-play in which one card is clearly best, and the daily one."""

from volte.lessons.puzzles.collection import (
    Puzzles,
    collection,
    daily,
    following,
    in_turn,
    of_grade,
    puzzle,
)
from volte.lessons.puzzles.position import PuzzleFault, position_of, read_position, seated
from volte.lessons.puzzles.puzzle import Alternative, Grade, Puzzle

__all__ = [
    "Alternative",
    "Grade",
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
