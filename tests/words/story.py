"""Matches told aloud: who hears what, for the tests of narration and the goldens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulesets import match

from volte.fair import House
from volte.game import Event, MatchStarted, Player, ProvedChance, visible
from volte.rules import Ruleset
from volte.view import View
from volte.words import Verbosity, Words

NAMES = ("Zoé", "Anne", "Luc", "Hélène", "le chat", "Œdipe", "Yves")


@dataclass(frozen=True)
class Heard:
    """One event as one seat heard it."""

    event: Event
    before: View | None
    after: View
    lines: tuple[str, ...]


def match_log(rules: Ruleset, seed: int, restless: bool = False) -> list[Event]:
    """A whole match of random plays, its shuffles proved; a person sits at seats 0 and 1."""
    chance = ProvedChance(House(seed.to_bytes(32, "big")))
    steps = match(rules, seed, people=(0, 1), chance=chance, restless=restless)
    players = (Player(name, person=seat < 2) for seat, name in enumerate(NAMES[: rules.players]))
    started = MatchStarted(rules, tuple(players))
    return [started, *(event for step in steps for event in step.events)]


def story(
    log: Iterable[Event], seat: int | None, words: Words, verbosity: Verbosity
) -> Iterator[Heard]:
    """The match as that seat hears it; None is a spectator."""
    view: View | None = None
    for event in log:
        seen = visible(event, seat)
        before, view = view, View.of(seat, [seen]) if view is None else view.see(seen)
        yield Heard(seen, before, view, words.tell(before, seen, view, verbosity))
