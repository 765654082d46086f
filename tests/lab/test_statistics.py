"""Whole numbers that add up, estimates from them, and the value of stakes."""

from __future__ import annotations

import statistics
from dataclasses import replace
from functools import reduce
from itertools import pairwise, permutations
from math import sqrt
from operator import add
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import few, first_deal
from kit.lab import by_hand

from volte.kernel import OUTCOME, Matches
from volte.lab import arena
from volte.lab.arena.simulate import MOST_CHUNKS, chunks_of, play_chunk
from volte.lab.arena.statistics import counts_of, share, stakes_of
from volte.rules import Direction, Payment, Ruleset, Score, make_ruleset, settle_match

SALON = make_ruleset("salon-valet", {})
DEALS = arena.Request(SALON, ("random", "casual", "casual", "random"), 11, deals=600)
MATCHES = arena.Request(make_ruleset("coeurs", {}), ("random",) * 4, 12, matches=300)
LONG = arena.Request(SALON, ("random",) * 4, 13, matches=40)
TINY = first_deal(
    "salon-valet",
    ("2C AC JD", "3C QD AS", "4C 2S 2H"),
    options={"pass_cycle": ["hold"], "match_end": "deals:1", "slam": "off"},
).rules
"""Rules with one heart, and the jack of diamonds: its taker may have less than the shooter."""
FEW = arena.Request(TINY, ("random",) * 3, 1, deals=60)


@settings(max_examples=few(5, 40))
@given(
    st.sampled_from([replace(DEALS, deals=60), replace(MATCHES, matches=60), LONG, FEW]),
    st.sets(st.integers(1, 59)),
    st.randoms(),
)
def test_any_cut_in_any_order_gives_the_same(
    request: arena.Request, cuts: set[int], order: Random
) -> None:
    served = request.served_by(arena.chosen_engine(request)[0])
    ends = sorted({cut for cut in cuts if cut < request.games} | {0, request.games})
    parts = [play_chunk(served, range(*ends[place : place + 2])) for place in range(len(ends) - 1)]
    order.shuffle(parts)
    whole = play_chunk(served, range(request.games))
    assert reduce(add, parts) == whole
    middle = len(parts) // 2
    if middle:
        assert reduce(add, parts[:middle]) + reduce(add, parts[middle:]) == whole
    assert msgspec.json.encode(reduce(add, parts)) == msgspec.json.encode(whole)


def test_directions_stand_in_their_own_order_whatever_came_first() -> None:
    parts = [
        play_chunk(DEALS.served_by(arena.EngineKind.KERNEL), range(n, n + 1)) for n in (2, 3, 1, 0)
    ]
    assert list(reduce(add, parts).directions) == list(SALON.passing.cycle)


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=60))
def test_means_and_intervals_are_those_of_the_books(numbers: list[int]) -> None:
    mean = counts_of(np.array(numbers)).mean
    margin = statistics.NormalDist().inv_cdf(0.975) * statistics.stdev(numbers) / sqrt(len(numbers))
    assert mean.interval is not None
    assert mean.value == pytest.approx(statistics.mean(numbers))
    assert mean.interval == pytest.approx((mean.value - margin, mean.value + margin), 1e-4, 1e-3)


@given(st.lists(st.integers(-(10**12), 10**12) | st.integers(0, 9)))
def test_numbers_near_and_far_are_counted(numbers: list[int]) -> None:
    counts = counts_of(np.array(numbers, np.int64))
    assert counts.times == {number: numbers.count(number) for number in sorted(numbers)}
    assert list(counts.times) == sorted(counts.times)
    assert counts.number == len(numbers)
    assert (counts.sum, counts.squares) == (sum(numbers), sum(n * n for n in numbers))


def test_one_deal_says_nothing_about_its_spread() -> None:
    assert arena.Frequencies({7: 1}).mean == (7.0, None)
    assert arena.Frequencies().mean == (0.0, None)
    assert share(1, 1) == (1.0, None)


