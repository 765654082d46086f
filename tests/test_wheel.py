"""Tests start the Volte that they test: the wheel in `scripts/test`, else the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from kit.kernels import run_python
from kit.sites import environment

import volte

WHERE = "import volte; print(volte.__file__)"


@pytest.mark.parametrize("alone", [False, True])
def test_a_process_has_the_same_volte(alone: bool, tmp_path: Path) -> None:
    environ = environment(tmp_path) if alone else os.environ
    told = subprocess.check_output([sys.executable, "-c", WHERE], env=environ, text=True)
    assert told.strip() == volte.__file__ == run_python("-c", WHERE).strip()
