"""Every preset is what RULES says, for every number of players."""

from __future__ import annotations

import pickle
from dataclasses import replace

import msgspec
import pytest
from rulesets import ALL_TABLES, OF_SEEDS

from volte.game.codec import encode, read_card
from volte.rules import (
    OPTIONS,
    PRESETS,
    Ruleset,
    RulesetFault,
    Value,
    described,
    make_ruleset,
    nearest,
    options_of,
)

PLAIN: dict[str, Value] = {
    "packs": 1,
    "queen_play": "free",
    "heart_points": "one",
    "card_points": [],
    "no_tricks": 0,
    "moon_needs_jack": False,
    "moon_by": "player",
    "at_limit": "ends",
    "ties": "share",
    "partners": 1,
}
"""What the seeds have of the wider family: nothing."""

COEURS: dict[str, Value] = {
    **PLAIN,
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
    **PLAIN,
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

LADY: dict[str, Value] = {
    **DAME,
    "pass_cycle": ["left"],
    "opening": "eldest",
    "first_trick_points": "allowed",
    "hearts_lead": "free",
}
"""The game of 1909 that the wider family varies: pass left, lead anything, up to 100."""

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
    "simple-hearts": {
        **LADY,
        "pass_count": 0,
        "queen_points": 0,
        "moon": "off",
        "match_end": "deals:1",
        "settlement": "average",
    },
    "black-lady": {**LADY, "moon": "off"},
    "omnibus": {**LADY, "jack_points": -10, "moon": "shooter_minus", "moon_needs_jack": True},
    "spot-hearts": {
        **DAME,
        "pass_cycle": ["left", "across", "right", "hold"],
        "heart_points": "rank",
        "queen_points": 25,
        "moon": "shooter_minus",
        "slam": "double",
        "match_end": "limit:500",
    },
    "black-maria": {
        **LADY,
        "pass_cycle": ["right"],
        "card_points": ["KS=10", "AS=7"],
        "moon": "off",
    },
    "greek": {**LADY, "pass_cycle": ["right"]},
    "scatter": {
        **DAME,
        "pass_cycle": ["left", "right", "across", "scatter"],
        "first_trick_points": "allowed",
        "moon": "shooter_chooses",
        "ties": "play_on",
    },
    "exact-hundred": {**DAME, "moon": "plus_unless_lost", "at_limit": "halves"},
    "partnership": {**DAME, "partners": 2, "match_end": "limit:200"},
    "cancellation": {**LADY, "packs": 2, "pass_count": 0, "kitty": "first_trick"},
}
STRIPPED = ("salon", "salon-valet", "simple-hearts", "black-lady", "omnibus", "black-maria")
"""The tables at which cards are left out by the number of players."""

PLAYERS = {
    "coeurs": {3, 4, 5, 6, 7},
    "cancellation": {6, 7, 8, 9, 10},
    **{name: {3, 4, 5, 6} for name in STRIPPED},
}
USUAL = {"salon-six-deux": 6, "salon-six-jokers": 6, "black-maria": 3, "cancellation": 8}
CYCLES = {
    3: ["left", "right", "hold"],
    4: ["left", "right", "across", "hold"],
    5: ["left", "right", "second_left", "second_right", "hold"],
    6: ["left", "right", "second_left", "second_right", "across", "hold"],
}
OUT = {
    "salon": {3: ["2D"], 4: [], 5: ["2D", "2S"], 6: ["3C", "3D", "3S", "3H"]},
    "simple-hearts": {3: ["2S"], 4: [], 5: ["2C", "2S"], 6: ["2C", "2D", "2S", "2H"]},
    "black-lady": {3: ["2C"], 4: [], 5: ["2C", "2D"], 6: ["2C", "3C", "2D", "2S"]},
    "black-maria": {3: ["2C"], 4: [], 5: ["2C", "2D"], 6: ["2C", "2D", "2S", "2H"]},
}
OUT |= {"salon-valet": OUT["salon"], "omnibus": OUT["black-lady"]}


def expected(name: str, players: int) -> dict[str, Value]:
    options = {"players": players, **BASE[name]}
    if name.startswith("coeurs"):
        options["pass_count"] = 2 if players >= 6 else 3
    if name.startswith("salon"):
        options["pass_cycle"] = CYCLES[players]
    if name in STRIPPED:
        options["removed"] = OUT[name][players]
    return options


