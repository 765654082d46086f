"""`volte arena`, from its options to tables, pictures and files."""

from __future__ import annotations

import doctest
import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from cli.command import Command
from cli.test_hostile import NONSENSE, assert_told
from cli.test_simulate import Clock, Screen, is_empty
from kit.lab import engine
from terminal.test_being_stopped import Terminal, environ  # noqa: F401

from volte.console.progress import Lines
from volte.lab.arena.command import MOST_PLAYERS
from volte.say import Words

QUICK = ("--lang", "en", "--seed", "4711", "--processes", "1", "--deals", "4", "--seatings", "few")
LONG = ("--deals", "100_000")
"""What would take minutes, and be told: an empty output shows that nothing was played."""
PAIR = ("casual", "beginner")
PAGE = Path(__file__).parents[2] / "docs" / "arena.md"


def without_times(text: str) -> str:
    text = re.sub(r"It took .*", "", text)
    return re.sub(r"(?ms)^(Player +Choices|casual: [\d.]+ milliseconds).*", "", text)


# What is asked

MISUSES = [
    "",
    "casual",
    "casual casual",
    "casual zorro",
    "casual beginner@",
    "casual beginner@0",
    "casual beginner@40s",
    "casual beginner --engine=",
    "casual beginner --deals many",
    "casual beginner --deals 0",
    "casual beginner --deals 1000001",
    "casual beginner --deals 1 --matches 1",
    "casual beginner --seatings most",
    "casual beginner --seatings 3",
    "casual beginner --seatings 16",
    "casual beginner --table",
    "casual beginner random --table --players 4",
    "casual beginner --movetime 0",
    "casual beginner --movetime 5 --simulations 5",
    "casual beginner --seed x",
    "casual beginner --until 0",
    "casual beginner --until wide",
    "casual beginner --until -1",
    "casual beginner --processes 0",
    "casual beginner --processes 2 --cluster tcp://127.0.0.1:1",
    "casual beginner --plot margins.pdf",
    "casual beginner --rules nothing",
    "casual beginner --players 9",
    " ".join(f"casual@{number}" for number in range(1, MOST_PLAYERS + 2)),
]


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("line", MISUSES, ids=range(len(MISUSES)))
def test_misuse_is_one_sentence_before_anything_is_played(
    line: str, lang: str, volte: Command
) -> None:
    words = line.split()
    endless = [] if {"--deals", "--matches"} & set(words) else LONG
    told = volte("--lang", lang, "arena", *endless, *words)
    assert told.status == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert told.err.rstrip().endswith(".")


@pytest.mark.parametrize("value", NONSENSE, ids=range(len(NONSENSE)))
def test_every_option_survives_nonsense(value: str, volte: Command) -> None:
    for option in (
        "--engine",
        "--deals",
        "--matches",
        "--seatings",
        "--movetime",
        "--simulations",
        "--seed",
        "--until",
        "--processes",
    ):
        # A player too many is misuse whatever the option says, so nothing is played.
        assert_told(volte, "arena", *PAIR, "casual", option, value)
    assert_told(volte, "arena", *PAIR, "--deals", "x", "--keep", value, "--plot", f"{value}.png")
    assert_told(volte, "arena", "casual", value, "--deals", "x")


# What is told


def test_a_seed_repeats_it_however_the_work_is_shared(volte: Command) -> None:
    alone = volte("arena", *PAIR, *QUICK)
    assert alone.status == 0
    assert alone.out.startswith("4 deals of dame-de-pique, each in 2 seatings, seed 4711. casual")
    shared = volte("arena", *PAIR, *QUICK, "--processes", "2")
    assert without_times(shared.out) == without_times(alone.out)


def test_a_hundred_deals_in_all_seatings_where_nobody_says_how_many(volte: Command) -> None:
    told = volte("arena", "casual", "random", "--lang", "en", "--seed", "1")
    assert told.out.startswith("100 deals of dame-de-pique, each in 14 seatings, seed 1.")


