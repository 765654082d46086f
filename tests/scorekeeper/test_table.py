"""Dealers, the end, the stakes, and that a sheet and a match of the playroom are one (S7)."""

from __future__ import annotations

import dataclasses
import random
from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kit.sheets import (
    EXPOSED,
    NAMES,
    done,
    drawing,
    enter,
    hearts,
    open_sheet,
    points,
    random_told,
    revoked,
    rules_of,
    rulesets,
    seeds,
    sheet_of,
    sheets,
    taken_of,
)
from msgspec.structs import replace
from referee import refereeing
from rulesets import match, start, wider_rulesets
from rulesets import rulesets as rules_to_play
from strategies import few

from volte.game import DealerDrawn, DealScored, LotsDrawn, MatchState, replay
from volte.referee import Misdealt, RefereedMatch
from volte.referee.actions import Misdeal
from volte.referee.scores import Purpose, RowKind, rows_of_match
from volte.rules import Direction, Irregularities, Ruleset, Settlement, Wanted
from volte.scorekeeper.model import (
    Coming,
    Counted,
    Draw,
    Enter,
    LostDeal,
    NameFirstDealer,
    Open,
    Sheet,
    SheetFault,
    StoppedDeal,
    Taken,
    Told,
    coming,
    lots_due,
    next_match,
    parse_sheet,
    standings,
    to_record,
    trial,
    who_pays,
    worth,
)

PLAIN = hearts("3 4 6 -", queen=1)


def following(sheet: Sheet) -> Coming:
    """The deal that comes."""
    deal = coming(sheet)
    assert deal is not None
    return deal


# Who deals


def test_D1_the_lots_that_are_due_for_the_first_dealer() -> None:
    (due,) = lots_due(open_sheet(rules_of("coeurs")))
    assert (due.purpose, due.seats, due.wanted) == (Purpose.DEALER, (0, 1, 2, 3), Wanted.LOWEST)


def test_D1_the_first_dealer_can_be_named_also_later() -> None:
    sheet = sheet_of("coeurs-cinq-coups", PLAIN, EXPOSED)
    assert sheet.table.rows[0].dealer is None
    assert lots_due(sheet) == ()  # they have begun without
    for first, dealers in ((2, [2, 3]), (0, [0, 1])):
        sheet = done(sheet, NameFirstDealer(first))
        assert [row.dealer for row in sheet.table.rows] == dealers


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_D2_D3_the_deal_passes_to_the_left_and_the_right_hand_neighbour_cuts(players: int) -> None:
    rules = rules_of("coeurs", players=players, match_end="deals:9")
    sheet = done(open_sheet(rules), NameFirstDealer(1))
    for place in range(8):
        deal, dealer = following(sheet), (1 + place) % players
        assert (deal.dealer, deal.cutter) == (dealer, (dealer - 1) % players)
        assert deal.deals_left == 9 - place
        sheet = enter(sheet, revoked(0))


@pytest.mark.parametrize("cause", list(Misdeal))
def test_I1_the_dealer_loses_the_deal_and_the_player_to_the_left_deals(cause: Misdeal) -> None:
    sheet = done(open_sheet(rules_of("coeurs-cinq-coups")), NameFirstDealer(3))
    assert (following(sheet).number, following(sheet).dealer) == (1, 3)
    sheet = enter(sheet, LostDeal(cause))
    after, row = following(sheet), sheet.table.rows[0]
    assert (after.number, after.dealer, after.cutter, after.eldest) == (1, 0, 3, 1)
    assert (row.kind, row.cause, row.dealer, row.number) == (RowKind.MISDEAL, cause, 3, None)
    assert sheet.table.totals == (0, 0, 0, 0)


