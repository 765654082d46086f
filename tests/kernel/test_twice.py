"""Compiled or read as plain Python, the search finds the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from kernel import twice

from volte.kernel.compiler import INTERPRETED


@pytest.mark.skipif(INTERPRETED, reason="is about both ways to run")
def test_plain_python_finds_what_compiled_code_finds() -> None:
    plain = subprocess.run(
        [sys.executable, twice.__file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert not plain.stderr
    for one, other in zip(json.loads(plain.stdout), twice.results(), strict=True):
        likelihood = one.pop("likelihood")
        assert likelihood == pytest.approx(other.pop("likelihood"), abs=1e-9)
        assert one == other