def test_a_share_of_none_or_all_is_still_unsure() -> None:
    """Wilson's interval; the figures are those of Brown, Cai and DasGupta (2001) for n = 10."""
    assert share(0, 10).interval == pytest.approx((0, 0.2775), abs=1e-4)
    assert share(10, 10).interval == pytest.approx((0.7225, 1), abs=1e-4)
    assert share(5, 10).interval == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_a_level_is_as_sure_as_its_seats_together() -> None:
    """The points of two of its seats in a deal are dependent, so a level is counted on its own."""
    found = arena.simulate(DEALS, processes=1)
    casual, drawing = found.levels["casual"], found.levels["random"]
    assert casual.points.number == 600
    assert casual.points.sum == found.seats[1].points.sum + found.seats[2].points.sum
    assert casual.points_per_deal.value == pytest.approx(casual.points.sum / 1200)
    assert casual.points_per_deal.value < drawing.points_per_deal.value
    assert casual.queens == found.seats[1].queens + found.seats[2].queens


def test_wins_are_shared_without_a_fraction() -> None:
    found = arena.simulate(MATCHES, processes=1)
    assert sum(seat.wins.sum for seat in found.seats) == 300 * arena.WHOLE_WIN
    assert any(0 < part < arena.WHOLE_WIN for seat in found.seats for part in seat.wins.times)
    assert sum(seat.wins_per_match.value for seat in found.seats) == pytest.approx(1)
    assert found.lengths == arena.Frequencies({1: 300})


def test_E1_who_shoots_the_moon_in_the_only_deal_wins_whatever_the_jack_does() -> None:
    request = arena.Request(TINY, ("random",) * 3, 1, matches=200)
    found = arena.simulate(request, processes=1)
    assert found == by_hand(request)
    moons = sum(seat.moons for seat in found.seats)
    sole = sum(seat.wins.times[arena.WHOLE_WIN] for seat in found.seats)
    assert moons == sole == 200


def test_only_the_first_numbers_are_kept() -> None:
    request = arena.Request(TINY, ("random",) * 3, 1, deals=300)
    assert arena.simulate(request, processes=1).moons == tuple(range(arena.FIRST))


def test_deals_are_told_apart_by_their_pass() -> None:
    found = arena.simulate(DEALS, processes=1)
    assert {direction: seats[0].number for direction, seats in found.directions.items()} == {
        Direction.LEFT: 150,
        Direction.RIGHT: 150,
        Direction.ACROSS: 150,
        Direction.HOLD: 150,
    }
    for seat, tally in enumerate(found.seats):
        assert sum(points[seat].sum for points in found.directions.values()) == tally.points.sum


@pytest.mark.parametrize("engine", [arena.EngineKind.KERNEL, arena.EngineKind.READABLE])
@pytest.mark.parametrize(
    "request_",
    [
        *(DEALS, MATCHES, LONG, replace(LONG, matches=2**32 - 1)),
        *(replace(DEALS, deals=deals) for deals in (2**40 - 1, 20 * MOST_CHUNKS + 1)),
    ],
)
def test_chunks_are_the_whole_in_order_and_not_too_many(
    request_: arena.Request, engine: arena.EngineKind
) -> None:
    chunks = chunks_of(request_.served_by(engine))
    assert len(chunks) <= MOST_CHUNKS
    assert (chunks[0].start, chunks[-1].stop) == (0, request_.games)
    assert all(one.stop == other.start for one, other in pairwise(chunks))
    assert all(chunks)


def test_a_chunk_of_matches_is_about_as_long_as_one_of_deals() -> None:
    """A match may have a thousand deals, or go on until somebody has 100,000 points."""
    for end, most in [("deals:1000", 400), ("limit:100000", 27), ("deals:5", 80_000)]:
        rules = make_ruleset("dame-de-pique", {"match_end": end})
        request = arena.Request(rules, ("random",) * 4, 1, matches=10**5)
        assert most * 0.8 <= len(chunks_of(request.served_by(arena.EngineKind.KERNEL))[0]) <= most


FOUR_DEALS = {"match_end": "deals:4"}


def counted(rules: Ruleset, *deals: tuple[int, ...], moon: int = -1) -> list[float]:
    """Each seat's stakes in a match of those deals, by `stakes_of`."""
    outcomes = np.zeros(len(deals), OUTCOME)
    outcomes["points"][:, : rules.players] = deals
    outcomes["moon"] = moon
    match = Matches(outcomes, np.array([len(deals)]), np.array([np.sum(deals, axis=0)]))
    return [float(seat[0]) / arena.WHOLE_WIN for seat in stakes_of(rules, match)]


def on_average(rules: Ruleset, *deals: tuple[int, ...]) -> list[float]:
    """Each seat's stakes by the readable rules, on average over all lots that may be drawn."""
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


@given(deals=st.lists(st.tuples(*[st.integers(0, 25)] * 4), min_size=2, max_size=4))
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
