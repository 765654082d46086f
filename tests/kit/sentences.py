"""Sentences: those of the source, matches told aloud, rule sheets, and golden texts."""

from __future__ import annotations

import ast
import os
import random
import re
import shlex
from collections.abc import Iterable, Iterator
from configparser import RawConfigParser
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_keywords
from kit.deals import match
from kit.refereed import take

from volte.cards import cards_in
from volte.fair import House
from volte.game import MatchStarted, MatchState, Phase, Play, Player, ProvedChance, Refusal
from volte.referee import (
    Action,
    ClaimRevoke,
    Event,
    Object,
    RefereedMatch,
    SeatAction,
    TakeBack,
    decide,
    evolve,
    legal_actions,
    replay,
    to_act,
    visible,
)
from volte.rules import Irregularities, Ruleset
from volte.say import Verbosity, Words
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.view import View, project

ENGLISH, FRENCH = Words("en"), Words("fr")
languages = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])


def golden(path: Path, text: str) -> None:
    """Compare a text with a file, or write the file anew where VOLTE_REMAKE_GOLDENS is set."""
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def plain(text: str) -> str:
    """The text with plain spaces in place of unbreakable ones, which French has."""
    return re.sub("[\u00a0\u202f]", " ", text)


# The source

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "volte"

Message = str | tuple[str, ...]


def sentences() -> frozenset[Message]:
    """Every sentence marked for the catalogue, as `scripts/words` finds them."""
    return frozenset(message for _, message in marked())


@cache
def marked() -> frozenset[tuple[str | None, Message]]:
    """Every marked sentence with its context; None for most."""
    script = (ROOT / "scripts" / "words").read_text(encoding="utf-8")
    marks = re.search(r"-k '([^']+)'", script)
    assert marks is not None
    keywords = parse_keywords(shlex.split(marks[1]))
    mapping = RawConfigParser()
    mapping.read(ROOT / "scripts" / "words.cfg", encoding="utf-8")
    methods = [section.split(": ") for section in mapping.sections()]
    options = {
        pattern: dict(mapping[section])
        for section, (_, pattern) in zip(mapping.sections(), methods, strict=True)
    }
    method_map = [(pattern, method) for method, pattern in methods]
    found = extract_from_dir(SOURCE, method_map, options, keywords)
    return frozenset((context, message) for _, _, message, _, context in found)


CODE = re.compile(r"`[^`]*`")
WRONG_SPACE = re.compile(r"[^\u00a0\W][;!?»]|\w:(?=\s|$)| [;:!»]| \?$|«[^\u00a0]")
WRONG_LETTER = re.compile(r"'|(?<!--rules )\bcoeur|\bsoeur|\boeil|\bvoeu|\bmoeurs|manoeuvre", re.I)


def badly_set(french: str) -> bool:
    """Whether it lacks unbreakable spaces inside « » and before : ; ! ?, a curly ’, or an œ."""
    text = CODE.sub("", french)
    return bool(WRONG_SPACE.search(text) or WRONG_LETTER.search(text))


