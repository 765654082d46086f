"""`volte review`, from a record to what it tells and draws."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from cli.command import Command
from cli.test_hostile import NONSENSE, assert_told
from kit.deals import RandomMatch
from terminal.test_being_stopped import Terminal, environ  # noqa: F401

import volte.kernel.compiler  # noqa: F401 - finds its cache before there is another home
from volte.bots import BotOwner, Casual
from volte.bots.reviewing import get_ready
from volte.game import Driver, MatchStarted, PlainChance, Player
from volte.notation import format_record
from volte.rules import make_ruleset

NAMES = ("Anne", "Luc", "Zoé", "Yves")
QUICK = ("--lang", "en", "--simulations", "60")
CACHE = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
DOCUMENTED = Path(__file__).parents[2] / "docs" / "review.md"


def written(folder: Path, people: str = "Anne", deals: int = 1) -> str:
    """The record of a match between players that all play as `casual` does."""
    rules = make_ruleset("microsoft", {"match_end": f"deals:{deals}"})
    owners = [BotOwner(Casual(), seat) for seat in range(4)]
    players = tuple(Player(name, person=name in people.split()) for name in NAMES)
    driver = Driver([MatchStarted(rules, players)], owners, PlainChance(7))
    driver.run()
    path = folder / "match.volte"
    path.write_text(format_record(driver.log), encoding="utf-8")
    return str(path)


# Whose choices


def test_the_one_person_is_spoken_to(volte: Command, folder: Path) -> None:
    told = volte("review", written(folder, deals=2), *QUICK)
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith("Hearts (microsoft match_end=deals:2)")
    assert "Your choices are weighed by what you knew then" in told.out
    assert re.search(r"(?m)^   2 +\d+ +[\d.]+ +\d+ +\d+ +\d+ +\d+$", told.out)
    assert re.search(r"What cost you most:|You did nothing that cost much\.", told.out)


@pytest.mark.parametrize("seat", ["2", "Luc", "luc", " LUC "])
def test_any_seat_can_be_named(seat: str, volte: Command, folder: Path) -> None:
    told = volte("review", written(folder), "--seat", seat, *QUICK)
    assert (told.status, told.err) == (0, "")
    assert "Luc's choices are weighed by what was known in that seat" in told.out


@pytest.mark.parametrize("people", ["", "Anne Luc Zoé Yves"])
def test_where_all_are_bots_or_people_every_seat_is_told_shortly(
    people: str, volte: Command, folder: Path
) -> None:
    told = volte("review", written(folder, people), *QUICK)
    for name in NAMES:
        assert re.search(rf"What cost {name} most:|{name} (did|made) no", told.out)
    assert told.out.endswith("With --seat you see more of one player.\n")


def test_of_several_people_among_bots_only_they_are_told(volte: Command, folder: Path) -> None:
    answer = json.loads(volte("review", written(folder, "Anne Zoé"), "--json", *QUICK).out)
    assert answer["seats"] == [1, 3]


@pytest.mark.parametrize("seat", ["Paul", "0", "5", "99", "", "-1"])
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_seat_that_is_not_there_is_one_sentence(
    seat: str, lang: str, volte: Command, folder: Path
) -> None:
    told = volte("review", written(folder), "--seat", seat, *QUICK, "--lang", lang)
    assert (told.status, told.out) == (2, "")
    assert told.err.count("\n") == 1
    assert "Anne, Luc, Zoé, Yves" in told.err


# What cannot be read, or thought, or drawn


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_what_is_no_record_is_one_sentence(lang: str, volte: Command, folder: Path) -> None:
    sheet = folder / "sheet.volte"
    sheet.write_text("Volte score sheet 1\n", encoding="utf-8")
    for path in (folder / "nothing.volte", folder, sheet):
        told = volte("review", str(path), "--lang", lang)
        assert (told.status, told.out) == (1, "")
        assert told.err.count("\n") == 1


def test_without_a_record_it_is_misuse(volte: Command) -> None:
    told = volte("review", "--lang", "en")
    assert (told.status, told.err) == (2, "“volte review” needs the name of a file.\n")


@pytest.mark.parametrize("number", ["0", "many", "-3", "1e9", "1.5"])
def test_a_number_of_simulations_has_to_be_one(number: str, volte: Command, folder: Path) -> None:
    told = volte("review", written(folder), "--simulations", number, "--lang", "en")
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith("--simulations is a whole number from 1 to")


@pytest.mark.parametrize("value", NONSENSE, ids=range(len(NONSENSE)))
def test_every_option_survives_nonsense(value: str, volte: Command, folder: Path) -> None:
    path = written(folder)
    assert_told(volte, "review", "--", value)
    assert_told(volte, "review", path, "--seat", f"?{value}")
    assert_told(volte, "review", path, "--simulations", f"?{value}")
    assert_told(volte, "review", path, "--seat", "?", "--chart", f"{value}.png")


def test_a_chart_that_cannot_be_written_is_told_before_anything_is_thought(
    volte: Command, folder: Path
) -> None:
    path = written(folder)
    for name, status in (("chart.pdf", 2), ("nowhere/chart.png", 1)):
        told = volte("review", path, "--chart", str(folder / name), "--lang", "en")
        assert (told.status, told.out) == (status, "")
        assert told.err.count("\n") == 1
        assert not (folder / name).exists()


def test_without_matplotlib_it_is_told_what_to_install(
    volte: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    told = volte("review", written(folder), "--chart", str(folder / "a.png"), "--lang", "en")
    assert (told.status, told.out) == (1, "")
    assert told.err == 'Plots need matplotlib: pip install "volte[plot]".\n'


# The chart


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG"), ("b.SVG", b"<?xml")])
def test_the_match_is_drawn_and_the_picture_told(
    name: str, begins: bytes, volte: Command, folder: Path
) -> None:
    path = written(folder, deals=2)
    first, again = folder / name, folder / f"again-{name}"
    told = volte("review", path, "--chart", str(first), *QUICK)
    assert (told.status, told.err) == (0, "")
    assert first.read_bytes().startswith(begins)
    assert "The picture: Hearts" in told.out
    assert "A dotted line: what your cards were worth" in told.out
    volte("review", path, "--chart", str(again), *QUICK)
    assert first.read_bytes() == again.read_bytes()


def test_the_picture_has_a_line_for_each_and_stars(volte: Command, folder: Path) -> None:
    path = folder / "a.svg"
    told = volte("review", written(folder, deals=2), "--chart", str(path), *QUICK)
    said = re.findall(r">([^<>]*\w[^<>]*)</text>", path.read_text(encoding="utf-8"))
    totals = re.findall(r"a line for each: (.*)\.", told.out)[0]
    for each in totals.split("; "):
        name, total = each.rsplit(" ", 1)
        assert f"{name} ({total})" in said
    assert "What your cards were worth" in said
    assert ("What cost most" in said) is ("Stars mark" in told.out)


# What else it says


def test_the_same_record_has_the_same_answer(volte: Command, folder: Path) -> None:
    path = written(folder)
    assert volte("review", path, *QUICK) == volte("review", path, *QUICK)


def test_for_ears_there_are_sentences_and_no_table(volte: Command, folder: Path) -> None:
    told = volte("review", written(folder, deals=2), "--plain", *QUICK)
    assert re.search(r"(?m)^Deal 2: your cards were worth about [\d.]+ points?, and", told.out)
    assert all(line[-1] in ".:!" for line in told.out.splitlines() if line)
    assert not re.search("[♣♦♠♥]|\\S  ", told.out)


@pytest.mark.parametrize("width", [20, 50, 80])
def test_no_line_is_wider_than_is_asked(width: int, volte: Command, folder: Path) -> None:
    told = volte("review", written(folder), "--width", str(width), *QUICK)
    assert max(map(len, told.out.splitlines())) <= width


def test_an_unfinished_match_is_told_as_far_as_it_went(volte: Command, folder: Path) -> None:
    path = Path(written(folder, deals=2))
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    second = next(n for n, line in enumerate(lines) if line.startswith("Deal 2"))
    path.write_text("".join(lines[: second + 12]), encoding="utf-8")
    told = volte("review", str(path), *QUICK)
    assert (told.status, told.err) == (0, "")
    assert "The match is not over: what has been played is looked at." in told.out
    path.write_text("".join(lines[:6]), encoding="utf-8")
    told = volte("review", str(path), *QUICK, "--chart", str(folder / "a.png"))
    assert (told.status, told.err) == (0, "")
    assert "No deal has been scored yet." in told.out
    assert not (folder / "a.png").exists()


def test_with_two_packs_it_says_what_it_cannot(volte: Command, folder: Path) -> None:
    path = folder / "two.volte"
    changes: dict[str, int | str] = {
        "players": 6,
        "pass_count": 3,
        "pass_cycle": "scatter",
        "match_end": "deals:1",
    }
    log = RandomMatch(make_ruleset("cancellation", changes), 1).log
    path.write_text(format_record(log), encoding="utf-8")
    told = volte("review", str(path), "--seat", "1", "--lang", "en", "--simulations", "20")
    assert (told.status, told.err) == (0, "")
    assert "In 1 deal nobody can say here what the cards were worth." in told.out
    assert "1 choice is left out: out of turn, against the rules, or more than" in told.out


# For programs


def test_an_answer_for_programs_adds_up(volte: Command, folder: Path) -> None:
    told = volte("review", written(folder, deals=2), "--json", *QUICK)
    answer = json.loads(told.out)
    assert [each["name"] for each in answer["players"]] == list(NAMES)
    assert (answer["seats"], answer["finished"], len(answer["deals"])) == ([1], True, 2)
    for seat, parts in enumerate(answer["parts"]):
        assert parts["points"] == sum(deal["points"][seat] for deal in answer["deals"])
        assert parts["share"] + parts["luck"] + parts["play"] == pytest.approx(parts["points"])
    for each in answer["costliest"]:
        assert each["seat"] == 1
        assert set(each["done"]["cards"]) <= set(each["hand"])
        assert each["cost"]["stakes"] is None


def test_every_key_of_the_answer_is_documented(volte: Command, folder: Path) -> None:
    answer = json.loads(volte("review", written(folder, "", 2), "--json", *QUICK).out)
    assert answer["costliest"]
    page = DOCUMENTED.read_text(encoding="utf-8")
    named = {*answer, *answer["deals"][0], *answer["parts"][0], *answer["costliest"][0]}
    named |= {*answer["costliest"][0]["cost"], *answer["costliest"][0]["done"]}
    assert {name for name in named if f"`{name}`" not in page} == set()


# Progress, and Ctrl-C


def test_interrupted_it_says_so_in_one_sentence(
    environ: dict[str, str],  # noqa: F811
    folder: Path,
) -> None:
    get_ready(make_ruleset("microsoft"))
    path = written(folder, "", 4)
    asked = ("--lang", "en", "--simulations", "20_000")
    terminal = Terminal({**environ, "XDG_CACHE_HOME": CACHE}, "review", path, *asked)
    terminal.until("done, about")
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert terminal.end() == 130
    assert terminal.said.endswith("Interrupted.\r\n")
    assert "Traceback" not in terminal.said
