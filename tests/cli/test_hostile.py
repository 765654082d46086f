"""Nonsense from anywhere ends in one sentence that a terminal can only show."""

from __future__ import annotations

import errno
import os
import stat
import sys
from io import StringIO
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit.terminals import ROOT, Volte

from volte.cli import volte as whole_command
from volte.console.command import run
from volte.console.terminal import Console, Quit
from volte.rules.file import MOST_BYTES

NONSENSE = [
    *("", "\0", "-1", "9" * 5000, "١٢", "1.5", "x" * 100_000, "{x.__class__}", "%s", "2D'"),
    *("\x1b[31mred\x1b[0m", "\u202edab", "a\u200bb", "a\nb", "\x9b31m", "\udcff"),
    *("[[", ",", "--", "=", "a=", "match_end=limit:" + "9" * 60, "match_end=limit:" + "9" * 5000),
    *("removed=2D'", "removed=S: AA", "removed=\x1b[2J", "removed=" + "'" * 1000),
]
OPTIONS = ["--rules", "--set", "--players", "--seats", "--name", "--width", "--verbosity", "--lang"]
RECORD = str(ROOT / "tests" / "notation" / "goldens" / "coeurs-moyenne.volte")
LONGEST = 1000
"""Most characters of a sentence about a fault."""


def assert_harmless(text: str) -> None:
    unseen = [sign for sign in text if not sign.isprintable() and not sign.isspace()]
    assert unseen == []
    assert not {"\r", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u2028", "\u2029"} & set(text)


def assert_told(volte: Volte, *args: str) -> None:
    done = volte(*args)
    assert done.status in (0, 1, 2)
    assert_harmless(done.out.replace("\udcff", "?"))
    assert_harmless(done.err.replace("\udcff", "?"))
    assert done.err.count("\n") == (1 if done.status else 0)
    assert len(done.err) < LONGEST


FEW: Final = pytest.mark.parametrize(
    "value",
    [
        pytest.param(value, id=str(place), marks=() if place % 4 == 0 else pytest.mark.full)
        for place, value in enumerate(NONSENSE)
    ],
)
"""Every piece of nonsense, in the gate a quarter of them."""


@FEW
def test_every_option_survives_nonsense(
    value: str, volte: Volte, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)  # some nonsense makes a name to save by
    for option in [*OPTIONS, "--seed", "--resume"]:
        assert_told(volte, "play", option, value)
    for option in ("--rules", "--set", "--players", "--width"):
        assert_told(volte, "rules", option, value)
    for command in ("check", "replay", "verify", "review"):
        assert_told(volte, command, "--", value)
    assert_told(volte, value, value)
    assert_told(volte, "review", RECORD, "--seat", f"?{value}")
    assert_told(volte, "review", RECORD, "--simulations", f"?{value}")
    assert_told(volte, "review", RECORD, "--seat", "?", "--chart", f"{value}.png")


@FEW
def test_every_option_of_simulations_survives_nonsense(value: str, volte: Volte) -> None:
    simulate = ("simulate", "--deals", "1", "--engine", "readable", "--seed", "1")
    for option in ("deals", "matches", "seed", "processes", "seats", "keep", "engine", "plot"):
        assert_told(volte, *simulate, f"--{option}", value)
    assert_told(volte, *simulate, "--records", value, "--keep", value)
    assert_told(volte, *simulate, "--plot", f"{value}.png", "--deals", "x")
    three = ("casual", "beginner", "casual")  # one too many: so nothing is played in any case
    for option in ("engine", "deals", "matches", "seatings", "seed", "processes"):
        assert_told(volte, "arena", *three, f"--{option}", value)
    for option in ("movetime", "simulations", "until"):
        assert_told(volte, "arena", *three, f"--{option}", value)
    files = ("--keep", value, "--plot", f"{value}.png")
    assert_told(volte, "arena", "casual", "beginner", "--deals", "x", *files)
    assert_told(volte, "arena", "casual", value, "--deals", "x")


@FEW
def test_every_option_of_the_score_keeper_survives_nonsense(
    value: str, volte: Volte, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    new = ("score", "new", "--players")
    for option in ("--rules", "--set", "--stake", "--currency", "--title", "--dealer"):
        assert_told(volte, *new, "A,B,C", option, value)
    assert_told(volte, *new, value)
    assert_told(volte, *new, f"{value},B,C")
    for command in ("open", "show"):
        assert_told(volte, "score", command, "--", value)
    assert_told(volte, "score", "show", "--csv", "--save", value)
    assert_told(volte, "score", value)


@given(
    st.sampled_from(["rules", "check", "verify", "replay", "learn", "nix"]),
    st.lists(st.sampled_from([*OPTIONS, "--json", "--toml"]) | st.text(max_size=9), max_size=3),
)
@settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_words_on_the_command_line(volte: Volte, name: str, words: list[str]) -> None:
    done = volte("--lang", "fr", name, *words)
    assert done.status in (0, 1, 2)
    assert len(done.err.splitlines()) <= 1
    assert "Traceback" not in done.err


def test_a_setting_ten_thousand_times(volte: Volte) -> None:
    assert volte("rules", "--json", *["--set", "players=5"] * 10_000).status == 0


def test_files_that_are_none_do_not_block(volte: Volte, folder: Path) -> None:
    fifo, loop, missing = folder / "fifo", folder / "loop", folder / ("x" * 300)
    os.mkfifo(fifo)
    loop.symlink_to(loop)
    for path in (fifo, loop, missing, folder, Path("/dev/zero"), folder / "a\x1b[2Jb.toml"):
        for command in ("check", "replay", "verify"):
            assert_told(volte, command, str(path))
        assert_told(volte, "rules", "--rules", str(path))
        assert_told(volte, "play", "--resume", str(path))
    for path in (fifo, Path("/dev/zero")):
        assert_told(volte, "arena", "casual", "beginner", "--keep", str(path))
    assert volte("rules", "--rules", "salon", "--save", str(fifo)).status == 1
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_a_match_goes_on_though_its_record_cannot_be_kept_there(volte: Volte) -> None:
    long = "x" * 300
    for place in ("", ".", "/", "\0", long):
        done = volte("play", "--lang", "en", "--record", place)
        why = "File name too long" if place == long else "Not a file"
        assert done.status == 1
        assert f": {why}. The match goes on." in done.out
        assert f"is incomplete: {why}." in done.out


def test_rules_as_large_as_a_disk_are_not_read(volte: Volte, folder: Path) -> None:
    large = folder / "large.toml"
    with large.open("wb") as file:
        file.truncate(2**30)
    done = volte("rules", "--rules", str(large))
    assert done.status == 2
    assert str(MOST_BYTES)[:2] in done.err


class Full(StringIO):
    """Standard output on a disk without room."""

    def write(self, _: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_an_output_that_is_full_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Full())
    monkeypatch.setattr(sys, "stderr", err := StringIO())
    assert run(whole_command, ["rules", "--lang", "en"]) == 1
    assert err.getvalue().endswith("No space left on device.\n")


def test_outputs_that_are_closed_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert run(whole_command, ["rules"]) == 0
    assert run(whole_command, ["nix"]) == 2


def test_an_input_without_end_is_left() -> None:
    with Path("/dev/zero").open("rb") as zeros, pytest.raises(Quit):
        Console(zeros, StringIO()).ask("Your card?")
