"""The position of a puzzle as text: the lines in which any engine is told a match.

They are those of docs/engine-protocol.md, from `rules` on, so a position says what one seat knows,
and holds nothing else. Reading one judges it: what cannot be lawful is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from volte.bots import NAMES
from volte.cards import Fault
from volte.engine import EngineSession, EngineSettings
from volte.engine.language import position_lines
from volte.game import Player
from volte.lessons.puzzles.fault import PuzzleFault
from volte.notation.lines import written_value
from volte.rules import Ruleset, described, make_ruleset
from volte.view import View


@lru_cache(maxsize=512)
def read_position(text: str) -> View:
    """What the seat knows that the text speaks of. Raises `PuzzleFault`."""
    faults: list[Fault] = []

    def keep(fault: Fault) -> str:
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
    return "\n".join([_rules(view.state.rules), *_together(position_lines(view))])


def _rules(rules: Ruleset) -> str:
    name, differences = described(rules)
    settings = (f"{option}={written_value(value)}" for option, value in differences.items())
    return " ".join(["rules", name, *settings])


def _together(lines: list[str]) -> Iterator[str]:
    """Cards that are played one after the other on one line."""
    played: list[str] = []
    for line in lines:
        word, *rest = line.split()
        if word == "play":
            played += rest[1:] if played else rest
            continue
        if played:
            yield " ".join(["play", *played])
            played = []
        yield line
    if played:
        yield " ".join(["play", *played])


def seated(view: View, me: str) -> View:
    """The same with people at the table: `me`, and to the left on those who always play along."""
    state, seat = view.state, view.seat
    assert seat is not None
    count = len(state.players)
    named = {(seat + step) % count: Player(NAMES[step - 1]) for step in range(1, count)}
    named[seat] = Player(me, person=True)
    players = tuple(named[each] for each in range(count))
    return View(seat, replace(state, players=players))