def test_matches_are_told_with_who_won(volte: Command) -> None:
    told = volte("arena", "casual", "random", *QUICK[:6], "--matches", "3", "--rules", "salon")
    assert told.out.startswith("3 matches of salon, each in 14 seatings")
    assert "of the matches more than one of random" in told.out
    assert "Matches won" in told.out


def test_three_players_meet_two_at_a_time_or_at_one_table(volte: Command) -> None:
    pairs = volte("arena", *PAIR, "random", *QUICK)
    assert "Every pair of: casual, beginner, random." in pairs.out
    table = volte("arena", *PAIR, "random", *QUICK, "--table")
    assert "players=3, each in 3 seatings" in table.out
    assert "At one table: casual, beginner, random." in table.out
    for told in (pairs, table):
        assert re.search(r"(?m)^Player +Rating$", told.out)


def test_an_outside_engine_plays_along_under_its_name(volte: Command, tmp_path: Path) -> None:
    contestant = engine(tmp_path)
    told = volte("arena", "beginner", *QUICK, "--engine", f"outsider={contestant.command}")
    assert (told.status, told.err) == (0, "")
    assert "beginner against outsider." in told.out


def test_an_engine_that_is_not_there_is_one_sentence(volte: Command) -> None:
    told = volte("arena", "beginner", *QUICK, "--engine", "/nowhere/engine")
    assert (told.status, told.out, told.err.count("\n")) == (1, "", 1)


def test_the_usual_budget_is_for_whoever_names_none(volte: Command) -> None:
    told = volte("arena", "casual@7", "beginner", *QUICK, "--json", "--movetime", "40")
    players = json.loads(told.out)["players"]
    assert [(each["milliseconds"], each["simulations"]) for each in players] == [
        (None, 7),
        (40, None),
    ]


def test_it_ends_early_where_that_is_asked_for(volte: Command) -> None:
    asked = ("casual", "random", *QUICK[:6], "--deals", "4000")
    decided = volte("arena", *asked, "--decide")
    assert "Over after 30 deals: it is decided" in decided.out
    narrow = volte("arena", *asked, "--until", "0,5")
    assert re.search(r"Over after \d+ deals, the interval being narrow enough\.", narrow.out)


def test_no_line_is_wider_than_is_asked(volte: Command) -> None:
    for width in (20, 40, 60, 80):
        told = volte("arena", *PAIR, "random", *QUICK, "--width", str(width))
        assert max(map(len, told.out.splitlines())) <= width


def test_for_ears_there_are_sentences_and_no_table(volte: Command) -> None:
    told = volte("arena", *PAIR, "random", *QUICK, "--plain")
    assert all(line.endswith(".") for line in told.out.splitlines())
    assert not re.search("  |±", told.out)


# For programs


def keys(answer: object) -> set[str]:
    """Every key of a JSON answer but for the names of options and of reasons."""
    if isinstance(answer, list):
        return set().union(*map(keys, answer))
    if not isinstance(answer, dict):
        return set()
    below = (keys(value) for name, value in answer.items() if name not in ("rules", "forfeits"))
    return set(answer).union(*below)


def test_an_answer_for_programs_adds_up_and_is_documented(volte: Command) -> None:
    asked = ("casual", "random", "--matches", "2", "--rules", "coeurs-cinq-coups", *QUICK[2:6])
    answer = json.loads(volte("arena", *asked, "--json").out)
    assert (answer["seed"], answer["seatings"], answer["matches"]) == (4711, 14, True)
    (duel,) = answer["duels"]
    assert (duel["decks"], duel["games"], duel["deals"]) == (2, 28, 140)
    assert duel["ending"] == "played"
    assert sum(side["wins"] for side in duel["sides"]) == 28 * 2520
    first, second = (side["points_per_deal"]["value"] for side in duel["sides"])
    assert duel["margins"][0]["points"]["value"] == pytest.approx(second - first)
    page = PAGE.read_text(encoding="utf-8")
    assert [
        key for key in sorted(keys(answer)) if f"`{key}`" not in page and f'"{key}"' not in page
    ] == []


