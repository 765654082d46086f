"""Luck is of the cards alone and play of the players, measured over thousands of deals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

import pytest
from kit.matches import NAMES, Between

from volte.bots import BotOwner, make_bot
from volte.bots.reviewing import luck_of
from volte.cards import Card
from volte.game import Dealt, Driver, Event, MatchStarted, Player
from volte.rules import make_ruleset

FIRST = 0  # the seat at which something differs
SURE = 3.0  # standard errors

pytestmark = pytest.mark.full


class Measured(NamedTuple):
    """A mean with its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Measured:
        return cls(fmean(values), stdev(values) / sqrt(len(values)))

    @property
    def off(self) -> float:
        """Its distance from 0 in standard errors."""
        return self.mean / self.error

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.error:.3f}"


def driver(preset: str, seed: int, deals: int, level: str) -> Driver:
    """A match of `casual` bots, but for one of that level at the first seat."""
    rules = make_ruleset(preset, {"match_end": f"deals:{deals}"})
    levels = [level, *["casual"] * (rules.players - 1)]
    players = [Player(name, level=each) for name, each in zip(NAMES, levels, strict=False)]
    owners = [BotOwner(make_bot(each, seed), seat) for seat, each in enumerate(levels)]
    return Driver([MatchStarted(rules, tuple(players))], owners, Between(seed))


def matches(preset: str, count: int, level: str = "casual") -> Iterator[Sequence[Event]]:
    """The logs of matches of four deals."""
    for seed in range(count):
        match = driver(preset, seed, 4, level)
        match.run()
        yield match.log


def kind_deals(preset: str, count: int) -> Iterator[Sequence[Event]]:
    """The logs of matches of a deal in which the first seat is dealt low cards: of each ten deals
    about one."""
    seed = 0
    while count:
        match, seed = driver(preset, seed, 1, "casual"), seed + 1
        while not any(isinstance(each, Dealt) for each in match.log):
            match.step()
        dealt = next(each for each in match.log if isinstance(each, Dealt))
        hand = dealt.hands[FIRST]
        assert hand is not None
        if low(hand):
            match.run()
            count -= 1
            yield match.log


def low(hand: Sequence[Card]) -> bool:
    return sum((card.rank or 0) > 10 for card in hand) <= 2 and Card("QS") not in hand


def measured(
    logs: Iterator[Sequence[Event]], record_property: Callable[[str, object], None]
) -> tuple[list[Measured], list[Measured]]:
    """Luck and play in a deal, by seat; the figures are shown with `-rP`."""
    luck: list[list[float]] = [[], [], [], []]
    play: list[list[float]] = [[], [], [], []]
    for log in logs:
        for deal in luck_of(log):
            for seat in range(4):
                parts = deal.parts(seat)
                assert parts is not None
                luck[seat].append(parts.luck)
                play[seat].append(parts.play)
    found = [Measured.of(each) for each in luck], [Measured.of(each) for each in play]
    for name, means in zip(("luck", "play"), found, strict=True):
        print(f"{name}: {', '.join(map(str, means))}; deals: {len(luck[0])}")
        record_property(name, ", ".join(map(str, means)))
    return found


@pytest.mark.parametrize("preset", ["coeurs", "microsoft"])
def test_among_bots_of_one_level_the_mean_luck_of_a_seat_is_0(
    preset: str, record_property: Callable[[str, object], None]
) -> None:
    luck, _ = measured(matches(preset, 2000), record_property)
    assert all(abs(each.off) < SURE for each in luck)


@pytest.mark.parametrize(("preset", "count"), [("coeurs", 300), ("microsoft", 1000)])
def test_a_better_player_has_better_play_and_no_better_luck(
    preset: str, count: int, record_property: Callable[[str, object], None]
) -> None:
    """Also where cards are passed: what somebody passes is play."""
    luck, play = measured(matches(preset, count, "strong"), record_property)
    assert play[FIRST].off < -SURE
    assert abs(luck[FIRST].off) < SURE


@pytest.mark.parametrize("preset", ["coeurs", "microsoft"])
def test_better_cards_are_luck_and_no_better_play(
    preset: str, record_property: Callable[[str, object], None]
) -> None:
    luck, play = measured(kind_deals(preset, 1000), record_property)
    assert luck[FIRST].off < -SURE
    assert play[FIRST].off > -SURE
