"""Learns Hearts from nothing in about a minute: NumPy, a small network, and a thousand tables.

    pip install ".[env]"
    python examples/learn.py

The others play at random, and so does the learner at first. For every card it puts down, it keeps
its view at that moment and the cost of the deal from there on. A network with one hidden layer
learns to predict that cost for every card; more and more often the card with the least predicted
cost is put down. On the same machine, the same seed prints the same lines.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.lab.env import VectorEnv, card_planes, situation_fields

Floats = NDArray[np.float32]

SEEN = ("hand", "led", "table 1", "table 2", "table 3", "cannot 1", "cannot 2", "cannot 3")
"""Planes of an observation that the learner looks at (docs/environments.md)."""
PLANES = [card_planes(4).index(name) for name in SEEN]
OWN_POINTS = situation_fields(4).index("points 0")

HIDDEN = 64
"""Units of the hidden layer."""
BATCH = 512
"""Cards that the network learns from at a time."""
PACE = 0.003
"""Size of a step of a weight."""


class Network:
    """A network from a view to the cost of every card; trained with Adam (Kingma and Ba, 2015)."""

    def __init__(self, rng: np.random.Generator) -> None:
        inputs = len(PLANES) * 54
        self.weights: list[Floats] = [
            rng.normal(0, inputs**-0.5, (inputs, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            np.zeros((HIDDEN, 54), np.float32),
            np.zeros(54, np.float32),
        ]
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    def costs(self, seen: Floats) -> Floats:
        """`float32[n, 54]`: the points that each card is likely to bring from here on."""
        return self._hidden(seen) @ self.weights[2] + self.weights[3]

    def learn(self, seen: Floats, cards: NDArray[np.int64], costs: Floats) -> None:
        """Take one step towards the real costs of those cards."""
        hidden, rows = self._hidden(seen), np.arange(len(cards))
        foretold = hidden @ self.weights[2] + self.weights[3]
        error = np.zeros_like(foretold)
        error[rows, cards] = (foretold[rows, cards] - costs) / len(cards)
        below = (error @ self.weights[2].T) * (hidden > 0)
        self._descend([seen.T @ below, below.sum(axis=0), hidden.T @ error, error.sum(axis=0)])

    def _hidden(self, seen: Floats) -> Floats:
        above: Floats = np.maximum(seen @ self.weights[0] + self.weights[1], 0)
        return above

    def _descend(self, slopes: Sequence[NDArray[np.floating]]) -> None:
        self._steps += 1
        young = (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
        for place, slope in enumerate(slopes):
            self._means[place] += 0.1 * (slope - self._means[place])
            self._squares[place] += 0.001 * (slope**2 - self._squares[place])
            stride = self._means[place] / (np.sqrt(self._squares[place]) + 1e-8)
            self.weights[place] -= np.float32(PACE * young) * stride


class Memory(NamedTuple):
    """One row for each card put down: the view, the card, and the cost from there on."""

    seen: Floats
    cards: NDArray[np.int64]
    costs: Floats


def play(
    env: VectorEnv, network: Network, seed: int, trying: float = 0
) -> tuple[Memory, NDArray[np.float64]]:
    """Play a deal at every table; returns also the learner's points. All deals are equally long.

    Args:
        trying: how often any legal card is put down, to find out what it costs.
    """
    rng = np.random.default_rng(seed)
    observed, _ = env.reset(seed=seed)
    moments, cards, before = [], [], []
    rewards, over = np.zeros(env.num_envs), False
    while not over:
        moments.append(observed["cards"][:, PLANES].reshape(env.num_envs, -1).astype(np.float32))
        before.append(observed["situation"][:, OWN_POINTS].copy())
        costs = network.costs(moments[-1])
        tries = rng.random(env.num_envs) < trying
        costs[tries] = rng.random((tries.sum(), 54))
        cards.append(np.where(observed["action_mask"], costs, np.inf).argmin(axis=1))
        observed, rewards, ended, _, _ = env.step(cards[-1])
        over = bool(ended.all())
    costs = np.concatenate([-rewards - points for points in before]).astype(np.float32)
    return Memory(np.concatenate(moments), np.concatenate(cards), costs), -rewards


def train(rounds: int, tables: int, seed: int) -> tuple[float, float]:
    """Train, printing progress; returns the points a deal in the end, and their 95 % margin."""
    settings = {"pass_cycle": ["left"]}  # a deal without a pass would be shorter
    env = VectorEnv("dame-de-pique", settings, num_envs=tables, bots="random", threads=2)
    rng = np.random.default_rng(seed)
    network = Network(rng)
    print("points a deal (6.5 at random)")
    for number in range(rounds):
        memory, points = play(env, network, seed + number, trying=1 / (1 + number))
        order = rng.permutation(len(memory.cards))
        for rows in np.array_split(order, len(order) // BATCH + 1):
            network.learn(memory.seen[rows], memory.cards[rows], memory.costs[rows])
        if number % 5 == 0:
            print(f"after {number * tables:>7,} deals: {points.mean():5.2f}", flush=True)
    unseen = range(seed + rounds, seed + rounds + 8)
    points = np.concatenate([play(env, network, number)[1] for number in unseen])
    mean, margin = points.mean(), 1.96 * points.std() / len(points) ** 0.5
    print(f"after {rounds * tables:>7,} deals: {mean:5.2f} ± {margin:.2f}, playing its best")
    return float(mean), float(margin)


def main() -> None:
    parser = argparse.ArgumentParser(description="Learns Hearts from nothing.")
    parser.add_argument("--rounds", type=int, default=60, help="of a deal at every table")
    parser.add_argument("--tables", type=int, default=1024)
    parser.add_argument("--seed", type=int, default=1)
    train(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
