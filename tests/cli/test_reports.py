"""Features common to `volte simulate`, `arena` and `review`: tables, pictures, JSON, Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from kit.reports import written
from kit.terminals import Terminal, Volte

from volte.bots.reviewing import get_ready
from volte.extras import install_command
from volte.rules import make_ruleset

SIMULATE: Final = shlex.split(
    "simulate --rules coeurs-moyenne --seats random,casual,beginner --matches 2 --engine readable"
    " --seed 4711 --processes 1"
)
ARENA: Final = shlex.split(
    "arena casual beginner random --deals 4 --seatings few --seed 4711 --processes 1"
)
REVIEW: Final = shlex.split("review match.volte --simulations 60")
REPORTS: Final = pytest.mark.parametrize(
    "asked", [SIMULATE, ARENA, REVIEW], ids=lambda each: each[0]
)
LONG: Final = {"simulate": ("--matches", "1e5"), "arena": ("--deals", "1e5"), "review": ()}
"""Options for minutes of work with progress: an empty output shows that nothing was played."""

CACHE: Final = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    written(folder, deals=2)


def drawn_by(asked: list[str]) -> str:
    """The option that draws a picture."""
    return "--chart" if asked[0] == "review" else "--plot"


@REPORTS
@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_line_is_wider_than_is_asked(width: int, asked: list[str], volte: Volte) -> None:
    said = volte(*asked, "--width", str(width)).out
    assert 0 < max(map(len, said.splitlines())) <= width


@REPORTS
def test_for_ears_there_are_sentences_and_no_table(asked: list[str], volte: Volte) -> None:
    said = volte(*asked, "--plain").out
    assert all(line.rstrip()[-1] in ".:!" for line in said.splitlines() if line)
    assert not re.search("[♣♦♠♥±]|\\S  ", said)


PICTURES: Final = {"a.png": b"\x89PNG\r\n", "b.SVG": b"<?xml"}


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        pytest.param(
            asked,
            name,
            id=f"{asked[0]}-{name}",
            marks=pytest.mark.full if (asked is SIMULATE) == (name == "a.png") else (),
        )
        for asked in (SIMULATE, ARENA, REVIEW)
        for name in PICTURES
    ],
)
def test_a_picture_is_drawn_as_its_name_says_and_twice_the_same(
    name: str, asked: list[str], volte: Volte, folder: Path
) -> None:
    pictures = []
    for _ in range(2):
        (folder / name).write_bytes(b"what was there before")
        done = volte(*asked, drawn_by(asked), name)
        assert (done.status, done.err) == (0, "")
        pictures.append((folder / name).read_bytes())
    assert pictures[0].startswith(PICTURES[name])
    assert pictures[0] == pictures[1]
    assert list(folder.glob("*.part")) == []


@REPORTS
def test_without_matplotlib_it_is_told_what_to_install(
    asked: list[str], volte: Volte, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    sentence = volte.refused(*asked, *LONG[asked[0]], drawn_by(asked), "a.png", status=1)
    assert sentence == f"This needs the extra “plot”. To install it: {install_command('plot')}\n"


# Ctrl-C

Interrupted = Callable[..., str]


@pytest.fixture
def interrupted(environ: dict[str, str]) -> Interrupted:
    """The output of a command that is interrupted while it shows its progress."""

    def call(*asked: str) -> str:
        terminal = Terminal({**environ, "XDG_CACHE_HOME": CACHE}, *asked)
        terminal.until("done, about")
        os.killpg(terminal.process.pid, signal.SIGINT)
        assert terminal.end() == 130
        assert is_empty(terminal.process.pid)
        return terminal.said

    return call


def is_empty(group: int) -> bool:
    """Whether all processes of a group end, the last one when it sees that the others have."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("processes", ["1", pytest.param("2", marks=pytest.mark.full)])
def test_a_simulation_says_in_one_sentence_that_it_was_interrupted(
    processes: str, interrupted: Interrupted
) -> None:
    asked = ("--deals", "1e5", "--engine", "readable", "--processes", processes)
    assert interrupted("simulate", *asked).endswith("Interrupted.\r\n")


def test_a_review_does_so_too(interrupted: Interrupted, folder: Path) -> None:
    get_ready(make_ruleset("microsoft"))
    path = written(folder, "", 4)
    said = interrupted("review", path, "--simulations", "20_000")
    assert said.endswith("Interrupted.\r\n")


@pytest.mark.parametrize("processes", ["1", pytest.param("2", marks=pytest.mark.full)])
def test_a_duel_tells_what_it_has_and_goes_on_from_there(
    processes: str, interrupted: Interrupted, folder: Path
) -> None:
    file = folder / "duel.jsonl"
    asked = ("--deals", "1e5", "--seatings", "few", "--processes", processes, "--keep", str(file))
    said = interrupted("arena", "beginner", "random", *asked)
    in_words = " ".join(said.split())
    assert "beginner against random." in in_words
    assert "Stopped after" in in_words
    assert said.endswith("Run the same command again to continue.\r\n")
    lines = file.read_bytes().splitlines()
    assert len(lines) > 1
    assert all(json.loads(line) for line in lines)
