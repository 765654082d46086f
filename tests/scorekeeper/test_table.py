"""Dealers, the end and the stakes of a sheet; it agrees with a match of the playroom (S7)."""

from __future__ import annotations

import dataclasses
import random
from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kit import few, match, start, wider_rulesets
from kit import refereed as refereeing
from kit import rulesets as rules_to_play
from kit.sheets import (
    EXPOSED,
    NAMES,
    done,
    drawing,
    enter,
    hearts,
    open_sheet,
    points,
    random_report,
    revoked,
    rules_of,
    rulesets,
    seeds,
    sheet_of,
    sheets,
    taken_of,
)
from msgspec.structs import replace

from volte.game import DealerDrawn, DealScored, LotsDrawn, MatchState, replay
from volte.referee import Misdealt, RefereedMatch
from volte.referee.actions import Misdeal
from volte.rules import Irregularities, Ruleset, Settlement
from volte.scorekeeper import model
from volte.sheet import RowKind, rows_of_match

PLAIN = hearts("3 4 6 -", queen=1)


def following(sheet: model.Sheet) -> model.Coming:
    """The next deal; there must be one."""
    deal = model.coming(sheet)
    assert deal is not None
    return deal


# Dealers


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_D2_D3_the_deal_passes_to_the_left_and_the_right_hand_neighbour_cuts(players: int) -> None:
    rules = rules_of("coeurs", players=players, match_end="deals:9")
    sheet = done(open_sheet(rules), model.NameFirstDealer(1))
    for place in range(8):
        deal, dealer = following(sheet), (1 + place) % players
        assert (deal.dealer, deal.cutter) == (dealer, (dealer - 1) % players)
        assert deal.deals_left == 9 - place
        sheet = enter(sheet, revoked(0))


@pytest.mark.parametrize("cause", list(Misdeal))
def test_I1_the_dealer_loses_the_deal_and_the_player_to_the_left_deals(cause: Misdeal) -> None:
    sheet = done(open_sheet(rules_of("coeurs-cinq-coups")), model.NameFirstDealer(3))
    assert (following(sheet).number, following(sheet).dealer) == (1, 3)
    sheet = enter(sheet, model.LostDeal(cause))
    after, row = following(sheet), sheet.table.rows[0]
    assert (after.number, after.dealer, after.cutter, after.eldest) == (1, 0, 3, 1)
    assert (row.kind, row.cause, row.dealer, row.number) == (RowKind.MISDEAL, cause, 3, None)
    assert sheet.table.totals == (0, 0, 0, 0)


# Stakes


def test_a_sheet_and_a_match_begin_alike() -> None:
    rules = rules_of("coeurs-cinq-coups")
    for table in (open_sheet(rules).table, rows_of_match(replay([start(rules)]))):
        assert (table.rows, table.leaders, table.over) == ((), (), False)
        assert table.totals == (0, 0, 0, 0)


def test_M1_who_pays_whom_once_no_lots_are_due() -> None:
    payments = model.who_pays(sheet_of("coeurs", points("1 5 17 2")))
    due = [(each.giver, each.taker, each.stakes) for each in payments]
    assert due == [(2, 0, 16), (1, 0, 4), (3, 0, 1)]
    assert model.who_pays(sheet_of("coeurs", revoked(1))) == ()


def test_M6_a_pot_that_nobody_has_taken_opens_the_next_match() -> None:
    sheet = sheet_of("coeurs-cagnotte", hearts("3 4 5 1", queen=1))
    assert (model.coming(sheet), sheet.table.pot, sheet.table.net) == (None, 25, (-3, -16, -5, -1))
    assert all(each.taker is None for each in model.who_pays(sheet))
    again = model.next_match(sheet)
    assert (again.pot, again.names, again.rules) == (25, NAMES[:4], sheet.rules)
    second = enter(done(None, again), hearts("3 4 6 0", queen=1))
    assert (second.table.net, second.table.pot) == ((-3, -16, -6, 50), 0)
    assert sum(each.stakes for each in model.who_pays(second) if each.giver is None) == 25


@pytest.mark.parametrize("first", [None, 2])
def test_D2_the_next_match_goes_on_from_who_dealt_last(first: int | None) -> None:
    sheet = open_sheet(rules_of("coeurs"))
    if first is not None:
        sheet = done(sheet, model.NameFirstDealer(first))
    again = model.next_match(enter(sheet, EXPOSED, PLAIN))
    assert (again.dealer, again.pot) == (None if first is None else 0, 0)
    opened = done(None, again)
    assert opened.first_dealer == again.dealer
    text = model.to_record(opened)
    assert ("\nDealer: 1, passed on\n" in text) == (first is not None)
    assert model.parse_sheet(text) == opened


