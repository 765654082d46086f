"""`volte simulate`, from its options to tables, pictures and records."""

from __future__ import annotations

import doctest
import json
import os
import re
import resource
import signal
import sys
import time
from io import StringIO
from pathlib import Path

import pytest
from cli.command import Command
from cli.test_hostile import NONSENSE, assert_told
from terminal.people import Script
from terminal.test_being_stopped import Terminal, environ  # noqa: F401

import volte.kernel.compiler  # noqa: F401 - finds its cache before there is another home
from volte.console.numbers import MOST, read_number
from volte.console.progress import Bar, Lines, Silent, progress_on
from volte.console.terminal import Misuse
from volte.lab.arena.statistics import WHOLE_WIN
from volte.notation import load_record
from volte.say import Words

READABLE = (
    "simulate",
    "--lang",
    "en",
    "--engine",
    "readable",
    "--seed",
    "4711",
    "--processes",
    "1",
)
LONG = ("--deals", "20_000", "--engine", "readable")
"""What would take minutes, and be told: an empty output shows that nothing was played."""


def without_time(text: str) -> str:
    return re.sub(r"(?m)^Played by .*$", "", text)


# What is asked


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("10000", 10_000),
        ("10_000", 10_000),
        ("10 000", 10_000),
        ("10,000", 10_000),
        ("10\u202f000", 10_000),
        ("1e4", 10_000),
        ("1 000 000 000", MOST),
        (" 7 ", 7),
    ],
)
def test_numbers_are_read_as_people_write_them(typed: str, number: int) -> None:
    assert read_number("--deals", typed, 1, MOST) == number


@pytest.mark.parametrize(
    "typed", ["", "0", "-1", "1.5", "1,5", "10,00", "1_0", "1e99", "1000000001", "9" * 5000, "١٢"]
)
def test_what_is_no_number_is_refused(typed: str) -> None:
    with pytest.raises(Misuse):
        read_number("--deals", typed, 1, MOST)


MISUSES = [
    "--deals many",
    "--deals 1 --matches 1",
    "--seed x",
    "--seed 18446744073709551616",
    "--processes 0",
    "--processes 2 --cluster tcp://127.0.0.1:1",
    "--seats casual,casual",
    "--seats casual,me,casual,casual",
    "--seats casual,zorro,casual,casual",
    "--seats ,",
    "--engine fast",
    "--engine kernel --seats beginner,casual,casual,casual",
    "--plot points.pdf",
    "--plot points",
    "--keep 3",
    "--records folder --keep 0",
    "--records folder --keep 1000000001",
    "--records folder --keep sun",
    "--records folder --keep 1,,2",
    "--records folder --keep " + ",".join(["1"] * 1001),
    "--rules nothing",
    "--players 9",
    "extra",
]


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("line", MISUSES)
def test_misuse_is_one_sentence_before_anything_is_played(
    line: str, lang: str, volte: Command, folder: Path
) -> None:
    words = line.replace("folder", str(folder)).split()
    endless = [] if "--deals" in words or "--engine" in words else LONG
    told = volte("--lang", lang, "simulate", *endless, *words)
    assert told.status == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert told.err.rstrip().endswith(".")


@pytest.mark.parametrize("value", NONSENSE, ids=range(len(NONSENSE)))
def test_every_option_survives_nonsense(value: str, volte: Command) -> None:
    harmless = ("simulate", "--deals", "1", "--engine", "readable", "--seed", "1")
    for option in (
        "--deals",
        "--matches",
        "--seed",
        "--processes",
        "--seats",
        "--keep",
        "--engine",
    ):
        assert_told(volte, *harmless, option, value)
    assert_told(volte, *harmless, "--plot", value)
    assert_told(volte, *harmless, "--records", value, "--keep", value)
    assert_told(volte, *harmless, "--plot", f"{value}.png", "--deals", "x")


# What is told


def test_a_seed_repeats_a_simulation_however_the_work_is_shared(volte: Command) -> None:
    asked = (*READABLE[:-2], "--deals", "50", "--seats", "random,casual,random,random")
    alone = volte(*asked, "--processes", "1")
    assert alone.status == 0
    assert without_time(volte(*asked, "--processes", "2").out) == without_time(alone.out)


def test_without_a_seed_a_fresh_one_is_told_and_repeats_it(volte: Command) -> None:
    first = volte("simulate", "--deals", "5", "--engine", "readable")
    second = volte("simulate", "--deals", "5", "--engine", "readable")
    assert without_time(first.out) != without_time(second.out)
    (seed,) = re.findall(r"seed (\d+)", first.out)
    again = volte("simulate", "--deals", "5", "--engine", "readable", "--seed", seed)
    assert without_time(again.out) == without_time(first.out)


def test_the_kernel_plays_what_the_readable_engine_plays(volte: Command) -> None:
    asked = ("simulate", "--seed", "3", "--deals", "30", "--seats", "random,random,random,random")
    compiled = volte(*asked, "--engine", "kernel")
    readable = volte(*asked, "--engine", "readable")
    assert "Played by the kernel in" in compiled.out
    assert "Played by the readable engine in" in readable.out
    assert without_time(compiled.out) == without_time(readable.out)


