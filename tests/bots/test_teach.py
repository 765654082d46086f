"""Weights learned from self-play: they are finite, and the same for the same seed."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from kit.bots import one_deal

from volte.bots.learned import GUESSES, PLAYS, learn_from, learned, weighted
from volte.bots.search import FLAT
from volte.kernel.features import FEATURES, PLACES
from volte.kernel.instinct import FOR, PLAIN, WIDTH
from volte.kernel.layout import INSTINCT
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
    assert (rows[:, :, :FEATURES][real] < PLACES).all()
    assert (np.abs(rows[:, :, FEATURES][real]) <= 40_000).all()
    assert (teach.play(rules, FLAT, 20, [1, 2]) == rows).all()
    assert len(teach.play(rules, FLAT, 20, [])) == 0


def made_up(choices: int) -> Any:
    """Return choices of three cards, each of them a point better than the next number."""
    draws = np.random.default_rng(5)
    rows = np.full((choices, teach.MOST_CARDS, FEATURES + 1), -1, np.int32)
    kinds = draws.permuted(np.tile(np.arange(3), (choices, 1)), axis=1)
    rows[:, :3, :FEATURES] = kinds[:, :, None] + 10 * np.arange(FEATURES)
    rows[:, :3, FEATURES] = 1000 * kinds
    return rows


def likings(weights: Any) -> Any:
    """Return the liking for each of the three cards of `made_up`."""
    places = np.arange(3)[:, None] + 10 * np.arange(FEATURES)
    return teach.liked(weights, places)[0]


def test_better_cards_are_liked_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """Liking falls with the cost of a card: by a factor of e for every `SOFT` points."""
    monkeypatch.setattr(teach, "BATCH", 50)
    weights = teach.fit(made_up(2000), teach.GOALS[PLAYS])
    assert np.diff(likings(weights)) == pytest.approx([-1 / teach.SOFT] * 2, rel=0.05)
    assert (teach.fit(made_up(2000), teach.GOALS[PLAYS]) == weights).all()


@pytest.mark.full
def test_what_margins_miss_by_chance_makes_no_card_look_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A much better card stays so; with the loss `of_told`, all cards would look alike."""
    monkeypatch.setattr(teach, "BATCH", 50)
    rows = made_up(20_000)
    rows[:, :3, FEATURES] += np.random.default_rng(8).normal(0, 1500, (len(rows), 3)).astype(int)
    steps = {}
    for loss in (teach.of_drawn, teach.of_told):
        steps[loss] = np.diff(likings(teach.fit(rows, teach.Goal(teach.SOFT, loss))))
    assert steps[teach.of_drawn] == pytest.approx([-1 / teach.SOFT] * 2, rel=0.15)
    assert (steps[teach.of_told] > -0.6 / teach.SOFT).all()


def test_what_was_chosen_is_all_that_guesses_learn() -> None:
    rows = made_up(50)
    made = teach.chosen(rows)
    assert (made[:, :, :FEATURES] == rows[:, :, :FEATURES]).all()
    best = rows[:, :3, FEATURES] == 0
    assert (made[:, :3, FEATURES][best] == 0).all()
    assert (made[:, :3, FEATURES][~best] > 10_000).all()


def perfect(soft: float) -> Any:
    """Return weights that like the cards of `made_up` exactly by their worth."""
    weights = np.zeros((PLACES, WIDTH))
    for kind in range(3):
        weights[kind + 10 * np.arange(FEATURES), PLAIN] = -kind / soft / FEATURES
    return weights


def test_what_is_known_of_the_cards_is_measured() -> None:
    rows = made_up(300)
    wanted = -np.arange(3) / teach.SOFT
    logs = wanted - np.log(np.exp(wanted).sum())
    plays = teach.GOALS[PLAYS]
    nothing = teach.seen(np.zeros((PLACES, WIDTH)), rows, plays)
    assert nothing == pytest.approx((-np.log(3) - logs.mean(), 1 / 3, 1.0))
    assert teach.seen(perfect(teach.SOFT), rows, plays) == pytest.approx((0, 1, 0), abs=1e-9)
    assert teach.seen(-perfect(teach.SOFT), rows, plays)[1:] == pytest.approx((0, 2))
    told = teach.seen(np.zeros((PLACES, WIDTH)), rows, teach.Goal(teach.SOFT, teach.of_told))
    assert told.loss == pytest.approx(np.log(3) + np.exp(logs) @ logs)


def test_slopes_are_those_of_what_is_lost() -> None:
    rows = made_up(40)
    weights = np.random.default_rng(2).normal(0, 0.3, (PLACES, WIDTH))
    for goal in teach.GOALS.values():
        slopes = teach.slope(weights, rows, goal)
        for place in ((0, 0), (1, FOR - 1), (12, FOR), (2, PLAIN - 1), (10, PLAIN)):
            ahead, behind = weights.copy(), weights.copy()
            ahead[place] += 1e-5
            behind[place] -= 1e-5
            rise = teach.seen(ahead, rows, goal).loss - teach.seen(behind, rows, goal).loss
            assert slopes[place] == pytest.approx(rise / 2e-5, abs=1e-6)


