"""A deal entered by hearts or by points, with as few numbers as there can be (S1–S7)."""

from __future__ import annotations

import dataclasses
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from scoresheet.sheets import (
    EXPOSED,
    NAMES,
    enter,
    hearts,
    open_sheet,
    points,
    random_told,
    refused,
    rules_of,
    rulesets,
    score,
    seeds,
    sheet_of,
    taken_of,
)

from volte.cards import QUEEN, Card
from volte.referee.scores import Took
from volte.rules import Points, Ruleset
from volte.rules import score as scored
from volte.scorekeeper.model import (
    Counted,
    Enter,
    LostDeal,
    Open,
    SheetFault,
    Taken,
    Told,
    everything,
    needs_of,
    trial,
)
from volte.scorekeeper.model.points import reckon


def points_of(preset: str, told: Told, **settings: int | str) -> tuple[int, ...]:
    return score(sheet_of(preset, told, **settings))


# By the cards


def test_S1_S2_hearts_count_one_and_the_queen_her_points() -> None:
    assert points_of("coeurs", hearts("3 4 6 0", queen=1)) == (3, 16, 6, 0)
    assert points_of("coeurs-moyenne", hearts("3 4 6 0", queen=1)) == (3, 17, 6, 0)


@pytest.mark.parametrize("text", ["3 4 6 -", "3 4 6 0", "3 4 - 0", "- 4 6 0"])
def test_whoever_is_left_out_has_taken_the_rest(text: str) -> None:
    assert points_of("coeurs", hearts(text, queen=1)) == (3, 16, 6, 0)


def test_where_all_hearts_are_told_the_others_have_taken_none() -> None:
    assert points_of("coeurs", hearts("13 - - -", queen=2)) == (13, 0, 12, 0)
    assert points_of("coeurs", hearts("- 5 - 8 -", queen=0), players=5) == (12, 5, 0, 8, 0)


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_S3_all_hearts_and_the_queen_are_a_moon(players: int) -> None:
    sheet = sheet_of("coeurs", hearts("13" + " -" * (players - 1), queen=0), players=players)
    assert score(sheet) == (0,) + (25,) * (players - 1)
    assert sheet.table.rows[0].moon == 0


def test_S3_no_moon_where_the_rules_have_none() -> None:
    assert points_of("coeurs", hearts("13 - - -", queen=0), moon="off") == (25, 0, 0, 0)


def test_S3_all_hearts_without_the_queen_are_none() -> None:
    assert points_of("coeurs", hearts("13 - - -", queen=1)) == (13, 12, 0, 0)


def test_S3_in_a_deck_without_some_hearts_all_means_all_there_are() -> None:
    six = rules_of("salon", players=6)  # the 3s are out
    assert needs_of(six).hearts == 12
    assert points_of("salon", hearts("12 - - - - -", queen=0), players=6) == (0,) + (25,) * 5


def test_S4_every_trick_reverses() -> None:
    assert points_of("salon", hearts("- - - -", slam=2)) == (26, 26, -26, 26)
    assert points_of("salon", hearts("13 0 0 0", queen=0)) == (0, 26, 26, 26)


def test_S4_S5_the_worked_case() -> None:
    assert points_of("salon-valet", everything(rules_of("salon-valet"), 0, slam=True)) == (
        -36,
        26,
        26,
        26,
    )


def test_S3_S5_the_worked_case() -> None:
    assert points_of("salon-valet", hearts("13 - - -", queen=0, jack=1)) == (0, 16, 26, 26)
    assert points_of("salon-valet", points("0 16 26 26")) == (0, 16, 26, 26)
    assert points_of("salon-valet", points("26 -10 0 0")) == (0, 16, 26, 26)


def test_S5_the_jack_takes_ten_points_off() -> None:
    assert points_of("salon-valet", hearts("3 4 6 -", queen=1, jack=3)) == (3, 17, 6, -10)


def test_a_queen_who_counts_nothing_is_not_asked_for() -> None:
    assert not needs_of(rules_of("coeurs", queen_points=0)).queen
    assert points_of("coeurs", hearts("3 4 6 -"), queen_points=0) == (3, 4, 6, 0)