def test_P2_P3_what_is_passed_where() -> None:
    sheet, passes = open_sheet(rules_of("dame-de-pique")), []
    for turn in range(5):
        passes.append((str(following(sheet).direction), following(sheet).count))
        sheet = enter(sheet, hearts("3 4 6 -", queen=turn % 4))
    assert passes == [("left", 3), ("right", 3), ("across", 3), ("hold", 0), ("left", 3)]
    seven = following(open_sheet(rules_of("coeurs", players=7)))
    assert (seven.direction, seven.count) == (Direction.LEFT, 2)
    misdealt = following(sheet_of("dame-de-pique", PLAIN, EXPOSED, EXPOSED))
    assert (misdealt.number, misdealt.direction) == (2, Direction.RIGHT)  # I1


# The end


def test_E2_the_match_goes_on_below_the_limit() -> None:
    sheet = sheet_of("dame-de-pique", *[revoked(0)] * 3)
    assert (sheet.table.totals, sheet.table.over) == ((78, 0, 0, 0), False)
    leaders = standings(sheet.rules, sheet.table)
    assert [each.to_limit for each in leaders] == [100, 100, 100, 22]
    over = enter(sheet, revoked(0))
    assert (over.table.over, coming(over)) == (True, None)


def test_S7_who_leads_after_every_deal() -> None:
    sheet = sheet_of("coeurs-cinq-coups", PLAIN, EXPOSED, points("0 25 25 25"))
    assert [(row.line, row.number) for row in sheet.table.rows] == [(1, 1), (2, None), (3, 2)]
    assert [row.leaders for row in sheet.table.rows] == [(3,), (3,), (0,)]
    for table in (open_sheet(sheet.rules).table, rows_of_match(replay([start(sheet.rules)]))):
        assert (table.rows, table.leaders, table.over) == ((), (), False)
        assert table.totals == (0, 0, 0, 0)


def test_what_everybody_needs() -> None:
    sheet = sheet_of("coeurs-cinq-coups", *[PLAIN] * 4)
    assert sheet.table.totals == (12, 64, 24, 0)
    places = [
        (each.seat, each.place, each.behind, each.ahead, each.in_reach)
        for each in standings(sheet.rules, sheet.table)
    ]
    # One deal is left, in which at most 25 points can be made up.
    assert places == [
        (3, 1, 0, 12, True),
        (0, 2, 12, 0, True),
        (2, 3, 24, 0, True),
        (1, 4, 64, 0, False),
    ]


def test_W7_by_the_totals_a_moon_is_marked_as_such() -> None:
    sheet = sheet_of(
        "dame-de-pique",
        hearts("3 10 0 0", queen=1),
        hearts("12 1 0 0", queen=0),
        hearts("0 13 0 0", queen=0),
        hearts("0 13 0 0", queen=1),
        moon="plus_unless_lost",
        match_end="limit:50",
    )
    row = sheet.table.rows[-1]
    assert (row.moon, row.minus, row.by_totals) == (1, True, True)


def test_W9_exactly_the_limit_falls_to_half_and_a_tie_plays_on() -> None:
    rules = rules_of("dame-de-pique", match_end="limit:50", at_limit="halves", ties="play_on")
    many = hearts("12 1 0 0", queen=0)
    sheet = enter(open_sheet(rules), many, many)
    assert (sheet.table.totals, sheet.table.over) == ((25, 2, 0, 0), False)
    assert sheet.table.rows[-1].halved == (0,)
    sheet = enter(sheet, hearts("13 0 0 0", queen=1), many)
    assert (sheet.table.totals, sheet.table.over) == ((63, 16, 0, 0), False)
    assert sheet.table.tied == following(sheet).tied == (2, 3)
    sheet = enter(sheet, hearts("0 0 0 13", queen=0))
    assert (sheet.table.totals, sheet.table.over) == ((76, 16, 0, 13), True)
    assert sheet.table.winners == (2,)
    last = sheet_of("coeurs", hearts("13 - - -", queen=1), ties="play_on")
    assert last.table.tied == (2, 3)
    assert (following(last).number, following(last).deals_left) == (2, None)


