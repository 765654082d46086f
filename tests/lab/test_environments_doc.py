"""The page about the environments is true, and its example learns."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from kit.blocks import programs, run

from volte.bots import CHARACTERS, LEVELS, MARKS, make_bot
from volte.cards import VolteError
from volte.lab.env import SeatEnv, VectorEnv, card_planes, situation_fields, state_planes

PLACE = Path(__file__).parents[2] / "docs" / "environments.md"
PAGE = PLACE.read_text(encoding="utf-8")
BOTS, PROTOCOL = PLACE.with_name("bots.md"), PLACE.with_name("engine-protocol.md")
ROW = PAGE.split("\n| `bots` |")[1].split(" |\n")[0].partition("For `VectorEnv`")[::2]
"""The page's row on `bots`: for all, and for `VectorEnv`."""
KNOWN = ("random", *LEVELS)


def test_its_programs_run() -> None:
    names = run(programs(PLACE))
    assert names["hand"].sum() == 13
    assert names["trick"] == 0


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Cards", card_planes(3)),
        ("Situation", situation_fields(3)),
        ("The whole position", state_planes(3)),
    ],
)
def test_it_names_every_plane_and_every_field_in_order(
    heading: str, names: tuple[str, ...]
) -> None:
    section = PAGE.split(f"### {heading}\n")[1].split("\n#")[0]
    told = re.findall(r"^\| `([^`]+)`", section, re.MULTILINE)
    firsts = {re.sub(r" [0-9]$", "", name): name for name in reversed(names)}
    assert told == [firsts[name] for name in reversed(firsts)]


MADE: dict[str, Callable[[str], SeatEnv | VectorEnv]] = {
    "SeatEnv": lambda level: SeatEnv("dame-de-pique", bots=level),
    "VectorEnv": lambda level: VectorEnv("dame-de-pique", bots=level),
}


@pytest.mark.parametrize(
    ("env", "text"),
    [
        ("SeatEnv", ROW[0]),
        ("VectorEnv", ROW[1]),
        ("SeatEnv", str(SeatEnv.__doc__)),
        ("VectorEnv", str(VectorEnv.__doc__)),
    ],
    ids=["page, SeatEnv", "page, VectorEnv", "docstring of SeatEnv", "docstring of VectorEnv"],
)
def test_every_level_that_is_named_plays_where_it_is_named(env: str, text: str) -> None:
    named = {word for word in re.findall(r'"([a-z-]+)"', text) if word in KNOWN}
    assert named == taken(env)
    for level in named:
        made = MADE[env](level)
        seen, _ = made.reset(seed=1)
        action = seen["action_mask"].argmax(axis=-1)
        made.step(action)


def taken(env: str) -> set[str]:
    """The levels that such an environment accepts."""
    levels = set()
    for level in KNOWN:
        with suppress(VolteError):
            MADE[env](level)
            levels.add(level)
    return levels


def test_every_level_that_another_page_names_is_one() -> None:
    """Commands as `volte engine`, `play` and `arena` take them; or a page brings the bot itself."""
    pages = [*PLACE.parent.glob("*.md"), *PLACE.parents[1].glob("README*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    typed = re.findall(r"^\$? ?volte arena((?: [a-z][a-z-]*(?= |$))+)", text, re.M)
    typed += re.findall(r"^\$? ?volte .*(?:--seats|--level) (\S+)", text, re.M)
    brought = re.findall(r'--engine "([a-z]+)=', text)
    brought += re.findall(r'entry-points."volte.bots"\]\n([a-z]+) =', text)
    commands = {*re.split("[ ,]", " ".join(typed))} - {"", "me", *brought}
    assert {"beginner", "casual", "random"} <= commands <= {*KNOWN, *MARKS, *CHARACTERS}
    told = re.findall(r"^option level (.*)", PROTOCOL.read_text(encoding="utf-8"), re.M)
    assert told == [" ".join(LEVELS)]
    levels = re.findall(r"^\| `([a-z-]+)` \| [A-Z]", BOTS.read_text(encoding="utf-8"), re.M)
    assert {*LEVELS} <= {*levels}
    for level in {*commands, *LEVELS, *MARKS}:
        assert make_bot(level)


EXAMPLE = Path(__file__).parents[2] / "examples" / "learn.py"

AT_RANDOM = 6.5
"""Points a deal with four random players: 26 among them, but for a moon once in a lifetime."""


def learnt(*options: str) -> str:
    """The output of the example."""
    command = [sys.executable, "-W", "error", str(EXAMPLE), *options]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # threads of small products only wait
    return subprocess.run(command, env=alone, capture_output=True, text=True, check=True).stdout


def result(printed: str) -> tuple[float, float]:
    """Points a deal in the end, and the 95 % margin."""
    found = re.search(r"([0-9.]+) ± ([0-9.]+)", printed)
    assert found is not None
    return float(found[1]), float(found[2])


@pytest.mark.full
def test_in_seconds_it_is_far_better_than_chance() -> None:
    points, margin = result(learnt("--rounds", "12", "--tables", "512"))
    assert margin < 0.25
    assert points + 6 * margin < AT_RANDOM - 1


@pytest.mark.full
def test_a_seed_prints_the_same_lines_again() -> None:
    options = ("--rounds", "2", "--tables", "32", "--seed")
    assert learnt(*options, "7") == learnt(*options, "7") != learnt(*options, "8")


@pytest.mark.full
def test_in_a_minute_it_has_less_than_half_the_points_of_chance() -> None:
    points, margin = result(learnt())
    assert points + 2 * margin < AT_RANDOM / 2
