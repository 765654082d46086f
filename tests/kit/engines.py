"""Sessions of the engine, engines as commands, and the lines of a driver about a match."""

from __future__ import annotations

import random
import shlex
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from kit.deals import match, start
from msgspec.structs import replace

from volte import game
from volte.engine import EngineSession, EngineSettings
from volte.engine.language import received, rules_line, score_line
from volte.rules import Direction, Ruleset, make_ruleset
from volte.say import Words
from volte.view import View

WORDS: Final = Words("en")


def session(rules: Ruleset | None = None, level: str = "casual") -> EngineSession:
    """Return a session of a table, which plays `microsoft` unless rules are given."""
    table = make_ruleset("microsoft") if rules is None else rules
    return EngineSession(table, EngineSettings(level), WORDS.fault)


def accept(*lines: str, to: EngineSession | None = None) -> EngineSession:
    """Send lines to a session (or a new one), which must accept them; return it."""
    heard = session() if to is None else to
    for line in lines:
        answer = heard.hear(line)
        assert not any(each.startswith("error") for each in answer), (line, answer)
    return heard


def reason(heard: EngineSession, line: str) -> str:
    """Return the reason why a session refuses a line; it must refuse, and stay as it is."""
    before = heard.view, heard.rules, heard.settings
    (answer,) = heard.hear(line)
    assert (heard.view, heard.rules, heard.settings) == before
    word, why, sentence = answer.split(" ", 2)
    assert word == "error"
    assert sentence.endswith((".", "”"))
    return why


def view_of(heard: EngineSession) -> View:
    """Return the position of a session, which must have one."""
    assert heard.view is not None
    return heard.view


def told_to(rules: Ruleset, seat: int) -> list[str]:
    """Return the lines that begin a match."""
    return [rules_line(rules), f"match seat {seat + 1}"]


def seen(rules: Ruleset, seed: int, seat: int) -> Iterator[list[tuple[game.Event, View]]]:
    """Yield, act by act, the events of a random match as a seat sees them, with the views after."""
    view = View.of(seat, [start(rules)])
    for step in match(rules, seed):
        happened = []
        for event in step.events:
            shown = game.visible(event, seat)
            view = view.see(shown)
            happened.append((shown, view))
        yield happened


def lines_of(event: game.Event, view: View, rng: random.Random | None = None) -> list[str]:
    """Return a driver's lines about an event; with `rng`, now and then as short as allowed."""
    seat, brief = view.seat, rng is not None and rng.random() < 0.5
    assert seat is not None
    match event:
        case game.Dealt():
            held = event.direction is Direction.HOLD
            passed = " hold" if held else f" pass {event.direction}"
            dealer = f" dealer {event.dealer + 1}" if not brief or event.number == 1 else ""
            where = "" if brief else passed
            return [f"deal{dealer}{where} hand {cards(event.hands[seat])}"]
        case game.Passed() if event.seat == seat:
            return [f"pass {cards(event.cards)}"]
        case game.Exchanged():
            return [f"receive {cards(received(view))}"]
        case game.PlayStarted():
            kitty = view.deal.rules.kitty_size and event.opening
            if brief and event.leader == seat and not kitty:
                return []
            opening = f" {event.opening}" if event.opening and not (brief and not kitty) else ""
            return [f"lead {event.leader + 1}{opening}"]
        case game.Played():
            return [f"play {event.card}" if brief else f"play {event.seat + 1} {event.card}"]
        case game.TrickTaken():
            return [] if brief or awaits_kitty(view) else [f"takes {event.seat + 1}"]
        case game.TrickHeld():
            return [] if brief else ["held"]
        case game.KittyTaken() if event.seat == seat:
            return [f"kitty {cards(event.cards)}"]
        case game.MoonShot():
            return [] if brief else [f"moon {event.seat + 1}"]
        case game.DealScored():
            return scored_lines(event, view, brief)
        case game.LotsDrawn():
            return [f"lots {' '.join(str(each + 1) for each in event.order)}"]
    return []


def awaits_kitty(view: View) -> bool:
    return view.deal.kitty_taker is None and bool(view.deal.rules.kitty_size)


def scored_lines(event: game.DealScored, view: View, brief: bool) -> list[str]:
    """Return lines with the score and the shooter's choice (W7); if brief, the choice only."""
    shooter = game.asked_shooter(view.state.rules, event.score)
    way = "minus" if event.minus else "plus"
    moon = [] if shooter is None else [f"moon {shooter + 1} {way}"]
    return moon if brief else [score_line(event.score), *moon]


def cards(held: Iterable[object] | None) -> str:
    return " ".join(map(str, held or ()))


def comparable(state: game.MatchState, exact: bool = False) -> game.MatchState:
    """Return the state without names, and without passes before the exchange: no line has them.

    Args:
        exact: whether the events must have been the same, one by one, as well.
    """
    deal = state.deal
    if deal is not None and state.phase is game.Phase.PASSING:
        deal = replace(deal, passes=())
    if deal is not None and deal.direction is Direction.HOLD:
        deal = replace(deal, passes=())
    version = state.version if exact and state.phase is not game.Phase.PASSING else 0
    return replace(state, players=(), version=version, deal=deal)


EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "engine.py"

ENGINE: Final = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "volte":
        print("volte 1\\nid name Test\\nready", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        {go}
"""
"""Source of an engine that executes `go` when it has to choose."""


def python(source: str) -> str:
    """Return the command that runs this Python."""
    return shlex.join([sys.executable, "-c", source])


def engine(go: str) -> str:
    """Return the command of an engine that executes `go` when it has to choose."""
    return python(ENGINE.format(go=go))


def example() -> str:
    return shlex.join([sys.executable, "-W", "error", str(EXAMPLE)])


def volte(*options: str) -> str:
    """Return the command of Volte's own engine."""
    return shlex.join([sys.executable, "-m", "volte", "engine", *options])
