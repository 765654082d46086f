"""Learns the weights of instinct from self-play, and writes them into the package.

    python scripts/teach.py [--generations N] [--deals N] [--simulations N] [--seed S]
        [--target FILE]

A bot that searches plays against itself; of every choice, each card's place in its situation and
the margin it was found to come to are kept. Two sets of weights are fitted to that by logistic
regression: `plays` to how good the cards are, `guesses` to which one was chosen. The next
generation searches with them. The same seed learns the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.bots import BotOwner, Clock, Thought
from volte.bots.learned import learned
from volte.bots.past import here
from volte.bots.search import FLAT, Rollouts, Search, Style
from volte.cards import BY_BIT
from volte.fair import split
from volte.game import Driver, MatchStarted, Phase, PlainChance, Play, Player, SeatAction
from volte.kernel.features import FEATURES, WEIGHTS
from volte.kernel.startup import code
from volte.kernel.table import encode
from volte.rules import Ruleset, make_ruleset
from volte.rules.options import Value
from volte.view import View

HERE: Final = Path(__file__).resolve().parent.parent
TARGET: Final = HERE / "src/volte/bots/learned/weights.npz"

TABLES: Final[tuple[tuple[str, Mapping[str, Value]], ...]] = (
    *[("microsoft", {"queen_breaks_hearts": "true"})] * 3,
    ("microsoft", {}),
    *[("coeurs", {"players": players}) for players in (3, 4, 5, 6, 7)],
    *[("salon", {"players": players}) for players in (3, 5, 6)],
    ("salon-valet", {}),
)
"""Where is played; one more often than the others, since most is measured there."""

MOST_CARDS: Final = 18
SHARE: Final = 5
"""Deals that a process plays at a time."""

BATCH: Final = 4096
ROUNDS: Final = 16
RATE: Final = 0.02
SOFT: Final = 0.7
"""Points of margin by which a card is worth e times less."""

Choices = NDArray[np.int32]
"""`[choices, MOST_CARDS, FEATURES + 1]`: the places of each card, and its margin in thousandths of
a point; places of -1 where there are no more cards."""


class Scribe:
    """A bot that searches, and writes down what it finds."""

    def __init__(self, bot: Search) -> None:
        self.bot = bot
        self.choices: list[NDArray[np.int32]] = []

    def choose(self, view: View, clock: Clock) -> SeatAction:
        thought = self.bot.think(view, clock)
        if view.state.phase is Phase.PLAYING and thought.estimates:
            self.choices.append(_written(view, thought))
        return thought.action


def _written(view: View, thought: Thought) -> NDArray[np.int32]:
    legal = view.legal.mask
    places = np.empty((len(view.legal), FEATURES), np.int64)
    code("describing").describe_cards(encode(view.deal.rules), here(view), np.uint64(legal), places)
    margins = {
        each.action.card: each.margin for each in thought.estimates if isinstance(each.action, Play)
    }
    row = np.full((MOST_CARDS, FEATURES + 1), -1, np.int32)
    for number, card in enumerate(view.legal):
        row[number, :FEATURES] = places[number]
        row[number, FEATURES] = round(1000 * margins[BY_BIT[card.bit]])
    return row


def play(rules: Ruleset, style: Style, simulations: int, seeds: Sequence[int]) -> Choices:
    """What is found in a deal of each of those seeds."""
    scribes = [Scribe(Search(style, seat)) for seat in range(rules.players)]
    players = tuple(Player(str(seat)) for seat in range(rules.players))
    for seed in seeds:
        clock = Clock(simulations=simulations)
        owners = [BotOwner(scribe, seat, clock) for seat, scribe in enumerate(scribes)]
        Driver([MatchStarted(rules, players)], owners, PlainChance(seed)).run()
    rows = [row for scribe in scribes for row in scribe.choices]
    return np.stack(rows) if rows else np.zeros((0, MOST_CARDS, FEATURES + 1), np.int32)


def shares(style: Style, deals: int, simulations: int, seed: int) -> Iterator[tuple[object, ...]]:
    for table, (name, settings) in enumerate(TABLES):
        cycle = len(make_ruleset(name, settings).passing.cycle)
        for first in range(0, deals, SHARE):
            turn = first // SHARE % cycle
            numbers = range(first, min(first + SHARE, deals))
            seeds = [split(split(seed, table), number) for number in numbers]
            yield _one_deal(name, settings, turn), style, simulations, seeds


def _one_deal(name: str, settings: Mapping[str, Value], turn: int) -> Ruleset:
    """The rules, for matches of one deal that is passed as number `turn` of the cycle."""
    rules = make_ruleset(name, {**settings, "match_end": "deals:1"})
    cycle = rules.passing.cycle
    return replace(rules, passing=replace(rules.passing, cycle=cycle[turn:] + cycle[:turn]))


def _play(share: tuple[Ruleset, Style, int, list[int]]) -> Choices:
    return play(*share)


# Fitting


def fit(choices: Choices, soft: float) -> NDArray[np.float32]:
    """Weights by logistic regression (Adam) on `exp(-margin / soft)`."""
    draws = np.random.default_rng(1)
    weights = np.zeros(WEIGHTS)
    first, second = np.zeros(WEIGHTS), np.zeros(WEIGHTS)
    step = 0
    for turn in range(ROUNDS):
        order = draws.permutation(len(choices))
        for start in range(0, len(choices), BATCH):
            gradient = slope(weights, choices[order[start : start + BATCH]], soft) + 1e-5 * weights
            step += 1
            first = 0.9 * first + 0.1 * gradient
            second = 0.999 * second + 0.001 * gradient**2
            rate = RATE * (1 - turn / ROUNDS) + 1e-3
            mean, spread = first / (1 - 0.9**step), second / (1 - 0.999**step)
            weights -= rate * mean / (np.sqrt(spread) + 1e-8)
    return weights.astype(np.float32)


def slope(weights: NDArray[np.float64], some: Choices, soft: float) -> NDArray[np.float64]:
    """The gradient of the mean loss."""
    real = some[:, :, 0] >= 0
    row, card = np.nonzero(real)
    places = some[row, card, :FEATURES]
    starts = np.concatenate([[0], np.cumsum(real.sum(axis=1))[:-1]])
    wanted = _odds(-some[row, card, FEATURES] / (1000 * soft), row, starts)
    found = _odds(weights[places].sum(axis=1), row, starts)
    sums = np.bincount(places.ravel(), np.repeat(found - wanted, FEATURES), minlength=WEIGHTS)
    return sums / len(some)


def _odds(
    likings: NDArray[np.float64], row: NDArray[np.int64], starts: NDArray[np.int64]
) -> NDArray[np.float64]:
    shifted = np.exp(likings - np.maximum.reduceat(likings, starts)[row])
    odds: NDArray[np.float64] = shifted / np.add.reduceat(shifted, starts)[row]
    return odds


def chosen(choices: Choices) -> Choices:
    """The same, as if the card that was chosen were worth everything."""
    margins = np.where(choices[:, :, 0] >= 0, choices[:, :, FEATURES], 2**30)
    best = margins.argmin(axis=1)
    made = choices.copy()
    made[:, :, FEATURES] = 20_000
    made[np.arange(len(made)), best, FEATURES] = 0
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--deals", type=int, default=200, help="at each table")
    parser.add_argument("--simulations", type=int, default=600, help="of each choice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--learned", action="store_true", help="begins with what was learned")
    parser.add_argument("--keep", type=Path, help="a file of choices to learn from, and add to")
    parser.add_argument("--target", type=Path, default=TARGET, help="where the weights go")
    options = parser.parse_args()
    seen: list[Choices] = []
    if options.keep and options.keep.is_file():
        seen.append(np.load(options.keep)["choices"])
    for generation in range(options.generations):
        begun = perf_counter()
        beginner = generation == 0 and not options.learned
        style = FLAT if beginner else replace(FLAT, rollouts=Rollouts.INSTINCT, guesses=True)
        work = shares(style, options.deals, options.simulations, split(options.seed, generation))
        with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
            seen.append(np.concatenate(list(pool.map(_play, work))))
        choices = np.concatenate(seen[-2:])
        if options.keep:
            np.savez_compressed(options.keep, choices=choices)
        plays, guesses = fit(choices, SOFT), fit(chosen(choices), 1.0)
        np.savez_compressed(options.target, plays=plays, guesses=guesses)
        learned.cache_clear()
        minutes = (perf_counter() - begun) / 60
        print(
            f"generation {generation + 1}: {len(seen[-1])} choices, {minutes:.1f} min", flush=True
        )


if __name__ == "__main__":
    main()
