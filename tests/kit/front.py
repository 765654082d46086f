"""Matches of `volte.Match` that go on by chance."""

from __future__ import annotations

import random

import volte
from volte.game import Phase


def on_by_chance(
    match: volte.Match, steps: int, seed: int, until: Phase = Phase.ENDED
) -> volte.Match:
    """The match itself, so many lawful actions later, or as soon as it has come to that phase."""
    draws = random.Random(seed)
    for _ in range(steps):
        if match.turn is None or match.phase is until:
            break
        match.do(draws.choice(match.actions))
    return match
