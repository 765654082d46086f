"""Python for browsers plays the same cards as this Python."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from kit.exporting import exported, without_network
from kit.kernels import run_python

KIT = Path(__file__).parents[1] / "kit"
PLAY = KIT / "same_play.py"


@pytest.mark.full
def test_records_of_every_preset_are_the_same_bytes() -> None:
    (runtime,) = (exported() / "runtime").iterdir()
    with without_network():
        command = ["node", *map(str, (KIT / "alone.mjs", runtime, PLAY))]
        there = subprocess.run(command, capture_output=True, text=True)
    assert there.returncode == 0, there.stderr[-2000:]
    assert there.stdout.splitlines() == run_python(str(PLAY)).splitlines()
