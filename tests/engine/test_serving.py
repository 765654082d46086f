"""A session between two pipes, and `volte engine` as it is typed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import BinaryIO, cast

import pytest
from kit.engines import session, volte

from volte.bots import Clock
from volte.bots.search import SLICE
from volte.engine import EngineSession, serve, serving
from volte.engine.language import LONGEST_LINE
from volte.engine.serving import _Worker
from volte.game import Play, SeatAction
from volte.view import View

POSITION = b"""match seat 2
deal dealer 1 hold hand S: AQ2 H: K53 D: T98 C: 8765
play 4 2C 1 3C
"""


class Slow:
    """A bot that thinks until it is asked to choose, by the test or by its clock."""

    def __init__(self) -> None:
        self.thinking = Event()
        self.enough = Event()
        self.choices = 0

    def choose(self, view: View, clock: Clock) -> SeatAction:
        self.choices += 1
        self.thinking.set()
        while not clock.enough() and not self.enough.wait(0.01):
            pass
        assert view.seat is not None
        return Play(view.seat, next(iter(view.legal)))


def answers(typed: bytes, heard: EngineSession | None = None) -> list[str]:
    """The lines that answer that input."""
    said: list[str] = []
    serve(heard or session(), BytesIO(typed), said.append)
    return said


def reasons(said: list[str]) -> list[str]:
    return [line.split()[1] for line in said if line.startswith("error")]


def test_every_line_is_answered_until_the_end_of_the_input() -> None:
    said = answers(b"isready\n" + POSITION + b"go\ntakes 4")
    assert no_times(said[:-1]) == ["readyok", *CHOICE]
    assert reasons(said[-1:]) == ["no_trick_taken"]


def test_nothing_is_answered_after_quit() -> None:
    assert answers(b"isready\nquit\nisready\n") == ["readyok"]
    assert answers(b"quit\n") == answers(b"") == []


def test_lines_of_any_system_are_read() -> None:
    assert answers(b"\xef\xbb\xbfisready\r\n\r\n  isready  \n\tisready\n") == ["readyok"] * 3


@pytest.mark.parametrize("suits", ["♠♥♦♣", "♤♡♢♧", "♠️♥️♦️♣️"])
def test_cards_may_be_written_with_any_signs_for_the_suits(suits: str) -> None:
    typed = (
        POSITION.decode().replace("C 1 3C", "♣\ufe0f 1 3♧") + "go play ♧5 6♣\ufe0f 7♣ 8♣\ufe0e\n"
    )
    for letter, sign in zip("SHDC", re.findall(r".\ufe0f?", suits), strict=True):
        typed = typed.replace(f"{letter}:", f"{sign}:")
    assert no_times(answers(typed.encode())) == CHOICE


def test_what_is_no_text_is_answered() -> None:
    typed = b"\xff\xfe\n\0\0\n\x1b[2J\nmatch seat \xc3\nisready\xc2\xa0\n"
    assert reasons(answers(typed)) == ["unknown_command"] * 3 + ["malformed_line"]


def test_a_line_that_is_too_long_is_left_out_to_its_end() -> None:
    long = b"isready " * (LONGEST_LINE // 4)
    assert reasons(answers(long + b"\nmatch seat 1\n" + long)) == ["line_too_long"] * 2
    just = b"#" * (LONGEST_LINE - 1) + b"\nisready\n"
    assert answers(just) == ["readyok"]


# Thinking


class Driver:
    """An input whose lines come one by one; other steps are done before the next line."""

    def __init__(self, *steps: bytes | Callable[[], object]) -> None:
        self._steps = list(steps)

    def readline(self, limit: int) -> bytes:
        while self._steps:
            step = self._steps.pop(0)
            if isinstance(step, bytes):
                return step
            step()
        return b""


class Talk:
    """A conversation with a bot that thinks until somebody says `enough`.

    Args:
        until: the answer that is enough.
    """

    def __init__(self, until: str = "") -> None:
        self.bot = Slow()
        self.said: list[str] = []
        self._until = until

    def hold(self, *steps: bytes | Callable[[], object]) -> list[str]:
        """The answers to a position, to `go`, and to those steps, which follow at once."""
        heard = session()
        heard._bot = self.bot
        position = [line + b"\n" for line in POSITION.splitlines()]
        driver = Driver(*position, b"go\n", self.bot.thinking.wait, *steps)
        serve(heard, cast("BinaryIO", driver), self._write)
        return self.said

    def _write(self, line: str) -> None:
        self.said.append(line)
        if line == self._until:
            self.bot.enough.set()


CHOICE = ["info worlds 0 simulations 0 milliseconds", "choose play 5C"]


def no_times(said: list[str]) -> list[str]:
    return [line.rstrip("0123456789 ") for line in said]


def test_isready_is_answered_while_it_thinks() -> None:
    talk = Talk(until="readyok")
    assert no_times(talk.hold(b"isready\n")) == ["readyok", *CHOICE]


def test_after_stop_the_choice_comes_at_once() -> None:
    assert no_times(Talk().hold(b"stop\n")) == CHOICE


def test_stop_holds_for_all_that_has_been_asked_and_for_nothing_later() -> None:
    talk = Talk()

    def third() -> None:
        while talk.bot.choices < 3:
            time.sleep(0.01)

    said = talk.hold(b"go\n", b"stop\n", b"go\n", third, b"isready\n", talk.bot.enough.set)
    assert no_times(said) == [*CHOICE, *CHOICE, "readyok", *CHOICE]


def test_stop_without_a_choice_to_come_is_silent() -> None:
    assert answers(b"stop\nisready\n") == ["readyok"]


def test_other_lines_wait_for_the_choice() -> None:
    talk = Talk()
    said = talk.hold(b"match seat 9\n", b"match seat 1\n", b"go\n", talk.bot.enough.set)
    assert no_times(said[:2]) == CHOICE
    assert reasons(said[2:]) == ["seat_unknown", "no_deal"]


def test_quit_does_not_wait_for_the_choice() -> None:
    talk = Talk()
    assert talk.hold(b"quit\n") == []
    talk.bot.enough.set()
    for thread in threading.enumerate():
        if isinstance(thread, _Worker):
            thread.join()
    assert talk.said == []  # nor is it heard afterwards


def test_what_was_asked_before_the_end_of_the_input_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may take any time; the bot thinks until it is stopped, and nobody stops it."""
    monkeypatch.setattr(serving, "END_GRACE", 0.0)
    assert no_times(Talk().hold(b"go\n", b"match seat 9\n")[:-1]) == [*CHOICE, *CHOICE]


def test_an_output_that_fails_is_told() -> None:
    def write(_: str) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        serve(session(), BytesIO(b"isready\nisready\n"), write)


# Faults of a bot


class Broken:
    """A bot with a fault of its own."""

    def choose(self, view: View, clock: Clock) -> SeatAction:
        raise ZeroDivisionError("no cards\nleft")


def test_a_bot_that_fails_is_answered_for() -> None:
    heard = session()
    heard._bot = Broken()
    said = answers(POSITION + b"go\ntakes 1\n", heard)
    assert reasons(said) == ["bot_failed", "no_trick_taken"]
    assert "ZeroDivisionError: no cards left" in said[0]


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
    """The code is compiled first, which takes longer than the time that the end leaves."""
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
    assert "is not a command of the protocol" in told.stdout


@pytest.mark.parametrize(
    "options",
    [
        ("--level", "grandmaster"),
        ("--rules", "nonsense"),
        *(
            pytest.param(each, marks=pytest.mark.full)
            for each in [
                ("--seed", "-1"),
                ("--seed", "18446744073709551616"),
                ("--movetime", "0"),
                ("--simulations", "many"),
                ("--players", "8"),
            ]
        ),
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
