"""What a deal is worth to each seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from volte.lab.env.fault import EnvFault

Reward = Callable[[Sequence[int]], list[float]]
"""From the points of a deal, per seat, to the rewards of the seats."""


def points(deal: Sequence[int]) -> list[float]:
    """Minus one's own points."""
    return [-float(own) for own in deal]


def difference(deal: Sequence[int]) -> list[float]:
    """How far one is below the mean of the others; the rewards of a deal add up to 0."""
    return [(sum(deal) - own) / (len(deal) - 1) - own for own in deal]


REWARDS: Final[Mapping[str, Reward]] = MappingProxyType(
    {"points": points, "difference": difference}
)


def reward_named(name: str) -> Reward:
    """The reward of that name. Raises `EnvFault` `env_reward`."""
    if name not in REWARDS:
        raise EnvFault("env_reward", reward=name, rewards=tuple(REWARDS))
    return REWARDS[name]
