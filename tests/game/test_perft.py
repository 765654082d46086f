"""The play sequences of fixed deals, counted by depth and by how they end: `tests/perft/*.txt`.

The kernel counts deeper (`tests/kernel/test_play.py`).
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from kit import TABLES, deal_of
from kit.perft import PATHS, Points, read_counts

from volte.game import MatchState, decide, evolve, legal_actions
from volte.rules import PRESETS, PlayRules, Ruleset, make_ruleset

MOST_PLAYS: Final = 10_000
"""Most play sequences of a depth that the gate counts."""
MOST_PLAYS_FULL: Final = 1_000_000


@pytest.mark.parametrize(
    "most", [MOST_PLAYS, pytest.param(MOST_PLAYS_FULL, marks=pytest.mark.full)]
)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_ways_to_play_are_as_many_as_they_were(path: Path, most: int) -> None:
    expected = read_counts(path)
    plays = [ways for ways in expected.plays if ways <= most]
    ways: Counter[int] = Counter()
    ends: Counter[Points] = Counter()
    count(expected.state, len(plays), ways, ends)
    assert [ways[played] for played in range(1, len(plays) + 1)] == plays
    assert ends == expected.ends


def count(state: MatchState, depth: int, ways: Counter[int], ends: Counter[Points]) -> None:
    """Count the rest of the first deal: into `ways` by cards played, into `ends` by points."""
    if state.deals:
        ends[state.deals[0].points] += 1
        return
    deal = deal_of(state)
    played = len(deal.trick) + len(deal.hands) * len(deal.tricks)
    if played == depth:
        return
    for action in legal_actions(state, deal.turn):
        ways[played + 1] += 1
        outcome = decide(state, action)
        assert isinstance(outcome, tuple)
        after = state
        for event in outcome:
            after = evolve(after, event)
        count(after, depth, ways, ends)


# Presets that play alike, and differ in points, ends or stakes, need one file each; where they
# differ with the number of players, one of them has a file for each number


def test_every_preset_has_a_file() -> None:
    assert {read_counts(path).preset for path in PATHS} == set(PRESETS)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_table_has_a_file_of_its_play(preset: str, players: int) -> None:
    assert in_play(make_ruleset(preset, {"players": players})) in played()


@cache
def played() -> set[tuple[int, int, int, PlayRules]]:
    """Return what is played in the files."""
    return {in_play(read_counts(path).state.rules) for path in PATHS}


def in_play(rules: Ruleset) -> tuple[int, int, int, PlayRules]:
    """Return all that legal cards depend on: seats, deck, penalty cards, rules of play."""
    return rules.players, rules.deck_mask, rules.penalty_mask, rules.play
