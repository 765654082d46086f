"""Bots that installed packages add: found by name, wherever bots are named."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.packages import package, put_package
from kit.reasons import because

import volte
from volte.bots import Casual, Clock, check_level, installed, make_bot
from volte.cards import VolteError
from volte.lab.arena import Contestant
from volte.lab.arena.request import Request
from volte.lab.env.episode import made
from volte.rules import make_ruleset


@pytest.fixture(autouse=True)
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from package(tmp_path, monkeypatch)


def test_they_are_found_by_names_of_small_letters_digits_and_hyphens() -> None:
    ducks = {name for name, entry in installed().items() if entry.value.startswith("volte_ducks")}
    assert ducks == {"first", "failing", "cheating", "missing", "no-bot", "casual"}


def test_a_level_of_ours_is_never_taken_from_a_package() -> None:
    assert isinstance(make_bot("casual"), Casual)


def test_they_play_in_a_match_of_a_program() -> None:
    match = volte.play("first", "casual", "first", "casual", seed=1, deals=1)
    assert sum(match.totals) == 26
    assert match == volte.play("first", "casual", "first", "casual", seed=1, deals=1)


def test_they_play_in_the_arena_in_simulations_and_in_environments() -> None:
    assert Contestant.of("first@20ms").clock == Clock(milliseconds=20)
    assert Request(make_ruleset("microsoft"), ("first",) * 4, seed=1, deals=1).games == 1
    assert type(made("first", 7)).__name__ == "First"


def test_a_server_knows_none_of_them() -> None:
    with pytest.raises(VolteError, check=because("no_such_level")):
        check_level("first")


@pytest.mark.parametrize("name", ["missing", "no-bot"])
def test_one_that_is_broken_is_a_fault(name: str) -> None:
    with pytest.raises(VolteError, check=because("bot_not_loaded")):
        make_bot(name)


def test_an_engine_of_the_protocol_plays_with_one_that_lies_on_the_path(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    put_package(folder)
    source = Path(volte.__file__).parents[1]
    said = subprocess.run(
        [sys.executable, "-m", "volte", "engine", "--rules", "microsoft", "--level", "first"],
        input="match seat 1\ndeal dealer 1 hold hand 2C AS KS 3H 4H 5H 6H 7H 8H 9H TH JH QH\ngo\n",
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(source)])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.splitlines()[-1] == "choose play 2C"
