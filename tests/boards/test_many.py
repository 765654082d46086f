"""Many people at one deal by a link, at a server that is killed in the middle."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from kit.sites import run

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "boards.py"


@pytest.mark.full
@pytest.mark.parametrize("kill", [False, True])
def test_the_standings_are_what_each_was_told(kill: bool) -> None:
    found = run(runpy.run_path(str(BENCHMARK))["measure"](60, kill))
    assert found["standings_right"]
    assert found["shown"] == 60
