"""`volte engine` as it is typed."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from engine.programs import volte

from volte.bots.search import SLICE


def run(
    typed: str, *options: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    command = shlex.split(volte(*options, "--lang", "en"))
    return subprocess.run(
        command, input=typed, capture_output=True, text=True, check=False, env=env
    )


def test_the_options_are_where_the_conversation_begins() -> None:
    position = "match seat 5\ndeal dealer 1 hand S: AQ2 H: K53 D: T9 C: 87\ngo\n"
    options = ("--rules", "coeurs", "--players", "5", "--set", "kitty=first_trick")
    told = run(position + "volte 1\n", *options, "--level", "beginner", "--seed", "7")
    assert (told.returncode, told.stderr) == (0, "")
    assert "choose pass" in told.stdout
    assert "id level beginner" in told.stdout


@pytest.mark.full
def test_a_fresh_installation_answers_what_was_asked_before_the_end(tmp_path: Path) -> None:
    """The code is compiled then, which takes longer than the time that the end leaves."""
    position = (
        "match seat 2\ndeal dealer 1 hold hand S: AQ2 H: K53 D: T98 C: A963\nplay 4 2C 1 4C\n"
    )
    cache = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    told = run(position + "go movetime 400\n", env=cache)
    assert (told.returncode, told.stderr) == (0, "")
    *_, info, choice = told.stdout.splitlines()
    words = info.split()
    assert int(words[words.index("simulations") + 1]) >= SLICE  # the 400 ms began after it
    assert choice.startswith("choose play")


def test_sentences_are_English_whatever_the_language() -> None:
    told = run("dance\n", "--lang", "fr")
    assert "is no command of the protocol" in told.stdout


@pytest.mark.parametrize(
    "options",
    [
        ("--level", "grandmaster"),
        ("--seed", "-1"),
        ("--seed", "18446744073709551616"),
        ("--movetime", "0"),
        ("--simulations", "many"),
        ("--rules", "nonsense"),
        ("--players", "8"),
    ],
)
def test_what_cannot_be_is_one_sentence_before_anything_is_read(options: tuple[str, ...]) -> None:
    told = run("volte 1\n", *options)
    assert told.returncode in (1, 2)
    assert told.stdout == ""
    assert told.stderr.count("\n") == 1


def test_nobody_listens() -> None:
    """An output that is closed ends the engine without a word."""
    with subprocess.Popen(
        shlex.split(volte("--level", "casual")),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        assert engine.stderr is not None
        engine.stdout.close()
        engine.stdin.write(b"isready\n" * 10)
        engine.stdin.close()
        assert engine.stderr.read() == b""
