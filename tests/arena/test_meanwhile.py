"""Nobody who wants little waits for the kernel to be compiled."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
PLAY = """
from volte.lab.arena import Request, simulate
from volte.kernel import ready
from volte.rules import make_ruleset

request = Request(make_ruleset("microsoft"), ("random",) * 4, 1, deals={deals})
done = []
first = simulate(request, processes=1, progress=lambda deals, _: done.append(deals))
was_ready = ready("random.random_deals")
print(done[0], was_ready, first == simulate(request, processes=1))
"""


def run(deals: int, cache: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PLAY.format(deals=deals)],
        env={**os.environ, "PYTHONPATH": str(SOURCE), "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stderr
    return done.stdout.split()


def test_the_readable_engine_plays_while_the_kernel_is_compiled(tmp_path: Path) -> None:
    assert run(1, tmp_path) == ["1", "False", "True"]


def test_what_goes_on_is_played_by_the_kernel_with_the_same_result(tmp_path: Path) -> None:
    assert run(100_000, tmp_path) == ["20", "True", "True"]