@pytest.mark.parametrize(("name", "players"), ALL_TABLES)
def test_a_preset_is_the_table_of_RULES(name: str, players: int) -> None:
    rules = make_ruleset(name, {"players": players})
    assert options_of(rules) == expected(name, players)


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("coeurs", 25),
        ("coeurs-moyenne", 26),
        ("dame-de-pique", 26),
        ("salon-six-jokers", 26),
        ("simple-hearts", 13),
        ("omnibus", 26),
        ("spot-hearts", 129),  # 104 of the hearts and 25
        ("black-maria", 43),
        ("partnership", 26),
        ("cancellation", 52),
    ],
)
def test_S1_S2_what_all_penalty_cards_are_worth(name: str, total: int) -> None:
    assert make_ruleset(name).penalty_total == total


@pytest.mark.parametrize(("name", "players"), ALL_TABLES)
def test_D4_D5_cards_are_left_over_only_where_a_kitty_takes_them(name: str, players: int) -> None:
    rules = make_ruleset(name, {"players": players})
    assert rules.hand_size * players + rules.kitty_size == len(rules.cards)
    if rules.deck.kitty == "none":
        assert rules.kitty_size == 0


@pytest.mark.parametrize(("name", "players"), ALL_TABLES)
def test_a_preset_is_called_by_its_name(name: str, players: int) -> None:
    """Where nobody has chosen, the first preset listed wins a tie: two names may be one table."""
    settings = {} if players == PRESETS[name].players[0] else {"players": players}
    rules = make_ruleset(name, {"players": players})
    assert described(rules) == (name, settings)
    called = "dame-de-pique" if name == "microsoft" else name
    assert described(replace(rules, preset="")) == nearest(rules) == (called, settings)


def read(data: object) -> Ruleset:
    """A ruleset as it is kept."""
    return msgspec.convert(data, Ruleset, dec_hook=read_card)


def test_the_preset_chosen_is_a_label_that_changes_nothing() -> None:
    chosen, other = make_ruleset("microsoft"), make_ruleset("dame-de-pique")
    assert (chosen, hash(chosen)) == (other, hash(other))
    for _ in range(2):  # whichever was described first
        assert [described(rules) for rules in (chosen, other, make_ruleset())] == [
            ("microsoft", {}),
            ("dame-de-pique", {}),
            ("dame-de-pique", {}),
        ]
    kept = [pickle.loads(pickle.dumps(chosen)), read(msgspec.json.decode(encode(chosen)))]
    assert [described(rules)[0] for rules in kept] == ["microsoft"] * 2


def test_what_is_changed_is_told_from_the_preset_chosen() -> None:
    changed: dict[str, Value] = {"match_end": "deals:5"}
    rules = make_ruleset("coeurs", changed)
    assert described(rules) == ("coeurs", changed)
    assert nearest(rules) == ("coeurs-cinq-coups", {})
    assert make_ruleset(*described(rules)) == make_ruleset(*nearest(rules)) == rules


def test_rules_from_before_and_a_label_that_is_none_are_called_by_the_nearest() -> None:
    data = msgspec.json.decode(encode(make_ruleset("microsoft")))
    del data["preset"]
    assert described(read(data))[0] == "dame-de-pique"
    data["preset"] = "no-such-game"
    assert described(read(data))[0] == "dame-de-pique"


@pytest.mark.parametrize("name", [name for name in BASE if name.startswith(OF_SEEDS)])
def test_one_option_changed_leaves_a_table_of_the_seeds_its_name(name: str) -> None:
    """No preset of the wider family takes over what is one step away from a seed's."""
    usual = make_ruleset(name)
    for option, value in options_of(Ruleset()).items():
        if value == options_of(usual)[option] or option in ("players", "packs"):
            continue
        try:
            nearby = make_ruleset(name, {option: value})
        except RulesetFault:
            continue
        assert described(nearby)[0].startswith(OF_SEEDS)


def test_there_are_just_these_presets() -> None:
    assert set(PRESETS) == set(BASE)
    assert set(OPTIONS) == {"players", *COEURS}


@pytest.mark.parametrize("name", BASE)
def test_a_preset_is_made_for_its_numbers_of_players(name: str) -> None:
    usual = USUAL.get(name, 4)
    assert make_ruleset(name).players == PRESETS[name].players[0] == usual
    family = "coeurs" if name.startswith("coeurs") else name
    assert set(PRESETS[name].players) == PLAYERS.get(family, {usual})


@pytest.mark.parametrize(("name", "players"), ALL_TABLES)
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
