"""Matches played on from many totals end as the rules say (E1, E2, W9), and pay so (M1, M5)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from kit.strategies import any_rulesets

from volte.bots import prospects
from volte.kernel.layout import MOST_SEATS
from volte.kernel.startup import code
from volte.rules import (
    EndKind,
    MatchEnd,
    Ruleset,
    Score,
    Settlement,
    Stakes,
    match_over,
    totals,
    winners,
)

LONG = 40


def paid(rules: Ruleset, deals: list[Score]) -> list[float]:
    """Each seat's settlement of a match that has ended so, by the readable rules."""
    sums, first = totals(rules, deals), winners(rules, deals)
    best = min(sums)
    match rules.stakes.settlement:
        case Settlement.DIFFERENCE:
            pool = sum(sums) - best * len(sums)
            return [
                pool / len(first) if seat in first else best - sums[seat]
                for seat in range(len(sums))
            ]
        case Settlement.AVERAGE:
            return [sum(sums) / len(sums) - own for own in sums]
        case _:
            share = rules.sides.partners / len(first)
            return [share if seat in first else 0.0 for seat in range(len(sums))]


@st.composite
def matches(draw: st.DrawFn) -> tuple[Ruleset, list[list[int]], list[list[list[int]]]]:
    """Rules, deals that have been played, and deals that may follow."""
    rules = draw(any_rulesets().filter(lambda table: table.players <= MOST_SEATS))
    few = st.integers(2, 6)
    end = (
        MatchEnd(EndKind.DEALS, draw(few))
        if sum(rules.values.values()) <= 0 or draw(st.booleans())
        else MatchEnd(EndKind.LIMIT, 10 * draw(few))
    )
    kind = draw(st.sampled_from((Settlement.NONE, Settlement.DIFFERENCE, Settlement.AVERAGE)))
    rules = replace(rules, ending=replace(rules.ending, match_end=end), stakes=Stakes(kind))
    seats = rules.players // rules.sides.partners
    of_sides = st.lists(st.integers(1, 26), min_size=seats, max_size=seats)
    deal = of_sides.map(lambda points: points * rules.sides.partners)
    before = draw(st.lists(deal, min_size=1, max_size=3))
    after = draw(st.lists(st.lists(deal, min_size=3, max_size=3), min_size=1, max_size=4))
    return rules, before, after


@given(matches())
def test_a_match_goes_on_to_its_end_as_the_readable_rules_have_it(
    given: tuple[Ruleset, list[list[int]], list[list[list[int]]]],
) -> None:
    rules, before, after = given
    begun = [Score(tuple(points)) for points in before]
    if any(match_over(rules, begun[: place + 1]) for place in range(len(begun) - 1)):
        begun = begun[:1]
    due = np.zeros(rules.players)
    for future in after:
        deals, played = list(begun), 0
        while not match_over(rules, deals) and played < LONG:
            deals.append(Score(tuple(future[played % len(future)])))
            played += 1
        assume(played < LONG)  # a tie may be played on for ever
        due += paid(rules, deals)
    worth = np.empty((1, rules.players))
    sums = np.array([totals(rules, begun)], np.int64)
    forecast = code("playouts.forecast")
    forecast(prospects.ending_of(rules), len(begun), sums, np.array(after, np.int64), worth)
    assert worth[0] == pytest.approx(due / len(after))
