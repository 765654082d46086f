"""Hearts as RLlib's `MultiAgentEnv`, and RLlib's own PPO, which learns it.

    pip install ".[env]" torch "ray[rllib]"
    python examples/rllib_env.py

Without Ray the class is the same, but for its base. A model has to heed `action_mask`: a card that
is not legal raises `EnvFault`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from volte.lab.env import HeartsEnv

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv  # type: ignore[import-not-found]
except ModuleNotFoundError:
    MultiAgentEnv = object

ByAgent = dict[str, Any]


class HeartsMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]
    """Hearts with dictionaries by agent, in which only the seat on turn appears.

    Agents are `seat_0` and so on; actions and rewards are those of `HeartsEnv`. An observation has
    the names and the type that RLlib's masked models take: `observations`, the row of `HeartsEnv`,
    and `action_mask`, both `float32`.

    Args:
        config: the arguments of `HeartsEnv`: `rules`, `settings`, `match`, `reward`.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self._hearts = HeartsEnv(**(config or {}))
        self.possible_agents = list(self._hearts.possible_agents)
        self.agents = list(self.possible_agents)
        seen: Any = self._hearts.observation_spaces["seat_0"]
        space = spaces.Dict(
            action_mask=spaces.Box(0, 1, seen["action_mask"].shape, np.float32),
            observations=spaces.Box(-np.inf, np.inf, seen["observation"].shape, np.float32),
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict(self._hearts.action_spaces)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ByAgent, ByAgent]:
        """Deal. Returns the observation of the seat on turn, and no infos."""
        self._hearts.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._seen([self._hearts.agent_selection]), {}

    def step(self, action_dict: ByAgent) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        """Put down one card for the seat on turn.

        Returns observations, of the next seat alone or, once all is over, of every seat; rewards,
        terminations and truncations of every seat, the latter two with `__all__`; and no infos.
        """
        hearts = self._hearts
        hearts.step(int(action_dict[hearts.agent_selection]))
        rewards = dict(hearts.rewards)
        over = all(hearts.terminations.values())
        terminateds = {**hearts.terminations, "__all__": over}
        truncateds = dict.fromkeys(terminateds, False)
        seen = self._seen(self.possible_agents if over else [hearts.agent_selection])
        if over:
            self.agents = []
        return seen, rewards, terminateds, truncateds, {}

    def _seen(self, agents: list[str]) -> ByAgent:
        seen = {agent: self._hearts.observe(agent) for agent in agents}
        return {
            agent: {
                "action_mask": each["action_mask"].astype(np.float32),
                "observations": each["observation"].astype(np.float32),
            }
            for agent, each in seen.items()
        }


def train(iterations: int, deals: int) -> None:
    """Train three learners with one network against a novice that never learns; print progress."""
    from ray.rllib.algorithms.ppo import PPOConfig  # type: ignore[import-not-found]
    from ray.rllib.core.rl_module import RLModuleSpec  # type: ignore[import-not-found]
    from ray.rllib.examples.rl_modules.classes import (  # type: ignore[import-not-found]
        action_masking_rlm,
    )

    masked = RLModuleSpec(
        module_class=action_masking_rlm.ActionMaskingTorchRLModule,
        model_config={"vf_share_layers": False},  # or points drown what the cards teach
    )
    config = (
        PPOConfig()
        # Its check plays any card, legal or not.
        .environment(HeartsMultiAgentEnv, env_config={}, disable_env_checking=True)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=64, batch_mode="complete_episodes")
        .multi_agent(
            policies={"learner", "novice"},
            policies_to_train=["learner"],
            policy_mapping_fn=lambda agent, *_, **__: "novice" if agent == "seat_0" else "learner",
        )
        .rl_module(rl_module_spec=masked)
        .training(
            train_batch_size=deals * 52,
            minibatch_size=512,
            num_epochs=8,
            lr=0.001,
            gamma=1.0,
            use_kl_loss=False,
            vf_clip_param=float("inf"),  # a deal may cost 26 points
        )
    )
    algorithm = config.build_algo()
    for _ in range(iterations):
        found = algorithm.train()["env_runners"]
        deals_played, points = found["num_episodes_lifetime"], found["agent_episode_returns_mean"]
        learners = -sum(points[f"seat_{seat}"] for seat in (1, 2, 3)) / 3
        print(
            f"after {deals_played:>6,.0f} deals: learners {learners:5.2f} points a deal, "
            f"the novice {-points['seat_0']:5.2f}",
            flush=True,
        )
    algorithm.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description="Learns Hearts by RLlib's PPO.")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--deals", type=int, default=200, help="at least so many an iteration")
    train(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
