"""The worked example learns, and prints the same again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "learn.py"

AT_RANDOM = 6.5
"""Points a deal where all four play at random: 26 among them, but for a moon once in a lifetime."""


def learnt(*options: str) -> str:
    """What the example prints."""
    command = [sys.executable, "-W", "error", str(EXAMPLE), *options]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # threads of small products only wait
    return subprocess.run(command, env=alone, capture_output=True, text=True, check=True).stdout


def result(printed: str) -> tuple[float, float]:
    """Points a deal in the end, and the 95 % margin."""
    found = re.search(r"([0-9.]+) ± ([0-9.]+)", printed)
    assert found is not None
    return float(found[1]), float(found[2])


def test_in_seconds_it_is_far_better_than_chance() -> None:
    points, margin = result(learnt("--rounds", "24", "--tables", "512"))
    assert margin < 0.25
    assert points + 6 * margin < AT_RANDOM - 1


def test_a_seed_prints_the_same_lines_again() -> None:
    options = ("--rounds", "2", "--tables", "32", "--seed")
    assert learnt(*options, "7") == learnt(*options, "7") != learnt(*options, "8")


@pytest.mark.full
def test_in_a_minute_it_has_less_than_half_the_points_of_chance() -> None:
    points, margin = result(learnt())
    assert points + 2 * margin < AT_RANDOM / 2
