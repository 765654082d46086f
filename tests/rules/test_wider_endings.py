"""How a match ends and is paid in the wider family: W9, and W10 with the settlements."""

from __future__ import annotations

import pytest
from rules.test_settlement import paid
from rulesets import deal_out, dealt, first_deal, play

from volte.cards import CardSet
from volte.game import Phase
from volte.rules import (
    LotsNeeded,
    Ruleset,
    Score,
    Value,
    make_ruleset,
    match_over,
    score,
    settle_match,
    settle_pot,
    totals,
    winners,
)

Deal = tuple[int, ...]


def rules(**options: Value) -> Ruleset:
    return make_ruleset("dame-de-pique", options)


def sheet(*deals: Deal) -> list[Score]:
    return [Score(points) for points in deals]


# W9: exactly the limit


def test_W9_a_total_of_exactly_the_limit_falls_back_to_half() -> None:
    halves = rules(at_limit="halves")
    assert totals(halves, sheet((100, 1, 2, 3))) == (50, 1, 2, 3)
    assert not match_over(halves, sheet((100, 1, 2, 3)))
    assert totals(halves, sheet((90, 1, 2, 3), (10, 5, 5, 6))) == (50, 6, 7, 9)


def test_W9_elsewhere_it_ends_the_match() -> None:
    ends = rules(at_limit="ends")
    assert totals(ends, sheet((100, 1, 2, 3))) == (100, 1, 2, 3)
    assert match_over(ends, sheet((100, 1, 2, 3)))


def test_W9_one_point_less_or_more_does_not_fall() -> None:
    halves = rules(at_limit="halves")
    assert totals(halves, sheet((99, 101, 2, 3))) == (99, 101, 2, 3)
    assert match_over(halves, sheet((99, 101, 2, 3)))


def test_W9_half_of_an_odd_limit_is_rounded_down() -> None:
    assert totals(rules(at_limit="halves", match_end="limit:75"), sheet((75, 0, 0, 3)))[0] == 37


def test_W9_several_seats_may_fall_at_once_and_the_match_may_end_all_the_same() -> None:
    halves = rules(at_limit="halves")
    deals = sheet((100, 100, 104, 0))
    assert totals(halves, deals) == (50, 50, 104, 0)
    assert match_over(halves, deals)
    assert winners(halves, deals) == (3,)


def test_W9_it_goes_on_from_the_half_and_may_fall_again() -> None:
    halves = rules(at_limit="halves")
    deals = sheet((100, 0, 0, 0), (50, 0, 0, 0))
    assert totals(halves, deals) == (50, 0, 0, 0)
    assert match_over(halves, [*deals, Score((51, 0, 0, 0))])


def test_W9_a_minus_may_bring_a_total_to_the_limit() -> None:
    halves = rules(at_limit="halves", jack_points=-10)
    assert totals(halves, sheet((95, 0, 0, 0), (5, 0, 0, 0))) == (50, 0, 0, 0)


def test_W9_in_a_match_of_so_many_deals_nothing_falls() -> None:
    deals = rules(at_limit="halves", match_end="deals:2")
    assert totals(deals, sheet((1, 2, 100, 0), (2, 0, 24, 0))) == (3, 2, 124, 0)


def test_W9_the_win_goes_by_what_is_left() -> None:
    halves = rules(at_limit="halves", match_end="limit:50")
    deals = sheet((50, 30, 49, 40), (0, 5, 10, 11))
    assert totals(halves, deals) == (25, 35, 59, 51)
    assert winners(halves, deals) == (0,)


HANDS = ("C: A H: A", "C: 2 H: 2", "C: 3 H: 3")


def test_W9_at_the_table() -> None:
    state = dealt(
        "microsoft", *HANDS, match_end="limit:3", moon="off", at_limit="halves", opening="eldest"
    )
    state = play(state, "AC 2C 3C AH 2H 3H")
    assert (state.totals, state.phase) == ((1, 0, 0), Phase.DEALING)
    state = play(deal_out(state, *HANDS), "2C 3C AC AH 2H 3H")
    assert (state.totals, state.winners) == ((4, 0, 0), (1, 2))


# W9: ties


def test_W9_ties_share_the_win_or_are_played_on() -> None:
    tied = sheet((100, 40, 40, 80))
    assert match_over(rules(ties="share"), tied)
    assert not match_over(rules(ties="play_on"), tied)


def test_W9_a_tie_that_is_not_for_the_win_ends_it() -> None:
    assert match_over(rules(ties="play_on"), sheet((100, 40, 41, 41)))


def test_W9_until_somebody_is_lowest_alone() -> None:
    on = rules(ties="play_on")
    deals = [*sheet((100, 40, 40, 80)), Score((26, 0, 0, 0))]
    assert not match_over(on, deals)
    assert match_over(on, [*deals, Score((0, 1, 0, 25))])
    assert winners(on, [*deals, Score((0, 1, 0, 25))]) == (2,)


