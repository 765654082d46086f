"""A deal entered by hearts or by points, with as few numbers as possible (S1–S7, W5–W11)."""

from __future__ import annotations

import dataclasses
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from kit.sheets import (
    EXPOSED,
    NAMES,
    enter,
    hearts,
    open_sheet,
    points,
    random_report,
    refused,
    revoked,
    rules_of,
    rulesets,
    score,
    seeds,
    sheet_of,
    taken_of,
    why,
)
from msgspec.structs import replace

from volte.cards import JACK, QUEEN, Card
from volte.rules import Points, Ruleset
from volte.rules import score as scored
from volte.scorekeeper import model
from volte.scorekeeper.model.points import reckon
from volte.sheet import Took

FIVE = (Card("5H"),)


@pytest.mark.parametrize(
    ("table", "told", "due"),
    [
        ("coeurs", hearts("3 4 6 -", queen=1), (3, 16, 6, 0)),
        ("coeurs", hearts("3 4 - 0", queen=1), (3, 16, 6, 0)),
        ("coeurs", hearts("- 4 6 0", queen=1), (3, 16, 6, 0)),
        ("coeurs", hearts("13 - - -", queen=2), (13, 0, 12, 0)),
        ("coeurs players=5", hearts("- 5 - 8 -", queen=0), (12, 5, 0, 8, 0)),
        ("salon players=6", hearts("6 6 0 0 0 -", queen=0), (19, 6, 0, 0, 0, 0)),
        ("coeurs", model.Taken((3, 4, 5, None), 1, missing=FIVE), (3, 16, 5, 0)),
        ("coeurs", points("3 16 - 0"), (3, 16, 6, 0)),
        ("coeurs players=3", points("3 16 -"), (3, 16, 6)),
        ("coeurs", model.Counted((3, 16, 5, None), missing=FIVE), (3, 16, 5, 0)),
        ("black-maria players=4", points("13 17 6 -"), (13, 17, 6, 7)),
        ("omnibus card_points=[TD=-5]", points("-7 17 1 -"), (-7, 17, 1, 0)),
        ("cancellation players=7", points("52 52 52 52 0 52 -"), (52,) * 4 + (0, 52, 52)),
        ("dame-de-pique moon=shooter_chooses", points("0 26 26 -"), (0, 26, 26, 26)),
        ("partnership", points("10 16 10 -"), (10, 16, 10, 16)),
        ("partnership", points("10 -"), (10, 16, 10, 16)),
        ("salon", hearts("- - - -", slam=2), (26, 26, -26, 26)),
        ("spot-hearts", hearts("- - - -", slam=2), (0, 0, -258, 0)),
        ("salon-valet", model.everything(rules_of("salon-valet"), 0, slam=True), (-36, 26, 26, 26)),
    ],
)
def test_whoever_is_left_out_has_the_rest_or_nothing(
    table: str, told: model.DealReport, due: tuple[int, ...]
) -> None:
    assert score(sheet_of(table, told)) == due


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_S3_a_moon_at_any_table_by_hearts_counted_or_scored(players: int) -> None:
    none, as_scored = " -" * (players - 1), (0,) + (25,) * (players - 1)
    all_but_one = " ".join(("0", *["25"] * (players - 2), "-"))
    tellings: list[model.DealReport] = [
        hearts("13" + none, queen=0),
        model.Counted(as_scored),
        model.Counted((25,) + (0,) * (players - 1)),
        points("25" + none),
        points("-" + " 0" * (players - 1)),
        *([points(all_but_one)] if players > 3 else []),  # with three, Bruno's moon would fit too
    ]
    for told in tellings:
        sheet = sheet_of("coeurs", told, players=players)
        assert (score(sheet), sheet.table.rows[0].moon) == (as_scored, 0)


def test_points_that_can_be_read_in_two_ways_are_asked_for_again() -> None:
    three = open_sheet(rules_of("coeurs", players=3))
    # Chloé has either 0 (Bruno's moon, as counted) or 25 (Anne's moon, as scored).
    assert refused(three, model.Enter(points("0 25 -"))).reason == "points_left_out_two_ways"
    assert score(enter(three, points("0 25 25"))) == (0, 25, 25)
    idle = open_sheet(rules_of("dame-de-pique", no_tricks=-5))
    assert refused(idle, model.Enter(points("13 13 -5 -"))).reason == "points_left_out_two_ways"


