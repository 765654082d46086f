"""`volte review`, from a record to its text and chart."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from kit.deals import RandomMatch
from kit.reports import undocumented, written
from kit.spoken import EVERY
from kit.terminals import Script, Volte

from volte.notation import format_record
from volte.rules import make_ruleset

NAMES = ("Anne", "Luc", "Zoé", "Yves")
QUICK = ("--lang", "en", "--simulations", "60")


# The seat


def test_the_one_person_is_spoken_to(volte: Volte, folder: Path) -> None:
    done = volte("review", written(folder, deals=2), *QUICK)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Hearts (microsoft match_end=deals:2)")
    assert "Your choices are judged by what you knew then" in done.out
    assert re.search(r"(?m)^   2 +\d+ +[\d.]+ +\d+ +\d+ +\d+ +\d+$", done.out)
    assert re.search(r"What cost you most:|Nothing you did cost much\.", done.out)


@pytest.mark.parametrize("seat", ["2", "Luc", "luc", " LUC "])
def test_any_seat_can_be_named(seat: str, volte: Volte, folder: Path) -> None:
    done = volte("review", written(folder), "--seat", seat, *QUICK)
    assert (done.status, done.err) == (0, "")
    assert re.search("Luc['’]s choices are judged by what could be known from that seat", done.out)


@pytest.mark.parametrize("people", ["", "Anne Luc Zoé Yves"])
def test_where_all_are_bots_or_people_every_seat_is_told_shortly(
    people: str, volte: Volte, folder: Path
) -> None:
    done = volte("review", written(folder, people), *QUICK)
    for name in NAMES:
        assert re.search(rf"What cost {name} most:|Nothing {name} did|{name} made no", done.out)
    assert done.out.endswith("Use --seat to see more about one player.\n")


def test_of_several_people_among_bots_only_they_are_told(volte: Volte, folder: Path) -> None:
    answer = json.loads(volte("review", written(folder, "Anne Zoé"), "--json", *QUICK).out)
    assert answer["seats"] == [1, 3]


@pytest.mark.parametrize("seat", ["Paul", "0", "5", "99", "", "-1"])
@pytest.mark.parametrize("lang", EVERY)
def test_a_seat_that_is_not_there_is_one_sentence(
    seat: str, lang: str, volte: Volte, folder: Path
) -> None:
    sentence = volte.refused("review", written(folder), "--seat", seat, "--lang", lang)
    assert "Anne, Luc, Zoé, Yves" in sentence


# Tried again


def test_what_cost_most_is_asked_about_before_it_is_told(volte: Volte, folder: Path) -> None:
    done = volte("review", written(folder, deals=2), "--try", *QUICK, answer=Script(["q"]))
    assert (done.status, done.err) == (0, "")
    assert re.search(r"Choice 1 of [1-5]\.|Nothing you did cost much\.", done.out)
    assert "Better w" not in done.out


def test_who_is_asked_and_how_is_told_in_one_sentence(volte: Volte, folder: Path) -> None:
    several, lang = written(folder, "Anne Zoé"), ("--lang", "en")
    assert "Anne, Zoé" in volte.refused("review", several, "--try", *lang)
    assert "name a file" in volte.refused("review", "-", "--try", *lang)
    assert "not both" in volte.refused("review", several, "--try", "--json", *lang)


# Faults: records, reviews and charts


@pytest.mark.parametrize("lang", EVERY)
def test_what_is_no_record_is_one_sentence(lang: str, volte: Volte, folder: Path) -> None:
    sheet = folder / "sheet.volte"
    sheet.write_text("Volte score sheet 1\n", encoding="utf-8")
    for path in (folder / "nothing.volte", folder, sheet):
        volte.refused("review", str(path), "--lang", lang, status=1)


# The chart


def test_the_picture_has_a_line_for_each_and_stars_and_is_told(volte: Volte, folder: Path) -> None:
    path = folder / "a.svg"
    done = volte("review", written(folder, deals=2), "--chart", str(path), *QUICK)
    assert "The picture: Hearts" in done.out
    assert "A dotted line shows what your cards were worth" in done.out
    said = re.findall(r">([^<>]*\w[^<>]*)</text>", path.read_text(encoding="utf-8"))
    totals = re.findall(r"each total as a line, deal by deal: (.*)\.", done.out)[0]
    for each in totals.split("; "):
        name, total = each.rsplit(" ", 1)
        assert f"{name} ({total})" in said
    assert "What your cards were worth" in said
    assert ("What cost most" in said) is ("Stars mark" in done.out)


# Other output


def test_the_same_record_has_the_same_answer(volte: Volte, folder: Path) -> None:
    path = written(folder)
    assert volte("review", path, *QUICK) == volte("review", path, *QUICK)


def test_for_ears_each_deal_is_a_sentence(volte: Volte, folder: Path) -> None:
    done = volte("review", written(folder, deals=2), "--plain", *QUICK)
    assert re.search(r"(?m)^Deal 2: your cards were worth about [\d.]+ points?, and", done.out)


def test_an_unfinished_match_is_told_as_far_as_it_went(volte: Volte, folder: Path) -> None:
    path = Path(written(folder, deals=2))
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    second = next(n for n, line in enumerate(lines) if line.startswith("Deal 2"))
    path.write_text("".join(lines[: second + 12]), encoding="utf-8")
    done = volte("review", str(path), *QUICK)
    assert (done.status, done.err) == (0, "")
    assert "The match is not over: here is a review of what has been played so far." in done.out
    path.write_text("".join(lines[:6]), encoding="utf-8")
    done = volte("review", str(path), *QUICK, "--chart", str(folder / "a.png"))
    assert (done.status, done.err) == (0, "")
    assert "No deal has been scored yet." in done.out
    assert not (folder / "a.png").exists()


def test_with_two_packs_it_says_what_it_cannot(volte: Volte, folder: Path) -> None:
    path = folder / "two.volte"
    changes = {"players": "6", "pass_count": "3", "pass_cycle": "scatter", "match_end": "deals:1"}
    log = RandomMatch(make_ruleset("cancellation", changes), 1).log
    path.write_text(format_record(log), encoding="utf-8")
    done = volte("review", str(path), "--seat", "1", "--lang", "en", "--simulations", "20")
    assert (done.status, done.err) == (0, "")
    assert "For 1 deal, there is no telling what the cards were worth." in done.out
    assert "1 choice is left out, because it was made out of turn" in done.out


# For programs


def test_an_answer_for_programs_adds_up(volte: Volte, folder: Path) -> None:
    printed = volte("review", written(folder, deals=2), "--json", *QUICK)
    answer = json.loads(printed.out)
    assert [each["name"] for each in answer["players"]] == list(NAMES)
    assert (answer["seats"], answer["finished"], len(answer["deals"])) == ([1], True, 2)
    for seat, parts in enumerate(answer["parts"]):
        assert parts["points"] == sum(deal["points"][seat] for deal in answer["deals"])
        assert parts["share"] + parts["luck"] + parts["play"] == pytest.approx(parts["points"])
    for each in answer["costliest"]:
        assert each["seat"] == 1
        assert set(each["done"]["cards"]) <= set(each["hand"])
        assert each["cost"]["stakes"] is None


def test_every_key_of_the_answer_is_documented(volte: Volte, folder: Path) -> None:
    answer = json.loads(volte("review", written(folder, "", 2), "--json", *QUICK).out)
    assert answer["costliest"]
    assert undocumented(answer, "review") <= {*answer["players"][0]}