# By the points


@pytest.mark.parametrize("text", ["25 0 0 0", "0 25 25 25", "25 - - -", "0 25 25 -", "- 0 0 0"])
def test_S3_points_tell_the_same_moon_counted_or_scored(text: str) -> None:
    sheet = sheet_of("coeurs", points(text))
    assert score(sheet) == (0, 25, 25, 25)
    assert sheet.table.rows[0].moon == 0


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_S3_points_tell_a_moon_at_any_table(players: int) -> None:
    as_scored = (0,) + (25,) * (players - 1)
    assert points_of("coeurs", Counted(as_scored), players=players) == as_scored
    as_counted = (25,) + (0,) * (players - 1)
    assert points_of("coeurs", Counted(as_counted), players=players) == as_scored


def test_points_of_a_deal_without_a_moon() -> None:
    assert points_of("coeurs", points("3 16 - 0")) == (3, 16, 6, 0)
    assert points_of("salon-valet", points("3 17 6 -10")) == (3, 17, 6, -10)


def test_S4_points_tell_a_slam() -> None:
    sheet = sheet_of("salon", points("-26 26 26 26"))
    assert (score(sheet), sheet.table.rows[0].slam) == ((-26, 26, 26, 26), 0)
    assert points_of("salon", points("26 0 0 0")) == (0, 26, 26, 26)
    assert points_of("salon", points("26 0 0 0", slam=0)) == (-26, 26, 26, 26)


def test_points_that_can_be_read_in_two_ways_are_asked_for_again() -> None:
    three = open_sheet(rules_of("coeurs", players=3))
    # Chloé has either none (Bruno shot the moon, and that is counted) or 25 (Anne, scored).
    assert refused(three, Enter(points("0 25 -"))).reason == "points_left_out_two_ways"
    assert score(enter(three, points("0 25 25"))) == (0, 25, 25)
    jack = open_sheet(rules_of("salon-valet"))
    # Either Anne shot the moon with the jack, or Bruno has ten hearts and the jack.
    assert refused(jack, Enter(points("16 0 0 0"))).reason == "who_took_the_jack"
    assert score(enter(jack, points("16 0 0 0", jack=0))) == (-10, 26, 26, 26)
    assert score(enter(jack, points("16 0 0 0", jack=1))) == (16, 0, 0, 0)


def test_the_last_player_of_three_by_points() -> None:
    assert points_of("coeurs", points("3 16 -"), players=3) == (3, 16, 6)


# What cannot be


@pytest.mark.parametrize(
    ("told", "reason", "params"),
    [
        (hearts("3 4 7 0", queen=1), "hearts_do_not_add_up", {"given": 14, "due": 13}),
        (hearts("3 4 5 0", queen=1), "hearts_do_not_add_up", {"given": 12, "due": 13}),
        (hearts("14 - - -", queen=1), "hearts_do_not_add_up", {"given": 14, "due": 13}),
        (hearts("9 9 - 0", queen=1), "hearts_do_not_add_up", {"given": 18, "due": 13}),
        (hearts("3 - - 0", queen=1), "hearts_left_out", {"given": 3, "due": 13}),
        (hearts("3 14 -4 0", queen=1), "negative_hearts", {}),
        (hearts("3 4 6 0"), "who_took_the_queen", {}),
        (hearts("3 4 6 0", queen=4), "no_player_there", {"number": 5, "players": 4}),
        (hearts("3 4 6 0", queen=1, jack=0), "jack_counts_nothing", {}),
        (hearts("3 4 6 0", queen=1, slam=0), "slam_counts_nothing", {}),
        (hearts("3 4 6", queen=1), "players_told", {"given": 3, "due": 4}),
        (hearts("3 4 6 0 0", queen=1), "players_told", {"given": 5, "due": 4}),
        (points("3 16 7 0"), "points_or_moon", {"given": 26, "due": 25, "moon": 75}),
        (points("0 25 25 24"), "points_or_moon", {"given": 74, "due": 25, "moon": 75}),
        (points("3 - - 0"), "points_left_out", {"given": 3, "due": 25}),
        (points("20 20 - 0"), "points_too_many", {"given": 40, "due": 25}),
        (points("27 0 -2 0"), "negative_points", {}),
        (points("11 11 3 0"), "nobody_has_the_queen", {"queen": 12}),
        (points("3 16 6 0", jack=0), "jack_counts_nothing", {}),
        (points("25 0 0 0", slam=0), "slam_counts_nothing", {}),
        (points("25 0 0"), "players_told", {"given": 3, "due": 4}),
    ],
)
def test_S6_what_cannot_be_is_refused_with_the_reason(
    told: Told, reason: str, params: dict[str, int]
) -> None:
    fault = refused(open_sheet(rules_of("coeurs")), Enter(told))
    assert (fault.reason, fault.params) == (reason, params)


