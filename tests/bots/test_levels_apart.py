"""The levels stand apart: every deck is played in every mixed seating, so that luck cancels.

The margins asked for are about half of what is measured (`benchmarks/bots.py`); the seeds are
fixed, so nothing here depends on chance.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from rulesets import start

from volte.bots import Bot, BotOwner, Drifter, make_bot
from volte.game import Driver, PlainChance
from volte.rules import Ruleset, make_ruleset

Make = Callable[[int], Bot]


def casual(seed: int) -> Bot:
    return make_bot("casual", seed)


def beginner(seed: int) -> Bot:
    return make_bot("beginner", seed)


def margin(rules: Ruleset, better: Make, worse: Make, decks: int) -> float:
    """Points per deal that a seat of the worse side takes more than one of the better side."""
    margins = []
    for deck in range(decks):
        for sides in product((better, worse), repeat=rules.players):
            if len(set(sides)) == 2:
                points = deal_out(rules, sides, deck)
                means = []
                for side in (worse, better):
                    own = [points[seat] for seat, who in enumerate(sides) if who is side]
                    means.append(sum(own) / len(own))
                margins.append(means[0] - means[1])
    return sum(margins) / len(margins)


def deal_out(rules: Ruleset, sides: tuple[Make, ...], deck: int) -> tuple[int, ...]:
    owners = [BotOwner(make(deck), seat) for seat, make in enumerate(sides)]
    return Driver([start(rules)], owners, PlainChance(deck)).run().deals[0].points


@pytest.mark.parametrize(
    ("preset", "players", "decks", "above_beginner", "above_random"),
    [
        ("microsoft", 4, 12, 1.5, 3.5),
        ("coeurs", 3, 24, 3, 4),
        ("coeurs", 4, 12, 1.2, 3),
        ("salon", 5, 6, 0.7, 2.5),
        ("salon", 6, 12, 0.7, 2),
        ("salon-valet", 4, 12, 2.5, 2),
    ],
)
def test_a_level_takes_fewer_points_than_the_one_below(
    preset: str, players: int, decks: int, above_beginner: float, above_random: float
) -> None:
    rules = make_ruleset(preset, {"players": players, "match_end": "deals:1"})
    assert margin(rules, casual, beginner, decks) > above_beginner
    assert margin(rules, beginner, Drifter, decks) > above_random