def test_why_the_kernel_does_not_play_is_told_in_one_sentence(volte: Command) -> None:
    told = volte("simulate", "--deals", "2", "--seats", "beginner,casual,casual,casual")
    assert "The kernel has no player “beginner”: only the readable engine has." in told.out
    asked = volte(*READABLE, "--deals", "2", "--seats", "beginner,casual,casual,casual")
    assert "kernel" not in asked.out


def test_casual_players_sit_where_nobody_says_who(volte: Command) -> None:
    assert "In every seat: casual." in volte(*READABLE, "--deals", "2").out


def test_a_thousand_deals_where_nobody_says_how_many(volte: Command) -> None:
    told = volte("simulate", "--seats", "random,random,random,random", "--seed", "1")
    assert told.out.startswith("1,000 deals of ")


def test_nothing_is_told_of_the_progress_where_nobody_watches(volte: Command) -> None:
    assert volte(*READABLE, "--deals", "50").err == ""


def test_no_line_is_wider_than_is_asked(volte: Command) -> None:
    for width in (20, 40, 60, 80):
        told = volte(*READABLE, "--deals", "8", "--width", str(width), "--players", "3")
        assert max(map(len, told.out.splitlines())) <= width


def test_for_ears_there_are_sentences_and_no_table(volte: Command) -> None:
    told = volte(*READABLE, "--deals", "8", "--plain")
    assert all(line.rstrip()[-1] in ".:" for line in told.out.splitlines())
    assert "  " not in told.out
    assert "±" not in told.out


# For programs


def keys(answer: object) -> set[str]:
    """Every key of a JSON answer but for numbers, and names of players, options and directions."""
    if isinstance(answer, list):
        return set().union(*map(keys, answer))
    if not isinstance(answer, dict):
        return set()
    named = {"rules", "times", "players", "directions"}
    return set(answer).union(
        *(
            set().union(*map(keys, value.values())) if name in named else keys(value)
            for name, value in answer.items()
        )
    )


def test_an_answer_for_programs_adds_up_and_is_documented(volte: Command, folder: Path) -> None:
    asked = ("--matches", "2", "--seats", "casual,random,beginner", "--records", str(folder))
    told = volte("simulate", "--seed", "5", "--rules", "coeurs-moyenne", *asked, "--json")
    answer = json.loads(told.out)
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
    page = (Path(__file__).parents[2] / "docs" / "simulate.md").read_text(encoding="utf-8")
    assert [
        key for key in sorted(keys(answer)) if f"`{key}`" not in page and f'"{key}"' not in page
    ] == []


def test_the_page_says_what_is_so() -> None:
    page = Path(__file__).parents[2] / "docs" / "simulate.md"
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert found.attempted > 0
    assert found.failed == 0


# Records


def test_kept_deals_are_lawful_records_and_can_be_replayed(volte: Command, folder: Path) -> None:
    place = folder / "new" / "folder"
    asked = ("--deals", "60", "--rules", "salon", "--seats", "random,random,random,casual")
    told = volte(*READABLE, *asked, "--records", str(place), "--keep", "3,moon,slam,highest,3")
    statistics = json.loads(volte(*READABLE, *asked, "--json").out)["statistics"]
    expected = {3, *statistics["first"]["moon"][:1], statistics["first"]["highest"][0]}
    assert statistics["first"]["slam"] == []
    assert "Nobody made a slam: none is recorded." in told.out
    paths = {place / f"deal-{number}-seed-4711.volte" for number in expected}
    assert set(place.iterdir()) == paths
    for path in paths:
        assert str(path) in told.out
        assert "a lawful record of a whole match" in volte("check", str(path)).out
    highest = place / f"deal-{statistics['first']['highest'][0]}-seed-4711.volte"
    most = max(int(points) for seat in statistics["seats"] for points in seat["points"]["times"])
    assert max(load_record(highest).state.totals) == most
    replayed = volte("replay", str(highest), "--by", "all", answer=Script([]))
    assert "Points of deal 1" in replayed.out


def test_a_kept_match_is_the_whole_match(volte: Command, folder: Path) -> None:
    asked = ("--matches", "3", "--rules", "coeurs-cinq-coups", "--players", "3")
    volte(*READABLE, *asked, "--records", str(folder), "--keep", "2")
    state = load_record(folder / "match-2-seed-4711.volte").state
    assert len(state.deals) == 5


def test_a_record_says_which_preset_was_chosen(volte: Command, folder: Path) -> None:
    for preset in ("microsoft", "dame-de-pique"):  # one game by two names
        place = folder / preset
        volte(*READABLE, "--deals", "1", "--rules", preset, "--records", str(place), "--keep", "1")
        text = (place / "deal-1-seed-4711.volte").read_text(encoding="utf-8")
        assert text.splitlines()[1] == f"Rules: {preset} match_end=deals:1"


