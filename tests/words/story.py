"""Matches told aloud: who hears what, for the tests of narration and the goldens."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
from volte.view import View, project

NAMES = ("Zoé", "Anne", "Luc", "Hélène", "le chat", "Œdipe", "Yves", "Marie", "Jules", "Inès")


@dataclass(frozen=True)
class Heard:
    """One event as one seat heard it."""

    event: Event
    before: View | None
    after: View
    lines: tuple[str, ...]


def seen(state: MatchState, seat: int | None = 0) -> View:
    """The match as that seat sees it."""
    return View(seat, project(state, seat))


def heard(
    state: MatchState,
    action: Action,
    seat: int | None,
    words: Words | None = None,
    verbosity: Verbosity = Verbosity.NORMAL,
) -> str:
    """What that seat hears of what the action brings about; in English, unless told."""
    view, lines = seen(state, seat), list[str]()
    for event in take(state, action).events:
        shown = visible(event, seat)
        before, view = view, view.see(shown)
        lines += (words or Words("en")).tell(before, shown, view, verbosity)
    return " ".join(lines)


def match_log(rules: Ruleset, seed: int, restless: bool = False) -> list[Event]:
    """A whole match of random plays, its shuffles proved; a person sits at seats 0 and 1."""
    chance = ProvedChance(House(seed.to_bytes(32, "big")))
    players = (Player(name, person=seat < 2) for seat, name in enumerate(NAMES[: rules.players]))
    started = MatchStarted(rules, tuple(players))
    if rules.irregularities is Irregularities.REFEREED:
        return _refereed_log(started, random.Random(seed), chance, restless)
    steps = match(rules, seed, people=(0, 1), chance=chance, restless=restless)
    return [started, *(event for step in steps for event in step.events)]


def _refereed_log(
    started: MatchStarted, rng: random.Random, chance: ProvedChance, restless: bool
) -> list[Event]:
    """The same at a refereed table; the restless do what comes into their heads."""
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
    """What somebody at a refereed table may do, lawful or not, in turn or not (I2–I9)."""
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
    """The match as that seat hears it; None is a spectator."""
    for shown, before, after in sights(log, seat):
        yield Heard(shown, before, after, words.tell(before, shown, after, verbosity))


def sights(log: Iterable[Event], seat: int | None) -> Iterator[tuple[Event, View | None, View]]:
    """Each event as that seat is shown it, and its view before and after."""
    view: View | None = None
    for event in log:
        shown = visible(event, seat)
        before, view = view, View.of(seat, [shown]) if view is None else view.see(shown)
        yield shown, before, view
