"""What irregularities cost: one place for refereed tables and for the score-keeper."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from volte.cards import Card, mask_of
from volte.rules import Ruleset, Score


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
    if not rules.counting_mask & mask_of(missing):
        return rules
    twins = {card: 0 for card in missing if card.pack}  # what is not told counts as its twin does
    table = twins | {card: points for card, points in rules.values.items() if card not in missing}
    return replace(rules, points=replace(rules.points, table=tuple(sorted(table.items()))))
