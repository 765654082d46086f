"""`volte arena`, from its options to tables, pictures and files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from kit.engines import example, python
from kit.lab import engine
from kit.reports import undocumented
from kit.terminals import Volte

QUICK = ("--lang", "en", "--seed", "4711", "--processes", "1", "--deals", "4", "--seatings", "few")
PAIR = ("casual", "beginner")


def without_times(text: str) -> str:
    text = re.sub(r"It took .*", "", text)
    return re.sub(r"(?ms)^(Player +Choices|casual: [\d.]+ milliseconds).*", "", text)


# Output


@pytest.mark.full
def test_a_seed_repeats_it_however_the_work_is_shared(volte: Volte) -> None:
    alone = volte("arena", *PAIR, *QUICK)
    assert alone.status == 0
    assert alone.out.startswith("4 deals of dame-de-pique, each in 2 seatings, seed 4711. casual")
    shared = volte("arena", *PAIR, *QUICK, "--processes", "2")
    assert without_times(shared.out) == without_times(alone.out)


def test_a_hundred_deals_in_all_seatings_where_nobody_says_how_many(volte: Volte) -> None:
    done = volte("arena", "casual", "random", "--lang", "en", "--seed", "1")
    assert done.out.startswith("100 deals of dame-de-pique, each in 14 seatings, seed 1.")


def test_matches_are_told_with_who_won(volte: Volte) -> None:
    done = volte("arena", "casual", "random", *QUICK[:6], "--matches", "3", "--rules", "salon")
    assert done.out.startswith("3 matches of salon, each in 14 seatings")
    assert "more of the matches than random" in done.out
    assert "Matches won" in done.out


def test_three_players_meet_two_at_a_time_or_at_one_table(volte: Volte) -> None:
    pairs = volte("arena", *PAIR, "random", *QUICK)
    assert "Two at a time: casual, beginner, random." in pairs.out
    table = volte("arena", *PAIR, "random", *QUICK, "--table")
    assert "players=3, each in 3 seatings" in table.out
    assert "At one table: casual, beginner, random." in table.out
    for told in (pairs, table):
        assert re.search(r"(?m)^Player +Rating$", told.out)


def test_an_outside_engine_plays_along_under_its_name(volte: Volte, tmp_path: Path) -> None:
    contestant = engine(tmp_path)
    done = volte("arena", "beginner", *QUICK, "--engine", f"outsider={contestant.command}")
    assert (done.status, done.err) == (0, "")
    assert "beginner against outsider." in done.out


def test_an_engine_without_a_name_is_called_as_it_calls_itself(volte: Volte) -> None:
    done = volte("arena", "beginner", *QUICK, "--engine", example())
    assert (done.status, done.err) == (0, "")
    assert "beginner against Lowest." in done.out


def test_an_engine_that_does_not_get_ready_is_told_in_a_sentence(volte: Volte) -> None:
    done = volte("arena", "beginner", *QUICK, "--engine", python("raise SystemExit('No book')"))
    assert done.status
    assert done.out == ""
    assert "ended before it was ready, with exit status 1" in done.err
    assert "“No book”" in done.err


def test_the_usual_budget_is_for_whoever_names_none(volte: Volte) -> None:
    done = volte("arena", "casual@7", "beginner", *QUICK, "--json", "--movetime", "40")
    players = json.loads(done.out)["players"]
    assert [(each["milliseconds"], each["simulations"]) for each in players] == [
        (None, 7),
        (40, None),
    ]


def test_it_ends_early_where_that_is_asked_for(volte: Volte) -> None:
    asked = ("casual", "random", *QUICK[:6], "--deals", "4000")
    decided = volte("arena", *asked, "--decide")
    assert "Finished after 30 deals, as it is clear who plays better." in decided.out
    narrow = volte("arena", *asked, "--until", "0,5")
    assert re.search(r"Finished after \d+ deals, as the margin is narrow enough\.", narrow.out)


# For programs


def test_an_answer_for_programs_adds_up_and_is_documented(volte: Volte) -> None:
    asked = ("casual", "random", "--matches", "2", "--rules", "coeurs-cinq-coups", *QUICK[2:6])
    answer = json.loads(volte("arena", *asked, "--json").out)
    assert (answer["seed"], answer["seatings"], answer["matches"]) == (4711, 14, True)
    (duel,) = answer["duels"]
    assert (duel["decks"], duel["games"], duel["deals"]) == (2, 28, 140)
    assert duel["ending"] == "played"
    assert sum(side["wins"] for side in duel["sides"]) == 28 * 2520
    first, second = (side["points_per_deal"]["value"] for side in duel["sides"])
    assert duel["margins"][0]["points"]["value"] == pytest.approx(second - first)
    assert undocumented(answer, "arena") == set()


# Files


def test_what_is_kept_is_gone_on_with_and_brings_its_seed(volte: Volte, folder: Path) -> None:
    file = folder / "duel.jsonl"
    first = volte("arena", *PAIR, *QUICK, "--keep", str(file))
    asked = ("--lang", "en", "--processes", "1", "--seatings", "few", "--keep", str(file))
    again = volte("arena", *PAIR, *asked, "--deals", "4")
    assert without_times(again.out) == without_times(first.out)
    more = volte("arena", *PAIR, *asked, "--deals", "6")
    assert more.out.startswith("6 deals of dame-de-pique, each in 2 seatings, seed 4711.")


def test_a_file_of_other_games_is_one_sentence(volte: Volte, folder: Path) -> None:
    file = folder / "duel.jsonl"
    volte("arena", *PAIR, *QUICK, "--keep", str(file))
    asked = ("casual", "random", "--deals", "100_000", "--keep", str(file))
    assert volte.refused("arena", *asked, status=1).startswith(f"{file} is from another comparison")


def test_a_picture_names_every_pair_with_its_margin(volte: Volte, folder: Path) -> None:
    path = folder / "a.svg"
    done = volte("arena", *PAIR, "random", *QUICK, "--plot", str(path))
    said = re.findall(r">([^<>]*\w[^<>]*)</text>", path.read_text(encoding="utf-8"))
    for pair in ("casual against beginner", "casual against random", "beginner against random"):
        assert pair in said
    margins = [text for text in said if "±" in text]
    assert len(margins) == 3
    assert all(margin.replace("−", "") in done.out.replace("−", "") for margin in margins)