# Stakes


def test_M1_who_pays_whom() -> None:
    payments = who_pays(sheet_of("coeurs", points("1 5 17 2")))
    assert [(each.giver, each.taker, each.stakes) for each in payments] == [
        (2, 0, 16),
        (1, 0, 4),
        (3, 0, 1),
    ]


def test_M2_M5_nothing_is_owed_while_lots_are_due() -> None:
    sheet = sheet_of("coeurs", revoked(1))
    (due,) = sheet.table.due
    assert (due.purpose, due.seats, due.wanted) == (Purpose.MATCH, (0, 2, 3), Wanted.HIGHEST)
    assert (sheet.table.net, who_pays(sheet)) == (None, ())
    (due,) = sheet_of("coeurs-moyenne", revoked(0), match_end="deals:1").table.due
    assert (due.seats, due.wanted) == ((1, 2, 3), Wanted.ORDER)


def test_M6_lots_can_wait_until_more_deals_are_told() -> None:
    sheet = sheet_of(
        "coeurs-cagnotte",
        hearts("3 10 0 0", queen=1),
        hearts("3 4 5 1", queen=1),
        hearts("0 0 6 7", queen=2),
        match_end="deals:9",
    )
    assert [(due.line, due.seats) for due in sheet.table.due] == [(1, (2, 3))]
    assert [row.pot for row in sheet.table.rows] == [0, 25, 0]
    assert [row.stakes for row in sheet.table.rows] == [None, (-3, -16, -5, -1), (25, 25, -18, -7)]
    assert sum(drawing(sheet).table.net or (1,)) == 0


def test_M6_a_pot_that_nobody_has_taken_opens_the_next_match() -> None:
    sheet = sheet_of("coeurs-cagnotte", hearts("3 4 5 1", queen=1))
    assert (sheet.table.over, sheet.table.pot, sheet.table.net) == (True, 25, (-3, -16, -5, -1))
    assert all(each.taker is None for each in who_pays(sheet))
    again = next_match(sheet)
    assert (again.pot, again.names, again.rules) == (25, NAMES[:4], sheet.rules)
    second = enter(done(None, again), hearts("3 4 6 0", queen=1))
    assert (second.table.net, second.table.pot) == ((-3, -16, -6, 50), 0)
    assert sum(each.stakes for each in who_pays(second) if each.giver is None) == 25


@pytest.mark.parametrize("first", [None, 2])
def test_D2_the_next_match_goes_on_from_who_dealt_last(first: int | None) -> None:
    sheet = open_sheet(rules_of("coeurs"))
    if first is not None:
        sheet = done(sheet, NameFirstDealer(first))
    again = next_match(enter(sheet, EXPOSED, PLAIN))
    assert (again.dealer, again.pot) == (None if first is None else 0, 0)
    opened = done(None, again)
    assert opened.first_dealer == again.dealer
    text = to_record(opened)
    assert ("\nDealer: 1, passed on\n" in text) == (first is not None)
    assert parse_sheet(text) == opened


def test_stakes_in_money_are_exact() -> None:
    sheet = enter(open_sheet(rules_of("coeurs"), stake="0,10", currency="EUR"), points("1 5 17 2"))
    money = [worth(sheet, stakes) for stakes in sheet.table.net or ()]
    assert money == list(map(Decimal, ("2.10", "-0.40", "-1.60", "-0.10")))
    assert worth(open_sheet(rules_of("coeurs")), 3) is None


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


# One model for sheets and for the matches of the playroom


