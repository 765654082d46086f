"""Hearts as RLlib's `MultiAgentEnv`: dictionaries by agent, and only the seat on turn in them.

    pip install ".[env]" "ray[rllib]"

    from ray.rllib.algorithms.ppo import PPOConfig
    from rllib_env import HeartsMultiAgentEnv

    config = PPOConfig().environment(HeartsMultiAgentEnv, env_config={"rules": "salon"})

Without Ray the class is the same, but for its base. A model has to heed `action_mask`: a card that
is not legal raises `EnvFault`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from volte.lab.env import HeartsEnv

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv  # type: ignore[import-not-found]
except ModuleNotFoundError:
    MultiAgentEnv = object

ByAgent = dict[str, Any]


class HeartsMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]
    """Agents are `seat_0` and so on; spaces, actions and observations are those of `HeartsEnv`.

    Args:
        config: the arguments of `HeartsEnv`: `rules`, `settings`, `match`, `reward`.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self._hearts = HeartsEnv(**(config or {}))
        self.possible_agents = list(self._hearts.possible_agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces = dict(self._hearts.observation_spaces)
        self.action_spaces = dict(self._hearts.action_spaces)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ByAgent, ByAgent]:
        """Deals. Returns the observation of the seat on turn, and no infos."""
        self._hearts.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._seen([self._hearts.agent_selection]), {}

    def step(self, action_dict: ByAgent) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        """One card, of the seat on turn.

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
        return {agent: self._hearts.observe(agent) for agent in agents}
