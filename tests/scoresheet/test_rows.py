"""One model of a score sheet, for sheets and for the matches of the playroom (S7)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from kit import refereed as refereeing
from kit.deals import match, start
from kit.strategies import few, rulesets, seeds
from scoresheet.sheets import EXPOSED, NAMES, done, open_sheet, rules_of, taken_of

from volte.game import DealerDrawn, DealScored, LotsDrawn, MatchState, replay
from volte.referee import Misdealt, RefereedMatch
from volte.referee.scores import rows_of_match
from volte.rules import Irregularities, Ruleset, Settlement
from volte.scorekeeper.model import Draw, Enter, Open, Sheet, StoppedDeal, coming


@settings(max_examples=few(30, 60))
@given(rulesets(most_cards=24), seeds, st.integers(0, 30))
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
            sheet = entered(sheet, state, event)
        deal = coming(sheet)
        if deal is not None:
            assert deal.dealer == (state.dealer if sheet.first_dealer is not None else None)
    here, there = sheet.table, rows_of_match(state)
    assert (here.over, here.winners) == (there.over, there.winners) == (True, state.winners)
    assert (here.totals, here.leaders, here.pot) == (there.totals, there.leaders, there.pot)
    assert here.net == there.net
    for mine, theirs in zip(here.rows, there.rows, strict=True):
        for name in ("line", "number", "kind", "points", "totals", "leaders", "direction"):
            assert getattr(mine, name) == getattr(theirs, name)
        assert (mine.moon, mine.slam) == (theirs.moon, theirs.slam)


def entered(sheet: Sheet, state: MatchState, event: object) -> Sheet:
    """What somebody would write down of it."""
    match event:
        case DealerDrawn() | LotsDrawn():
            return done(sheet, Draw(event.rounds))
        case DealScored():
            deal, rules = state.deal, state.rules
            assert deal is not None
            captured = [deal.captured(seat) for seat in range(rules.players)]
            return done(sheet, Enter(taken_of(rules, captured, deal.won, event.minus)))
    return sheet


@settings(max_examples=few(20, 40))
@given(rulesets(most_cards=20), seeds)
def test_I5_I7_a_refereed_match_and_its_sheet_by_hand_are_one(rules: Ruleset, seed: int) -> None:
    rules = replace(rules, irregularities=Irregularities.REFEREED)
    sheet = done(None, Open(rules, NAMES[: rules.players]))
    state: MatchState | None = None
    for step in refereeing.match(rules, seed):
        state = step.after
        assert isinstance(state, RefereedMatch)
        for event in step.events:
            if isinstance(event, DealScored) and state.offenders[-1]:
                mixed = state.mixed[-1]
                revoked = tuple(seat for seat in state.offenders[-1] if seat not in mixed)
                sheet = done(sheet, Enter(StoppedDeal(revoked, mixed)))
            elif isinstance(event, Misdealt):
                sheet = done(sheet, Enter(EXPOSED))
            else:
                sheet = entered(sheet, state, event)
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


def test_nothing_is_on_the_sheet_before_the_first_deal() -> None:
    rules = rules_of("coeurs")
    for table in (open_sheet(rules).table, rows_of_match(replay([start(rules)]))):
        assert (table.rows, table.leaders, table.over) == ((), (), False)
        assert table.totals == (0, 0, 0, 0)
