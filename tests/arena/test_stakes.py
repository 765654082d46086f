"""Stakes of whole matches, counted as M1, M3, M5 and M6 share them on average over all lots."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from volte.kernel import OUTCOME, Matches
from volte.lab.arena.counting import stakes_of
from volte.lab.arena.statistics import WHOLE_WIN
from volte.rules import Payment, Ruleset, Score, make_ruleset, settle_match

FOUR_DEALS = {"match_end": "deals:4"}


def counted(rules: Ruleset, *deals: tuple[int, ...], moon: int = -1) -> list[float]:
    """What a match of those deals brings each seat, by `stakes_of`."""
    outcomes = np.zeros(len(deals), OUTCOME)
    outcomes["points"][:, : rules.players] = deals
    outcomes["moon"] = moon
    match = Matches(outcomes, np.array([len(deals)]), np.array([np.sum(deals, axis=0)]))
    return [float(seat[0]) / WHOLE_WIN for seat in stakes_of(rules, match)]


def on_average(rules: Ruleset, *deals: tuple[int, ...]) -> list[float]:
    """What the readable rules make of it, over all lots that may be drawn."""
    scores = [Score(points) for points in deals]
    seats = range(rules.players)
    settled = settle_match(rules, scores)
    if isinstance(settled, Payment):
        return [float(net) for net in settled.net]
    drawn = [settle_match(rules, scores, order) for order in permutations(settled.seats)]
    nets = [payment.net for payment in drawn if isinstance(payment, Payment)]
    assert len(nets) == len(drawn)
    return [sum(net[seat] for net in nets) / len(nets) for seat in seats]


def test_m1_every_loser_pays_the_winner_the_difference() -> None:
    rules = make_ruleset("coeurs", {"match_end": "deals:1"})
    assert counted(rules, (1, 5, 17, 2)) == [21, -4, -16, -1]


def test_m3_after_a_moon_in_the_only_deal_each_of_the_others_pays_the_penalty_total() -> None:
    rules = make_ruleset("coeurs", {"match_end": "deals:1"})
    whole = rules.penalty_total
    shot = counted(rules, (whole, 0, whole, whole), moon=1)
    assert shot == [-whole, 3 * whole, -whole, -whole]


def test_m5_is_counted_without_rounding_down() -> None:
    rules = make_ruleset("coeurs", {**FOUR_DEALS, "settlement": "average"})
    assert counted(rules, (66, 59, 23, 34)) == [-20.5, -13.5, 22.5, 11.5]


def test_m6_what_nobody_takes_waits_for_whoever_has_no_points() -> None:
    rules = make_ruleset("coeurs-cagnotte")
    assert counted(rules, (5, 5, 5, 10), (0, 0, 5, 20)) == [20, 20, -10, -30]


def test_without_stakes_nobody_wins_any() -> None:
    assert counted(make_ruleset("microsoft"), (26, 0, 0, 0)) == [0, 0, 0, 0]


@given(
    deals=st.lists(st.tuples(*[st.integers(0, 25)] * 4), min_size=2, max_size=4),
)
def test_m1_m2_a_difference_is_shared_as_the_lots_do_on_average(
    deals: list[tuple[int, int, int, int]],
) -> None:
    rules = make_ruleset("coeurs", FOUR_DEALS)
    assert counted(rules, *deals) == pytest.approx(on_average(rules, *deals))


@given(deals=st.lists(st.tuples(*[st.integers(0, 25)] * 4), min_size=2, max_size=4))
def test_m5_an_average_differs_only_by_what_is_rounded(
    deals: list[tuple[int, int, int, int]],
) -> None:
    rules = make_ruleset("coeurs", {**FOUR_DEALS, "settlement": "average"})
    pairs = zip(counted(rules, *deals), on_average(rules, *deals), strict=True)
    assert all(abs(one - other) < rules.players for one, other in pairs)