def test_the_page_says_what_is_so() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 0
    assert found.failed == 0


# Files


def test_what_is_kept_is_gone_on_with_and_brings_its_seed(volte: Command, folder: Path) -> None:
    file = folder / "duel.jsonl"
    first = volte("arena", *PAIR, *QUICK, "--keep", str(file))
    asked = ("--lang", "en", "--processes", "1", "--seatings", "few", "--keep", str(file))
    again = volte("arena", *PAIR, *asked, "--deals", "4")
    assert without_times(again.out) == without_times(first.out)
    more = volte("arena", *PAIR, *asked, "--deals", "6")
    assert more.out.startswith("6 deals of dame-de-pique, each in 2 seatings, seed 4711.")


def test_a_file_of_other_games_is_one_sentence(volte: Command, folder: Path) -> None:
    file = folder / "duel.jsonl"
    volte("arena", *PAIR, *QUICK, "--keep", str(file))
    told = volte("arena", "casual", "random", *LONG, "--keep", str(file), "--lang", "en")
    assert (told.status, told.out) == (1, "")
    assert told.err.startswith(f"{file} keeps other games")
    told = volte("arena", *PAIR, *LONG, "--keep", str(folder / "no" / "where"), "--lang", "en")
    assert (told.status, told.out) == (1, "")
    assert "cannot be written: No such file or directory." in told.err


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG\r\n"), ("b.SVG", b"<?xml")])
def test_a_picture_is_drawn_as_its_name_says(
    name: str, begins: bytes, volte: Command, folder: Path
) -> None:
    told = volte("arena", *PAIR, "random", *QUICK, "--plot", str(folder / name))
    assert (told.status, told.err) == (0, "")
    assert (folder / name).read_bytes().startswith(begins)


def test_a_picture_names_every_pair_with_its_margin(volte: Command, folder: Path) -> None:
    path = folder / "a.svg"
    told = volte("arena", *PAIR, "random", *QUICK, "--plot", str(path))
    said = re.findall(r">([^<>]*\w[^<>]*)</text>", path.read_text(encoding="utf-8"))
    for pair in ("casual against beginner", "casual against random", "beginner against random"):
        assert pair in said
    margins = [text for text in said if "±" in text]
    assert len(margins) == 3
    assert all(margin.replace("−", "") in told.out.replace("−", "") for margin in margins)


def test_without_matplotlib_it_is_told_what_to_install(
    volte: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    told = volte("arena", *PAIR, *LONG, "--plot", str(folder / "a.png"), "--lang", "en")
    assert (told.status, told.out) == (1, "")
    assert told.err == 'Plots need matplotlib: pip install "volte[plot]".\n'


# Progress


def test_the_time_left_is_reckoned_from_what_was_played_now() -> None:
    screen, clock = Screen(), Clock()
    bar = Lines(Words("en"), screen, clock)
    bar.going_on(50)
    clock.now = 10
    bar(60, 100)
    assert screen.getvalue() == "60% done, about 40 seconds left\n"


# Ctrl-C


@pytest.mark.parametrize("processes", ["1", "2"])
def test_interrupted_it_tells_what_it_has_and_leaves_nobody_behind(
    processes: str,
    environ: dict[str, str],  # noqa: F811
    folder: Path,
) -> None:
    file = folder / "duel.jsonl"
    asked = ("--deals", "1e5", "--seatings", "few", "--processes", processes, "--keep", str(file))
    terminal = Terminal(environ, "arena", "beginner", "random", *asked)
    terminal.until("done, about")
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert terminal.end() == 130
    said = " ".join(terminal.said.split())
    assert "beginner against random." in said
    assert "Stopped with" in said
    assert terminal.said.endswith("The same command goes on from there.\r\n")
    assert "Traceback" not in terminal.said
    assert is_empty(terminal.process.pid)
    kept = file.read_bytes().splitlines()
    assert len(kept) > 1
    assert all(json.loads(line) for line in kept)
