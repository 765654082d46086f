"""The levels stand apart: every deck is played in every mixed seating, so that luck cancels.

The margins asked for are about half of what is measured (`benchmarks/bots.py`); the seeds are
fixed, so nothing here depends on chance.
"""

from __future__ import annotations

import pytest
from kit.strategies import few

from volte.lab.arena import Contestant, Duel, play_duel
from volte.rules import Ruleset, make_ruleset


def margin(rules: Ruleset, better: str, worse: str, decks: int) -> float:
    """Points per deal that a seat of the worse side takes more than one of the better side."""
    sides = Contestant.of(better), Contestant.of(worse)
    return play_duel(Duel(rules, sides, 0, decks), processes=1).margin().value


@pytest.mark.parametrize(
    ("preset", "players", "decks", "above_beginner", "above_random"),
    [
        ("microsoft", 4, few(6, 12), 1.5, 3.5),
        ("coeurs", 3, few(12, 24), 3, 4),
        ("coeurs", 4, few(6, 12), 1.2, 3),
        ("salon", 5, few(3, 6), 0.7, 2.5),
        pytest.param("salon", 6, 12, 0.7, 2, marks=pytest.mark.full),
        ("salon-valet", 4, 12, 2.5, 2),
    ],
)
def test_a_level_takes_fewer_points_than_the_one_below(
    preset: str, players: int, decks: int, above_beginner: float, above_random: float
) -> None:
    rules = make_ruleset(preset, {"players": players})
    assert margin(rules, "casual", "beginner", decks) > above_beginner
    assert margin(rules, "beginner", "random", decks) > above_random