@pytest.mark.parametrize(
    ("table", "told", "reason"),
    [
        ("coeurs", hearts("14 - - -", queen=1), "hearts_do_not_add_up given=14 due=13"),
        ("coeurs", hearts("9 9 - 0", queen=1), "hearts_do_not_add_up given=18 due=13"),
        ("coeurs", hearts("3 - - 0", queen=1), "hearts_left_out given=3 due=13"),
        ("coeurs", hearts("3 4 6 0", queen=4), "no_player_there number=5 players=4"),
        ("coeurs", points("3 - - 0"), "points_left_out given=3 due=25"),
        ("coeurs", points("20 20 - 0"), "points_too_many given=40 due=25"),
        ("spot-hearts", hearts("35 - - 10", queen=1), "heart_points_left_out given=45 due=104"),
        ("coeurs", model.StoppedDeal(mixed=(4,)), "no_player_there number=5 players=4"),
        ("coeurs", model.Taken((0,) * 4, missing=(QUEEN,) * 2), "missing_twice card=QS"),
        ("cancellation", model.Taken((0,) * 6, missing=(QUEEN,) * 3), "missing_twice card=QS"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(
    table: str, told: model.DealReport, reason: str
) -> None:
    assert why(refused(open_sheet(rules_of(table)), model.Enter(told))) == reason


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_I5_the_offender_scores_the_total_and_the_others_nothing(players: int) -> None:
    scores = score(sheet_of("coeurs", revoked(1), players=players))
    assert scores == tuple(25 * (seat == 1) for seat in range(players))


def test_what_has_to_be_told_of_a_deal() -> None:
    assert not model.needs_of(rules_of("coeurs", queen_points=0)).queen
    six = rules_of("salon", players=6)  # the 3s are out
    assert (model.needs_of(six).hearts, Card("3H") in six.values) == (12, False)
    assert model.needs_of(rules_of("coeurs"), FIVE).hearts == 12
    spots = model.needs_of(rules_of("spot-hearts"))
    assert (spots.hearts, spots.total) == (104, 129)
    two_packs = model.needs_of(rules_of("cancellation", players=7))
    assert (two_packs.hearts, two_packs.total) == (26, 52)
    bonuses = model.needs_of(rules_of("omnibus", card_points=["TD=-5"]))
    assert [each.card for each in bonuses.cards] == [QUEEN, JACK, Card("TD")]


def test_nothing_is_entered_by_a_trial() -> None:
    sheet = open_sheet(rules_of("coeurs"))
    moon = model.trial(sheet, hearts("13 - - -", queen=0))
    assert not isinstance(moon, model.SheetFault)
    assert moon is not None
    assert (moon.points, moon.moon) == ((0, 25, 25, 25), 0)
    assert isinstance(model.trial(sheet, hearts("14 - - -", queen=0)), model.SheetFault)
    assert model.trial(sheet, EXPOSED) is None


def test_a_sheet_counts_by_whatever_the_options_can_make_and_by_nothing_else() -> None:
    rules = rules_of("coeurs")
    queenly = tuple((card, -1 if card is QUEEN else worth) for card, worth in rules.points.table)
    other = dataclasses.replace(rules, points=Points(queenly))
    assert refused(None, model.Open(other, NAMES[:4])).reason == "sheet_cannot_count"


# The rules have the last word


@given(rulesets(), seeds, st.booleans(), st.booleans())
def test_a_deal_told_by_cards_or_points_scores_as_it_was_played(
    rules: Ruleset, seed: int, few: bool, minus: bool
) -> None:
    rng, seats = random.Random(seed), range(rules.players)
    takers = rng.sample(seats, min(rng.randint(1, 2), rules.players) if few else rules.players)
    won, tricks = [0] * rules.players, [0] * rules.players
    for card in rules.cards:
        won[rng.choice(takers)] |= card.bit
    for seat in takers:
        tricks[seat] = 1
    told = taken_of(rules, won, tricks, minus)
    due = scored(rules, won, tricks, minus=bool(told.minus))
    sheet = open_sheet(rules)
    assert model.trial(sheet, told) == due
    assert model.trial(sheet, replace(told, hearts=(*told.hearts[:-1], None))) == due
    idle = [rules.points.no_tricks * (not count) for count in tricks]
    counted = tuple(rules.points_in(mask) + idle[seat] for seat, mask in enumerate(won))
    rest = (told.jack, told.all_tricks, (), _bonuses(rules, told), told.trickless, told.minus)
    assert model.trial(sheet, model.Counted(counted, *rest)) == due
    as_scored = model.trial(sheet, model.Counted(due.points, *rest))
    assume(not isinstance(as_scored, model.SheetFault))
    assert as_scored == due


def _bonuses(rules: Ruleset, told: model.Taken) -> tuple[Took, ...]:
    """The takers of cards that count below zero and have no field of their own."""
    return tuple(took for took in told.others if rules.points.of(took.card) < 0)


@given(rulesets(), seeds)
def test_what_has_been_entered_stands_as_it_would_be_entered_again(
    rules: Ruleset, seed: int
) -> None:
    rng = random.Random(seed)
    told = random_report(rules, rng)
    assume(not isinstance(told, model.LostDeal))
    once = reckon(rules, told)
    assert reckon(rules, once.report) == once
    assert once.score is not None
    try:
        counted = reckon(rules, model.Counted(once.score.points, missing=()))
    except model.SheetFault:
        return
    assert reckon(rules, counted.report) == counted