def test_stakes_in_money_are_exact() -> None:
    sheet = enter(open_sheet(rules_of("coeurs"), stake="0,10", currency="EUR"), points("1 5 17 2"))
    money = [model.worth(sheet, stakes) for stakes in sheet.table.net or ()]
    assert money == list(map(Decimal, ("2.10", "-0.40", "-1.60", "-0.10")))
    assert model.worth(open_sheet(rules_of("coeurs")), 3) is None


# Laws


@given(sheets())
def test_what_leaves_the_pot_plus_what_stays_equals_what_came_in(sheet: model.Sheet) -> None:
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
    order = data.draw(st.permutations(range(rules.players)))  # seats here, by seat there
    here, there = open_sheet(rules), open_sheet(rules)
    for _ in range(rng.randint(1, 5)):
        if here.table.over:
            break
        told = random_report(rules, rng)
        here, there = enter(here, told), enter(there, moved(told, order))
    assert there.table.totals == tuple(here.table.totals[seat] for seat in order)
    assert len(here.table.due) == len(there.table.due)
    if here.table.net is not None:
        assert there.table.net == tuple(here.table.net[seat] for seat in order)
    else:  # lots decide
        assert sum(drawing(there).table.net or ()) == sum(drawing(here).table.net or ())


def moved(told: model.DealReport, order: list[int]) -> model.DealReport:
    """The report of a deal with the players in another order."""

    def seat(old: int | None) -> int | None:
        return None if old is None else order.index(old)

    match told:
        case model.Taken():
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
        case model.StoppedDeal():
            revoked_there, mixed = (
                tuple(order.index(old) for old in seats) for seats in (told.revoked, told.mixed)
            )
            return model.StoppedDeal(revoked_there, mixed)
    return told


# Sheets and matches of the playroom agree


@settings(max_examples=few(5, 60))
@given(rules_to_play(most_cards=24) | wider_rulesets(most_cards=24), seeds, st.integers(0, 30))
def test_a_match_of_the_playroom_and_its_sheet_by_hand_are_one(
    rules: Ruleset, seed: int, pot: int
) -> None:
    """The engine and the sheet get the same from the same deals, dealers, lots and stakes."""
    pot = pot if rules.stakes.settlement is Settlement.POT else 0
    state = replay([start(rules, pot)])
    sheet = done(None, model.Open(state.rules, NAMES[: rules.players], pot=pot))
    for step in match(rules, seed, pot=pot):
        state = step.after
        for event in step.events:
            sheet = written(sheet, state, event)
        deal = model.coming(sheet)
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


def written(sheet: model.Sheet, state: MatchState, event: object) -> model.Sheet:
    """The sheet after a person has written down an event; by its points a deal scores the same."""
    match event:
        case DealerDrawn() | LotsDrawn():
            return done(sheet, model.Draw(event.rounds))
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
            found = model.trial(sheet, model.Counted(counts, *more))
            if bonuses and isinstance(
                found, model.SheetFault
            ):  # the points fit as counted, and as scored for another moon
                assert (found.reason, event.moon is None) == ("points_two_ways", False)
            else:
                assert found == model.trial(sheet, told)
            return done(sheet, model.Enter(told))
    return sheet


@settings(max_examples=few(5, 40))
@given(rules_to_play(most_cards=20), seeds)
def test_I5_I7_a_refereed_match_and_its_sheet_by_hand_are_one(rules: Ruleset, seed: int) -> None:
    rules = dataclasses.replace(rules, irregularities=Irregularities.REFEREED)
    sheet = done(None, model.Open(rules, NAMES[: rules.players]))
    state: MatchState | None = None
    for step in refereeing.match(rules, seed):
        state = step.after
        assert isinstance(state, RefereedMatch)
        for event in step.events:
            if isinstance(event, DealScored) and state.offenders[-1]:
                mixed = state.mixed[-1]
                guilty = tuple(seat for seat in state.offenders[-1] if seat not in mixed)
                sheet = done(sheet, model.Enter(model.StoppedDeal(guilty, mixed)))
            elif isinstance(event, Misdealt):
                sheet = done(sheet, model.Enter(EXPOSED))
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
