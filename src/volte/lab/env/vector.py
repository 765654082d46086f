"""Hearts for Gymnasium, thousands of tables at once, straight on the kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from volte.bots import compiled
from volte.cards import PACK_SIZE, CopiedWhole, Fault
from volte.fair import read_seed
from volte.kernel.batch import Batch, Observations
from volte.kernel.encoding import Policy
from volte.lab.env.episode import EnvFault
from volte.lab.env.observation import card_planes, situation_fields
from volte.rules import Ruleset, Value, make_ruleset

Seen = dict[str, NDArray[Any]]
"""`cards`: `uint8[n, planes, 54]`; `situation`: `int16[n, fields]`; `action_mask`: `int8[n, 54]`.
"""


REWARDS: Final[dict[str, Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]]] = {
    "points": lambda _, own: -own,
    "difference": lambda points, own: (points.sum(1) - own) / (points.shape[1] - 1) - own,
}
"""`volte.lab.env.episode.REWARDS` for many deals, from everybody's points and the learner's own."""

_COMPILED: Final = ("random", "casual")
_DEAL: Final = situation_fields(3).index("deal")
_RANGE: Final = np.iinfo(np.int16)


class VectorEnv(CopiedWhole, gymnasium.vector.VectorEnv[Seen, NDArray[np.int64], NDArray[Any]]):
    """Tables at which one seat is the learner's, and compiled bots have the others.

    Actions are indices of cards, to play or to pass, one at a time. Observations are those of
    `volte.lab.env.observation`, every deal as the first of its match. Nothing is told in the info.

    An episode is one deal. Its reward comes at the end: minus the learner's points. In the
    observation that ends it no card is legal, and the step after it deals anew, whatever the action
    (`AutoresetMode.NEXT_STEP`).

    Table `i` of `n` plays the deals `i`, `i + n`, ... of the seed, dealt and passed as
    `volte.kernel.play_deals` does. The same seed and actions bring the same results, whatever the
    number of threads. Where a shooter may say how a moon counts (W7), it counts for the others.

    Args:
        rules: a ruleset, or the name of a preset.
        settings: options that change the preset.
        num_envs: how many tables.
        seat: the learner's; without, it moves to the left whenever everybody has dealt.
        bots: "random", "casual" or a `volte.kernel.Policy`, for all the others, or one for each
            of them, from the learner's left.
        reward: "points", or "difference": how far the learner is below the mean of the others.
        threads: how many share the tables.
        copy: whether every step has arrays of its own; without, they are written over, which is
            quicker.

    Raises `Fault` for what cannot be played.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        rules: Ruleset | str | None = None,
        settings: Mapping[str, Value] | None = None,
        *,
        num_envs: int = 1,
        seat: int | None = None,
        bots: str | Policy | Sequence[str | Policy] = "casual",
        reward: str = "points",
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        self.rules = rules if isinstance(rules, Ruleset) else make_ruleset(rules, settings)
        players = self.rules.players
        self.num_envs = num_envs
        self.single_observation_space = spaces.Dict(
            {
                "cards": spaces.Box(0, 1, (len(card_planes(players)), PACK_SIZE), np.uint8),
                "situation": spaces.Box(
                    _RANGE.min, _RANGE.max, (len(situation_fields(players)),), np.int16
                ),
                "action_mask": spaces.Box(0, 1, (PACK_SIZE,), np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(PACK_SIZE)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        if reward not in REWARDS:
            raise EnvFault("env_reward", reward=reward, rewards=tuple(REWARDS))
        self._reward = reward
        self._seat = seat or 0
        self._batch = Batch(
            self.rules,
            num_envs,
            policies=_policies(bots, self._seat, players),
            rotate=seat is None,
            threads=threads,
        )
        self._room = None if copy else Observations.room(players, num_envs)
        self._has_begun = False

    @property
    def seats(self) -> NDArray[np.int64]:
        """`int64[n]`: the learner's seat at each table."""
        return (self._batch.moved + self._seat) % self.rules.players

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Deals at every table.

        Args:
            seed: 0 to 2**64 - 1; without, a new one is drawn.
        """
        seed = None if seed is None else read_seed(seed)
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(2**64, dtype=np.uint64))
        self._batch.reset(seed)
        self._has_begun = True
        return self._seen(), {}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Seen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One card at each table.

        Raises `KernelFault` where one is not legal; then nothing has changed.
        """
        if not self._has_begun:
            raise EnvFault("env_reset_first")
        ended = self._batch.legal == 0
        self._batch.step(np.asarray(actions))
        rewards, terminations = self._rewards(), self._batch.finished.copy()
        if ended.any():
            self._batch.renew(ended)
        return self._seen(), rewards, terminations, np.zeros(self.num_envs, np.bool_), {}

    def _rewards(self) -> NDArray[np.float64]:
        """What the deals that have just ended are worth; 0 for the others."""
        points = self._batch.outcomes["points"][:, : self.rules.players].astype(np.float64)
        own = points[np.arange(self.num_envs), self.seats]
        return np.where(self._batch.finished, REWARDS[self._reward](points, own), 0.0)

    def _seen(self) -> Seen:
        cards, situation, mask = self._batch.observe(self.seats, self._room)
        situation[:, _DEAL] = 1
        return {"cards": cards, "situation": situation, "action_mask": mask}


def _policies(
    bots: str | Policy | Sequence[str | Policy], seat: int, players: int
) -> list[Policy | None]:
    """Who plays at each seat; None at the learner's. Raises `EnvFault`, and `no_such_level`."""
    if not 0 <= seat < players:
        raise EnvFault("env_seat", seat=seat, players=players)
    others = [bots] * (players - 1) if isinstance(bots, str | Policy) else list(bots)
    if len(others) != players - 1:
        raise EnvFault("env_bots", given=len(others), due=players - 1)
    around: list[Policy | None] = [None]
    for bot in others:
        policy = compiled(bot) if isinstance(bot, str) else bot
        if policy is None:
            raise Fault("no_such_level", level=bot, levels=_COMPILED)
        around.append(policy)
    return [around[(place - seat) % players] for place in range(players)]
