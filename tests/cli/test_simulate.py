"""`volte simulate`, from its options to tables, pictures and records."""

from __future__ import annotations

import json
import re
import resource
import shlex
from pathlib import Path

import pytest
from kit.reports import undocumented
from kit.terminals import Script, Volte

from volte.lab.arena.statistics import WHOLE_WIN
from volte.notation import load_record

READABLE = shlex.split("simulate --engine readable --seed 4711 --processes 1")
LONG = ("--deals", "20_000", "--engine", "readable")
"""Options for minutes of work with progress: an empty output shows that nothing was played."""


def without_time(text: str) -> str:
    return re.sub(r"(?m)^Played by .*$", "", text)


# Output


@pytest.mark.full
def test_a_seed_repeats_a_simulation_however_the_work_is_shared(volte: Volte) -> None:
    asked = (*READABLE[:-2], "--deals", "50", "--seats", "random,casual,random,random")
    alone = volte(*asked, "--processes", "1")
    assert alone.status == 0
    assert without_time(volte(*asked, "--processes", "2").out) == without_time(alone.out)


def test_without_a_seed_a_fresh_one_is_told_and_repeats_it(volte: Volte) -> None:
    first = volte("simulate", "--deals", "5", "--engine", "readable")
    second = volte("simulate", "--deals", "5", "--engine", "readable")
    assert without_time(first.out) != without_time(second.out)
    (seed,) = re.findall(r"seed (\d+)", first.out)
    again = volte("simulate", "--deals", "5", "--engine", "readable", "--seed", seed)
    assert without_time(again.out) == without_time(first.out)


@pytest.mark.full
def test_the_kernel_plays_what_the_readable_engine_plays(volte: Volte) -> None:
    asked = ("simulate", "--seed", "3", "--deals", "30", "--seats", "random,random,random,random")
    compiled = volte(*asked, "--engine", "kernel")
    readable = volte(*asked, "--engine", "readable")
    assert "Played by the kernel in" in compiled.out
    assert "Played by the readable engine in" in readable.out
    assert without_time(compiled.out) == without_time(readable.out)


def test_why_the_kernel_does_not_play_is_told_in_one_sentence(volte: Volte) -> None:
    done = volte("simulate", "--deals", "2", "--seats", "Chloé,casual,casual,casual")
    assert "In the seats, clockwise: chloe, casual" in done.out
    assert "The kernel cannot play “chloe”: only the readable engine can." in done.out
    asked = volte(*READABLE, "--deals", "2", "--seats", "Chloé,casual,casual,casual")
    assert "kernel" not in asked.out


def test_casual_players_sit_where_nobody_says_who(volte: Volte) -> None:
    assert "In every seat: casual." in volte(*READABLE, "--deals", "2").out


def test_a_thousand_deals_where_nobody_says_how_many(volte: Volte) -> None:
    done = volte("simulate", "--seats", "random,random,random,random", "--seed", "1")
    assert done.out.startswith("1,000 deals of ")


def test_nothing_is_told_of_the_progress_where_nobody_watches(volte: Volte) -> None:
    assert volte(*READABLE, "--deals", "50").err == ""


# For programs


def test_an_answer_for_programs_adds_up_and_is_documented(volte: Volte, folder: Path) -> None:
    asked = ("--matches", "2", "--seats", "casual,random,beginner", "--records", str(folder))
    done = volte("simulate", "--seed", "5", "--rules", "coeurs-moyenne", *asked, "--json")
    answer = json.loads(done.out)
    assert (answer["engine"], answer["why"]["reason"]) == ("readable", "no_compiled_twin")
    assert (answer["seed"], answer["seats"]) == (5, ["casual", "random", "beginner"])
    statistics = answer["statistics"]
    assert (statistics["deals"], statistics["matches"]) == (10, 2)
    for tally in statistics["seats"]:
        times = tally["points"]["times"]
        assert sum(times.values()) == 10
        assert sum(int(points) * often for points, often in times.items()) == tally["points"]["sum"]
        assert tally["points_per_deal"]["value"] == pytest.approx(tally["points"]["sum"] / 10)
        assert tally["points"]["sum"] == tally["totals"]["sum"]
    assert sum(tally["wins"]["sum"] for tally in statistics["seats"]) == 2 * WHOLE_WIN
    assert {each["kept"] for each in answer["records"]} == {"moon", "slam", "highest"}
    assert undocumented(answer, "simulate") == set()


# Records


