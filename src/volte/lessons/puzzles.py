"""Puzzles: positions in which one card is clearly best; the collection of Volte, and daily ones.

A position is text, in the lines of docs/engine-protocol.md from `rules` on: it holds the view of
one seat, and nothing else. Reading a position judges it: an unlawful one is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from enum import IntEnum
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.bots import NAMES, Other, Reason
from volte.bots.queen import discard_of_queen, kept_queen
from volte.bots.reasons import reasons_of
from volte.cards import Card, VolteError
from volte.engine import EngineSession, EngineSettings
from volte.engine.language import position_lines
from volte.fair import SplitMix64, split
from volte.game import Play, Player
from volte.game.codec import card_text, read_card
from volte.notation.lines import written_value
from volte.rules import described, make_ruleset
from volte.say import hints
from volte.say.formats import date_text
from volte.say.language import N_
from volte.say.telling import Lines
from volte.say.words import Words
from volte.view import View

__all__ = ["Alternative", "Grade", "Puzzle", "PuzzleFault"]

FILE: Final = "puzzles.json"


class PuzzleFault(VolteError):
    """A puzzle that does not exist, or cannot be read."""


class Grade(IntEnum):
    """The difficulty of a puzzle."""

    EASY = 1
    MEDIUM = 2
    HARD = 3


DAYS: Final = (*[Grade.EASY] * 2, *[Grade.MEDIUM] * 3, *[Grade.HARD] * 2)
"""The grade of the puzzle of a day, from Monday to Sunday."""


class Alternative(msgspec.Struct, frozen=True):
    """Legal cards that are equally good to play."""

    cards: tuple[Card, ...]  # the lowest first
    # Expected loss compared with the best card, in points of the deal, relative to the opponents.
    points: float = 0.0
    error: float = 0.0  # two standard errors of these points


class Puzzle(msgspec.Struct, frozen=True):
    """A question with one answer."""

    number: int  # from 1; a puzzle keeps its number for good
    grade: Grade
    position: str  # view of the seat, for `read_position`
    options: tuple[Alternative, ...]  # all legal cards, the best first

    @property
    def best(self) -> tuple[Card, ...]:
        """The answer: any of these cards."""
        return self.options[0].cards

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The reasons for the best card, as a hint would give them."""
        return _reasons(self)

    def solved_by(self, card: Card) -> bool:
        """Whether the card is an answer."""
        return card in self.best

    def option(self, card: Card) -> Alternative | None:
        """The option that a card belongs to; None for a card that may not be played."""
        return next((each for each in self.options if card in each.cards), None)


@lru_cache(maxsize=512)
def _reasons(puzzle: Puzzle) -> tuple[Reason, ...]:
    view = read_position(puzzle.position)
    best, *others = (Play(view.deal.turn, option.cards[0]) for option in puzzle.options)
    return reasons_of(view, best, others)


Puzzles = tuple[Puzzle, ...]


# Positions


@lru_cache(maxsize=512)
def read_position(text: str) -> View:
    """Read a position into the view of its seat. Raises `PuzzleFault`."""
    faults: list[VolteError] = []

    def keep(fault: VolteError) -> str:
        faults.append(fault)
        return ""

    session = EngineSession(make_ruleset(), EngineSettings(), keep)
    for line in text.splitlines():
        session.hear(line)
        if faults:
            raise PuzzleFault("position_unreadable", line=line, why=str(faults[0]))
    if session.view is None or not session.view.legal:
        raise PuzzleFault("position_unreadable", line=text[-40:], why="nothing is asked")
    return session.view


def position_of(view: View) -> str:
    """The text of a position; `read_position` makes the same view again."""
    preset, differences = described(view.state.rules)
    settings = (f"{option}={written_value(value)}" for option, value in differences.items())
    rules = " ".join(["rules", preset, *settings])
    return "\n".join([rules, *_together(position_lines(view))])


def _together(lines: list[str]) -> Iterator[str]:
    """The lines with cards played in a row put on one line."""
    for plays, group in groupby(lines, key=lambda line: line.startswith("play ")):
        if plays:
            first, *others = group
            yield " ".join([first, *(card for line in others for card in line.split()[2:])])
        else:
            yield from group


def named(puzzle: Puzzle, me: str = "") -> View:
    """The view of a puzzle: `me` at its seat, and to the left the bots by their usual names."""
    view = read_position(puzzle.position)
    state, seat = view.state, view.seat
    count = len(state.players)
    named = {(seat + step) % count: Player(NAMES[step - 1]) for step in range(1, count)}
    named[seat] = Player(me, person=True)
    return View(seat, replace(state, players=tuple(named[each] for each in range(count))))


# The collection


@cache
def collection() -> Puzzles:
    """All puzzles, by number."""
    decoder: msgspec.json.Decoder[Puzzles] = msgspec.json.Decoder(Puzzles, dec_hook=read_card)
    return decoder.decode(Path(__file__).with_name(FILE).read_bytes())


def written(puzzles: Sequence[Puzzle]) -> bytes:
    """A collection as it is stored, a line for each puzzle."""
    lines = [msgspec.json.encode(each, enc_hook=card_text) for each in puzzles]
    return b"[\n" + b",\n".join(lines) + b"\n]\n"