def test_W9_after_so_many_deals_another_is_played() -> None:
    on = rules(ties="play_on", match_end="deals:2")
    assert not match_over(on, sheet((0, 0, 13, 13)))
    assert not match_over(on, sheet((0, 0, 13, 13), (13, 13, 0, 0)))
    assert match_over(on, sheet((0, 0, 13, 13), (13, 13, 0, 0), (0, 1, 12, 13)))


def test_W9_between_partners_there_is_no_tie() -> None:
    sides = rules(ties="play_on", partners=2)
    assert match_over(sides, sheet((100, 40, 100, 40)))
    assert winners(sides, sheet((100, 40, 100, 40))) == (1, 3)
    assert not match_over(sides, sheet((100, 100, 100, 100)))


def test_W9_whoever_shoots_the_moon_in_the_only_deal_is_not_tied() -> None:
    on = make_ruleset("coeurs", {"ties": "play_on", "jack_points": -10, "queen_points": 5})
    moon = [Score((0, 8, 18, 0), moon=0)]
    assert match_over(on, moon)
    assert winners(on, moon) == (0,)


# W10


def test_W10_E2_partners_win_together() -> None:
    sides = rules(partners=2)
    assert winners(sides, sheet((100, 40, 100, 40))) == (1, 3)
    assert totals(sides, sheet((20, 6, 20, 6), (1, 25, 1, 25))) == (21, 31, 21, 31)


def difference(players: int, partners: int, *points: int) -> Deal:
    options: dict[str, Value] = {"players": players, "partners": partners}
    if players > 7:
        options |= {"packs": 2}
    return paid(settle_match(make_ruleset("coeurs", options), sheet(points))).net


def test_W10_M1_two_sides_pay_the_difference() -> None:
    assert difference(4, 2, 5, 20, 5, 20) == (15, -15, 15, -15)


def test_W10_M1_three_sides_of_two() -> None:
    assert difference(6, 2, 1, 4, 20, 1, 4, 20) == (22, -3, -19, 22, -3, -19)


def test_W10_M1_two_sides_of_three_and_three_sides_of_three() -> None:
    assert difference(6, 3, 1, 24, 1, 24, 1, 24) == (23, -23) * 3
    assert difference(9, 3, 10, 0, 40, 10, 0, 40, 10, 0, 40) == (-10, 50, -40) * 3


def test_W10_M2_sides_that_tie_share_it() -> None:
    options: dict[str, Value] = {"players": 6, "partners": 2}
    six = make_ruleset("coeurs", options)
    assert paid(settle_match(six, sheet((5, 5, 15, 5, 5, 15)))).net == (5, 5, -10, 5, 5, -10)
    assert isinstance(settle_match(six, sheet((5, 5, 14, 5, 5, 14))), LotsNeeded)


def test_W10_M3_the_shooter_shares_with_the_partners() -> None:
    four = make_ruleset("coeurs", {"partners": 2})
    assert paid(settle_match(four, [Score((0, 25, 0, 25), moon=2)])).net == (25, -25, 25, -25)
    six = make_ruleset("coeurs", {"players": 6, "partners": 2})
    moon = Score((0, 25, 25, 0, 25, 25), moon=0)
    assert paid(settle_match(six, [moon])).net == (50, -25, -25, 50, -25, -25)


def test_W10_M5_the_average() -> None:
    sides = make_ruleset("coeurs-moyenne", {"partners": 2})
    assert paid(settle_match(sides, sheet((66, 59, 66, 59)))).net == (-3, 3, -3, 3)


def test_W10_M6_the_pot_goes_to_the_side_without_points() -> None:
    sides = make_ruleset("coeurs-cagnotte", {"partners": 2})
    taken = [CardSet(cards).mask for cards in ("QS", "", "H: AKQJT98765432", "")]
    deal = score(sides, taken, (5, 4, 4, 0))
    assert deal.points == (25, 0, 25, 0)
    assert paid(settle_pot(sides, deal, taken, 0)).net == (-25, 25, -25, 25)


def test_M6_no_tricks_is_left_out_of_the_pot_as_the_jack_is() -> None:
    pot = make_ruleset("coeurs-cagnotte", {"no_tricks": -5, "jack_points": -10})
    taken = [CardSet(cards).mask for cards in ("QS", "JD", "H: AKQJT98765432", "")]
    deal = score(pot, taken, (5, 4, 4, 0))
    assert deal.points == (12, -10, 13, -5)
    payment = settle_pot(pot, deal, taken, 0, lots=(1, 3))
    assert paid(payment).net == (-12, 13, -13, 12)


@pytest.mark.parametrize("settlement", ["none", "difference", "average", "pot"])
def test_W10_every_settlement_is_played_to_its_end(settlement: str) -> None:
    hands = ("C: A H: A", "C: 2 H: 2", "C: 3 H: 3", "C: 4 H: 4")
    options: dict[str, Value] = {"partners": 2, "settlement": settlement, "moon": "off"}
    state = play(first_deal("coeurs", hands, options=options), "AC 2C 3C 4C AH 2H 3H 4H")
    assert (state.totals, state.winners) == ((4, 0, 4, 0), (1, 3))
    stakes = {"none": 0, "difference": 4, "average": 2, "pot": 4}[settlement]
    assert state.net == (-stakes, stakes, -stakes, stakes)