@settings(max_examples=few(30, 60))
@given(rules_to_play(most_cards=24) | wider_rulesets(most_cards=24), seeds, st.integers(0, 30))
def test_a_match_of_the_playroom_and_its_sheet_by_hand_are_one(
    rules: Ruleset, seed: int, pot: int
) -> None:
    """The same deals, dealers, lots and stakes, reckoned by the engine and on a sheet."""
    pot = pot if rules.stakes.settlement is Settlement.POT else 0
    state = replay([start(rules, pot)])
    sheet = done(None, Open(state.rules, NAMES[: rules.players], pot=pot))
    for step in match(rules, seed, pot=pot):
        state = step.after
        for event in step.events:
            sheet = written(sheet, state, event)
        deal = coming(sheet)
        if deal is not None:
            assert deal.dealer == (state.dealer if sheet.first_dealer is not None else None)
    here, there = sheet.table, rows_of_match(state)
    assert (here.over, here.winners) == (there.over, there.winners) == (True, state.winners)
    for name in ("totals", "leaders", "pot", "net", "sides", "limit", "tied"):
        assert getattr(here, name) == getattr(there, name)
    for mine, theirs in zip(here.rows, there.rows, strict=True):
        for name in (
            *("line", "number", "kind", "points", "totals", "leaders", "direction"),
            *("moon", "slam", "minus", "trickless", "halved"),
        ):
            assert getattr(mine, name) == getattr(theirs, name)


def written(sheet: Sheet, state: MatchState, event: object) -> Sheet:
    """What somebody would write down of it; a deal comes to the same by its points."""
    match event:
        case DealerDrawn() | LotsDrawn():
            return done(sheet, Draw(event.rounds))
        case DealScored():
            deal, rules = state.deal, state.rules
            assert deal is not None
            captured = [deal.captured(seat) for seat in range(rules.players)]
            told = taken_of(rules, captured, deal.won, event.minus)
            bonuses = tuple(took for took in told.others if rules.points.of(took.card) < 0)
            counts = tuple(
                rules.points_in(pile) + rules.points.no_tricks * (not won)
                for pile, won in zip(captured, deal.won, strict=True)
            )
            more = (told.jack, told.all_tricks, (), bonuses, told.trickless, told.minus)
            found = trial(sheet, Counted(counts, *more))
            if bonuses and isinstance(found, SheetFault):  # so counted, or scored for another moon
                assert (found.reason, event.moon is None) == ("points_two_ways", False)
            else:
                assert found == trial(sheet, told)
            return done(sheet, Enter(told))
    return sheet


@settings(max_examples=few(20, 40))
@given(rules_to_play(most_cards=20), seeds)
def test_I5_I7_a_refereed_match_and_its_sheet_by_hand_are_one(rules: Ruleset, seed: int) -> None:
    rules = dataclasses.replace(rules, irregularities=Irregularities.REFEREED)
    sheet = done(None, Open(rules, NAMES[: rules.players]))
    state: MatchState | None = None
    for step in refereeing.match(rules, seed):
        state = step.after
        assert isinstance(state, RefereedMatch)
        for event in step.events:
            if isinstance(event, DealScored) and state.offenders[-1]:
                mixed = state.mixed[-1]
                guilty = tuple(seat for seat in state.offenders[-1] if seat not in mixed)
                sheet = done(sheet, Enter(StoppedDeal(guilty, mixed)))
            elif isinstance(event, Misdealt):
                sheet = done(sheet, Enter(EXPOSED))
            else:
                sheet = written(sheet, state, event)
        table = rows_of_match(state)
        waiting = state.reckoned is not None
        provisional = [row.provisional for row in table.rows]
        assert provisional == [False] * len(state.deals) + [True] * waiting
        assert table.totals == state.totals
    assert state is not None
    here, there = sheet.table, rows_of_match(state)
    assert (here.totals, here.net, here.winners) == (there.totals, there.net, there.winners)
    deals = [row for row in here.rows if row.number is not None]
    for mine, theirs in zip(deals, there.rows, strict=True):
        for name in ("number", "kind", "points", "totals", "leaders", "revoked", "mixed", "moon"):
            assert getattr(mine, name) == getattr(theirs, name)
