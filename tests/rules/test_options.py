"""Every option by name and value; every impossible combination refused with its reason; files."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.laws import cells, read_laws
from kit.strategies import all_settings, any_rulesets, wider_settings

from volte.cards import Card
from volte.names import meant
from volte.rules import (
    OPTIONS,
    PRESETS,
    Deck,
    Direction,
    EndKind,
    MatchEnd,
    Passing,
    Points,
    Ruleset,
    RulesetFault,
    Sides,
    Value,
    described,
    format_ruleset,
    load_ruleset,
    make_ruleset,
    options_of,
    parse_ruleset,
    read_setting,
    ruleset_named,
    ruleset_of,
    save_ruleset,
)

FAULTS: Final = read_laws(Path(__file__).with_name("faults.txt"))
NAMED = [
    (name, value)
    for name, option in OPTIONS.items()
    for value in option.values
    if not any(letter in value for letter in "–N[")
]
NUMBERS = {
    "players": range(3, 8),
    "pass_count": range(5),
    "hearts_from_trick": range(1, 14),
    "queen_points": (0, 1, 5, 12, 13, 25, 1000),
    "jack_points": (0, -5, -10),
    "no_tricks": (0, -1, -5, -1000),
    "jokers": (0, 2),
}
CARRIED: dict[str, dict[str, Value]] = {
    "packs=2": {"players": 6},
    "partners=3": {"players": 6},
}
"""Options that a value needs beside it, by option and value."""


def fault_of(make: Callable[..., object], *arguments: object) -> RulesetFault:
    """The fault that a call raises."""
    with pytest.raises(RulesetFault) as fault:
        make(*arguments)
    assert str(fault.value)
    return fault.value


# Options


@pytest.mark.parametrize(("name", "value"), NAMED)
def test_every_value_is_reached_by_name(name: str, value: str) -> None:
    beside = CARRIED.get(f"{name}={value}", {})
    rules = make_ruleset("coeurs", {"kitty": "first_trick", **beside, name: value})
    value_read = options_of(rules)[name]
    assert value_read == value or str(value_read).lower() == value or value_read == [value]
    assert ruleset_of(options_of(rules)) == rules


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, all_ in NUMBERS.items() for number in all_]
)
def test_every_number_is_reached_as_number_and_as_text(name: str, number: int) -> None:
    for value in (number, str(number), f" {number} "):
        options = options_of(make_ruleset("coeurs", {"kitty": "first_trick", name: value}))
        assert options[name] == number


ENDS = ("deals:1", "deals:5", "deals:1000", "limit:1", "limit:100000")
TWOS = ("2D,2S", "2D 2S", '["2D", "2S"]', "♦2 ♠2", "2s;2d", "D: 2, S: 2")
KING_AND_ACE = ("KS=10,AS=7", "KS=10 AS=7", '["KS=10", "AS=7"]', "ks=10;♠A=+7")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("jack_points", "−10", -10),  # a minus sign as in print
        *(("match_end", end, end) for end in ENDS),
        *(("removed", text, ["2D", "2S"]) for text in TWOS),
        *(("removed", text, []) for text in ("none", "", "[]")),
        *(("pass_cycle", f"{left}right", ["left", "right"]) for left in ("left,", "left, ")),
        ("pass_cycle", '["left", "right"]', ["left", "right"]),
        *(("card_points", text, ["KS=10", "AS=7"]) for text in KING_AND_ACE),  # W5
        *(("card_points", text, []) for text in ("none", "", "[]", "KS=0", "2H=1")),
    ],
)
def test_options_as_people_type_them(name: str, text: str, value: Value) -> None:
    assert options_of(make_ruleset("coeurs", {"players": 5, name: text}))[name] == value


def test_hearts_may_be_held_back_to_the_last_trick_of_the_longest_hand() -> None:
    rules = make_ruleset("coeurs", {"players": 3, "jokers": 2, "hearts_from_trick": 18})
    assert rules.hand_size == rules.play.hearts_from_trick == 18


def test_a_setting_is_a_name_and_a_value() -> None:
    assert read_setting("queen_discard=free") == ("queen_discard", "free")
    assert read_setting(" players = 5 ") == ("players", "5")
    assert read_setting("pass_cycle=left=right") == ("pass_cycle", "left=right")
    for text in ("", "players", "=5", " = "):
        assert fault_of(read_setting, text).reason == "not_a_setting"


@pytest.mark.parametrize("name", ["", "player", "Players", "queen", "preset", "deck.players"])
def test_an_unknown_option_is_refused(name: str) -> None:
    fault = fault_of(make_ruleset, "coeurs", {name: 4})
    assert fault.reason == "no_such_option"
    assert fault.params == {"option": name, "options": tuple(OPTIONS)}


@pytest.mark.parametrize("name", OPTIONS)
def test_an_unknown_value_is_refused(name: str) -> None:
    for value in ("maybe", "-1001", "99999", "1.5", "?", "limit:x", "free!"):
        fault = fault_of(make_ruleset, "coeurs", {name: value})
        assert fault.reason in {"no_such_value", "no_such_card", "players_out_of_range"}, value


@pytest.mark.parametrize("hearts", ["one", "rank"])
def test_W5_a_heart_may_count_otherwise_than_the_others(hearts: str) -> None:
    rules = make_ruleset("coeurs", {"heart_points": hearts, "card_points": "AH=30,2H=0"})
    options = options_of(rules)
    assert (options["heart_points"], options["card_points"]) == (hearts, ["2H=0", "AH=30"])
    assert ruleset_of(options) == rules


@pytest.mark.parametrize(
    "text", ["KS", "KS=", "KS=x", "=5", "KS=10,KS=5", "QS=5", "JD=-5", "KS'=10", "KS=1.5", "RJ"]
)
def test_W5_what_counts_nothing_sure_is_refused(text: str) -> None:
    """The queen and the jack have their own options, and the second pack counts as the first."""
    fault = fault_of(make_ruleset, "coeurs", {"card_points": text})
    assert fault.reason == "no_such_value"


def test_W11_cards_of_the_second_pack_may_be_removed() -> None:
    rules = make_ruleset("coeurs", {"players": 6, "packs": 2, "removed": "2C,2C'"})
    assert options_of(rules)["removed"] == ["2C", "2C'"]
    assert make_ruleset("coeurs", {"players": 6, "packs": 2, "removed": ["2C'", "2C"]}) == rules


# Combinations that cannot be played


@pytest.mark.parametrize("why", FAULTS)
def test_what_cannot_be_played_is_refused(why: str) -> None:
    for line in FAULTS[why]:
        options = dict(map(read_setting, cells(line)))
        assert fault_of(make_ruleset, "coeurs", options).reason == why, line


def test_where_nothing_is_passed_no_direction_is_wrong() -> None:
    rules = make_ruleset("microsoft", {"players": 5, "kitty": "first_trick", "pass_count": 0})
    assert {rules.direction(deal) for deal in range(1, 6)} == {Direction.HOLD}


@pytest.mark.parametrize(
    ("why", "make"),
    [
        ("removed_twice", lambda: Ruleset(deck=Deck(removed=(Card("2C"), Card("2C"))))),
        ("jokers_out_of_range", lambda: Ruleset(deck=Deck(jokers=1))),
        ("pass_count_out_of_range", lambda: Ruleset(passing=Passing(count=5))),
        ("points_out_of_range", lambda: Ruleset(points=Points(((Card("QS"), 1001),)))),
        ("points_of_second_pack", lambda: Ruleset(points=Points(((Card("QS'"), 13),)))),
        ("no_tricks_out_of_range", lambda: Ruleset(points=Points(no_tricks=1))),
        ("packs_out_of_range", lambda: Ruleset(deck=Deck(packs=3))),
        ("partners_out_of_range", lambda: Ruleset(sides=Sides(partners=4))),
    ],
)
def test_built_by_hand_it_is_refused_as_well(why: str, make: Callable[[], Ruleset]) -> None:
    assert fault_of(make).reason == why


@given(any_rulesets())
@settings(max_examples=settings().max_examples // 2)
def test_the_random_tables_of_the_tests_can_be_played(rules: Ruleset) -> None:
    assert 3 <= rules.players <= (7 if rules.deck.packs == 1 else 10)
    assert rules.hand_size * rules.players + rules.kitty_size == len(rules.cards)
    assert rules.penalty_total == rules.points_in(rules.penalty_mask)


# Round trips


@given(all_settings() | wider_settings())
def test_options_round_trip(settings: dict[str, Value]) -> None:
    assert options_of(ruleset_of(settings)) == settings


@given(wider_settings(), st.sampled_from(sorted(PRESETS)))
@settings(max_examples=settings().max_examples // 2)
def test_with_every_option_said_the_preset_makes_no_difference(
    settings: dict[str, Value], preset: str
) -> None:
    assert make_ruleset(preset, settings) == ruleset_of(settings)


@given(any_rulesets())
def test_described_round_trips(rules: Ruleset) -> None:
    name, differences = described(rules)
    assert make_ruleset(name, differences) == rules


@given(any_rulesets())
def test_a_file_round_trips(rules: Ruleset) -> None:
    text = format_ruleset(rules)
    assert parse_ruleset(text) == rules
    assert set(tomllib.loads(text)) <= {"preset", *OPTIONS}


TYPED: Final = {
    "coeurs": ("Cœurs", "CŒURS", " coeurs ", "coeùrs"),
    "dame-de-pique": ("Dame de Pique", "dame_de_pique", "damedepique", "dame\u2011de\u2011pique"),
    "coeurs-cinq-coups": ("Cœurs cinq coups", "cœurs-cinq-coups"),
}


@pytest.mark.parametrize("name", TYPED)
def test_presets_and_options_are_named_as_people_type_them(name: str) -> None:
    asked = make_ruleset(name, {"queen_points": 20})
    options = "queen_points", "Queen points", "QUEEN-POINTS", "qùeen_points"
    for typed, option in product(TYPED[name], options):
        assert ruleset_named(typed, {option: 20}) == asked
        assert parse_ruleset(f'preset = "{typed}"\n"{option}" = 20') == asked
    assert ruleset_named(asked, {"Queen points": 9}) == make_ruleset(name, {"queen_points": 9})


def test_no_two_names_are_one_as_people_type_them() -> None:
    for names in (PRESETS, OPTIONS):
        assert [meant(name.upper().replace("_", " "), names) for name in names] == [*names]


def test_what_no_person_types_is_taken_to_the_letter() -> None:
    """In records, in the engine protocol and on the wire."""
    assert fault_of(make_ruleset, "Coeurs").reason == "no_such_preset"
    assert fault_of(make_ruleset, "coeurs", {"queen-points": 20}).reason == "no_such_option"


def test_an_option_is_given_once_however_it_is_written() -> None:
    fault = fault_of(ruleset_named, "coeurs", {"queen_points": 1, "Queen-Points": 2})
    assert (fault.reason, fault.params) == ("option_twice", {"option": "queen_points"})


def test_a_file_is_saved_and_loaded(tmp_path: Path) -> None:
    rules = make_ruleset("salon", {"players": 5, "jack_points": -10})
    save_ruleset(rules, tmp_path / "ours.toml")
    assert load_ruleset(tmp_path / "ours.toml") == rules


# Bad files


def test_a_file_without_a_preset_changes_the_usual_one() -> None:
    assert parse_ruleset("queen_points = 25") == make_ruleset(settings={"queen_points": 25})


@pytest.mark.parametrize(
    ("why", "text"),
    [
        ("file_not_toml", "players"),
        ("file_not_toml", "players = 4\nplayers = 5"),
        ("file_not_toml", "\0"),
        ("file_not_toml", "players = " + "9" * 5000),
        ("file_not_toml", "removed = " + "[" * 5000),
        ("no_such_value", "players = 0x" + "f" * 5000),
        ("no_such_value", "players = inf"),
        ("no_such_value", "queen_points = nan"),
        ("no_such_value", "queen_points = 13.0"),
        ("no_such_value", "queen_points = true"),
        ("no_such_value", "players = [4]"),
        ("no_such_value", "players = 1979-05-27"),
        ("no_such_value", "queen_breaks_hearts = 1"),
        ("no_such_value", "queen_breaks_hearts = [true]"),
        ("no_such_value", 'moon = ["off"]'),
        ("no_such_value", "moon = false"),
        ("no_such_value", "match_end = 100"),
        ("no_such_value", "match_end = {deals = 5}"),
        ("no_such_value", "pass_cycle = [[]]"),
        ("no_such_value", "pass_cycle = [1, 2]"),
        ("no_such_option", "[play]\nopening = 'eldest'\n[play.deep]"),
        ("no_such_value", "[players]\nn = 4"),
        ("no_such_card", "removed = [['2D']]"),
        ("no_such_card", "removed = 2"),
        ("no_such_preset", "preset = 1"),
        ("no_such_preset", "[preset]\nname = 'coeurs'"),
        ("no_such_value", "removed = [0x" + "f" * 5000 + "]"),
        ("no_such_preset", "preset = 0x" + "f" * 5000),
        ("name_no_text", "name = 5"),
        ("name_no_text", "[name]\na = 1"),
        ("no_such_option", '"" = 4'),
        ("no_such_option", '"' + "x" * 100_000 + '" = 4'),
        ("no_such_value", 'opening = "' + "x" * 100_000 + '"'),
        ("match_end_out_of_range", 'match_end = "deals:' + "9" * 4000 + '"'),
        ("no_such_value", 'match_end = "deals:' + "9" * 5000 + '"'),
    ],
)
def test_a_bad_file_is_refused(why: str, text: str) -> None:
    assert fault_of(parse_ruleset, text).reason == why


def made_or_fault(make: Callable[[], object]) -> str:
    """Make something, and return it or its fault as text."""
    try:
        return str(make())
    except RulesetFault as fault:
        return str(fault)


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_text_is_a_ruleset_or_a_fault(text: str) -> None:
    assert made_or_fault(lambda: parse_ruleset(text))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted(OPTIONS)) | st.text(max_size=9), values, max_size=4))
def test_any_settings_make_a_ruleset_or_a_fault(settings: dict[str, Value]) -> None:
    assert made_or_fault(lambda: make_ruleset("coeurs", settings))


def test_a_file_that_cannot_be_read_or_written_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\0players")
    for path, why in [
        (tmp_path / "binary.toml", "file_not_text"),
        (tmp_path / "missing.toml", "file_not_read"),
        (tmp_path, "file_not_read"),
    ]:
        assert fault_of(load_ruleset, path).reason == why
    loop = tmp_path / "loop.toml"
    loop.symlink_to(loop)
    for path in (tmp_path, loop):
        assert fault_of(save_ruleset, make_ruleset(), path).reason == "file_not_written"


def test_rules_are_written_through_a_link(tmp_path: Path) -> None:
    link, real = tmp_path / "link.toml", tmp_path / "real.toml"
    link.symlink_to(real)
    for rules in (make_ruleset("salon"), make_ruleset("coeurs")):
        save_ruleset(rules, link)
        assert load_ruleset(real) == rules
    assert link.is_symlink()


def test_an_end_is_told_as_it_is_typed() -> None:
    assert str(MatchEnd(EndKind.LIMIT, 100)) == "limit:100"
