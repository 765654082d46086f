"""What irregularities cost: one place for refereed tables and for the score-keeper."""

from __future__ import annotations

from collections.abc import Collection

from volte.rules import Ruleset, Score


def stopped(rules: Ruleset, offenders: Collection[int]) -> Score:
    """The score of a deal that revokes or mixed tricks have stopped (I5, I7).

    Each offender scores the penalty total, once a deal, and the others nothing; S6 does not hold.
    """
    total = rules.penalty_total
    return Score(tuple(total if seat in offenders else 0 for seat in range(rules.players)))
