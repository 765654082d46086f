"""Players of the arena as they are typed."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from kit.reasons import because

from volte.bots import LEVELS, MARKS, Clock
from volte.cards import VolteError
from volte.lab.arena import Contestant
from volte.lab.arena.contestant import LONGEST_NAME
from volte.rules import make_ruleset


@pytest.mark.parametrize("level", [*LEVELS, *MARKS])
def test_every_level_and_every_mark_takes_part(level: str) -> None:
    assert Contestant.of(level) == Contestant(level, level)


def test_characters_take_part_by_the_names_that_people_type() -> None:
    assert Contestant.of("Chloé@40ms") == Contestant.of("chloe@40ms")


def test_a_budget_is_in_milliseconds_or_in_simulations() -> None:
    assert Contestant.of("casual@40ms").clock == Clock(milliseconds=40)
    assert Contestant.of("casual@2000").clock == Clock(simulations=2000)
    assert Contestant.of("casual@40cpu").clock == Clock(milliseconds=40, processor=True)


def test_the_usual_budget_counts_where_none_is_named() -> None:
    usual = Clock(milliseconds=7)
    assert Contestant.of("casual", usual).clock == usual
    assert Contestant.of("casual@9", usual).clock == Clock(simulations=9)
    assert Contestant.outside("./engine", usual).clock == usual


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_such_level"),
        ("zorro", "no_such_level"),
        ("@40ms", "no_such_level"),
        ("casual@", "contestant_budget"),
        ("casual@0", "contestant_budget"),
        ("casual@-1", "contestant_budget"),
        ("casual@4s", "contestant_budget"),
        ("casual@4cpus", "contestant_budget"),
        ("casual@40 ms", "contestant_budget"),
        ("casual@1000000001", "contestant_budget"),
        ("casual@1@2", "contestant_budget"),
    ],
)
def test_anything_else_is_refused(text: str, reason: str) -> None:
    with pytest.raises(VolteError, check=because(reason)):
        Contestant.of(text)


@pytest.mark.parametrize(
    ("text", "name", "command"),
    [
        ("./engine", "engine", "./engine"),
        ("/opt/xinxin --worlds=30", "xinxin", "/opt/xinxin --worlds=30"),
        ("'my engine' -x", "my engine", "'my engine' -x"),
        ("old=./engine -x", "old", "./engine -x"),
        ("old=a=b", "old", "a=b"),
        ("./engine -x=1", "engine", "./engine -x=1"),
    ],
)
def test_an_engine_is_called_as_its_program_or_as_is_said(
    text: str, name: str, command: str
) -> None:
    assert Contestant.outside(text) == Contestant(name, command=command)


@pytest.mark.parametrize("text", ["", " ", "name=", "'unclosed", "\udcff", "a\0b", "a\nb"])
def test_a_command_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(VolteError, check=because("engine_command")):
        Contestant.outside(text)


NAMED = """
import sys
for line in sys.stdin:
    if line.startswith("volte"):
        print("volte 1\\n" + {greeting!r} + "\\nready", flush=True)
    elif line.startswith("isready"):
        print("readyok", flush=True)
"""


@pytest.mark.parametrize(
    ("greeting", "name"),
    [
        ("id name Deep Queen 2", "Deep Queen 2"),
        ("id name \x1b[31mRed", "[31mRed"),
        ("id name " + "long " * 20, ("long " * 20)[:LONGEST_NAME].strip()),
        ("id name  ", "python"),
        ("id author Nobody", "python"),
    ],
)
def test_an_engine_has_the_name_that_it_gives_itself(
    greeting: str, name: str, tmp_path: Path
) -> None:
    script = tmp_path / "named.py"
    script.write_text(NAMED.format(greeting=greeting))
    one = Contestant.outside(shlex.join([sys.executable, str(script)]))
    other = one.introduced(make_ruleset("coeurs"))
    assert other.name.startswith(name)
    assert (other.command, other.clock) == (one.command, one.clock)


def test_an_engine_that_does_not_get_ready_cannot_say_its_name() -> None:
    broken = Contestant.outside(shlex.join([sys.executable, "-c", "raise SystemExit('No book')"]))
    with pytest.raises(VolteError) as caught:
        broken.introduced(make_ruleset("coeurs"))
    assert caught.value.reason == "program_ended"
    assert caught.value.params["status"] == "1"
    assert caught.value.params["said"] == "No book"
