"""The examples for learners run: PPO against itself, and the shape that RLlib drives."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from kit.lab import legal

EXAMPLES = Path(__file__).parents[2] / "examples"

AT_RANDOM = 6.5
"""Points a deal with four random players."""


def loaded(name: str) -> ModuleType:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def ppo(*options: str) -> list[str]:
    """The lines that the learner prints."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / "ppo.py"), *options]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # threads of small products only wait
    done = subprocess.run(command, env=alone, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def found(line: str, bots: str) -> tuple[float, float]:
    """Points a deal against those bots, and the 95 % margin."""
    match = re.search(rf"{bots} +([0-9.]+) ± ([0-9.]+)", line)
    assert match is not None
    return float(match[1]), float(match[2])


@pytest.mark.full
def test_ppo_is_better_than_chance_after_five_hundred_deals() -> None:
    mean, margin = found(ppo("--iterations", "2")[-1], "random")
    assert mean + 2 * margin < AT_RANDOM - 1


@pytest.mark.full
def test_a_seed_of_ppo_prints_the_same_lines_again() -> None:
    options = ("--iterations", "2", "--num-envs", "64", "--seed")
    assert ppo(*options, "7") == ppo(*options, "7") != ppo(*options, "8")


@pytest.mark.full
def test_against_itself_ppo_learns_what_serves_it_against_bots() -> None:
    lines = ppo()
    for bots in ("random", "casual"):
        first, last = found(lines[1], bots), found(lines[-1], bots)
        assert last[0] + last[1] < first[0] - first[1] - 2


@pytest.mark.parametrize("players", [3, 4, 6])
@pytest.mark.parametrize("match", [False, True])
def test_an_episode_as_rllib_drives_it(players: int, match: bool) -> None:
    """The observed seat has to act, and the acting seat has been observed. Ray is not run."""
    settings = {"players": players, "match_end": "deals:2"}
    env: Any = loaded("rllib_env").HeartsMultiAgentEnv(
        {"rules": "coeurs", "settings": settings, "match": match}
    )
    rng = np.random.default_rng(5)
    assert set(env.observation_spaces) == set(env.action_spaces) == set(env.possible_agents)
    for _ in range(2):
        seen, infos = env.reset(seed=5)
        assert infos == {}
        given, over = dict.fromkeys(env.possible_agents, 0.0), False
        while not over:
            (agent,) = seen
            assert seen[agent] in env.observation_spaces[agent]
            action = rng.choice(legal(seen[agent]))
            assert action in env.action_spaces[agent]
            seen, rewards, terminateds, truncateds, infos = env.step({agent: action})
            for each, reward in rewards.items():
                given[each] += reward
            over = terminateds["__all__"]
            assert set(terminateds) == {*env.possible_agents, "__all__"} == set(truncateds)
            assert set(terminateds.values()) == {over}
            assert not any(truncateds.values())
            assert infos == {}
        assert set(seen) == set(env.possible_agents)
        assert env.agents == []
        assert sum(given.values()) < 0
