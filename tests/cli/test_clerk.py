"""`volte clerk`: what to do when something has gone wrong with real cards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kit.terminals import Volte
from strategies import few

from volte.rules import PRESETS
from volte.scorekeeper.clerk.clerk import NUMBERS, SITUATIONS


def test_the_situations_are_listed_with_their_numbers(volte: Volte) -> None:
    told = volte("clerk")
    assert (told.status, told.err) == (0, "")
    for name, number in NUMBERS.items():
        assert f"\n{number}. {name}: " in told.out
    assert told.out.splitlines()[-1].endswith("volte clerk revoke")


def test_what_can_arise_stands_first(volte: Volte) -> None:
    can, cannot = volte("clerk", "coeurs").out.split("What cannot happen in this game")
    assert " queen-kept: " in can
    assert " heart-led: " in cannot
    can, cannot = volte("clerk", "--rules", "salon").out.split("What cannot happen in this game")
    assert " heart-led: " in can
    assert " queen-kept: " in cannot


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", SITUATIONS)
def test_every_situation_is_answered_for_every_preset(name: str, lang: str, volte: Volte) -> None:
    """In the gate for some presets each; that all have all answers, `words/test_clerk.py` shows."""
    every = few(5, 1)
    for preset in [*PRESETS][[*SITUATIONS].index(name) % every :: every]:
        told = volte("clerk", name, preset, "--lang", lang)
        assert (told.status, told.err) == (0, "")
        assert told.out.count("\n\n") >= 4


def test_an_answer_is_that_of_the_rules_asked_for(volte: Volte) -> None:
    assert "25 points for whoever revoked" in volte("clerk", "revoke", "coeurs").out
    changed = volte("clerk", "renonce", "coeurs", "--set", "queen_points=13", "--players", "5")
    assert "Les Cœurs, 5 players, queen_points=13, 26 points in a deal\n" in changed.out
    assert "26 points for whoever revoked" in changed.out
    assert volte("clerk", "9", "--rules", "coeurs") == volte("clerk", "revoke", "coeurs")


def test_rules_from_a_file(volte: Volte, folder: Path) -> None:
    path = folder / "table.toml"
    volte("rules", "--rules", "coeurs", "--set", "queen_points=20", "--save", str(path))
    assert "33 points for whoever revoked" in volte("clerk", "revoke", str(path)).out


def test_without_rules_a_situation_is_told_where_it_can_arise(volte: Volte) -> None:
    told = volte("clerk", "queen-kept").out
    assert told.startswith("Somebody kept the queen of spades")
    assert "\nLes Cœurs, 4 players" in told


def test_what_cannot_happen_with_those_rules_says_so(volte: Volte) -> None:
    told = volte("clerk", "queen-kept", "salon").out
    assert told.startswith("With your rules this cannot happen;")
    assert "\nLes Cœurs, 4 players" in told


def test_answers_for_programs(volte: Volte) -> None:
    listed = json.loads(volte("clerk", "coeurs", "--json").out)
    names = [each["name"] for group in listed for each in group["situations"]]
    assert "queen-kept" in names
    assert "heart-led" not in names
    told = json.loads(volte("clerk", "revoke", "coeurs", "--json").out)
    assert told["clauses"] == ["I3", "I4", "I5", "I6"]
    assert told["cases"][0]["when"] == "The trick still lies open on the table"


def test_lines_are_wrapped_and_nothing_is_drawn(volte: Volte) -> None:
    told = volte("clerk", "revoke", "--width", "40")
    assert max(map(len, told.out.splitlines())) <= 40
