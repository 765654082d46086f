"""Every preset is what RULES says, for every number of players."""

from __future__ import annotations

import pytest
from rulesets import TABLES

from volte.cards import QUEEN
from volte.rules import OPTIONS, PRESETS, RulesetFault, Value, make_ruleset, options_of

COEURS: dict[str, Value] = {
    "removed": [],
    "kitty": "first_trick",
    "jokers": 0,
    "pass_count": 3,
    "pass_cycle": ["left"],
    "opening": "eldest",
    "first_trick_points": "allowed",
    "hearts_lead": "free",
    "queen_breaks_hearts": False,
    "hearts_from_trick": 1,
    "queen_discard": "forced",
    "queen_points": 12,
    "jack_points": 0,
    "moon": "others_plus",
    "slam": "off",
    "match_end": "deals:1",
    "settlement": "difference",
    "irregularities": "enforced",
}
DAME: dict[str, Value] = {
    "removed": [],
    "kitty": "none",
    "jokers": 0,
    "pass_count": 3,
    "pass_cycle": ["left", "right", "across", "hold"],
    "opening": "lowest_club",
    "first_trick_points": "barred",
    "hearts_lead": "once_broken",
    "queen_breaks_hearts": False,
    "hearts_from_trick": 1,
    "queen_discard": "free",
    "queen_points": 13,
    "jack_points": 0,
    "moon": "others_plus",
    "slam": "off",
    "match_end": "limit:100",
    "settlement": "none",
    "irregularities": "enforced",
}
SALON: dict[str, Value] = {**DAME, "slam": "reversal"}

BASE: dict[str, dict[str, Value]] = {
    "coeurs": COEURS,
    "coeurs-cinq-coups": {**COEURS, "match_end": "deals:5"},
    "coeurs-moyenne": {
        **COEURS,
        "match_end": "deals:5",
        "settlement": "average",
        "queen_points": 13,
    },
    "coeurs-cagnotte": {**COEURS, "settlement": "pot"},
    "coeurs-table": {**COEURS, "irregularities": "refereed"},
    "dame-de-pique": DAME,
    "microsoft": DAME,
    "salon": SALON,
    "salon-valet": {**SALON, "jack_points": -10},
    "salon-six-deux": {**SALON, "removed": ["2C", "2D", "2S", "2H"]},
    "salon-six-jokers": {**SALON, "jokers": 2},
}
PLAYERS = {"coeurs": {3, 4, 5, 6, 7}, "salon": {3, 4, 5, 6}, "salon-valet": {3, 4, 5, 6}}
CYCLES = {
    3: ["left", "right", "hold"],
    4: ["left", "right", "across", "hold"],
    5: ["left", "right", "second_left", "second_right", "hold"],
    6: ["left", "right", "second_left", "second_right", "across", "hold"],
}
OUT = {3: ["2D"], 4: [], 5: ["2D", "2S"], 6: ["3C", "3D", "3S", "3H"]}


def expected(name: str, players: int) -> dict[str, Value]:
    options = {"players": players, **BASE[name]}
    if name.startswith("coeurs"):
        options["pass_count"] = 2 if players >= 6 else 3
    if name.startswith("salon"):
        options["pass_cycle"] = CYCLES[players]
    if name in ("salon", "salon-valet"):
        options["removed"] = OUT[players]
    return options


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_preset_is_the_table_of_RULES(name: str, players: int) -> None:
    rules = make_ruleset(name, {"players": players})
    assert options_of(rules) == expected(name, players)
    hearts = 12 if name.startswith("salon") and players == 6 and not rules.deck.jokers else 13
    assert rules.penalty_total == hearts + rules.points.of(QUEEN)


def test_there_are_just_these_presets() -> None:
    assert set(PRESETS) == set(BASE)
    assert set(OPTIONS) == {"players", *COEURS}


@pytest.mark.parametrize("name", BASE)
def test_a_preset_is_made_for_its_numbers_of_players(name: str) -> None:
    usual = {"coeurs": 4, "salon": 4, "salon-six-deux": 6, "salon-six-jokers": 6}.get(name, 4)
    assert make_ruleset(name).players == PRESETS[name].players[0] == usual
    family = "coeurs" if name.startswith("coeurs") else name
    assert set(PRESETS[name].players) == PLAYERS.get(family, {usual})


@pytest.mark.parametrize(("name", "players"), [(name, seats) for name, seats in TABLES])
def test_a_changed_number_of_players_brings_its_options_along(name: str, players: int) -> None:
    assert make_ruleset(name, {"players": str(players)}) == make_ruleset(name, {"players": players})


def test_one_option_changes_nothing_else() -> None:
    average = make_ruleset("coeurs", {"settlement": "average"})
    assert options_of(average) == {**expected("coeurs", 4), "settlement": "average"}


def test_an_option_said_goes_before_what_the_number_of_players_brings() -> None:
    assert make_ruleset("coeurs", {"players": 6, "pass_count": 4}).passing.count == 4


@pytest.mark.parametrize("name", ["", "Coeurs", "cœurs", "coeurs ", "hearts", "x" * 10_000])
def test_an_unknown_preset_is_refused(name: str) -> None:
    with pytest.raises(RulesetFault) as fault:
        make_ruleset(name)
    assert fault.value.reason == "no_such_preset"
    assert fault.value.params == {"preset": name, "presets": tuple(PRESETS)}
