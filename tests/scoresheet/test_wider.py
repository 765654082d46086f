"""Sheets of the wider family: worked evenings, and the engine's own deals (W5–W11)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from kit.deals import match, start
from kit.strategies import few, seeds, wider_rulesets
from msgspec.structs import replace
from scoresheet.sheets import (
    NAMES,
    done,
    enter,
    hearts,
    open_sheet,
    points,
    refused,
    revoked,
    rules_of,
    score,
    sheet_of,
    taken_of,
)

from volte.cards import JACK, QUEEN, Card
from volte.game import DealScored, MatchState, replay
from volte.referee.scores import Took, rows_of_match
from volte.rules import Ruleset
from volte.say import Words
from volte.scorekeeper.model import (
    Correct,
    Counted,
    Enter,
    NameFirstDealer,
    Open,
    Settle,
    Sheet,
    SheetFault,
    Taken,
    coming,
    needs_of,
    parse_sheet,
    standings,
    to_csv,
    to_record,
    trial,
)
from volte.scorekeeper.telling.deals import after_row, ending
from volte.scorekeeper.telling.sheet import chart_lines, sheet_lines, standing_lines

ENGLISH = Words("en")


def took(told: Taken | Counted, **cards: tuple[int, ...]) -> Taken | Counted:
    """The deal with who took those cards."""
    others = sorted((Card(name), seats) for name, seats in cards.items())
    return replace(told, others=tuple(Took(card, seats) for card, seats in others))


def totals(sheet: Sheet) -> tuple[int, ...]:
    """Of a sheet that says the same as text."""
    assert parse_sheet(to_record(sheet)) == sheet
    return sheet.table.totals


# Hearts by rank, and other points by card (W5)


def test_W5_an_evening_of_spot_hearts() -> None:
    spots = open_sheet(rules_of("spot-hearts"))
    assert (needs_of(spots.rules).hearts, needs_of(spots.rules).total) == (104, 129)
    sheet = enter(spots, hearts("34 40 - 10", queen=1))
    assert score(sheet) == (34, 65, 20, 10)
    sheet = enter(sheet, hearts("104 - - -", queen=0))  # 104 and 25 off, the others nothing
    assert score(sheet) == (-129, 0, 0, 0)
    sheet = enter(sheet, hearts("- - - -", slam=2))  # twice as much for every trick
    assert score(sheet) == (0, 0, -258, 0)
    assert totals(sheet) == (34 - 129, 65, 20 - 258, 10)


@pytest.mark.parametrize(
    ("told", "reason", "params"),
    [
        (hearts("35 40 20 10", queen=1), "heart_points_do_not_add_up", {"given": 105, "due": 104}),
        (hearts("35 - - 10", queen=1), "heart_points_left_out", {"given": 45, "due": 104}),
        (hearts("1 103 0 0", queen=1), "no_hearts_count_so", {}),
        (points("1 128 0 0"), "no_cards_count_so", {}),
        (points("34 65 20 11"), "points_sums", {"given": 130, "sums": (129, -129, -258)}),
    ],
)
def test_W5_what_no_hearts_count_is_refused_with_the_figures(
    told: Taken | Counted, reason: str, params: dict[str, object]
) -> None:
    fault = refused(open_sheet(rules_of("spot-hearts")), Enter(told))
    assert (fault.reason, fault.params) == (reason, params)


def test_W5_black_maria_asks_for_the_king_and_the_ace() -> None:
    four = open_sheet(rules_of("black-maria", players=4))
    told = hearts("3 4 6 0", queen=1)
    assert refused(four, Enter(told)).params == {"card": Card("KS")}
    sheet = enter(four, took(told, KS=(0,), AS=(3,)))
    assert score(sheet) == (13, 17, 6, 7)
    assert totals(enter(sheet, points("13 17 6 -"))) == (26, 34, 12, 14)
    assert refused(four, Enter(took(told, KS=(0, 1), AS=(3,)))).reason == "card_takers"
    assert refused(four, Enter(took(told, KH=(0,)))).reason == "card_counts_nothing"


# Two packs (W11)


def test_W11_an_evening_of_cancellation_with_seven() -> None:
    seven = open_sheet(rules_of("cancellation", players=7))
    assert (needs_of(seven.rules).hearts, needs_of(seven.rules).total) == (26, 52)
    told = hearts("4 4 4 4 4 4 -")
    assert refused(seven, Enter(told)).reason == "who_took_both_cards"
    assert refused(seven, Enter(took(told, QS=(1,)))).params == {
        "card": QUEEN,
        "given": 1,
        "due": 2,
    }
    sheet = enter(seven, took(told, QS=(5, 1)))
    assert score(sheet) == (4, 17, 4, 4, 4, 17, 2)
    sheet = enter(sheet, took(told, QS=(3, 3)))
    assert score(sheet) == (4, 4, 4, 30, 4, 4, 2)
    sheet = enter(sheet, points("52 52 52 52 0 52 -"))
    assert score(sheet) == (52, 52, 52, 52, 0, 52, 52)
    assert totals(sheet) == (60, 73, 60, 86, 8, 73, 56)


def test_W11_I8_of_two_queens_one_may_be_missing() -> None:
    six = open_sheet(rules_of("cancellation", players=6))
    one = replace(hearts("6 5 5 5 5 -", queen=2), missing=(Card("QS"),))
    assert score(enter(six, one)) == (6, 5, 18, 5, 5, 0)
    none = replace(hearts("6 5 5 5 5 -"), missing=(Card("QS"), Card("QS")))
    assert score(enter(six, none)) == (6, 5, 5, 5, 5, 0)
    three = replace(none, missing=(Card("QS"),) * 3)
    assert refused(six, Enter(three)).reason == "missing_twice"


# No trick (W6)


def test_W6_whoever_took_no_trick_is_asked_for_where_the_cards_do_not_tell() -> None:
    sheet = open_sheet(rules_of("dame-de-pique", no_tricks=-5))
    told = hearts("13 - - -", queen=1)
    assert refused(sheet, Enter(told)).reason == "who_took_no_trick"
    assert score(enter(sheet, replace(told, trickless=(2,)))) == (13, 13, -5, 0)
    assert score(enter(sheet, replace(told, trickless=()))) == (13, 13, 0, 0)
    assert score(enter(sheet, points("13 13 -5 0"))) == (13, 13, -5, 0)
    assert refused(sheet, Enter(points("13 13 -5 -"))).reason == "points_left_out_two_ways"
    assert score(enter(sheet, hearts("3 4 6 -", queen=3))) == (3, 4, 6, 13)
    wrong = replace(told, trickless=(0,))
    assert refused(sheet, Enter(wrong)).params == {"number": 1}


# Moons (W7, W8)


def test_W7_the_shooter_chooses_both_ways() -> None:
    sheet = open_sheet(rules_of("dame-de-pique", moon="shooter_chooses"))
    moon = hearts("13 - - -", queen=0)
    assert refused(sheet, Enter(moon)).reason == "moon_which_way"
    assert refused(sheet, Enter(points("26 0 0 0"))).reason == "moon_which_way"
    minus, plus = (-26, 0, 0, 0), (0, 26, 26, 26)
    assert score(enter(sheet, replace(moon, minus=True))) == minus
    assert score(enter(sheet, replace(moon, minus=False))) == plus
    assert score(enter(sheet, points("-26 0 0 0"))) == minus
    assert score(enter(sheet, points("0 26 26 -"))) == plus
    none = replace(hearts("12 1 - -", queen=0), minus=True)
    assert refused(sheet, Enter(none)).reason == "no_moon_was_shot"
    assert totals(enter(sheet, replace(moon, minus=True), replace(moon, minus=False))) == (
        *(-26, 26, 26, 26),
    )


def test_W7_plus_unless_that_loses_the_match_follows_the_totals_also_when_corrected() -> None:
    sheet = sheet_of(
        "dame-de-pique",
        hearts("3 10 0 0", queen=1),
        hearts("12 1 0 0", queen=0),
        hearts("0 13 0 0", queen=0),
        moon="plus_unless_lost",
        match_end="limit:50",
    )
    assert totals(sheet) == (41, 37, 0, 0)
    # Plus would end it at 67, 37, 26 and 26: Bruno would lose.
    sheet = enter(sheet, hearts("0 13 0 0", queen=1))
    assert (score(sheet), totals(sheet)) == ((0, -26, 0, 0), (41, 11, 0, 0))
    row = sheet.table.rows[-1]
    assert (row.moon, row.minus, row.by_totals) == (1, True, True)
    # With deal 3 put right it ends at 54, 24, 32 and 46: Bruno wins.
    sheet = done(sheet, Correct(3, hearts("0 0 6 7", queen=3)))
    assert (score(sheet), totals(sheet)) == ((26, 0, 26, 26), (54, 24, 32, 46))
    assert (sheet.table.over, sheet.table.winners) == (True, (1,))


def test_W7_where_the_jack_is_needed_a_moon_wants_him_too() -> None:
    omnibus = open_sheet(rules_of("omnibus", moon_needs_jack="true"))
    assert score(enter(omnibus, hearts("13 - - -", queen=0, jack=1))) == (26, -10, 0, 0)
    assert score(enter(omnibus, hearts("13 - - -", queen=0, jack=0))) == (-36, 0, 0, 0)


def test_W5_two_bonus_cards_are_told_apart() -> None:
    rules = rules_of("omnibus", card_points=["TD=-5"])
    told = took(hearts("3 4 6 0", queen=1, jack=0), TD=(2,))
    assert score(enter(open_sheet(rules), told)) == (-7, 17, 1, 0)
    assert score(enter(open_sheet(rules), points("-7 17 1 -"))) == (-7, 17, 1, 0)
    assert [each.card for each in needs_of(rules).cards] == [QUEEN, JACK, Card("TD")]


# Exactly the limit, and ties (W9)


def test_W9_exactly_the_limit_falls_to_half_and_a_tie_plays_on() -> None:
    rules = rules_of("dame-de-pique", match_end="limit:50", at_limit="halves", ties="play_on")
    many = hearts("12 1 0 0", queen=0)
    sheet = enter(open_sheet(rules), many, many)
    assert totals(sheet) == (25, 2, 0, 0)
    assert sheet.table.rows[-1].halved == (0,)
    assert not sheet.table.over
    assert "25 (50 → 25)" in "\n".join(sheet_lines(ENGLISH, sheet))
    assert "Exactly 50 falls to half: Anne 50 → 25 (W9)." in "\n".join(sheet_lines(ENGLISH, sheet))
    assert "A total of exactly 50 falls to 25 (W9)." in standing_lines(ENGLISH, sheet)
    assert "26 more points end the match." in standing_lines(ENGLISH, sheet)[-3]
    sheet = enter(sheet, hearts("13 0 0 0", queen=1), many)
    assert (totals(sheet), sheet.table.over, sheet.table.tied) == ((63, 16, 0, 0), False, (2, 3))
    due = coming(sheet)
    assert due is not None
    assert due.tied == (2, 3)
    assert "another deal is played (W9)" in " ".join(after_row(ENGLISH, sheet))
    sheet = enter(sheet, hearts("0 0 0 13", queen=0))
    assert (totals(sheet), sheet.table.over, sheet.table.winners) == ((76, 16, 0, 13), True, (2,))


def test_W9_a_tie_after_the_last_deal_plays_on() -> None:
    sheet = sheet_of("coeurs", hearts("13 - - -", queen=1), ties="play_on")
    assert (sheet.table.over, sheet.table.tied) == (False, (2, 3))
    due = coming(sheet)
    assert due is not None
    assert (due.number, due.deals_left) == (2, None)
    sheet = enter(sheet, hearts("0 0 13 -", queen=1))
    assert (totals(sheet), sheet.table.winners) == ((13, 24, 13, 0), (3,))


# Sides (W10)


def test_W10_points_of_every_seat_do_not_ask_which_partner_took_all() -> None:
    rules = rules_of(
        "partnership", match_end="deals:2", moon="shooter_minus", card_points=["TD=-26"]
    )
    told = Counted((0, 0, 0, 0), others=(Took(Card("TD"), (2,)),))
    assert score(enter(open_sheet(rules), told)) == (-52, 0, -52, 0)


def test_W10_an_evening_of_partnership() -> None:
    rules = rules_of("partnership", match_end="limit:50", settlement="difference")
    sheet = enter(open_sheet(rules), hearts("5 8", queen=1))  # a number for each side
    assert score(sheet) == (5, 21, 5, 21)
    both = hearts("13 0", queen=0)
    assert refused(sheet, Enter(both)).reason == "which_partner_took_all"
    sheet = enter(sheet, hearts("13 0 0 0", queen=2))  # a side, and no player alone
    assert score(sheet) == (26, 0, 26, 0)
    sheet = enter(sheet, hearts("0 13 0 0", queen=1))  # Bruno alone
    assert score(sheet) == (26, 0, 26, 0)
    assert totals(sheet) == (57, 21, 57, 21)
    assert (sheet.table.over, sheet.table.winners) == (True, (1, 3))
    assert sheet.table.net == (-36, 36, -36, 36)
    assert ending(ENGLISH, sheet) == ("Bruno and David win the match with 21 points.",)
    (header, *rows) = sheet_lines(ENGLISH, sheet)
    assert header.split("  ")[1:] == ["Anne and Chloé", "Bruno and David"]
    assert rows[0].split() == ["1", "5", "(5)", "21", "(21)"]
    assert "Bruno and David: 21, 21, 21." in chart_lines(ENGLISH, sheet, 0)
    assert [each.seats for each in standings(rules, sheet.table)] == [(1, 3), (0, 2)]
    assert "5,21,5,21" in to_csv(sheet)
    assert done(sheet, Settle()).accepted


def test_W10_a_side_may_shoot_the_moon_together() -> None:
    rules = rules_of("partnership", moon_by="side")
    for told in (hearts("13 0", queen=0), hearts("6 0 7 0", queen=2), points("26 0 0 0")):
        sheet = enter(open_sheet(rules), told)
        assert score(sheet) == (0, 26, 0, 26)
        assert "Anne and Chloé have shot the moon" in "\n".join(sheet_lines(ENGLISH, sheet))


def test_W10_points_are_told_for_each_player_each_side_or_as_scored() -> None:
    partners = open_sheet(rules_of("partnership"))
    for text in ("4 13 6 3", "10 16", "10 16 10 16", "10 16 10 -", "10 -"):
        assert score(enter(partners, points(text))) == (10, 16, 10, 16)


def test_W10_I5_a_revoke_costs_the_partner_as_much() -> None:
    assert score(sheet_of("partnership", revoked(1))) == (0, 26, 0, 26)


# The engine


@settings(max_examples=few(30, 60))
@given(wider_rulesets(most_cards=24), seeds)
def test_what_is_written_down_of_a_match_is_what_the_engine_reckons(
    rules: Ruleset, seed: int
) -> None:
    state: MatchState = replay([start(rules)])
    sheet = done(None, Open(state.rules, NAMES[: rules.players]), NameFirstDealer(0))
    for step in match(rules, seed):
        state = step.after
        for event in step.events:
            if isinstance(event, DealScored):
                sheet = written(sheet, state, event)
                assert sheet.table.totals == state.totals
    here, there = sheet.table, rows_of_match(state)
    assert (here.over, here.winners) == (True, there.winners)
    assert (here.sides, here.limit, here.tied) == (there.sides, there.limit, there.tied)
    for mine, theirs in zip(here.rows, there.rows, strict=True):
        for name in ("points", "totals", "leaders", "moon", "slam", "minus", "trickless", "halved"):
            assert getattr(mine, name) == getattr(theirs, name)


def written(sheet: Sheet, state: MatchState, event: DealScored) -> Sheet:
    """What somebody would write down of a deal; by its points it comes to the same."""
    deal, rules = state.deal, state.rules
    assert deal is not None
    captured = [deal.captured(seat) for seat in range(rules.players)]
    told = taken_of(rules, captured, deal.won, event.minus)
    after = done(sheet, Enter(told))
    bonuses = tuple(took for took in told.others if rules.points.of(took.card) < 0)
    own = [rules.points_in(pile) for pile in captured]
    own = [
        have + rules.points.no_tricks * (not won) for have, won in zip(own, deal.won, strict=True)
    ]
    counted = Counted(
        tuple(own), told.jack, told.all_tricks, (), bonuses, told.trickless, told.minus
    )
    found = trial(sheet, counted)
    if bonuses and isinstance(found, SheetFault):  # so counted, and so scored for another moon
        assert (found.reason, event.moon is None) == ("points_two_ways", False)
    else:
        assert found == trial(sheet, told)
    return after