def calls(name: re.Pattern[str]) -> Iterator[ast.Call]:
    """Yield every call whose function's name matches and whose first argument is a text."""
    called = re.compile(rf"(?:{name.pattern})\(")
    texts = (path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py")))
    found = (call for text in texts if called.search(text) for call in _calls(text))
    return (call for call in found if name.fullmatch(_name(call.func)))


@cache
def _calls(text: str) -> tuple[ast.Call, ...]:
    return tuple(
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    )


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def reason(call: ast.Call) -> str:
    """The first argument of a call, which is its reason."""
    first: Any = call.args[0]
    text: str = first.value
    return text


# Matches told aloud

NAMES_OF_SEATS = (
    *("Zoé", "Anne", "Luc", "Hélène", "le chat"),
    *("Œdipe", "Yves", "Marie", "Jules", "Inès"),
)


@dataclass(frozen=True)
class Heard:
    """One event as one seat heard it."""

    event: Event
    before: View | None
    after: View
    lines: tuple[str, ...]


def seen(state: MatchState, seat: int | None = 0) -> View:
    """The view of a match from that seat."""
    return View(seat, project(state, seat))


def heard(
    state: MatchState,
    action: Action,
    seat: int | None,
    words: Words = ENGLISH,
    verbosity: Verbosity = Verbosity.NORMAL,
) -> str:
    """The sentences that the seat hears of the events of an action."""
    view, lines = seen(state, seat), list[str]()
    for event in take(state, action).events:
        shown = visible(event, seat)
        before, view = view, view.see(shown)
        lines += words.tell(before, shown, view, verbosity)
    return " ".join(lines)


def match_log(rules: Ruleset, seed: int, restless: bool = False) -> list[Event]:
    """A whole match of random plays, its shuffles proved; a person sits at seats 0 and 1."""
    chance = ProvedChance(House(seed.to_bytes(32, "big")))
    players = (
        Player(name, person=seat < 2) for seat, name in enumerate(NAMES_OF_SEATS[: rules.players])
    )
    started = MatchStarted(rules, tuple(players))
    if rules.irregularities is Irregularities.REFEREED:
        return _refereed_log(started, random.Random(seed), chance, restless)
    steps = match(rules, seed, people=(0, 1), chance=chance, restless=restless)
    return [started, *(event for step in steps for event in step.events)]


def _refereed_log(
    started: MatchStarted, rng: random.Random, chance: ProvedChance, restless: bool
) -> list[Event]:
    """A random match at a refereed table; restless players do whatever comes into their heads."""
    log: list[Event] = [started]
    state = replay(log)
    while True:
        seats = to_act(state)
        action = rng.choice(legal_actions(state, rng.choice(seats))) if seats else chance.act(state)
        if action is None:
            return log
        if restless and rng.random() < 0.4:
            action = _disorder(state, rng) or action
        outcome = decide(state, action)
        for event in () if isinstance(outcome, Refusal) else outcome:
            state = evolve(state, event)
            log.append(event)


def _disorder(state: MatchState, rng: random.Random) -> SeatAction | None:
    """A possible act of somebody at a refereed table, lawful or not, in turn or not (I2–I9)."""
    if not isinstance(state, RefereedMatch) or state.phase is not Phase.PLAYING:
        return None
    seat, other = rng.sample(range(len(state.players)), 2)
    hand, trick = cards_in(state.lying.hands[seat]), state.lying.trick_number
    acts: list[SeatAction] = [Play(seat, rng.choice(hand))] * 4 if hand else []
    claim = ClaimRevoke(seat, other, rng.randint(1, trick))
    return rng.choice([*acts, Object(seat, other), TakeBack(seat), *[claim] * (trick > 8)])


def story(
    log: Iterable[Event], seat: int | None, words: Words, verbosity: Verbosity
) -> Iterator[Heard]:
    """Yield the match as that seat hears it; None is a spectator."""
    for shown, before, after in sights(log, seat):
        yield Heard(shown, before, after, words.tell(before, shown, after, verbosity))


def sights(log: Iterable[Event], seat: int | None) -> Iterator[tuple[Event, View | None, View]]:
    """Yield each event as that seat is shown it, and its view before and after."""
    view: View | None = None
    for event in log:
        shown = visible(event, seat)
        before, view = view, View.of(seat, [shown]) if view is None else view.see(shown)
        yield shown, before, view


# Rule sheets


def sheet_text(rules: Ruleset, words: Words = ENGLISH, clauses: bool = False) -> str:
    return format_sheet(rule_sheet(rules, words), words, clauses=clauses)


def lines_on(rules: Ruleset, clause: str, words: Words = ENGLISH) -> str:
    """The lines of the sheet under that clause."""
    sections = rule_sheet(rules, words)
    return " ".join(
        line.text for section in sections for line in section.lines if clause in line.clauses
    )


def numbers(text: str) -> list[int]:
    """The whole numbers in an English text, also negative ones."""
    found = re.findall(r"−?\d[\d,]*", text)
    return [int(number.replace(",", "").replace("−", "-")) for number in found]
