"""Dealers, the end, and the stakes of a sheet (D1, D2, E1, E2, M1–M6)."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from scoresheet.sheets import (
    EXPOSED,
    NAMES,
    done,
    drawing,
    enter,
    hearts,
    lots,
    open_sheet,
    points,
    random_told,
    refused,
    revoked,
    rules_of,
    rulesets,
    seeds,
    sheet_of,
    sheets,
)

from volte.referee.scores import Purpose
from volte.rules import Direction, Ruleset, Settlement, Value, Wanted
from volte.scorekeeper.model import (
    Counted,
    Draw,
    Enter,
    NameFirstDealer,
    Open,
    Sheet,
    StoppedDeal,
    Taken,
    Told,
    coming,
    lots_due,
    next_match,
    parse_sheet,
    standings,
    to_record,
    who_pays,
    worth,
)

LOW: Final = ["2H", "3H", "4H", "5H", "6H"]
THIRTEEN: Final[dict[str, Value]] = {"queen_points": 5, "removed": LOW}
"""A pack in which a deal counts 13, for the totals of worked cases."""
FIVE: Final[dict[str, Value]] = {
    "queen_points": 1,
    "removed": [*LOW, "7H", "8H", "9H", "TH"],
    "moon": "off",
}
"""A pack in which a deal counts 5."""


def net(sheet: Sheet) -> tuple[int, ...] | None:
    return sheet.table.net


def with_totals(preset: str, *deals: str, **settings: Value) -> Sheet:
    """A match whose deals have those points."""
    ending: dict[str, Value] = {"match_end": f"deals:{len(deals)}"}
    return sheet_of(preset, *map(points, deals), **ending | settings)


# Who deals


def test_D1_the_lowest_card_deals_first() -> None:
    sheet = open_sheet(rules_of("coeurs"))
    (due,) = lots_due(sheet)
    assert (due.purpose, due.seats, due.wanted) == (Purpose.DEALER, (0, 1, 2, 3), Wanted.LOWEST)
    sheet = done(sheet, Draw(lots("0 KS, 1 4D, 2 4H, 3 AH / 1 7C, 2 3D")))
    assert sheet.first_dealer == 2
    assert lots_due(sheet) == ()


def test_D1_lots_are_drawn_as_they_must_be() -> None:
    sheet = open_sheet(rules_of("coeurs"))
    for wrong in ("0 KS, 1 4D, 2 4H, 3 AH", "0 KS, 1 KS, 2 4H, 3 AH", "0 KS, 1 QD, 2 4H", "0 2C"):
        assert refused(sheet, Draw(lots(wrong))).reason == "lots_against_the_rules"


def test_D1_the_first_dealer_can_be_named_also_later() -> None:
    sheet = sheet_of("coeurs-cinq-coups", hearts("3 4 6 -", queen=1), EXPOSED)
    assert sheet.table.rows[0].dealer is None
    assert lots_due(sheet) == ()  # they have begun without
    sheet = done(sheet, NameFirstDealer(2))
    assert [row.dealer for row in sheet.table.rows] == [2, 3]
    sheet = done(sheet, NameFirstDealer(0))
    assert [row.dealer for row in sheet.table.rows] == [0, 1]


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_D2_D3_the_deal_passes_to_the_left_and_the_right_hand_neighbour_cuts(players: int) -> None:
    sheet = done(
        open_sheet(rules_of("coeurs", players=players, match_end="deals:9")), NameFirstDealer(1)
    )
    for place in range(8):
        deal = coming(sheet)
        assert deal is not None
        dealer = (1 + place) % players
        assert (deal.dealer, deal.cutter) == (dealer, (dealer - 1) % players)
        assert deal.deals_left == 9 - place
        sheet = enter(sheet, revoked(0))


def test_P2_P3_what_is_passed_where() -> None:
    dame = open_sheet(rules_of("dame-de-pique"))
    told = []
    for _ in range(5):
        deal = coming(dame)
        assert deal is not None
        told.append((str(deal.direction), deal.count))
        dame = enter(dame, hearts("3 4 6 -", queen=len(told) % 4))
    assert told[:4] == [("left", 3), ("right", 3), ("across", 3), ("hold", 0)]
    assert told[4] == told[0]
    seven = coming(open_sheet(rules_of("coeurs", players=7)))
    assert seven is not None
    assert (seven.direction, seven.count) == (Direction.LEFT, 2)


# The end


def test_E1_one_deal_or_five_and_the_lowest_total_wins() -> None:
    one = sheet_of("coeurs", hearts("3 4 6 -", queen=1))
    assert (one.table.over, one.table.winners) == (True, (3,))
    five = sheet_of("coeurs-cinq-coups", *[hearts("3 4 6 -", queen=1)] * 4)
    assert not five.table.over
    assert enter(five, hearts("3 4 6 -", queen=1)).table.winners == (3,)


def test_E1_whoever_shoots_the_moon_in_a_match_of_one_deal_wins() -> None:
    sheet = sheet_of("coeurs", hearts("13 - - -", queen=0, jack=1), jack_points=-10)
    assert sheet.table.totals == (0, 15, 25, 25)
    assert sheet.table.winners == (0,)


def test_E2_the_worked_case_two_share_the_win() -> None:
    """100, 40, 40, 80 after a deal: 260 points are ten deals of 26."""
    sheet = sheet_of(
        "dame-de-pique",
        *[points("25 0 0 1")] * 3,
        points("0 20 6 0"),
        points("0 20 6 0"),
        points("0 0 20 6"),
        points("6 0 4 16"),
        points("6 0 4 16"),
        points("6 0 0 20"),
        points("7 0 0 19"),
    )
    assert sheet.table.totals == (100, 40, 40, 80)
    assert (sheet.table.over, sheet.table.winners) == (True, (1, 2))


def test_E2_the_match_goes_on_below_the_limit() -> None:
    sheet = sheet_of("dame-de-pique", *[revoked(0)] * 3)
    assert (sheet.table.totals, sheet.table.over) == ((78, 0, 0, 0), False)
    leaders = standings(sheet.rules, sheet.table)
    assert [each.to_limit for each in leaders] == [100, 100, 100, 22]
    assert enter(sheet, revoked(0)).table.over


def test_nothing_is_entered_after_the_end() -> None:
    sheet = sheet_of("coeurs", hearts("3 4 6 -", queen=1))
    assert coming(sheet) is None
    assert refused(sheet, Enter(revoked(0))).reason == "sheet_over"


def test_S7_every_deal_and_the_running_totals() -> None:
    sheet = sheet_of("coeurs-cinq-coups", hearts("3 4 6 -", queen=1), EXPOSED, points("0 25 25 25"))
    assert [(row.line, row.number, row.totals) for row in sheet.table.rows] == [
        (1, 1, (3, 16, 6, 0)),
        (2, None, (3, 16, 6, 0)),
        (3, 2, (3, 41, 31, 25)),
    ]
    assert [row.leaders for row in sheet.table.rows] == [(3,), (3,), (0,)]


def test_what_everybody_needs() -> None:
    sheet = sheet_of("coeurs-cinq-coups", *[hearts("3 4 6 -", queen=1)] * 4)
    assert sheet.table.totals == (12, 64, 24, 0)
    told = [
        (each.seat, each.place, each.behind, each.ahead, each.in_reach)
        for each in standings(sheet.rules, sheet.table)
    ]
    # One deal is left, in which at most 25 points can be made up.
    assert told == [
        (3, 1, 0, 12, True),
        (0, 2, 12, 0, True),
        (2, 3, 24, 0, True),
        (1, 4, 64, 0, False),
    ]


# Difference


def test_M1_the_worked_case() -> None:
    """Totals 1, 5, 17, 2: the others pay 4, 16 and 1."""
    sheet = sheet_of("coeurs", points("1 5 17 2"))
    assert net(sheet) == (21, -4, -16, -1)
    assert [(each.giver, each.taker, each.stakes) for each in who_pays(sheet)] == [
        (2, 0, 16),
        (1, 0, 4),
        (3, 0, 1),
    ]


def test_M2_the_worked_case_equal_winners_share_and_lots_decide_the_thirteenth() -> None:
    """Totals 3, 3, 9, 10: the losers pay 6 and 7."""
    sheet = with_totals("coeurs", "3 2 0 0", "0 1 4 0", "0 0 5 0", "0 0 0 5", "0 0 0 5", **FIVE)
    (due,) = sheet.table.due
    assert (due.purpose, due.seats, due.wanted) == (Purpose.MATCH, (0, 1), Wanted.HIGHEST)
    assert (net(sheet), who_pays(sheet)) == (None, ())
    sheet = done(sheet, Draw(lots("0 4S, 1 4D / 0 9C, 1 TC")))
    assert net(sheet) == (6, 7, -6, -7)


def test_M2_what_can_be_shared_equally_needs_no_lots() -> None:
    sheet = with_totals("coeurs", "3 3 7 0", "0 0 2 11", **THIRTEEN)
    assert net(sheet) == (7, 7, -6, -8)


def test_M3_a_moon_in_one_deal() -> None:
    assert net(sheet_of("coeurs", points("0 25 25 25"))) == (75, -25, -25, -25)
    jack = sheet_of("coeurs", hearts("13 - - -", queen=0, jack=1), jack_points=-10)
    assert net(jack) == (75, -25, -25, -25)


def test_M3_after_a_slam_M1_holds() -> None:
    sheet = sheet_of("coeurs", hearts("- - - -", slam=0), slam="reversal")
    assert net(sheet) == (150, -50, -50, -50)


def test_M4_five_deals_are_settled_on_the_sums() -> None:
    sheet = sheet_of("coeurs-cinq-coups", points("0 25 25 25"), *[hearts("3 4 6 -", queen=1)] * 4)
    assert sheet.table.totals == (12, 89, 49, 25)
    assert net(sheet) == (77 + 37 + 13, -77, -37, -13)


# Average


def test_M5_the_worked_case() -> None:
    """66, 59, 23, 34: the mean is 45.5; two pay 20 and 13, two draw 22 and 11."""
    sheet = with_totals("coeurs-moyenne", *SEVEN, moon="off")
    assert sheet.table.totals == (66, 59, 23, 34)
    assert net(sheet) == (-20, -13, 22, 11)


SEVEN = ("26 0 0 0", "26 0 0 0", "14 12 0 0", "0 26 0 0", "0 21 5 0", "0 0 18 8", "0 0 0 26")


def test_M5_six_pay_two_and_one_takes_the_twelve_in_the_pot() -> None:
    """21 six times and 4: the mean is 18.57…"""
    sheet = with_totals(
        "coeurs-moyenne",
        "21 5 0 0 0 0 0",
        "0 16 10 0 0 0 0",
        "0 0 11 15 0 0 0",
        "0 0 0 6 20 0 0",
        "0 0 0 0 1 21 4",
        players=7,
    )
    assert sheet.table.totals == (21, 21, 21, 21, 21, 21, 4)
    assert net(sheet) == (-2, -2, -2, -2, -2, -2, 12)


def test_M5_the_one_claimant_takes_what_the_pot_holds() -> None:
    """8, 9, 9, 0: the mean is 6.5; the others pay 1, 2 and 2, and the claimant of 6 takes 5."""
    sheet = with_totals("coeurs", "8 5 0 0", "0 4 9 0", settlement="average", **THIRTEEN)
    assert net(sheet) == (-1, -2, -2, 5)


def test_M5_lots_are_drawn_in_order() -> None:
    sheet = sheet_of("coeurs-moyenne", revoked(0), match_end="deals:1")
    (due,) = sheet.table.due
    assert (due.seats, due.wanted) == ((1, 2, 3), Wanted.ORDER)
    sheet = done(sheet, Draw(lots("1 4S, 2 KD, 3 AS")))
    assert net(sheet) == (-19, 6, 6, 7)


# The pot


def pot_of(*told: Told, pot: int = 0, **settings: Value) -> Sheet:
    ending: dict[str, Value] = {"match_end": "deals:9"}
    rules = rules_of("coeurs-cagnotte", **ending | settings)
    return enter(open_sheet(rules, pot=pot), *told)


def test_M6_the_worked_case_three_deals_without_a_player_at_zero_and_then_one() -> None:
    """The pot holds 25, 50, 75, 100 and is taken whole."""
    sheet = pot_of(*[hearts("3 4 5 1", queen=1)] * 3)
    assert [row.pot for row in sheet.table.rows] == [25, 50, 75]
    sheet = enter(sheet, hearts("3 4 6 0", queen=1))
    assert sheet.table.rows[-1].stakes == (-3, -16, -6, 100)
    assert sheet.table.pot == 0
    assert net(sheet) == (-12, -64, -21, 97)


def test_M6_several_without_points_share_and_lots_decide_the_rest() -> None:
    sheet = pot_of(hearts("3 10 0 0", queen=1))
    assert sheet.table.due[0].seats == (2, 3)
    assert (sheet.table.rows[0].stakes, net(sheet)) == (None, None)
    sheet = done(sheet, Draw(lots("2 4S, 3 KD")))
    assert sheet.table.rows[0].stakes == (-3, -22, 12, 13)


def test_M6_lots_can_wait_until_more_deals_are_told() -> None:
    sheet = pot_of(
        hearts("3 10 0 0", queen=1), hearts("3 4 5 1", queen=1), hearts("0 0 6 7", queen=2)
    )
    assert [due.line for due in sheet.table.due] == [1]
    assert [row.pot for row in sheet.table.rows] == [0, 25, 0]
    assert sheet.table.rows[2].stakes == (25, 25, -18, -7)
    sheet = drawing(sheet)
    assert sum(net(sheet) or (1,)) == 0


def test_M6_after_a_moon_and_a_slam_the_scores_are_paid_on() -> None:
    assert pot_of(points("0 25 25 25")).table.rows[0].stakes == (75, -25, -25, -25)
    slam = pot_of(hearts("- - - -", slam=0), slam="reversal")
    assert slam.table.rows[0].stakes == (0, -25, -25, -25)  # a minus draws nothing
    assert slam.table.pot == 75


def test_M6_the_jack_is_left_out_and_the_queen_pays_her_own_value() -> None:
    sheet = pot_of(hearts("3 4 6 -", queen=1, jack=2), jack_points=-10, queen_points=13)
    assert sheet.table.rows[0].points == (3, 17, -4, 0)
    assert sheet.table.rows[0].stakes == (-3, -17, -6, 26)
    by_points = pot_of(Counted((3, 17, -4, 0)), jack_points=-10, queen_points=13)
    assert by_points.table.rows[0].stakes == (-3, -17, -6, 26)


def test_M6_I5_the_offender_pays_the_total_and_the_others_share_it() -> None:
    sheet = drawing(pot_of(revoked(1)))
    assert sorted(sheet.table.rows[0].stakes or ()) == [-25, 8, 8, 9]


def test_M6_a_pot_that_nobody_has_taken_opens_the_next_match() -> None:
    sheet = sheet_of("coeurs-cagnotte", hearts("3 4 5 1", queen=1))
    assert (sheet.table.over, sheet.table.pot, net(sheet)) == (True, 25, (-3, -16, -5, -1))
    assert all(each.taker is None for each in who_pays(sheet))
    again = next_match(sheet)
    assert (again.pot, again.names, again.rules) == (25, NAMES[:4], sheet.rules)
    second = enter(done(None, again), hearts("3 4 6 0", queen=1))
    assert (net(second), second.table.pot) == ((-3, -16, -6, 50), 0)
    assert sum(each.stakes for each in who_pays(second) if each.giver is None) == 25


@pytest.mark.parametrize("first", [None, 2])
def test_D2_the_next_match_goes_on_from_who_dealt_last(first: int | None) -> None:
    sheet = open_sheet(rules_of("coeurs"))
    if first is not None:
        sheet = done(sheet, NameFirstDealer(first))
    sheet = enter(enter(sheet, EXPOSED), hearts("3 4 6 -", queen=1))
    again = next_match(sheet)
    assert again.dealer == (None if first is None else 0)
    opened = done(None, again)
    assert opened.first_dealer == again.dealer
    text = to_record(opened)
    assert ("\nDealer: 1, passed on\n" in text) == (first is not None)
    assert parse_sheet(text) == opened
    refusal = refused(None, Open(rules_of("coeurs"), NAMES[:4], dealer=4))
    assert refusal.reason == "no_player_there"


def test_M6_only_those_who_play_for_a_pot_have_one() -> None:
    fault = refused(None, Open(rules_of("coeurs"), NAMES[:4], pot=25))
    assert fault.reason == "pot_not_played_for"
    assert next_match(sheet_of("coeurs", hearts("3 4 6 -", queen=1))).pot == 0


# Money


def test_stakes_in_money_are_exact() -> None:
    sheet = enter(open_sheet(rules_of("coeurs"), stake="0,10", currency="EUR"), points("1 5 17 2"))
    assert [worth(sheet, stakes) for stakes in net(sheet) or ()] == [
        Decimal("2.10"),
        Decimal("-0.40"),
        Decimal("-1.60"),
        Decimal("-0.10"),
    ]
    assert worth(open_sheet(rules_of("coeurs")), 3) is None


@pytest.mark.parametrize("text", ["0", "0.00", "-1", "1e3", "abc", "1.23456", "٣", "1,,2", "NaN"])
def test_what_no_stake_can_be_worth(text: str) -> None:
    act = Open(rules_of("coeurs"), NAMES[:4], stake=text)
    assert refused(None, act).reason == "not_a_stake"


# Laws


@given(sheets())
def test_what_leaves_the_pot_plus_what_stays_equals_what_came_in(sheet: Sheet) -> None:
    table = drawing(sheet).table
    assert table.net is not None
    assert sum(table.net) + table.pot == sheet.opening_pot
    if sheet.rules.stakes.settlement is not Settlement.POT:
        assert table.pot == 0


@given(rulesets(), seeds, st.data())
def test_stakes_are_the_same_whatever_the_order_of_the_players(
    rules: Ruleset, seed: int, data: st.DataObject
) -> None:
    rng = random.Random(seed)
    assume(rules.sides.partners == 1)
    order = data.draw(st.permutations(range(rules.players)))  # who sits where in the other sheet
    here, there = open_sheet(rules), open_sheet(rules)
    for _ in range(rng.randint(1, 5)):
        if here.table.over:
            break
        told = random_told(rules, rng)
        here, there = enter(here, told), enter(there, moved(told, order))
    assert there.table.totals == tuple(here.table.totals[seat] for seat in order)
    assert len(here.table.due) == len(there.table.due)
    if here.table.net is not None:
        assert there.table.net == tuple(here.table.net[seat] for seat in order)
    else:  # up to lots
        assert sum(drawing(there).table.net or ()) == sum(drawing(here).table.net or ())


def moved(told: Told, order: list[int]) -> Told:
    """The same deal where the players sit in another order."""

    def seat(old: int | None) -> int | None:
        return None if old is None else order.index(old)

    match told:
        case Taken():
            idle = None if told.trickless is None else tuple(map(order.index, told.trickless))
            return replace(
                told,
                hearts=tuple(told.hearts[old] for old in order),
                queen=seat(told.queen),
                jack=seat(told.jack),
                all_tricks=seat(told.all_tricks),
                others=tuple(
                    replace(took, seats=tuple(map(order.index, took.seats))) for took in told.others
                ),
                trickless=idle,
            )
        case StoppedDeal():
            revoked_there, mixed = (
                tuple(order.index(old) for old in seats) for seats in (told.revoked, told.mixed)
            )
            return StoppedDeal(revoked_there, mixed)
    return told
