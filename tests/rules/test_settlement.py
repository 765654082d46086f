"""Payments: M1 to M6, with sides (W10), and the lots."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.laws import preset_and_settings
from kit.strategies import PACK

from volte.cards import CardSet, read_cards
from volte.game import DrawLots
from volte.rules import (
    Draw,
    LotsNeeded,
    Payment,
    Ruleset,
    Score,
    Wanted,
    draws_left,
    make_ruleset,
    order_of,
    score,
    settle_average,
    settle_difference,
    settle_match,
    settle_moon,
    settle_pot,
)

sums = st.lists(st.integers(-200, 300), min_size=3, max_size=7)
Settle = Callable[[Sequence[int], Sequence[int]], Payment | LotsNeeded]


def paid(payment: Payment | LotsNeeded) -> Payment:
    assert isinstance(payment, Payment)
    return payment


def difference(totals: Sequence[int], lots: Sequence[int] = ()) -> Payment | LotsNeeded:
    lowest = [seat for seat, total in enumerate(totals) if total == min(totals)]
    return settle_difference(totals, lowest, lots)


def settled(settle: Settle, totals: Sequence[int], luck: Sequence[int]) -> Payment:
    """The payment, where lots are drawn if they must be: the seats in the order of `luck`."""
    payment = settle(totals, ())
    if isinstance(payment, LotsNeeded):
        payment = settle(totals, [seat for seat in luck if seat in payment.seats])
    return paid(payment)


def table(text: str, players: int) -> Ruleset:
    preset, options = preset_and_settings(text)
    return make_ruleset(preset, {"players": players, **options})


# M1 to M5


@pytest.mark.parametrize(
    ("totals", "lots", "net"),
    [
        ((1, 5, 17, 2), (), (21, -4, -16, -1)),
        ((10, 3, 12), (), (-7, 16, -9)),
        ((5, 4, 3, 2, 1, 5, 5), (), (-4, -3, -2, -1, 18, -4, -4)),
        ((7, 7, 7), (), (0, 0, 0)),
        ((3, 3, 9, 9), (), (6, 6, -6, -6)),  # it can be shared equally
        ((3, 3, 9, 10), (1, 0), (6, 7, -6, -7)),  # one gets what is over
        ((3, 3, 9, 10), (0, 1), (7, 6, -6, -7)),
        ((0, 0, 0, 5), (2, 0, 1), (1, 1, 3, -5)),  # and all of it
    ],
)
def test_M1_M2_every_loser_pays_the_difference_and_the_winners_share_it(
    totals: Sequence[int], lots: Sequence[int], net: tuple[int, ...]
) -> None:
    payment = difference(totals)
    assert payment == LotsNeeded(tuple(sorted(lots))) if lots else isinstance(payment, Payment)
    assert paid(difference(totals, lots)).net == net


@pytest.mark.parametrize(
    ("rules", "deals", "net"),
    [
        ("coeurs", [Score((0, 25, 25), moon=0)], (50, -25, -25)),  # M3
        ("coeurs", [Score((0, 25, 25, 25), moon=0)], (75, -25, -25, -25)),
        ("coeurs", [Score((0, *[25] * 6), moon=0)], (150, *[-25] * 6)),
        ("coeurs jack_points=-10", [Score((0, 15, 25, 25), moon=0)], (75, -25, -25, -25)),
        ("coeurs slam=reversal", [Score((-25, 25, 25, 25), slam=0)], (150, -50, -50, -50)),  # M1
        # The mean is 18.75: 6 each, and 18
        ("coeurs settlement=average", [Score((0, 25, 25, 25), moon=0)], (18, -6, -6, -6)),
        (
            "coeurs-cinq-coups",  # M4
            [Score((1, 5, 17, 2)), Score((0, 25, 0, 0)), Score((0, 25, 25, 25), moon=0)],
            (41 + 54 + 26, -54, -41, -26),
        ),
        ("coeurs partners=2", [Score((5, 20, 5, 20))], (15, -15, 15, -15)),  # W10, M1
        ("coeurs partners=2", [Score((1, 4, 20, 1, 4, 20))], (22, -3, -19, 22, -3, -19)),
        ("coeurs partners=3", [Score((1, 24, 1, 24, 1, 24))], (23, -23) * 3),
        ("coeurs packs=2 partners=3", [Score((10, 0, 40) * 3)], (-10, 50, -40) * 3),
        ("coeurs partners=2", [Score((5, 5, 15, 5, 5, 15))], (5, 5, -10, 5, 5, -10)),  # W10, M2
        ("coeurs partners=2", [Score((0, 25, 0, 25), moon=2)], (25, -25, 25, -25)),  # W10, M3
        ("coeurs partners=2", [Score((0, 25, 25) * 2, moon=0)], (50, -25, -25, 50, -25, -25)),
        ("coeurs-moyenne partners=2", [Score((66, 59, 66, 59))], (-3, 3, -3, 3)),  # W10, M5
    ],
)
def test_M3_M4_W10_what_deals_come_to(rules: str, deals: list[Score], net: tuple[int, ...]) -> None:
    assert paid(settle_match(table(rules, len(net)), deals)).net == net


def test_W10_M2_sides_that_tie_draw_lots_where_they_cannot_share_equally() -> None:
    deals = [Score((5, 5, 14, 5, 5, 14))]
    assert isinstance(settle_match(table("coeurs partners=2", 6), deals), LotsNeeded)


def test_M3_holds_for_the_deck_s_own_total() -> None:
    rules = make_ruleset("coeurs", {"players": 3, "removed": ["2H", "3H", "4H", "5H"]})
    assert settle_moon(rules, 1).net == (-21, 42, -21)


@pytest.mark.parametrize(
    ("totals", "lots", "paid_in", "drawn"),
    [
        ((66, 59, 23, 34), (), (20, 13, 0, 0), (0, 0, 22, 11)),
        ((8, 9, 9, 0), (), (1, 2, 2, 0), (0, 0, 0, 5)),
        # The pot falls short, and the one below takes what it holds
        ((21, 21, 21, 21, 21, 21, 4), (), (2, 2, 2, 2, 2, 2, 0), (0, 0, 0, 0, 0, 0, 12)),
        # Mean 10.5: 7 paid in, 2 claimed by each of three; the highest lot gets what is over
        ((18, 8, 8, 8), (3, 1, 2), (7, 0, 0, 0), (0, 2, 2, 3)),
        # Mean 5.57: 9 paid in, 5 claimed by each of two; the lowest lot goes short
        ((8, 8, 8, 8, 0, 0, 7), (5, 4), (2, 2, 2, 2, 0, 0, 1), (0, 0, 0, 0, 4, 5, 0)),
    ],
)
def test_M5_the_average(
    totals: Sequence[int], lots: Sequence[int], paid_in: tuple[int, ...], drawn: tuple[int, ...]
) -> None:
    payment = settle_average(totals)
    assert payment == LotsNeeded(tuple(sorted(lots))) if lots else isinstance(payment, Payment)
    assert settle_average(totals, lots) == Payment(paid_in, drawn)


def test_M5_stakes_left_over_go_round_again() -> None:
    totals = (9, 9, 9, 9, 9, 0, 6)  # mean 7.29: 5 paid in; see the fractions below
    assert sum(settled(settle_average, totals, (5, 6)).drawn) == 5


@given(sums, st.permutations(range(7)))
def test_M5_against_fractions(totals: list[int], luck: list[int]) -> None:
    mean = Fraction(sum(totals), len(totals))
    payment = settled(settle_average, totals, luck)
    assert list(payment.paid) == [max(0, floor(total - mean)) for total in totals]
    claims = [max(0, floor(mean - total)) for total in totals]
    below = [seat for seat in luck if seat < len(totals) and totals[seat] < mean]
    pot = sum(payment.paid) - sum(claims)
    turn = 0
    while pot > 0:
        claims[below[turn % len(below)]] += 1
        pot, turn = pot - 1, turn + 1
    unlucky = below[::-1]
    while pot < 0:
        if claims[unlucky[turn % len(unlucky)]]:
            claims[unlucky[turn % len(unlucky)]] -= 1
            pot += 1
        turn += 1
    assert list(payment.drawn) == claims


# M6


@pytest.mark.parametrize(
    ("options", "points", "taken", "pot", "payment"),
    [
        # Every player pays for hearts and queen, and the one without takes it
        ("", (15, 8, 2, 0), "S: Q H: 234 | | |", 0, Payment((15, 8, 2, 0), (0, 0, 0, 25))),
        # It stays and grows until somebody has no points
        ("", (15, 8, 1, 1), "| | |", 0, Payment((15, 8, 1, 1), (0, 0, 0, 0), 25)),
        ("", (15, 8, 1, 1), "| | |", 25, Payment((15, 8, 1, 1), (0, 0, 0, 0), 50)),
        ("", (15, 9, 1, 0), "| | |", 75, Payment((15, 9, 1, 0), (0, 0, 0, 100))),
        ("", (13, 12, 0, 0), "| | |", 0, LotsNeeded((2, 3))),
        ("", (13, 12, 0, 0), "| | |", 25, Payment((13, 12, 0, 0), (0, 0, 25, 25))),
        # After a moon its scores are paid on, and after a slam a minus draws nothing
        ("", (0, 25, 25, 25), "| | |", 25, Payment((0, 25, 25, 25), (100, 0, 0, 0))),
        ("slam=reversal", (-25, 25, 25, 25), "| | |", 0, Payment((0, 25, 25, 25), (0,) * 4, 75)),
        # The jack is left out
        (
            "jack_points=-10",
            (15, 8, -8, 0),
            "| | D: J H: 23 |",
            0,
            Payment((15, 8, 2, 0), (0, 0, 0, 25)),
        ),
        ("jack_points=-10", (15, 10, -10), "| | D: J", 0, Payment((15, 10, 0), (0, 0, 25))),
    ],
)
def test_M6_what_a_deal_pays_into_the_pot_and_who_takes_it(
    options: str, points: tuple[int, ...], taken: str, pot: int, payment: Payment | LotsNeeded
) -> None:
    rules = table(f"coeurs-cagnotte {options}", len(points))
    masks = [CardSet(cards).mask for cards in taken.split("|")]
    assert settle_pot(rules, Score(points), masks, pot) == payment


def test_M6_several_without_points_share_as_in_M2() -> None:
    deal = Score((13, 12, 0, 0))
    shared = paid(settle_pot(make_ruleset("coeurs-cagnotte"), deal, (0,) * 4, 0, (3, 2)))
    assert shared.drawn == (0, 0, 12, 13)


@pytest.mark.parametrize(
    ("options", "taken", "points", "lots", "net"),
    [
        ("partners=2", ("QS", "", "HEARTS", ""), (25, 0, 25, 0), (), (-25, 25, -25, 25)),  # W10
        # No tricks are left out as the jack is (W6)
        (
            "no_tricks=-5 jack_points=-10",
            ("QS", "JD", "HEARTS", ""),
            (12, -10, 13, -5),
            (1, 3),
            (-12, 13, -13, 12),
        ),
    ],
)
def test_M6_W6_W10_the_pot_goes_to_those_without_points(
    options: str, taken: tuple[str, ...], points: object, lots: tuple[int, ...], net: object
) -> None:
    rules = table(f"coeurs-cagnotte {options}", 4)
    masks = [CardSet(cards.replace("HEARTS", "H: AKQJT98765432")).mask for cards in taken]
    deal = score(rules, masks, (5, 4, 4, 0))
    assert deal.points == points
    assert paid(settle_pot(rules, deal, masks, 0, lots)).net == net


# Lots


def lots(seats: str, cards: str) -> DrawLots:
    return DrawLots((tuple(zip(map(int, seats), read_cards(cards), strict=True)),))


def test_M5_whoever_ties_in_an_order_draws_again() -> None:
    cards = lots("0123", "4C KD 4H KS").rounds
    assert draws_left((0, 1, 2, 3), Wanted.ORDER, cards) == (0, 1, 2, 3)
    rounds = cards + lots("0123", "2C 3D 9H AS").rounds
    assert order_of((0, 1, 2, 3), rounds) == (3, 1, 2, 0)


@given(st.integers(0, 2**64 - 1), st.sets(st.integers(0, 6), min_size=2), st.sampled_from(Wanted))
def test_lots_settle_what_they_are_wanted_for(seed: int, drawing: set[int], wanted: Wanted) -> None:
    seats, rng = tuple(sorted(drawing)), random.Random(seed)
    rounds: list[Draw] = []
    while left := draws_left(seats, wanted, rounds):
        assert set(left) <= drawing
        rounds.append(tuple(zip(left, rng.sample(PACK, len(left)), strict=True)))
    drawn = [
        tuple(dict(each)[seat].rank or 0 for each in rounds if seat in dict(each))
        for seat in order_of(seats, rounds)
    ]
    assert drawn == sorted(drawn, reverse=True)
    decided = {Wanted.ORDER: drawn, Wanted.HIGHEST: drawn[:1], Wanted.LOWEST: drawn[-1:]}[wanted]
    assert all(drawn.count(cards) == 1 for cards in decided)


# Laws of every settlement


@given(sums, st.permutations(range(7)), st.sampled_from([difference, settle_average]))
def test_what_is_paid_in_is_drawn_out(totals: list[int], luck: list[int], how: Settle) -> None:
    payment = settled(how, totals, luck)
    assert sum(payment.paid) == sum(payment.drawn)
    assert payment.pot == sum(payment.net) == 0
    assert all(type(stakes) is int and stakes >= 0 for stakes in payment.paid + payment.drawn)


@given(sums, st.data(), st.sampled_from([difference, settle_average]))
def test_the_order_of_seats_makes_no_difference(
    totals: list[int], data: st.DataObject, how: Settle
) -> None:
    seats = range(len(totals))
    luck = data.draw(st.permutations(seats))
    moved = data.draw(st.permutations(seats))
    here = settled(how, totals, luck)
    there = settled(how, [totals[seat] for seat in moved], [moved.index(seat) for seat in luck])
    assert there.net == tuple(here.net[seat] for seat in moved)


@given(st.integers(3, 7), st.integers(0, 2**64 - 1), st.integers(0, 500), st.permutations(range(7)))
def test_M6_paid_less_drawn_is_the_change_of_the_pot(
    players: int, seed: int, pot: int, luck: list[int]
) -> None:
    rules = make_ruleset("coeurs-cagnotte", {"players": players, "jack_points": -10})
    rng, taken = random.Random(seed), [0] * players
    takers = rng.sample(range(players), rng.randint(1, players))
    for card in rules.cards:
        taken[rng.choice(takers)] |= card.bit
    counted = score(rules, taken, (1,) * players)

    def from_the_pot(_: Sequence[int], order: Sequence[int]) -> Payment | LotsNeeded:
        return settle_pot(rules, counted, taken, pot, order)

    payment = settled(from_the_pot, (), luck)
    assert sum(payment.paid) - sum(payment.drawn) == payment.pot - pot
    assert all(stakes >= 0 for stakes in (*payment.paid, *payment.drawn, payment.pot))
    assert sum(payment.paid) == (25 if counted.moon is None else 25 * (players - 1))
