"""Bots at the terminal that are not ours: engines by `--engine`, and bots of other packages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.engines import ENGINE, example
from kit.packages import package
from kit.terminals import Script, Stubborn, Volte

from volte.notation import load_record

DEAL = ("--set", "match_end=deals:1", "--lang", "en")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from package(tmp_path, monkeypatch)


def test_an_engine_sits_where_its_name_stands(volte: Volte, tmp_path: Path) -> None:
    record = tmp_path / "match.volte"
    engine = ("--engine", f"lowest={example()}")
    seats = ("--seats", "lowest,casual,me,lowest")
    done = volte("play", *seats, *engine, "--record", str(record), *DEAL, answer=Stubborn())
    assert done.status == 0
    assert done.err == ""
    players = load_record(record).state.players
    assert [player.level for player in players] == ["lowest", "casual", "", "lowest"]


@pytest.mark.parametrize(
    ("go", "why"),
    [("sys.exit(1)", "died"), ("print('choose pass 2C 2C 2C', flush=True)", "illegal")],
)
def test_casual_plays_on_for_an_engine_that_fails_which_is_said_once(
    go: str, why: str, volte: Volte, tmp_path: Path
) -> None:
    program = tmp_path / "faulty.py"
    program.write_text(ENGINE.format(go=go))
    seats = (
        "--seats",
        "faulty,casual,casual,casual",
        "--engine",
        f"faulty={sys.executable} {program}",
    )
    done = volte("play", *seats, *DEAL)
    assert done.status == 0
    sentence = f"The bot “faulty” failed ({why}): “casual” plays on in its place."
    assert (done.out + done.err).replace("\n", " ").count(sentence) == 1


def test_what_cannot_be_started_or_named_is_told_in_one_sentence(volte: Volte) -> None:
    seats = ("play", "--seats", "low,casual,casual,casual", "--lang", "en")
    assert "“low”" in volte.refused(*seats)
    assert "/nope" in volte.refused(*seats, "--engine", "low=/nope/x", status=1)
    assert "NAME=COMMAND" in volte.refused(*seats, "--engine", "/opt/low", status=1)
    assert "another one" in volte.refused(*seats, "--engine", "me=/opt/low", status=1)
    elsewhere = ("--connect", "http://127.0.0.1:1", "--engine", "low=x")
    assert "--engine" in volte.refused("play", *elsewhere, "--lang", "en")


def test_a_match_goes_on_without_an_engine_that_has_gone(volte: Volte) -> None:
    seats = ("--seats", "me,lowest,casual,casual", "--engine", f"lowest={example()}")
    assert volte("play", *seats, *DEAL, answer=Script(["q"])).status != 1
    done = volte("play", "--resume", "--lang", "en", answer=Stubborn())
    assert done.status == 0
    assert "The bot “lowest” is not here" in done.out + done.err


@pytest.mark.usefixtures("packages")
def test_a_bot_of_a_package_is_offered_and_plays(volte: Volte) -> None:
    assert "first" in volte.refused("play", "--seats", "me,nobody,casual,casual", "--lang", "en")
    done = volte("play", "--seats", "first,casual,casual,first", "--seed", "1", *DEAL)
    assert done.status == 0
    assert done.err == ""


@pytest.mark.usefixtures("packages")
def test_a_bot_of_a_package_that_fails_is_stood_in_for(volte: Volte) -> None:
    done = volte("play", "--seats", "failing,casual,casual,cheating", *DEAL)
    assert done.status == 0
    said = (done.out + done.err).replace("\n", " ")
    assert said.count("The bot “failing” failed (ZeroDivisionError)") == 1
    assert said.count("The bot “cheating” failed (illegal)") == 1


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize("name", ["missing", "no-bot"])
def test_a_package_that_is_broken_is_named(name: str, volte: Volte) -> None:
    seats = ("--seats", f"{name},casual,casual,casual")
    told = volte.refused("play", *seats, "--lang", "en", status=1)
    assert f"The bot “{name}” of the package volte-ducks cannot be loaded" in told
