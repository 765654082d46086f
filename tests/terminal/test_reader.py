"""Whether a screen reader is used is asked once, at a real terminal, and never in scripts."""

from __future__ import annotations

import sys
from contextlib import chdir
from pathlib import Path
from typing import Final

import pytest
from kit.reports import written
from kit.terminals import Script, Terminal, Volte

from volte.console.habits import uses_reader

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there, terminals are other things")

ASKED = "Do you use a screen reader, yes or no? "
KEPT = "volte/terminal.json"


@pytest.fixture
def asked(environ: dict[str, str]) -> dict[str, str]:
    """The environment of somebody who has not said anything yet."""
    del environ["ACCESSIBLE"]
    return environ


def sit(environ: dict[str, str], *args: str, answers: tuple[str, ...] = ()) -> str:
    """The output at a terminal up to the first cards and their pass."""
    terminal = Terminal(environ, "play", "--seed", "1", *args, columns=200)
    terminal.converse(*((ASKED, each) for each in answers), ("Alice? ", "h"), ("Alice? ", "q"))
    assert terminal.end() == 0
    return terminal.said


def test_it_is_asked_once_and_kept(asked: dict[str, str], folder: Path) -> None:
    said = sit(asked, answers=("perhaps", "yes"))
    assert "Please answer yes or no." in said
    assert "--screen-reader no" in said
    again = sit(asked)
    for told in (said, again):
        assert "\x1b" not in told
        assert "♠" not in told
        assert told.count("Spades: ") == 1  # only when asked for, with few words
    assert "Do you use" not in again
    assert (folder / KEPT).read_bytes() == b'{"screen_reader":true}'
    other = sit(asked, "--screen-reader", "no")  # and that is kept too
    assert "♠" in other
    assert (folder / KEPT).read_bytes() == b'{"screen_reader":false}'


def test_it_is_not_asked_where_it_is_known(
    asked: dict[str, str], volte: Volte, folder: Path
) -> None:
    assert "♠" not in sit(asked, "--plain")
    assert "screen reader" not in volte("play", "--seed", "1").out
    assert not (folder / KEPT).exists()


COMMANDS: Final[tuple[tuple[tuple[str, ...], list[str]], ...]] = (
    (("learn",), ["?", "zz"]),
    (("puzzle", "--number", "1"), ["?", "zz", "h"]),
    (("score", "new", "--players", "Anne,Bruno,Chloé,David"), ["?", "4 6q 3", "f"]),
    (("replay", "match.volte"), [""]),
    (("review", "match.volte", "--seat", "1", "--simulations", "10"), []),
    (("clerk", "revoke"), []),
)


@pytest.mark.parametrize(("command", "typed"), COMMANDS, ids=[each[0][0] for each in COMMANDS])
def test_the_answer_counts_for_every_command(
    command: tuple[str, ...], typed: list[str], volte: Volte, folder: Path
) -> None:
    """No card is told by its symbol, neither in answers nor in examples."""
    (folder / "volte").mkdir()
    (folder / KEPT).write_bytes(b'{"screen_reader":true}')
    with chdir(folder):
        if "match.volte" in command:
            written(folder)
        done = volte(*command, answer=Script(typed))
    assert done.out.count("\n") > 3, done
    assert not set("♠♥♦♣") & set(done.out)


@pytest.mark.parametrize("said", ["1", ""])
def test_the_environment_answers_for_good(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCESSIBLE", said)
    assert uses_reader() is bool(said)