def test_kept_deals_are_lawful_records_and_can_be_replayed(volte: Volte, folder: Path) -> None:
    place = folder / "new" / "folder"
    asked = ("--deals", "60", "--rules", "salon", "--seats", "random,random,random,casual")
    done = volte(*READABLE, *asked, "--records", str(place), "--keep", "3,moon,slam,highest,3")
    statistics = json.loads(volte(*READABLE, *asked, "--json").out)["statistics"]
    expected = {3, *statistics["first"]["moon"][:1], statistics["first"]["highest"][0]}
    assert statistics["first"]["slam"] == []
    assert "Nobody made a slam, so there is no slam to save." in done.out
    paths = {place / f"deal-{number}-seed-4711.volte" for number in expected}
    assert set(place.iterdir()) == paths
    for path in paths:
        assert str(path) in done.out
        assert "a whole match, played by the rules" in volte("check", str(path)).out
    highest = place / f"deal-{statistics['first']['highest'][0]}-seed-4711.volte"
    most = max(int(points) for seat in statistics["seats"] for points in seat["points"]["times"])
    assert max(load_record(highest).state.totals) == most
    replayed = volte("replay", str(highest), "--by", "all", answer=Script([]))
    assert "Points for deal 1" in replayed.out


def test_a_kept_match_is_the_whole_match(volte: Volte, folder: Path) -> None:
    asked = ("--matches", "3", "--rules", "coeurs-cinq-coups", "--players", "3")
    volte(*READABLE, *asked, "--records", str(folder), "--keep", "2")
    state = load_record(folder / "match-2-seed-4711.volte").state
    assert len(state.deals) == 5


def test_a_record_says_which_preset_was_chosen(volte: Volte, folder: Path) -> None:
    for preset in ("microsoft", "dame-de-pique"):  # one game by two names
        place = folder / preset
        volte(*READABLE, "--deals", "1", "--rules", preset, "--records", str(place), "--keep", "1")
        text = (place / "deal-1-seed-4711.volte").read_text(encoding="utf-8")
        assert text.splitlines()[1] == f"Rules: {preset} match_end=deals:1"


def test_records_that_are_there_are_left_alone(volte: Volte, folder: Path) -> None:
    asked = (*READABLE, "--deals", "3", "--records", str(folder), "--keep", "2")
    path, other = folder / "deal-2-seed-4711.volte", folder / "deal-2-seed-4711-2.volte"
    volte(*asked)
    first = (path.read_bytes(), path.stat().st_mtime_ns)
    for _ in range(2):
        volte(*asked)
        volte(*asked, "--players", "3")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == first
    assert load_record(other).state.rules.players == 3
    assert len(list(folder.iterdir())) == 2


# Pictures


@pytest.mark.full
def test_a_picture_speaks_the_language_of_whoever_asked(volte: Volte, folder: Path) -> None:
    said = {}
    for lang in ("en", "fr"):
        path = folder / f"{lang}.svg"
        volte(*READABLE, "--deals", "9", "--plot", str(path), "--lang", lang)
        said[lang] = set(re.findall(r">([^<>]*\w[^<>]*)</text>", path.read_text(encoding="utf-8")))
    assert "9 deals of dame-de-pique, seed 4711" in said["en"]
    assert any("manches" in text for text in said["fr"])
    common = {text for text in said["en"] & said["fr"] if re.search(r"[a-z]{2}", text)}
    assert common <= {f"{seat} casual" for seat in (1, 2, 3, 4)} | {"Points"}


# Places where nothing can be written


def test_a_place_that_cannot_be_written_is_told_before_anything_is_played(
    volte: Volte, folder: Path
) -> None:
    file = folder / "file"
    file.touch()
    (folder / "folder.png").mkdir()
    for option, place in (
        ("--plot", folder / "missing" / "a.png"),
        ("--plot", folder / "folder.png"),
        ("--plot", folder / ("x" * 300 + ".png")),
        ("--records", file),
        ("--records", file / "below"),
        ("--records", Path("/proc/nothing")),
    ):
        sentence = volte.refused("simulate", *LONG, option, str(place), status=1)
        assert re.search(r"Cannot write .*: .*\.\n$", sentence), sentence


def test_a_disk_without_room_is_told_before_anything_is_played(volte: Volte, folder: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        sentence = volte.refused("simulate", *LONG, "--plot", str(folder / "a.png"), status=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert sentence.endswith(": File too large.\n")
    assert list(folder.iterdir()) == []