def puzzle(number: int) -> Puzzle:
    """The puzzle with a number, from 1. Raises `PuzzleFault`."""
    most = len(collection())
    if not 1 <= number <= most:
        raise PuzzleFault("no_such_puzzle", number=number, most=most)
    return collection()[number - 1]


def of_grade(grade: Grade | None = None) -> Puzzles:
    """The puzzles of a grade, or all, by number."""
    return tuple(each for each in collection() if grade in (None, each.grade))


def in_turn(seed: int, grade: Grade | None = None) -> Puzzles:
    """The puzzles of a grade, or all, in an order drawn from a seed (64 bits, unsigned)."""
    drawn = list(of_grade(grade))
    SplitMix64(seed).shuffle(drawn)
    return tuple(drawn)


def daily(day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody.

    A week begins with easy puzzles and ends with hard ones. A puzzle comes again only after all
    puzzles of its grade have come; then they come in another order.
    """
    weekday = day.weekday()
    grade = DAYS[weekday]
    weeks = (day.toordinal() - 1) // 7
    place = weeks * DAYS.count(grade) + DAYS[:weekday].count(grade)
    count = len(of_grade(grade))
    return in_turn(split(place // count, grade), grade)[place % count]


def following(before: Puzzle, grade: Grade | None = None) -> Puzzle:
    """The next puzzle by number, of a grade or of all; after the last one the first."""
    among = of_grade(grade)
    return next((each for each in among if each.number > before.number), among[0])


# In words

GRADES: Final = {Grade.EASY: N_("easy"), Grade.MEDIUM: N_("medium"), Grade.HARD: N_("hard")}

UNTOLD: Final = frozenset(
    {Reason.ROUGHLY, Reason.PLAYED_OUT, Reason.DUMP_QUEEN, Reason.TAKE_QUEEN, Reason.TRAP}
)
"""Reasons unfit for a clue: they say nothing about the cards, or name the answer."""


def grade_name(words: Words, grade: Grade) -> str:
    """The name of a grade: "easy", "medium", "hard"."""
    return words.t(GRADES[grade])


def heading(words: Words, puzzle: Puzzle, day: date | None = None) -> str:
    """The number and grade of a puzzle, as a heading.

    Args:
        day: the day, for a puzzle of the day.
    """
    number, grade = str(puzzle.number), grade_name(words, puzzle.grade)
    if day is None:
        return words.t("Puzzle {number}, {grade}.", number=number, grade=grade)
    when = date_text(words.lang, day, "long")
    text = N_("The puzzle for {day}: number {number}, {grade}.")
    return words.t(text, day=when, number=number, grade=grade)


def verdict(words: Words, puzzle: Puzzle, card: Card) -> Lines:
    """The reply to a legal card: whether it is best, and its cost if not."""
    if puzzle.solved_by(card):
        return (
            words.t("Right, {card:the}: {why}.", card=card, why=why(words, puzzle, named(puzzle))),
            *_others(words, puzzle),
        )
    option = puzzle.option(card)
    assert option is not None
    text = N_("Not the best: {card:the} would cost about {points} more.")
    return (words.t(text, card=card, points=cost(words, option)),)


def clue(words: Words, puzzle: Puzzle) -> str:
    """A clue: the reason for the best card, without its name; or else the worst card."""
    if UNTOLD.intersection(puzzle.reasons):
        return words.t(
            "A clue: the worst card is {card:the}, which would cost about {points} more than "
            "the best.",
            **_cost(words, puzzle.options[-1]),
        )
    return words.t("A clue to the best card: {why}.", why=why(words, puzzle, None))


def solution(words: Words, puzzle: Puzzle) -> Lines:
    """The best card with its reason, and the cost of other cards."""
    best = words.t("{cards:or}: {why}.", cards=puzzle.best, why=why(words, puzzle, named(puzzle)))
    return (words.sentence(best), *_others(words, puzzle))


def why(words: Words, puzzle: Puzzle, view: View | None) -> str:
    """The reasons, as the end of a sentence; with a view they name players and cards."""
    seen = read_position(puzzle.position)
    best = Play(seen.deal.turn, puzzle.best[0])
    others = [
        Other(Play(seen.deal.turn, card), option.points, option.error)
        for option in puzzle.options[1:]
        for card in option.cards
    ]
    discard = discard_of_queen(seen, best, others)
    queen = kept_queen(seen, best, puzzle.reasons, discard) if discard else None
    return hints.why(words, view, best, puzzle.reasons, queen)


def cost(words: Words, option: Alternative) -> str:
    """The cost of an option compared with the best card, in whole points, at least one."""
    return words.points(max(1, round(option.points)))


def _others(words: Words, puzzle: Puzzle) -> Iterator[str]:
    """Sentences on the cost of the next best card, and of the worst."""
    following = puzzle.options[1:]
    texts = (
        N_("The next best, {card:the}, would cost about {points} more."),
        N_("The worst, {card:the}, would cost about {points} more."),
    )
    for text, option in zip(texts, (following[0], *following[:0:-1]), strict=False):
        yield words.t(text, **_cost(words, option))


def _cost(words: Words, option: Alternative) -> dict[str, object]:
    return {"card": option.cards[0], "points": cost(words, option)}
