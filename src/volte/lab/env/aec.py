"""Hearts for PettingZoo: seats that act one after the other, a card at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from volte.cards import PACK_SIZE, CopiedWhole, WrongType
from volte.lab.env.episode import (
    MODES,
    EnvFault,
    Onlooker,
    Seen,
    Series,
    observation_space,
    rules_with_room,
    state_space,
)
from volte.lab.env.observation import whole_state
from volte.rules import Rules, Value


class HeartsEnv(CopiedWhole, AECEnv[str, Seen, int | None]):  # type: ignore[misc]
    """Hearts with a learner at every seat, on the readable engine.

    Agents are `seat_0` and so on, clockwise. Actions are indices of cards: the one to play, or one
    to pass. A pass is picked card by card, seat after seat, and nobody sees another's; in a scatter
    the first card goes to the left-hand neighbour, and so on (W1). Learners are not asked how a
    moon counts (W7): `volte.bots.chosen_moon` decides it. Observations are described in
    docs/environments.md. A card that is not legal raises `EnvFault` `env_not_legal`, and nothing
    changes.

    Args:
        rules: a ruleset, or the name of a preset.
        settings: options that change the preset.
        match: whether an episode is a whole match, rather than one deal.
        reward: given at the end of every deal; see `volte.lab.env.episode.REWARDS`.
        render_mode: None, "ansi" or "human"; every hand is shown.

    Raises `VolteError` for settings that cannot be played.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "volte_hearts_v0",
        "render_modes": list(MODES),
        "render_fps": 4,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        settings: Mapping[str, Value] | None = None,
        *,
        match: bool = False,
        reward: str = "points",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.rules = rules_with_room(rules, settings)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.rules.players)]
        self.action_spaces = {agent: spaces.Discrete(PACK_SIZE) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: observation_space(self.rules.players) for agent in self.possible_agents
        }
        self.state_space = state_space(self.rules.players)
        self._onlooker = Onlooker(render_mode)
        self._series = Series(self.rules, match, reward, {})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        self._seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        self._seat(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next episode; the first of the seed, if one is given.

        Args:
            options: `deck`, the indices of the cards of the first deal in the order in which they
                are dealt.
        """
        self._series.begin(seed, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Seen:
        return self._series.episode.observe(self._seat(agent))

    def state(self) -> NDArray[np.int16]:
        """`int16[planes * 54 + fields]`: the whole position, with everybody's cards.

        The planes of `volte.lab.env.state_planes`, one after the other, then the numbers of
        `state_fields`; seats are counted from `seat_0`. It is for a centralised critic, never for a
        learner that plays.
        """
        episode = self._series.episode
        whole = whole_state(episode.state, episode.picked)
        return np.concatenate([whole.cards.ravel(), whole.situation], dtype=np.int16)

    def step(self, action: int | None) -> None:
        episode, agent = self._series.episode, self.agent_selection
        if self.terminations.get(agent):
            self._was_dead_step(action)
            return
        scores = episode.put(-1 if action is None else action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        for score in scores:
            self.rewards = dict(zip(self.agents, self._series.rewards(score), strict=True))
        self._accumulate_rewards()
        self._select()

    def render(self) -> str | None:
        """The table in plain lines, if the mode is "ansi"."""
        return self._onlooker.render(self._series.episode.state)

    def close(self) -> None:
        """Do nothing, as no resources are held."""

    def _seat(self, agent: str) -> int:
        if not isinstance(agent, str):
            raise WrongType.of("agent", str, agent)
        if agent not in self.possible_agents:
            raise EnvFault("env_agent", agent=agent, agents=tuple(self.possible_agents))
        return self.possible_agents.index(agent)

    def _select(self) -> None:
        """Select the seat on turn; once there is none, all agents are done."""
        turn = self._series.episode.turn
        if turn >= 0:
            self.agent_selection = self.possible_agents[turn]
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        self._onlooker.look(self._series.episode.state)


def raw_env(*args: Any, **kwargs: Any) -> HeartsEnv:
    """The environment without wrappers; see `HeartsEnv`."""
    return HeartsEnv(*args, **kwargs)


def env(*args: Any, **kwargs: Any) -> AECEnv[str, Seen, int | None]:
    """The environment in PettingZoo's usual wrappers; see `HeartsEnv`.

    A card that is not legal ends the episode, and costs its seat all the penalty points.
    """
    hearts = raw_env(*args, **kwargs)
    forgiving = wrappers.TerminateIllegalWrapper(hearts, -float(hearts.rules.penalty_total))
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(forgiving))
