"""Weights are learned from self-play: finite ones, the same from the same seed."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from bots.searching import one_deal

from volte.bots.learned import PLAYS, learned
from volte.bots.search import FLAT
from volte.kernel.features import FEATURES, WEIGHTS
from volte.rules import make_ruleset

SCRIPT: Final = Path(__file__).resolve().parents[2] / "scripts/teach.py"


def script() -> Any:
    """The script as a module; as `Any`, since `scripts` is no package."""
    spec = spec_from_file_location("teach", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


teach: Final = script()


def test_what_is_played_is_written_down_card_by_card() -> None:
    rules = one_deal(make_ruleset("coeurs", {"players": 3}))
    rows = teach.play(rules, FLAT, 20, [1, 2])
    assert len(rows) > 20
    assert rows.shape[1:] == (teach.MOST_CARDS, FEATURES + 1)
    real = rows[:, :, 0] >= 0
    assert (real.sum(axis=1) >= 2).all()
    assert (rows[:, :, :FEATURES][real] < WEIGHTS).all()
    assert (np.abs(rows[:, :, FEATURES][real]) <= 40_000).all()
    assert (teach.play(rules, FLAT, 20, [1, 2]) == rows).all()
    assert len(teach.play(rules, FLAT, 20, [])) == 0


def made_up(choices: int) -> Any:
    """Choices of three cards, of which the one with the lower number is a point better."""
    draws = np.random.default_rng(5)
    rows = np.full((choices, teach.MOST_CARDS, FEATURES + 1), -1, np.int32)
    kinds = draws.permuted(np.tile(np.arange(3), (choices, 1)), axis=1)
    rows[:, :3, :FEATURES] = kinds[:, :, None] + 10 * np.arange(FEATURES)
    rows[:, :3, FEATURES] = 1000 * kinds
    return rows


def test_better_cards_are_liked_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much as they are worth: by e for every `SOFT` points."""
    monkeypatch.setattr(teach, "BATCH", 50)
    weights = teach.fit(made_up(2000), teach.SOFT)
    likings = [weights[kind + 10 * np.arange(FEATURES)].sum() for kind in range(3)]
    assert np.diff(likings) == pytest.approx([-1 / teach.SOFT] * 2, rel=0.05)
    assert (teach.fit(made_up(2000), teach.SOFT) == weights).all()


def test_what_was_chosen_is_all_that_guesses_learn() -> None:
    rows = made_up(50)
    made = teach.chosen(rows)
    assert (made[:, :, :FEATURES] == rows[:, :, :FEATURES]).all()
    best = rows[:, :3, FEATURES] == 0
    assert (made[:, :3, FEATURES][best] == 0).all()
    assert (made[:, :3, FEATURES][~best] > 10_000).all()


def test_a_short_lesson_goes_where_it_is_told(tmp_path: Path) -> None:
    target = tmp_path / "weights.npz"
    before = learned(PLAYS).tobytes()
    few = ("--generations", "1", "--deals", "1", "--simulations", "20", "--processes", "1")
    done = subprocess.run(
        [sys.executable, SCRIPT, *few, "--target", target],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert done.stdout.startswith("generation 1:")
    with np.load(target) as weights:
        assert set(weights) == {"plays", "guesses"}
        for name in weights:
            assert weights[name].shape == (WEIGHTS,)
            assert np.isfinite(weights[name]).all()
            assert weights[name].any()
    learned.cache_clear()
    assert learned(PLAYS).tobytes() == before