def test_S4_nobody_else_has_a_card_beside_a_slam() -> None:
    salon = open_sheet(rules_of("salon"))
    for told in (
        hearts("12 1 0 0", queen=0, slam=0),
        hearts("13 0 0 0", queen=1, slam=0),
        points("20 6 0 0", slam=0),
        points("26 0 0 0", slam=1),
    ):
        assert refused(salon, Enter(told)).reason == "slam_takes_everything"


def test_a_queen_that_is_out_of_the_deck_is_nobody_s() -> None:
    sheet = open_sheet(rules_of("coeurs", removed=["QS"]))
    assert refused(sheet, Enter(hearts("3 4 6 0", queen=1))).reason == "queen_counts_nothing"
    assert score(enter(sheet, hearts("3 4 6 0"))) == (3, 4, 6, 0)


def test_nothing_is_entered_by_a_trial() -> None:
    sheet = open_sheet(rules_of("coeurs"))
    moon = trial(sheet, hearts("13 - - -", queen=0))
    assert not isinstance(moon, SheetFault)
    assert moon is not None
    assert (moon.points, moon.moon) == ((0, 25, 25, 25), 0)
    assert isinstance(trial(sheet, hearts("14 - - -", queen=0)), SheetFault)
    assert trial(sheet, EXPOSED) is None


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
    assert trial(sheet, told) == due
    assert trial(sheet, replace(told, hearts=(*told.hearts[:-1], None))) == due
    idle = [rules.points.no_tricks * (not count) for count in tricks]
    counted = tuple(rules.points_in(mask) + idle[seat] for seat, mask in enumerate(won))
    rest = (told.jack, told.all_tricks, (), _bonuses(rules, told), told.trickless, told.minus)
    assert trial(sheet, Counted(counted, *rest)) == due
    as_scored = trial(sheet, Counted(due.points, *rest))
    assume(not isinstance(as_scored, SheetFault))
    assert as_scored == due


def _bonuses(rules: Ruleset, told: Taken) -> tuple[Took, ...]:
    """The cards that count below zero, of those that have no field."""
    return tuple(took for took in told.others if rules.points.of(took.card) < 0)


@given(rulesets(), seeds)
def test_what_has_been_entered_stands_as_it_would_be_entered_again(
    rules: Ruleset, seed: int
) -> None:
    rng = random.Random(seed)
    told = random_told(rules, rng)
    assume(not isinstance(told, LostDeal))
    once = reckon(rules, told)
    assert reckon(rules, once.told) == once
    assert once.score is not None
    try:
        counted = reckon(rules, Counted(once.score.points, missing=()))
    except SheetFault:
        return
    assert reckon(rules, counted.told) == counted


def test_cards_are_the_deck_s_own() -> None:
    rules = rules_of("salon", players=6)
    assert Card("3H") not in rules.values
    assert points_of("salon", hearts("6 6 0 0 0 -", queen=0), players=6) == (19, 6, 0, 0, 0, 0)


def test_a_sheet_counts_by_whatever_the_options_can_make_and_by_nothing_else() -> None:
    rules = rules_of("coeurs")
    queenly = tuple((card, -1 if card is QUEEN else worth) for card, worth in rules.points.table)
    other = dataclasses.replace(rules, points=Points(queenly))
    assert refused(None, Open(other, NAMES[:4])).reason == "sheet_cannot_count"
