"""`volte bench` measures Volte on this machine, and says when the machine is busy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter, process_time, sleep

import pytest
from kit.live import until
from kit.terminals import Volte

from volte.bots import LEVELS
from volte.console.terminal import Console
from volte.lab.bench import Benchmark, BenchTable, Figure, measured
from volte.lab.bench.command import TABLES, measure, measured_on, table_lines
from volte.lab.bench.live import playing
from volte.say import Words

DECK = 52
FIGURES = [
    Figure("Theirs", 9876.5, 101.25, None),
    Figure("Ours", 1_234_567.0, 0.00571, 125.004, "Theirs"),
    Figure("The start", 0.5, 2e6, None, megabytes=149.7),
]


@pytest.mark.full
def test_figures_for_a_person(volte: Volte) -> None:
    done = volte("bench", "bots", "--rounds", "2", "--lang", "en")
    table, _, below = done.out.partition("\n\n")
    title, heads, *rows = table.splitlines()
    assert (done.status, title, heads.split()[-2:]) == (0, "The bots", ["a", "choice"])
    assert [row.split()[0] for row in rows] == list(LEVELS)
    assert below.splitlines()[-1].split(";")[0] == "Medians of 2 rounds"


@pytest.mark.full
def test_a_kernel_that_cannot_be_compiled_is_named_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('no numba here')\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    command = "import sys; from volte.cli import main; sys.argv[0] = 'volte'; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "bench", "kernel", "tables", "--quick", "--lang", "en"],
        env={**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert done.stderr == "The kernel cannot be compiled here (ImportError: no numba here).\n"
    title, _, *rows, _, _ = done.stdout.splitlines()
    assert title == "Live tables, saved in SQLite (elapsed time)"
    assert [row.split("  ")[0] for row in rows] == ["1 table", "50 tables"]


def test_every_row_of_the_kernel_plays_deals() -> None:
    assert [row.loop(3) for row in TABLES["kernel"].rows()] == [3] * 4


async def test_people_at_live_tables_play_cards(tmp_path: Path) -> None:
    async with playing(f"sqlite:///{tmp_path}/tables.sqlite", tables=2) as count:
        cards, happenings = count()
        assert happenings > cards >= 2
        await until(lambda: count()[0] > cards + DECK)


class Machine:
    """A clock, and a loop that takes a millisecond to begin and a microsecond a time."""

    def __init__(self, pauses: dict[int, float]) -> None:
        self.now = 0.0
        self._calls = 0
        self._pauses = pauses  # by calls: how long the core is taken away in them

    def clock(self) -> float:
        return self.now

    def loop(self, times: int) -> int:
        self.now += 1e-3 + 1e-6 * times + self._pauses.get(self._calls, 0)
        self._calls += 1
        return times


@pytest.mark.parametrize("paused", [1, 2, 9])
def test_a_loop_from_which_the_core_is_taken_once_is_not_measured_in_bits(paused: int) -> None:
    machine = Machine({paused: 10.0, paused + 1: 10.0})
    (found,) = measured([Benchmark("Ours", machine.loop, clock=machine.clock)], 3)
    assert found.micros == pytest.approx(1.01, rel=0.01)


def test_figures_for_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine({})
    rows = [Benchmark("Ours", machine.loop, DECK, clock=machine.clock)]
    table = BenchTable("Cards", lambda: rows, "a card")
    measure(Console.here(), Words("fr"), {"cards": table}, rounds=2, as_json=True)
    answer = json.loads(capsys.readouterr().out)
    assert answer["rounds"] == 2
    assert answer["conditions"]["python"] == sys.version.split()[0]
    assert answer["tables"]["cards"]["unit"] == "a card"
    (row,) = answer["tables"]["cards"]["rows"]
    assert row["micros"] * row["per_second"] == pytest.approx(1e6 / DECK)


def test_a_busy_machine_is_told_of() -> None:
    half = [figure._replace(waited=0.5) for figure in FIGURES]
    for figures, told in ((FIGURES, 0), (half[:1] + FIGURES, 1), (half, 1)):
        lines = table_lines(Words("en"), TABLES["bots"], figures, None)
        assert sum("waited for a core 50% of the time" in line for line in lines) == told


def test_a_row_waits_while_others_have_its_cores() -> None:
    rested, worked = (
        measured([Benchmark("Ours", loop, clock=perf_counter, rounds=1)], 1)[0].waited
        for loop in (rest, work)
    )
    assert rested is not None
    assert worked is not None
    assert worked < rested
    assert rested > 0.9


def rest(times: int) -> int:
    sleep(0.05)
    return times


def work(times: int) -> int:
    until = process_time() + 0.05
    while process_time() < until:
        pass
    return times


def test_a_table_by_eye() -> None:
    assert tuple(table_lines(Words("en"), TABLES["bots"], FIGURES, None)) == (
        "The bots",
        "            a second  a choice",
        "Theirs         9,876    101 µs",
        "Ours       1,234,567   5.71 ns  125 times Theirs",
        "The start      0.500    2.00 s                    150 MB",
        "",
    )


def test_a_table_by_ear() -> None:
    said = tuple(table_lines(Words("en"), TABLES["bots"], FIGURES, 0))
    assert said == (
        "The bots:",
        "Theirs: 9,876 a second, 101 µs a choice.",
        "Ours: 1,234,567 a second, 5.71 ns a choice; 125 times Theirs.",
        "The start: 0.500 a second, 2.00 s a choice; 150 MB.",
    )
    assert tuple(table_lines(Words("en"), TABLES["bots"], FIGURES, 40)) == said


def test_figures_have_French_digits() -> None:
    words = Words("fr")
    assert "5,71 ns" in list(table_lines(words, TABLES["bots"], FIGURES, 0))[2]
    conditions: dict[str, str | int] = {
        "python": "3.11",
        "system": "Linux",
        "machine": "x86_64",
        "cores": 2,
    }
    assert "9" in measured_on(words, conditions, 9)
