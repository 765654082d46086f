"""Hearts for Gymnasium, thousands of tables at once, straight on the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import logger, spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from volte.bots import compiled, unknown_to_twin
from volte.cards import PACK_SIZE, CopiedWhole
from volte.cards.fault import shown
from volte.fair import read_seed
from volte.kernel.batch import MOST_ROWS, Batch, Observations
from volte.kernel.encoding import Policy, check_range
from volte.lab.env.episode import EnvFault, opponents, option, reward_named
from volte.lab.env.observation import card_planes, situation_fields, whole_states
from volte.names import meant
from volte.rules import Rules, Ruleset, Value, ruleset_named

Seen = dict[str, NDArray[Any]]
"""An observation: `cards`, `uint8[n, planes, 54]`; `situation`, `int16[n, fields]`;
`action_mask`, `int8[n, 54]`.
"""

Chooser = Callable[[Seen], NDArray[np.integer]]
"""A policy of one's own: from the observations of the seats on turn at some tables to a legal card
at each, `int[rows]`."""

Bots = str | Policy | Chooser | None
"""Player of a seat; None for a learner."""

_COMPILED: Final = ("random", "casual")
_DEAL: Final = situation_fields(3).index("deal")
_RANGE: Final = np.iinfo(np.int16)


class VectorEnv(CopiedWhole, gymnasium.vector.VectorEnv[Seen, NDArray[np.int64], NDArray[Any]]):
    """Tables with learners at one seat or more and others at the rest, on the kernel.

    Actions are indices of cards, to play or to pass, one at a time, by the seat on turn of each
    table. Observations are those of that seat, as in `volte.lab.env.observation`, every deal as the
    first of its match. The info is empty.

    An episode is one deal. Its reward comes at the end. In the observation that ends it no card is
    legal, and the step after it deals anew, whatever the action (`AutoresetMode.NEXT_STEP`, the
    only mode there is). A step returns the reward of the seat that has acted; `rewards` has those
    of all seats, as learners that share a table need them.

    Table `i` of `n` plays the deals `i`, `i + n`, ... of the seed, dealt and passed as
    `volte.kernel.play_deals` does; with a seed for each table, all deals of its own. The same seed
    and actions bring the same results, whatever the number of threads. Where a shooter may say how
    a moon counts (W7), it counts for the others.

    Args:
        rules: a ruleset, or the name of a preset.
        settings: options that change the preset.
        num_envs: number of tables.
        seat: the learner's; without, all players move to the left whenever everybody has dealt.
        bots: "random", "casual", a `volte.kernel.Policy`, a function of your own or None, for all
            the others, or one for each of them, from the learner's left. A function gets the
            observations of the seats on turn at some tables, arrays as in `reset`, and returns a
            legal card for each, `int[rows]`; one that has several seats is called for all of them
            together. None is a learner as well: it acts through `step`. A warning names the first
            option that the compiled "casual" does not know.
        reward: "points", minus one's own; or "difference", the mean of the others' points less
            one's own.
        threads: number of threads that share the tables.
        copy: whether every step makes new arrays; without, the three arrays of an observation are
            written over, which is quicker.
        render_mode: None, as nothing is rendered.

    Raises `VolteError` for settings that cannot be played.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        settings: Mapping[str, Value] | None = None,
        *,
        num_envs: int = 1,
        seat: int | None = None,
        bots: Bots | Sequence[Bots] = "casual",
        reward: str = "points",
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise EnvFault("env_renders_nothing")
        self.rules = ruleset_named(rules, settings)
        players = self.rules.players
        self.num_envs = num_envs = check_range("num_envs", num_envs, 1, MOST_ROWS)
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
        self._reward = reward_named(reward)
        around = _around(bots, 0 if seat is None else seat, players)
        self._choosers: list[Chooser] = []
        # for each place, the number of its function; -1 for others
        self._chooser = np.array([self._number(bot) for bot in around])
        self._batch = Batch(
            self.rules,
            num_envs,
            policies=[bot if isinstance(bot, Policy) else None for bot in around],
            rotate=seat is None,
            threads=threads,
        )
        _warn_of_unknown(opponents(bots, seat or 0, players).values(), self.rules)
        self._room = None if copy else Observations.room(players, num_envs)
        self._seats = self._batch.turn.copy()
        self._rewards = np.zeros((num_envs, players))
        self._has_begun = False

    @property
    def seats(self) -> NDArray[np.int64]:
        """`int64[n]`: the learner that sees and acts at each table; after the end of a deal, the
        one that acted last."""
        return self._seats.copy()

    @property
    def rewards(self) -> NDArray[np.float64]:
        """`float64[n, players]`: reward of each seat in the last step."""
        return self._rewards.copy()

    def state(self) -> Seen:
        """The whole position of each table, with everybody's cards, for a centralised critic.

        Seats are counted from `seats`, as in the observation. New arrays at each call.

        Returns:
            `cards`, `uint8[n, planes, 54]`, the planes of `volte.lab.env.state_planes`; and
            `situation`, `int16[n, fields]`, the numbers of `state_fields`.
        """
        if not self._has_begun:
            raise EnvFault("env_reset_first")
        cards, situation = whole_states(self._batch, self._seats)
        situation[:, _DEAL] = 1
        return {"cards": cards, "situation": situation}

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | NDArray[np.integer] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Seen, dict[str, Any]]:
        """Deal at every table.

        Args:
            seed: 0 to 2**64 - 1, or one for each table, None for any; without, a new one is drawn.
            options: `reset_mask`, `bool[n]`: the tables to deal at, while the others go on.
        """
        rows = self._mask(options)
        if seed is None and rows is not None:
            self._batch.renew(rows)
        else:
            self._batch.reset(self._seeded(seed), rows)
        self._let_choose()
        self._seats = np.where(self._batch.legal != 0, self._batch.turn, self._seats)
        self._rewards = np.zeros_like(self._rewards)
        self._has_begun = True
        return self._seen(), {}

    def _seeded(self, seed: Any) -> int | list[int]:
        """The seed of the deals, or one for each table; all drawn ones follow from it."""
        if seed is None:
            return self._drawn()
        if np.ndim(seed) != 1:
            super().reset(seed=read_seed(seed))
            return read_seed(seed)
        if len(seed) != self.num_envs:
            raise EnvFault("env_seeds", given=len(seed), due=self.num_envs)
        known = [read_seed(each) for each in seed if each is not None]
        self.np_random = np.random.default_rng(known if len(known) == len(seed) else None)
        return [self._drawn() if each is None else read_seed(each) for each in seed]

    def _drawn(self) -> int:
        return int(self.np_random.integers(2**64, dtype=np.uint64))

    def _mask(self, options: Mapping[str, Any] | None) -> NDArray[np.bool_] | None:
        if option(options, "deck") is not None:
            raise EnvFault("env_no_deck")
        rows: NDArray[np.bool_] | None = option(options, "reset_mask")
        if rows is None:
            return None
        fits = isinstance(rows, np.ndarray) and rows.shape == (self.num_envs,)
        if not fits or rows.dtype != np.bool_ or not rows.any():
            raise EnvFault("env_mask", due=self.num_envs)
        if not self._has_begun:
            raise EnvFault("env_reset_first")
        return rows

    def render(self) -> None:
        """Raise `EnvFault` `env_renders_nothing`."""
        raise EnvFault("env_renders_nothing")

    def close_extras(self, **_: Any) -> None:
        """Do nothing, as no resources are held."""

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Seen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play or pick one card at each table.

        Raises `KernelFault` if one is not legal; then nothing has changed. If a function of yours
        has chosen a card that is not legal, it raises that too, with cards already played: `reset`
        then.
        """
        if not self._has_begun:
            raise EnvFault("env_reset_first")
        ended = self._batch.legal == 0
        self._batch.step(np.asarray(actions))
        terminations = self._batch.finished.copy()
        if ended.any():
            self._batch.renew(ended)
        terminations |= self._let_choose()
        self._rewards = np.zeros_like(self._rewards)
        if terminations.any():
            points = self._batch.outcomes["points"][terminations, : self.rules.players]
            self._rewards[terminations] = self._reward(points.astype(np.float64))
        rewards = self._rewards[np.arange(self.num_envs), self._seats]
        self._seats = np.where(self._batch.legal != 0, self._batch.turn, self._seats)
        return self._seen(), rewards, terminations, np.zeros(self.num_envs, np.bool_), {}

    def _number(self, bot: Bots) -> int:
        """The number of a function among all functions; -1 for any other bot."""
        if bot is None or isinstance(bot, str | Policy):
            return -1
        if bot not in self._choosers:
            self._choosers.append(bot)
        return self._choosers.index(bot)

    def _let_choose(self) -> NDArray[np.bool_]:
        """Let the functions choose until only learners are on turn; returns where deals end."""
        ended = np.zeros(self.num_envs, np.bool_)
        while self._choosers:
            batch = self._batch
            places = (batch.turn - batch.moved) % self.rules.players
            on_turn = np.where(batch.legal != 0, self._chooser[places], -1)
            if (on_turn < 0).all():
                break
            seen = self._seen_by(batch.turn)
            cards = np.zeros(self.num_envs, np.int64)
            for number, choose in enumerate(self._choosers):
                rows = np.flatnonzero(on_turn == number)
                if len(rows):
                    given = choose({name: part[rows] for name, part in seen.items()})
                    cards[rows] = _one_each(given, len(rows))
            batch.step(cards, on_turn >= 0)
            ended |= batch.finished
        return ended

    def _seen(self) -> Seen:
        return self._seen_by(self._seats, self._room)

    def _seen_by(self, seats: NDArray[np.int64], room: Observations | None = None) -> Seen:
        cards, situation, mask = self._batch.observe(seats, room)
        situation[:, _DEAL] = 1
        return {"cards": cards, "situation": situation, "action_mask": mask}


def _around(bots: Bots | Sequence[Bots], seat: int, players: int) -> list[Policy | Chooser | None]:
    """The player of each seat; None for a learner. Raises `EnvFault`."""
    around: list[Policy | Chooser | None] = [None] * players
    for place, bot in opponents(bots, seat, players).items():
        policy = compiled(meant(bot, _COMPILED)) if isinstance(bot, str) else bot
        if not (bot is None or isinstance(policy, Policy) or callable(policy)):
            raise EnvFault("env_compiled", text=bot if isinstance(bot, str) else shown(bot))
        around[place] = policy
    return around


def _one_each(given: Any, rows: int) -> NDArray[np.integer]:
    """The cards that a function has chosen. Raises `EnvFault` `env_chosen`."""
    try:
        cards = np.asarray(given)
    except ValueError:  # lists of several lengths
        cards = np.array(None)
    if cards.shape != (rows,) or not np.can_cast(cards.dtype, np.int64, "same_kind"):
        raise EnvFault("env_chosen", due=rows)
    return cards


def _warn_of_unknown(bots: Iterable[Bots], rules: Ruleset) -> None:
    """Warn of the first option that a compiled bot among those does not know."""
    named = (meant(bot, _COMPILED) for bot in bots if isinstance(bot, str))
    if any(compiled(level, rules) is None for level in named):
        unknown = unknown_to_twin(rules)
        logger.warn(
            f"The compiled “casual” plays as if {unknown} changed nothing; HeartsEnv’s does not."
        )
