"""Every preset is what RULES says, for every number of players: `presets.txt`."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec
import pytest
from kit.laws import read_laws
from kit.presets import OF_SEEDS

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
    read_setting,
)

Options = dict[str, str]


def read_presets() -> dict[str, dict[int, Options]]:
    """The options of each preset by the number of players, the usual number first."""
    found: dict[str, tuple[Options, list[str]]] = {"none": ({}, [])}
    for title, lines in read_laws(Path(__file__).with_name("presets.txt")).items():
        name, _, base, *settings = title.split()
        options, numbers = found[base]
        found[name] = options | dict(map(read_setting, settings)), lines or numbers
    presets = {name: each for name, each in found.items() if name not in ("none", "plain")}
    return {
        name: {
            int(number): options | dict(map(read_setting, settings)) | {"players": number}
            for number, *settings in map(str.split, numbers)
        }
        for name, (options, numbers) in presets.items()
    }


EXPECTED: Final = read_presets()


def written(rules: Ruleset) -> Options:
    """The options of a ruleset as they stand in the file."""
    return {name: _text(value) for name, value in options_of(rules).items()}


def _text(value: Value) -> str:
    if isinstance(value, list):
        return ",".join(value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_the_table_of_RULES(name: str) -> None:
    for players in PRESETS[name].players:
        rules = make_ruleset(name, {"players": players})
        assert written(rules) == EXPECTED[name][players]
        assert make_ruleset(name, {"players": str(players)}) == rules


def test_there_are_just_these_presets_for_just_these_numbers() -> None:
    assert list(PRESETS) == list(EXPECTED)
    for name, tables in EXPECTED.items():
        assert PRESETS[name].players == tuple(tables)
        assert make_ruleset(name).players == next(iter(tables))
        assert all(set(options) == set(OPTIONS) for options in tables.values())


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


@pytest.mark.parametrize("name", PRESETS)
def test_D4_D5_cards_are_left_over_only_where_a_kitty_takes_them(name: str) -> None:
    for players in PRESETS[name].players:
        rules = make_ruleset(name, {"players": players})
        assert rules.hand_size * players + rules.kitty_size == len(rules.cards)
        if rules.deck.kitty == "none":
            assert rules.kitty_size == 0


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_called_by_its_name(name: str) -> None:
    """Without a choice, the first preset listed wins a tie: two names may be one table."""
    for players in PRESETS[name].players:
        settings = {} if players == PRESETS[name].players[0] else {"players": players}
        rules = make_ruleset(name, {"players": players})
        assert described(rules) == (name, settings)
        called = "dame-de-pique" if name == "microsoft" else name
        assert described(replace(rules, preset="")) == nearest(rules) == (called, settings)


def read(data: object) -> Ruleset:
    """A ruleset, read from its stored form."""
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
    copies = [pickle.loads(pickle.dumps(chosen)), read(msgspec.json.decode(encode(chosen)))]
    assert [described(rules)[0] for rules in copies] == ["microsoft"] * 2


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


@pytest.mark.parametrize("name", [name for name in EXPECTED if name.startswith(OF_SEEDS)])
def test_one_option_changed_leaves_a_table_of_the_seeds_its_name(name: str) -> None:
    """No preset of the wider family takes over a table that is one step away from a seed's."""
    usual = make_ruleset(name)
    for option, value in options_of(Ruleset()).items():
        if value == options_of(usual)[option] or option in ("players", "packs"):
            continue
        try:
            nearby = make_ruleset(name, {option: value})
        except RulesetFault:
            continue
        assert described(nearby)[0].startswith(OF_SEEDS)


def test_one_option_changes_nothing_else() -> None:
    average = make_ruleset("coeurs", {"settlement": "average"})
    assert written(average) == EXPECTED["coeurs"][4] | {"settlement": "average"}


def test_an_option_said_goes_before_what_the_number_of_players_brings() -> None:
    assert make_ruleset("coeurs", {"players": 6, "pass_count": 4}).passing.count == 4


@pytest.mark.parametrize("name", ["", "Coeurs", "cœurs", "coeurs ", "hearts", "x" * 10_000])
def test_an_unknown_preset_is_refused(name: str) -> None:
    with pytest.raises(RulesetFault) as fault:
        make_ruleset(name)
    assert fault.value.reason == "no_such_preset"
    assert fault.value.params == {"preset": name, "presets": tuple(PRESETS)}
