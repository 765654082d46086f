"""Learns Hearts by playing against itself: PPO in one file, in CleanRL's shape, with NumPy alone.

    pip install ".[env]"
    python examples/ppo.py

All four seats are the learner's, and share one network (`bots=None`). A critic learns beside it how
a deal will end; it sees everybody's cards (`state()`), and is not needed to play. On the same
machine, the same seed prints the same lines.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.lab.env import VectorEnv, card_planes, state_planes

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]

SEEN = ("hand", "led", "table 1", "table 2", "table 3", "cannot 1", "cannot 2", "cannot 3")
"""Planes of an observation that the actor looks at (docs/environments.md)."""
PLANES = [card_planes(4).index(name) for name in SEEN]
WHOLE = [state_planes(4).index(f"{name} {seat}") for name in ("hand", "taken") for seat in range(4)]
"""Planes of the whole position that the critic looks at."""
SETTINGS = {"pass_cycle": ["left"]}  # so that all deals have as many cards


@dataclass
class Args:
    seed: int = 1
    num_envs: int = 256
    iterations: int = 60  # of a deal at every table
    learning_rate: float = 0.001
    update_epochs: int = 3
    minibatch_size: int = 2048
    clip_coef: float = 0.2
    ent_coef: float = 0.01
    hidden: int = 64


class Network:
    """One hidden layer; trained with Adam (Kingma and Ba, 2015)."""

    def __init__(self, rng: np.random.Generator, inputs: int, outputs: int, args: Args) -> None:
        self.weights: list[Floats] = [
            rng.normal(0, inputs**-0.5, (inputs, args.hidden)).astype(np.float32),
            np.zeros(args.hidden, np.float32),
            np.zeros((args.hidden, outputs), np.float32),
            np.zeros(outputs, np.float32),
        ]
        self._rate = args.learning_rate
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    def __call__(self, seen: Floats) -> Floats:
        return self._hidden(seen) @ self.weights[2] + self.weights[3]

    def descend(self, seen: Floats, slope: Floats) -> None:
        """Take one step down the mean loss, given its slope for each row and output."""
        hidden, slope = self._hidden(seen), slope / np.float32(len(seen))
        below = (slope @ self.weights[2].T) * (hidden > 0)
        slopes = [seen.T @ below, below.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)]
        self._steps += 1
        young = (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
        for weight, mean, square, each in zip(
            self.weights, self._means, self._squares, slopes, strict=True
        ):
            mean += 0.1 * (each - mean)
            square += 0.001 * (each**2 - square)
            weight -= np.float32(self._rate * young) * mean / (np.sqrt(square) + 1e-8)

    def _hidden(self, seen: Floats) -> Floats:
        above: Floats = np.maximum(seen @ self.weights[0] + self.weights[1], 0)
        return above


def log_odds(scores: Floats, mask: NDArray[np.bool_]) -> Floats:
    """The logarithm of the chance of each card; very low for one that is not legal."""
    scores = np.where(mask, scores, np.float32(-1e9))
    scores -= scores.max(axis=1, keepdims=True)
    odds: Floats = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return odds


def drawn(odds: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """A card for each row, by its chance."""
    noise = rng.gumbel(size=odds.shape).astype(np.float32)
    cards: NDArray[np.int64] = (odds + noise).argmax(axis=1)
    return cards


def row(planes: Bytes) -> Floats:
    return planes.reshape(len(planes), -1).astype(np.float32)


class Rollout(NamedTuple):
    """A row for each card put down."""

    seen: Bytes
    whole: Bytes
    masks: NDArray[np.bool_]
    cards: NDArray[np.int64]
    odds: Floats  # the logarithm of its chance
    returns: Floats  # reward of the seat for the deal

    def some(self, rows: NDArray[np.int64]) -> Rollout:
        seen, whole, masks = self.seen[rows], self.whole[rows], self.masks[rows]
        return Rollout(seen, whole, masks, self.cards[rows], self.odds[rows], self.returns[rows])


def rollout(env: VectorEnv, actor: Network, rng: np.random.Generator) -> Rollout:
    """Play a deal at every table, from the view of the seat on turn."""
    observed, _ = env.reset(seed=int(rng.integers(2**63)))
    steps, seats, over = [], [], False
    while not over:
        seen, mask = observed["cards"][:, PLANES], observed["action_mask"] == 1
        odds = log_odds(actor(row(seen)), mask)
        cards = drawn(odds, rng)
        chance = np.take_along_axis(odds, cards[:, None], axis=1)[:, 0]
        steps.append((seen, env.state()["cards"][:, WHOLE], mask, cards, chance))
        seats.append(env.seats)
        observed, _, ended, _, _ = env.step(cards)
        over = bool(ended.all())
    rewards = env.rewards / 26  # of every seat
    returns = [np.take_along_axis(rewards, seat[:, None], axis=1)[:, 0] for seat in seats]
    seen, whole, masks, cards, odds = map(np.concatenate, zip(*steps, strict=True))
    return Rollout(seen, whole, masks, cards, odds, np.concatenate(returns).astype(np.float32))


def update(actor: Network, critic: Network, batch: Rollout, args: Args) -> None:
    """Learn one minibatch: the clipped objective of PPO (Schulman et al., 2017), and the critic."""
    whole, seen, rows = row(batch.whole), row(batch.seen), np.arange(len(batch.cards))
    values = critic(whole)[:, 0]
    critic.descend(whole, (values - batch.returns)[:, None])

    gains = batch.returns - values
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    odds = log_odds(actor(seen), batch.masks)
    chances = np.exp(odds)
    ratio = np.exp(odds[rows, batch.cards] - batch.odds)
    clipped = np.where(gains > 0, ratio > 1 + args.clip_coef, ratio < 1 - args.clip_coef)
    weight = np.where(clipped, 0, gains * ratio)
    slope = chances * weight[:, None]
    slope[rows, batch.cards] -= weight
    entropy = -(chances * np.where(batch.masks, odds, 0)).sum(axis=1, keepdims=True)
    slope += args.ent_coef * chances * (np.where(batch.masks, odds, 0) + entropy)
    actor.descend(seen, slope)


def points(actor: Network, bots: str, seed: int) -> tuple[float, float]:
    """Points a deal of the likeliest cards against bots, and their 95 % margin."""
    env = VectorEnv("dame-de-pique", SETTINGS, num_envs=2048, bots=bots, threads=2)
    observed, _ = env.reset(seed=seed)
    while True:
        odds = log_odds(actor(row(observed["cards"][:, PLANES])), observed["action_mask"] == 1)
        observed, rewards, ended, _, _ = env.step(odds.argmax(axis=1))
        if ended.all():
            break
    return float(-rewards.mean()), float(1.96 * rewards.std() / len(rewards) ** 0.5)


def train(args: Args) -> None:
    """Train, printing progress."""
    rng = np.random.default_rng(args.seed)
    env = VectorEnv("dame-de-pique", SETTINGS, num_envs=args.num_envs, bots=None, threads=2)
    actor = Network(rng, len(PLANES) * 54, 54, args)
    critic = Network(rng, len(WHOLE) * 54, 1, args)
    print("points a deal, the learner playing its best against three")
    for iteration in range(args.iterations + 1):
        if iteration % 20 == 0 or iteration == args.iterations:
            against = []
            for bots in ("random", "casual"):
                mean, margin = points(actor, bots, seed=2**40)
                against.append(f"{bots} {mean:5.2f} ± {margin:.2f}")
            print(f"after {iteration * args.num_envs:>7,} deals: {', '.join(against)}", flush=True)
        if iteration < args.iterations:
            deals = rollout(env, actor, rng)
            for _ in range(args.update_epochs):
                order = rng.permutation(len(deals.cards))
                for rows in np.array_split(order, len(order) // args.minibatch_size + 1):
                    update(actor, critic, deals.some(rows), args)


def main() -> None:
    parser = argparse.ArgumentParser(description="Learns Hearts by playing against itself.")
    for field in fields(Args):
        option = f"--{field.name.replace('_', '-')}"
        parser.add_argument(option, type=type(field.default), default=field.default)
    train(Args(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
