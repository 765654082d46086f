"""The worth of moons to `casual`, as the match stands (E2, S3, S5, W7, W9, W10)."""

from __future__ import annotations

import pytest

from volte.bots.odds import ONE, USUAL, Shooter
from volte.bots.standing import MatchMoons
from volte.rules import Ruleset, make_ruleset

LIMIT = make_ruleset("microsoft")


def moons(*totals: int, rules: Ruleset = LIMIT) -> MatchMoons:
    return MatchMoons(rules, totals)


def hoped(*totals: int, rules: Ruleset = LIMIT) -> int:
    """Points that the first seat's hope for a moon is worth, beside those in a lone deal."""
    return moons(*totals, rules=rules).hoped(USUAL, 0, (0,)) - USUAL.moon


def feared(*totals: int, rules: Ruleset = LIMIT, ours: bool = False) -> int:
    """Fear of the last seat's moon that the first seat has, where it is whole in a lone deal."""
    shooter = Shooter((len(totals) - 1,), ONE, ours)
    return moons(*totals, rules=rules).feared(0, shooter).share


def test_E2_a_moon_that_ends_the_match_wins_it_for_whoever_is_then_in_front() -> None:
    match = moons(60, 50, 74, 80)
    assert match.wins_by_moon(0, (0,))  # 60 : 76 : 100 : 106
    assert not match.wins_by_moon(1, (0,))
    assert match.wins_by_moon(1, (3,))  # 86 : 76 : 100 : 80
    assert not moons(60, 50, 73, 70).wins_by_moon(0, (0,))  # 60 : 76 : 99 : 96
    assert moons(60, 34, 74, 80).wins_by_moon(0, (0,))  # 60 : 60 : 100 : 106


def test_a_hand_that_is_behind_hopes_for_more_where_its_moon_wins_the_match() -> None:
    assert hoped(30, 30, 60, 50) == 0
    assert hoped(31, 30, 60, 50) == 0
    assert hoped(31, 30, 74, 50) == USUAL.decisive
    assert hoped(57, 30, 74, 50) == 0  # 57 : 56


def test_no_moon_is_feared_that_wins_the_match_for_oneself() -> None:
    assert feared(40, 50, 74, 70) == 0  # 66 : 76 : 100 : 70
    assert feared(40, 50, 73, 70) == ONE  # 66 : 76 : 99 : 70
    assert feared(50, 40, 74, 80) == ONE  # 76 : 66 : 100 : 80
    assert feared(50, 60, 74, 75) == ONE  # 76 : 86 : 100 : 75


@pytest.mark.parametrize(
    ("option", "value"), [("match_end", "deals:5"), ("settlement", "difference")]
)
def test_E1_where_no_total_ends_the_match_moons_count_as_in_a_lone_deal(
    option: str, value: str
) -> None:
    rules = make_ruleset("microsoft", {option: value})
    assert hoped(60, 50, 74, 80, rules=rules) == 0
    assert feared(40, 50, 74, 70, rules=rules) == ONE


def test_W7_a_moon_that_only_takes_off_ends_no_match() -> None:
    rules = make_ruleset("microsoft", {"moon": "shooter_minus"})
    assert hoped(60, 50, 74, 80, rules=rules) == 0
    assert feared(40, 50, 74, 70, rules=rules) == ONE


def test_W7_where_the_match_plays_on_it_may_win_it_all_the_same() -> None:
    rules = make_ruleset("microsoft", {"moon": "shooter_minus", "ties": "play_on"})
    assert hoped(60, 50, 104, 50, rules=rules) == USUAL.decisive  # 34 : 50 : 104 : 50
    assert feared(60, 104, 70, 60, rules=rules) == ONE  # 60 : 104 : 70 : 34


def test_W9_a_total_that_falls_back_ends_nothing() -> None:
    rules = make_ruleset("exact-hundred")
    assert hoped(60, 50, 74, 60, rules=rules) == 0
    assert hoped(60, 50, 75, 60, rules=rules) == USUAL.decisive


@pytest.mark.parametrize("by", ["player", "side"])
def test_W10_a_moon_adds_nothing_to_the_partner_of_its_shooter(by: str) -> None:
    rules = make_ruleset("partnership", {"moon_by": by, "match_end": "limit:100"})
    shooter = Shooter((1, 3) if by == "side" else (3,), ONE)
    assert MatchMoons(rules, (40, 80, 40, 80)).feared(0, shooter).share == ONE  # 66 : 80
    assert not MatchMoons(rules, (40, 80, 40, 80)).wins_by_moon(0, shooter.seats)
    match = MatchMoons(rules, (75, 99, 75, 99))  # 101 : 99
    assert match.wins_by_moon(1, shooter.seats)
    assert match.hoped(USUAL, 1, shooter.seats) == USUAL.moon + USUAL.decisive


def test_W10_no_moon_of_a_partner_is_feared_less_for_the_match() -> None:
    assert feared(40, 50, 74, 70, ours=True) == ONE