def test_guesses_lose_what_the_chosen_card_was_thought_unlikely() -> None:
    rows = made_up(300)
    found = teach.measured("guesses", np.zeros((PLACES, WIDTH)), rows)
    assert found == pytest.approx((np.log(3), 1 / 3, 1.0))


def test_a_curve_has_every_round_and_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teach, "BATCH", 50)
    weights, curve = teach.taught("plays", made_up(1000), made_up(100))
    assert [row["round"] for row in curve] == list(range(teach.ROUNDS + 1))
    assert curve[-1]["loss"] < 0.01 < curve[1]["loss"] < curve[0]["loss"]
    assert curve[-1]["loss"] == pytest.approx(teach.measured("plays", weights, made_up(100)).loss)


def test_what_is_held_out_are_other_deals() -> None:
    lessons, held = (
        [set(share[-1]) for share in teach.shares(FLAT, 10, 20, teach.split(1, part))]
        for part in (0, 1)
    )
    assert len(set.union(*lessons)) == 10 * len(teach.TABLES)
    assert set.union(*lessons).isdisjoint(set.union(*held))


def test_a_process_plays_by_the_weights_that_it_is_given(tmp_path: Path) -> None:
    packaged = {name: learned(name).tobytes() for name in (PLAYS, GUESSES)}
    rules = one_deal(make_ruleset("coeurs", {"players": 3}))
    style = replace(FLAT, rollouts=INSTINCT, guesses=True)
    usual = teach.play(rules, style, 20, [1])
    file = tmp_path / "weights.npz"
    wild = np.random.default_rng(3).normal(0, 0.3, (2, PLACES, WIDTH)).astype(np.float32)
    teach.write(file, {"plays": wild[0], "guesses": wild[1]})
    try:
        learn_from(file)
        assert learned(PLAYS).tobytes() == weighted(wild[0]).tobytes()
        assert learned(GUESSES).tobytes() == weighted(wild[1]).tobytes()
        assert teach.play(rules, style, 20, [1]).tobytes() != usual.tobytes()
    finally:
        learn_from(None)
    assert packaged == {name: learned(name).tobytes() for name in (PLAYS, GUESSES)}


def lesson(folder: Path, processes: int) -> str:
    """Run the script briefly in a new folder, and return its output."""
    folder.mkdir()
    done = subprocess.run(
        [
            *(sys.executable, SCRIPT, "--deals", "1", "--simulations", "20"),
            *("--generations", "2", "--processes", str(processes)),
            *("--target", folder / "weights.npz", "--steps", folder, "--log", folder / "log.json"),
        ],
        capture_output=True,
        text=True,
        timeout=900,
        check=True,
    )
    return done.stdout


@pytest.mark.full
def test_the_same_seed_learns_the_same_and_where_it_is_told(tmp_path: Path) -> None:
    before = learned(PLAYS).tobytes()
    one, two = tmp_path / "one", tmp_path / "two"
    assert lesson(one, 2).splitlines()[1].startswith("generation 2:")
    lesson(two, 1)
    for file in ("weights-g1.npz", "weights-g2.npz"):
        with np.load(one / file) as first, np.load(two / file) as again:
            assert set(first) == set(again) == {"plays", "guesses"}
            for name in first:
                assert first[name].shape == (PLACES, WIDTH)
                assert np.isfinite(first[name]).all()
                assert first[name].any()
                assert (first[name] == again[name]).all()
    assert (one / "weights.npz").read_bytes() == (one / "weights-g2.npz").read_bytes()
    own, other = (json.loads((folder / "log.json").read_text("utf-8")) for folder in (one, two))
    for generation in (*own["generations"], *other["generations"]):
        del generation["minutes"]
    assert own == other
    early, late = own["generations"]
    assert late["learned_from"] == early["choices"] + late["choices"]
    learned.cache_clear()
    assert learned(PLAYS).tobytes() == before


@pytest.mark.full
def test_a_log_is_drawn_the_same_every_time(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = made_up(200)
    told = {name: teach.taught(name, rows, rows)[1] for name in teach.NAMES}
    log = tmp_path / "log.json"
    log.write_text(json.dumps({"generations": [{"generation": 1, **told}]}), "utf-8")
    pictures = []
    for name in ("a.svg", "b.svg"):
        teach.draw(json.loads(log.read_text("utf-8")), tmp_path / name)
        pictures.append((tmp_path / name).read_text("utf-8"))
    assert pictures[0] == pictures[1]
    assert "<svg" in pictures[0]
