"""The puzzles that come with Volte, and the one of each day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from volte.fair import SplitMix64, split
from volte.game.codec import card_text, read_card
from volte.lessons.puzzles.position import PuzzleFault
from volte.lessons.puzzles.puzzle import Grade, Puzzle

Puzzles = tuple[Puzzle, ...]

FILE: Final = "collection.json"

DAYS: Final = (
    Grade.EASY,
    Grade.EASY,
    Grade.MEDIUM,
    Grade.MEDIUM,
    Grade.MEDIUM,
    Grade.HARD,
    Grade.HARD,
)
"""How hard the puzzle of a day is, from Monday to Sunday."""

_READ: Final[msgspec.json.Decoder[Puzzles]] = msgspec.json.Decoder(Puzzles, dec_hook=read_card)


@cache
def collection() -> Puzzles:
    """All puzzles, by number."""
    return _READ.decode(files("volte.lessons.puzzles").joinpath(FILE).read_bytes())


def written(puzzles: Sequence[Puzzle]) -> bytes:
    """A collection as it is stored, a line for each puzzle."""
    lines = [msgspec.json.encode(each, enc_hook=card_text) for each in puzzles]
    return b"[\n" + b",\n".join(lines) + b"\n]\n"


def puzzle(number: int) -> Puzzle:
    """The puzzle of that number, from 1. Raises `PuzzleFault`."""
    most = len(collection())
    if not 1 <= number <= most:
        raise PuzzleFault("no_such_puzzle", number=number, most=most)
    return collection()[number - 1]


def of_grade(grade: Grade | None = None) -> Puzzles:
    """Those of a grade, by number; all without one."""
    return tuple(each for each in collection() if grade in (None, each.grade))


def in_turn(seed: int, grade: Grade | None = None) -> Puzzles:
    """Those of a grade in an order that follows from the seed, a 64-bit word without sign."""
    drawn = list(of_grade(grade))
    SplitMix64(seed).shuffle(drawn)
    return tuple(drawn)


def daily(day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody.

    A week begins with easy ones and ends with hard ones. No puzzle comes again before all of its
    grade have come; then they come in another order.
    """
    weekday = day.weekday()
    grade = DAYS[weekday]
    weeks = (day.toordinal() - 1) // 7
    place = weeks * DAYS.count(grade) + DAYS[:weekday].count(grade)
    count = len(of_grade(grade))
    return in_turn(split(place // count, grade), grade)[place % count]


def following(before: Puzzle, grade: Grade | None = None) -> Puzzle:
    """The next by number, of a grade where one is named; after the last comes the first."""
    among = of_grade(grade)
    return next((each for each in among if each.number > before.number), among[0])
