"""Simulations counted again from records, engines for duels, environments played at random."""

from __future__ import annotations

import random
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from kit.deals import deal_of
from kit.presets import SOME_TABLES
from kit.strategies import few, rulesets, wider_rulesets
from numpy.typing import NDArray

from volte import game
from volte.cards import QUEEN, Card, cards_in
from volte.lab import arena
from volte.lab.env import HeartsEnv, card_planes, hearts_v0
from volte.lab.env.episode import Seen
from volte.referee import Event
from volte.rules import Direction, make_ruleset


class Scored(NamedTuple):
    """A deal, as its record tells it; `number` is that of the deal or match."""

    number: int
    direction: Direction
    queen: int | None
    points: tuple[int, ...]
    moon: int | None
    slam: int | None
    minus: bool


def by_hand(request: arena.Request) -> arena.SimulationResult:
    """The result that `simulate` must find, counted from the records."""
    logs = [arena.record_of(request, number) for number in range(request.games)]
    deals = [deal for number, log in enumerate(logs) for deal in deals_in(number, log)]
    ends = [event for log in logs for event in log if isinstance(event, game.MatchEnded)]
    lengths = [sum(isinstance(event, game.DealScored) for event in log) for log in logs]
    if request.matches is None:
        ends, lengths = [], []

    def tally(seats: Sequence[int]) -> arena.Tally:
        return arena.Tally(
            len(seats),
            counts(sum(deal.points[seat] for seat in seats) for deal in deals),
            sum(deal.queen in seats for deal in deals),
            sum(deal.moon in seats for deal in deals),
            sum(deal.slam in seats for deal in deals),
            sum(deal.minus and {deal.moon, deal.slam} & set(seats) != set() for deal in deals),
            counts(sum(end.totals[seat] for seat in seats) for end in ends),
            counts(
                len(set(end.winners) & set(seats)) * arena.WHOLE_WIN // len(end.winners)
                for end in ends
            ),
        )

    table = range(request.rules.players)
    most = max(max(deal.points) for deal in deals)
    return arena.SimulationResult(
        len(deals),
        len(ends),
        tuple(tally([seat]) for seat in table),
        {
            level: tally([seat for seat in table if request.seats[seat] == level])
            for level in request.seats
        },
        {
            direction: tuple(
                counts(deal.points[seat] for deal in deals if deal.direction is direction)
                for seat in table
            )
            for direction in {deal.direction for deal in deals}
        },
        sum(deal.queen is None for deal in deals),
        counts(lengths),
        first(deal.number for deal in deals if deal.moon is not None),
        first(deal.number for deal in deals if deal.slam is not None),
        first(deal.number for deal in deals if max(deal.points) == most),
    )


def deals_in(number: int, log: Iterable[Event]) -> Iterable[Scored]:
    direction, queen, trick = Direction.HOLD, None, set[Card]()
    for event in log:
        match event:
            case game.Dealt():
                direction, queen = event.direction, None
            case game.Played():
                trick.add(event.card)
            case game.TrickTaken() | game.KittyTaken():
                taken = trick if isinstance(event, game.TrickTaken) else set(event.cards or ())
                queen = event.seat if QUEEN in taken else queen
                trick = set()
            case game.DealScored():
                done = event.moon, event.slam, event.minus
                yield Scored(number, direction, queen, event.points, *done)


def counts(numbers: Iterable[int]) -> arena.Frequencies:
    return arena.Frequencies(dict(Counter(numbers)))


def first(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(set(numbers))[: arena.FIRST])


ENGINE = """
import sys

asked = 0
for line in sys.stdin:
    match line.split():
        case ["volte", *_]:
            print("volte 1\\nready", flush=True)
        case ["isready"]:
            print("readyok", flush=True)
        case ["go", *words]:
            asked += 1
            if {wrong} and asked % {wrong} == 0:
                {mischief}
            if "pass" in words:
                count, *hand = words[words.index("pass") + 1 :]
                print("choose pass", *hand[: int(count)], flush=True)
            else:
                print("choose play", words[words.index("play") + 1], flush=True)
        case ["quit"]:
            break
"""
"""Program of an engine that passes and plays the first cards that it may."""


def engine(
    folder: Path, name: str = "first", wrong: int = 0, mischief: str = "pass"
) -> arena.Contestant:
    """An engine that does some mischief each `wrong`th time it is asked; 0 for never."""
    script = folder / f"{name}.py"
    script.write_text(ENGINE.format(wrong=wrong, mischief=mischief))
    return arena.Contestant.outside(f"{name}={shlex.join([sys.executable, str(script)])}")


ONE_PACK = tuple(
    (name, players)
    for name, players in SOME_TABLES
    if make_ruleset(name, {"players": players}).deck.packs == 1
)
"""The tables that environments have room for."""

tables = rulesets() | wider_rulesets(st.integers(3, 7)).filter(lambda rules: rules.deck.packs == 1)
"""Any table of one pack."""

sparing: Final = settings(max_examples=few(6, 1000))
"""Few examples, for laws of whole episodes, which take a tenth of a second each."""


def made(preset: str | None = None, players: int | None = None, **more: Any) -> HeartsEnv:
    """The raw environment of a preset, for that many players."""
    return hearts_v0.raw_env(preset, {"players": players} if players else None, **more)


def legal(seen: Seen) -> list[int]:
    """The actions that the mask allows."""
    return [int(card) for card in np.flatnonzero(seen["action_mask"])]


def moments(env: HeartsEnv, rng: random.Random) -> Iterator[tuple[str, int]]:
    """Play on at random in an episode that has begun: the agent on turn, and its next card."""
    while not any(env.terminations.values()):
        agent = env.agent_selection
        action = rng.choice(legal(env.observe(agent)))
        yield agent, action
        env.step(action)


def deal_in(env: HeartsEnv) -> game.DealState:
    """The present deal, with nothing hidden."""
    return deal_of(env._series.episode.state)


def deck_of(env: HeartsEnv) -> list[int]:
    """A deck that brings a deal which has just begun (D4): each hand in order, card by card."""
    deal = deal_in(env)
    players = deal.rules.players
    around = [(deal.dealer + 1 + place) % players for place in range(players)]
    rows = zip(*(cards_in(deal.hands[seat]) for seat in around), strict=True)
    cards = [card for row in rows for card in row]
    return [card.index for card in (*cards, *cards_in(deal.kitty))]


def planes(seen: Seen, players: int) -> dict[str, NDArray[Any]]:
    """The cards of an observation, plane by plane."""
    names = card_planes(players)
    cards = seen["observation"][: len(names) * 54].reshape(len(names), 54)
    return dict(zip(names, cards, strict=True))


def same(one: Seen, other: Seen) -> bool:
    """Whether two observations are equal, number by number."""
    return all(np.array_equal(one[key], other[key]) for key in ("observation", "action_mask"))