def test_records_that_are_there_are_left_alone(volte: Command, folder: Path) -> None:
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


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG\r\n"), ("b.SVG", b"<?xml")])
def test_a_picture_is_drawn_as_its_name_says(
    name: str, begins: bytes, volte: Command, folder: Path
) -> None:
    path = folder / name
    path.write_bytes(b"what was there before")
    asked = ("--rules", "coeurs-moyenne", "--seats", "random,casual,beginner")
    told = volte(*READABLE, *asked, "--matches", "2", "--plot", str(path))
    assert (told.status, told.err) == (0, "")
    assert path.read_bytes().startswith(begins)
    assert list(folder.glob("*.part")) == []


def test_a_picture_speaks_the_language_of_whoever_asked(volte: Command, folder: Path) -> None:
    said = {}
    for lang in ("en", "fr"):
        path = folder / f"{lang}.svg"
        volte(*READABLE, "--deals", "9", "--plot", str(path), "--lang", lang)
        said[lang] = set(re.findall(r">([^<>]*\w[^<>]*)</text>", path.read_text(encoding="utf-8")))
    assert "9 deals of dame-de-pique, seed 4711" in said["en"]
    assert any("manches" in text for text in said["fr"])
    common = {text for text in said["en"] & said["fr"] if re.search(r"[a-z]{2}", text)}
    assert common <= {f"{seat} casual" for seat in (1, 2, 3, 4)} | {"Points"}


def test_the_same_numbers_draw_the_same_file(volte: Command, folder: Path) -> None:
    for name in ("a", "b"):
        for ending in ("png", "svg"):
            volte(*READABLE, "--deals", "9", "--plot", str(folder / f"{name}.{ending}"))
    for ending in ("png", "svg"):
        first, second = (folder / f"{name}.{ending}" for name in ("a", "b"))
        assert first.read_bytes() == second.read_bytes()


def test_without_matplotlib_it_is_told_what_to_install(
    volte: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    told = volte("simulate", *LONG, "--plot", str(folder / "a.png"))
    assert (told.status, told.out) == (1, "")
    assert told.err == 'Plots need matplotlib: pip install "volte[plot]".\n'


# Places where nothing can be written


def test_a_place_that_cannot_be_written_is_told_before_anything_is_played(
    volte: Command, folder: Path
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
        told = volte("simulate", *LONG, option, str(place))
        assert (told.status, told.out) == (1, "")
        assert re.search(r"cannot be written: .*\.\n$", told.err), told.err
        assert told.err.count("\n") == 1


def test_a_disk_without_room_is_told_before_anything_is_played(
    volte: Command, folder: Path
) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        told = volte("simulate", *LONG, "--plot", str(folder / "a.png"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (told.status, told.out) == (1, "")
    assert "cannot be written: File too large." in told.err
    assert list(folder.iterdir()) == []


# Progress


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def watched(kind: type[Bar | Lines], steps: int, seconds: float) -> str:
    """What is shown of so many parts, each of which takes so long."""
    screen, clock = Screen(), Clock()
    with kind(Words("en"), screen, clock) as progress:
        for done in range(1, steps + 1):
            clock.now += seconds
            progress(done, steps)
    return screen.getvalue()


def test_a_bar_is_drawn_anew_and_gone_in_the_end() -> None:
    pictures = watched(Bar, 4, 30).split("\r\x1b[K")
    assert pictures == [
        "",
        "━━━━━━────────────────── 25% done, about 90 seconds left",
        "━━━━━━━━━━━━──────────── 50% done, about 60 seconds left",
        "━━━━━━━━━━━━━━━━━━────── 75% done, about 30 seconds left",
        "",
    ]


def test_a_bar_is_not_drawn_more_often_than_eyes_see() -> None:
    assert watched(Bar, 10_000, 0.001).count("left") <= 100


def test_for_ears_a_line_comes_now_and_then() -> None:
    assert watched(Lines, 1000, 0.004) == ""
    assert watched(Lines, 1000, 0.1).splitlines()[:2] == [
        "5% done, about 95 seconds left",
        "15% done, about 85 seconds left",
    ]
    assert watched(Lines, 1000, 36).count("\n") == 500
    assert "\r" not in watched(Lines, 100, 1)


def test_progress_is_for_terminals() -> None:
    assert type(progress_on(StringIO(), Words("en"), plain=False)) is Silent
    assert type(progress_on(Screen(), Words("en"), plain=False)) is Bar
    assert type(progress_on(Screen(), Words("en"), plain=True)) is Lines


# Ctrl-C


def is_empty(group: int) -> bool:
    """Whether all its processes end: the last does so when it sees that the others have."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("processes", ["1", "2"])
def test_interrupted_it_says_so_and_leaves_nobody_behind(
    processes: str,
    environ: dict[str, str],  # noqa: F811
) -> None:
    asked = ("--deals", "1e5", "--engine", "readable", "--processes", processes)
    terminal = Terminal(environ, "simulate", *asked)
    terminal.until("done, about")
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert terminal.end() == 130
    assert terminal.said.endswith("Interrupted.\r\n")
    assert "Traceback" not in terminal.said
    assert is_empty(terminal.process.pid)
