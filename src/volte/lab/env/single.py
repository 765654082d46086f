"""Hearts for Gymnasium: one seat, against bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from volte.bots import Bot
from volte.cards import PACK_SIZE, CopiedWhole
from volte.fair import read_seed
from volte.lab.env.episode import (
    MODES,
    Onlooker,
    Seen,
    Series,
    observation_space,
    opponents,
    rules_with_room,
)
from volte.rules import Rules, Value

Info = dict[str, Any]


class SeatEnv(CopiedWhole, gymnasium.Env[Seen, np.int64]):
    """Hearts with a learner at one seat and bots at the others, on the readable engine.

    Actions and observations are those of `volte.lab.env.HeartsEnv`. A card that is not legal
    changes nothing: the same observation comes again, with `illegal_reward`, and `illegal` in the
    info.

    Args:
        rules: a ruleset, or the name of a preset.
        settings: options that change the preset.
        seat: the learner's.
        bots: a level ("random", "beginner", "casual", "strong", "expert") or a `volte.bots.Bot` for
            all the others, or one for each of them, from the learner's left.
        match: whether an episode is a whole match, rather than one deal.
        reward: given at the end of every deal; see `volte.lab.env.episode.REWARDS`.
        illegal_reward: for a card that is not legal.
        render_mode: None, "ansi" or "human"; shows the seat's view.

    Raises `VolteError` for settings that cannot be played.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 4}  # noqa: RUF012, as declared there

    def __init__(
        self,
        rules: Rules | None = None,
        settings: Mapping[str, Value] | None = None,
        *,
        seat: int = 0,
        bots: str | Bot | Sequence[str | Bot] = "casual",
        match: bool = False,
        reward: str = "points",
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
    ) -> None:
        self.rules = rules_with_room(rules, settings)
        self.seat = seat
        self.illegal_reward = illegal_reward
        self.render_mode = render_mode
        self.action_space = gymnasium.spaces.Discrete(PACK_SIZE)
        self.observation_space = observation_space(self.rules.players)
        self._onlooker = Onlooker(render_mode)
        self._series = Series(self.rules, match, reward, opponents(bots, seat, self.rules.players))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, Info]:
        """Begin the next episode; the first of the seed, if one is given.

        Args:
            options: `deck`, the indices of the cards of the first deal in the order in which they
                are dealt.
        """
        super().reset(seed=None if seed is None else read_seed(seed))
        self._series.begin(seed, options)
        self._look()
        return self._seen(), {}

    def step(self, action: int | np.int64) -> tuple[Seen, float, bool, bool, Info]:
        episode = self._series.episode
        if not episode.allows(action):
            return self._seen(), self.illegal_reward, False, False, {"illegal": True}
        scores = episode.put(action)
        self._look()
        reward = sum(self._series.rewards(score)[self.seat] for score in scores)
        return self._seen(), float(reward), episode.turn < 0, False, {}

    def action_masks(self) -> NDArray[np.bool_]:
        """`bool[54]`, the legal cards, under the name that masked learners ask for."""
        return np.asarray(self._seen()["action_mask"], np.bool_)

    def render(self) -> str | None:
        """The view of the seat in plain lines, if the mode is "ansi"."""
        return self._onlooker.render(self._series.episode.view(self.seat).state)

    def _seen(self) -> Seen:
        return self._series.episode.observe(self.seat)

    def _look(self) -> None:
        self._onlooker.look(self._series.episode.view(self.seat).state)


HEARTS: Final = "volte/Hearts-v0"
"""Name for `gymnasium.make`: one seat against bots."""

HEARTS_VECTOR: Final = "volte/HeartsVector-v0"
"""Name for `gymnasium.make_vec`: thousands of such tables, on the kernel."""


def register() -> None:
    """Register the environments with Gymnasium, once."""
    if HEARTS not in gymnasium.registry:
        gymnasium.register(HEARTS, entry_point="volte.lab.env.single:SeatEnv")
        gymnasium.register(HEARTS_VECTOR, vector_entry_point="volte.lab.env.vector:VectorEnv")
