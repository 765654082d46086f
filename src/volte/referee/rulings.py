"""What irregularities cost: one place for refereed tables and for the score-keeper."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from volte.cards import Card
from volte.rules import Points, Ruleset, Score


def stopped(rules: Ruleset, offenders: Collection[int]) -> Score:
    """The score of a deal that revokes or mixed tricks have stopped (I5, I7).

    Each offender scores the penalty total, once a deal, and the others nothing; S6 does not hold.
    Partners score for each other (W10).
    """
    return Score(
        tuple(
            rules.penalty_total * len({*rules.side(seat)} & {*offenders})
            for seat in range(rules.players)
        )
    )


def without(rules: Ruleset, missing: Collection[Card]) -> Ruleset:
    """The rules by which a pack counts that lacks those cards (I8).

    Raises `RulesetFault` when nothing is left that counts.
    """
    table = tuple((card, points) for card, points in rules.points.table if card not in missing)
    return rules if table == rules.points.table else replace(rules, points=Points(table))
