"""Learns the weights of instinct from self-play, and writes them into the package.

    python scripts/teach.py [--generations N] [--deals N] [--simulations N] [--seed S]
        [--target FILE] [--steps FOLDER] [--log FILE] [--curve FILE]
    python scripts/teach.py --generations 0 --log FILE --curve FILE     # only draws

A bot that searches plays against itself; for every choice, the places of each card and the margin
found for it are kept. Two sets of weights are fitted to them: `plays` to how good the cards are,
`guesses` to the card that was chosen. The next generation searches with them. The same seed learns
the same weights.

For every ten deals one more is played, from which nothing is learned: after every round the weights
are tested on its choices, and the results are kept with the settings (`--log`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.bots import BotOwner, Clock, Thought
from volte.bots.learned import learn_from
from volte.bots.search import FLAT, Search, Style
from volte.bots.worlds import here
from volte.cards import BY_BIT
from volte.fair import split
from volte.game import Driver, MatchStarted, Phase, PlainChance, Play, Player, SeatAction
from volte.kernel.encoding import encode
from volte.kernel.features import FEATURES, PLACES
from volte.kernel.instinct import FOR, PLAIN, WIDTH
from volte.kernel.layout import INSTINCT
from volte.kernel.startup import code
from volte.rules import Ruleset, make_ruleset
from volte.rules.options import Value
from volte.view import View

HERE: Final = Path(__file__).resolve().parent.parent
TARGET: Final = HERE / "src/volte/bots/learned/weights.npz"
NAMES: Final = ("plays", "guesses")

TABLES: Final[tuple[tuple[str, Mapping[str, Value]], ...]] = (
    *[("microsoft", {"queen_breaks_hearts": "true"})] * 3,
    ("microsoft", {}),
    *[("coeurs", {"players": players}) for players in (3, 4, 5, 6, 7)],
    *[("salon", {"players": players}) for players in (3, 5, 6)],
    ("salon-valet", {}),
)
"""Rulesets that are played; one more often than the others, since most is measured there."""

MOST_CARDS: Final = 18
SHARE: Final = 5
"""Deals that a process plays at a time."""
HELD: Final = 10
"""Number of deals for each one that is held out."""

BATCH: Final = 512
ROUNDS: Final = 8
RATE: Final = 0.005
LAST_RATE: Final = 0.0005
DECAY: Final = 1e-5
BEGINNING: Final = 0.1
"""Spread of the weights before anything is learned, so that no two units learn the same."""
SOFT: Final = 0.5
"""Points of margin by which a card is worth e times less."""

Choices = NDArray[np.int32]
"""`[choices, MOST_CARDS, FEATURES + 1]`: the places of each card, and its margin in thousandths of
a point; places of -1 beyond the last card."""


class Scribe:
    """A bot that searches, and writes down its estimates."""

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
    code("features.describe_cards")(encode(view.deal.rules), here(view), np.uint64(legal), places)
    margins = {
        each.action.card: each.margin for each in thought.estimates if isinstance(each.action, Play)
    }
    row = np.full((MOST_CARDS, FEATURES + 1), -1, np.int32)
    for number, card in enumerate(view.legal):
        row[number, :FEATURES] = places[number]
        row[number, FEATURES] = round(1000 * margins[BY_BIT[card.bit]])
    return row


def play(rules: Ruleset, style: Style, simulations: int, seeds: Sequence[int]) -> Choices:
    """The choices in one deal for each of those seeds."""
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


Numbers = NDArray[np.float64]
Weights = NDArray[np.float32]
"""`[PLACES, WIDTH]`: see `volte.kernel.instinct`."""
Loss = Callable[[Numbers, Numbers, NDArray[np.int64], NDArray[np.int64]], tuple[Numbers, Numbers]]
"""Function of the odds found and wanted, card by card, with the number of each card's choice and
the start of each choice: the loss of each choice, in nats, and its slope for each card."""


def of_drawn(
    found: Numbers, wanted: Numbers, row: NDArray[np.int64], starts: NDArray[np.int64]
) -> tuple[Numbers, Numbers]:
    """Loss by drawing cards as found (Kullback and Leibler, from found to wanted).

    Margins count in proportion to the odds found, so that their errors by chance cancel out. The
    other way round would make every card look worth trying.
    """
    gap = _logs(found) - _logs(wanted)
    nats = np.add.reduceat(found * gap, starts)
    return nats, found * (gap - nats[row])


def of_told(
    found: Numbers, wanted: Numbers, row: NDArray[np.int64], starts: NDArray[np.int64]
) -> tuple[Numbers, Numbers]:
    """Loss by guessing cards drawn as wanted (Kullback and Leibler, from wanted to found)."""
    nats = np.add.reduceat(wanted * (_logs(wanted) - _logs(found)), starts)
    return nats, found - wanted


def _logs(odds: Numbers) -> Numbers:
    logs: Numbers = np.log(np.maximum(odds, 1e-300))
    return logs


class Goal(NamedTuple):
    """The target of a fit.

    Attributes:
        soft: points of margin by which a card is wanted e times less.
    """

    soft: float
    loss: Loss


GOALS: Final = {"plays": Goal(SOFT, of_drawn), "guesses": Goal(1.0, of_told)}


class Seen(NamedTuple):
    """Quality of weights for the choices of deals.

    Attributes:
        loss: nats, by the goal.
        agreement: how often the card liked best is the chosen one.
        cost: points of margin that the card liked best gives away, on the mean.
    """

    loss: float
    agreement: float
    cost: float


Look = Callable[[int, Numbers], None]
"""Called with the weights after each round; round 0 is before anything was learned."""


def fit(choices: Choices, goal: Goal, look: Look | None = None) -> Weights:
    """Weights fitted (Adam) to `exp(-margin / soft)`."""
    draws = np.random.default_rng(1)
    weights = draws.normal(0, BEGINNING, (PLACES, WIDTH))
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    step = 0
    for turn in range(ROUNDS):
        if look:
            look(turn, weights)
        order = draws.permutation(len(choices))
        for start in range(0, len(choices), BATCH):
            gradient = slope(weights, choices[order[start : start + BATCH]], goal) + DECAY * weights
            step += 1
            first = 0.9 * first + 0.1 * gradient
            second = 0.999 * second + 0.001 * gradient**2
            rate = RATE * (1 - turn / ROUNDS) + LAST_RATE
            mean, spread = first / (1 - 0.9**step), second / (1 - 0.999**step)
            weights -= rate * mean / (np.sqrt(spread) + 1e-8)
    if look:
        look(ROUNDS, weights)
    return weights.astype(np.float32)


def liked(weights: NDArray[np.floating], places: NDArray[np.int32]) -> tuple[Numbers, Numbers]:
    """Liking of each card, and the sums that made it: 1 for, -1 against, 0 not counted."""
    sums = weights[places[:, 0]].astype(np.float64)
    for feature in range(1, FEATURES):
        sums += weights[places[:, feature]]
    signs = np.where(sums > 0, 1.0, 0.0)
    signs[:, FOR:] *= -1
    signs[:, PLAIN] = 1
    return (signs * sums).sum(axis=1), signs


def slope(weights: Numbers, some: Choices, goal: Goal) -> Numbers:
    """The gradient of the mean loss."""
    places, margins, row, starts = _unrolled(some)
    likings, signs = liked(weights, places)
    found = _odds(likings, row, starts)
    slopes = goal.loss(found, _odds(-margins / goal.soft, row, starts), row, starts)[1]
    each = slopes[:, None] * signs
    where = places.T.ravel()
    sums = [np.bincount(where, np.tile(column, FEATURES), minlength=PLACES) for column in each.T]
    return np.stack(sums, axis=1) / len(some)


def seen(weights: NDArray[np.floating], some: Choices, goal: Goal) -> Seen:
    """Quality of those weights for those choices."""
    places, margins, row, starts = _unrolled(some)
    likings = liked(weights, places)[0]
    wanted, found = _odds(-margins / goal.soft, row, starts), _odds(likings, row, starts)
    nats = goal.loss(found, wanted, row, starts)[0]
    worse = margins - np.minimum.reduceat(margins, starts)[row]
    best = likings == np.maximum.reduceat(likings, starts)[row]
    evenly = best / np.add.reduceat(best.astype(float), starts)[row]
    agreed, cost = (worse == 0) @ evenly, worse @ evenly
    return Seen(float(nats.mean()), float(agreed / len(some)), float(cost / len(some)))


def _unrolled(
    some: Choices,
) -> tuple[NDArray[np.int32], Numbers, NDArray[np.int64], NDArray[np.int64]]:
    """Card by card: places, margin in points, number of the choice; and each choice's start."""
    real = some[:, :, 0] >= 0
    row, card = np.nonzero(real)
    starts = np.concatenate([[0], np.cumsum(real.sum(axis=1))[:-1]])
    return some[row, card, :FEATURES], some[row, card, FEATURES] / 1000, row, starts


def _odds(likings: Numbers, row: NDArray[np.int64], starts: NDArray[np.int64]) -> Numbers:
    shifted = np.exp(likings - np.maximum.reduceat(likings, starts)[row])
    odds: Numbers = shifted / np.add.reduceat(shifted, starts)[row]
    return odds


def chosen(choices: Choices) -> Choices:
    """The choices as if the chosen card were worth everything."""
    margins = np.where(choices[:, :, 0] >= 0, choices[:, :, FEATURES], 2**30)
    best = margins.argmin(axis=1)
    made = choices.copy()
    made[:, :, FEATURES] = 20_000
    made[np.arange(len(made)), best, FEATURES] = 0
    return made


# Generations

Curve = list[dict[str, float]]
"""A row for each round."""


def taught(name: str, lessons: Choices, held: Choices) -> tuple[Weights, Curve]:
    """The weights of that name, and their curve."""
    some = lessons[:: max(1, len(lessons) // len(held))]
    curve: Curve = []

    def look(turn: int, weights: Numbers) -> None:
        own, other = measured(name, weights, some), measured(name, weights, held)
        curve.append({"round": turn, "own_loss": own.loss, **other._asdict()})

    return fit(asked(name, lessons), GOALS[name], look), curve


def asked(name: str, choices: Choices) -> Choices:
    """The choices that weights of that name are fitted to."""
    return choices if name == "plays" else chosen(choices)


def measured(name: str, weights: NDArray[np.floating], choices: Choices) -> Seen:
    """Quality of weights for their target; the cost is by the margins in either case."""
    cost = seen(weights, choices, GOALS[name]).cost
    return seen(weights, asked(name, choices), GOALS[name])._replace(cost=cost)


def played(pool: Executor, style: Style, options: argparse.Namespace, seed: int) -> list[Choices]:
    """The choices to learn from, and those that are held out."""
    found = []
    for part, deals in enumerate((options.deals, -(-options.deals // HELD))):
        work = shares(style, deals, options.simulations, split(seed, part))
        found.append(np.concatenate(list(pool.map(_play, work))))
    return found


def settings(options: argparse.Namespace) -> dict[str, Any]:
    """Everything besides the code that determines the weights."""
    given = ("generations", "deals", "simulations", "seed", "learned")
    own = {"rounds": ROUNDS, "batch": BATCH, "rate": RATE, "soft": SOFT, "held": f"1:{HELD}"}
    tables = [
        " ".join([name, *(f"{key}={value}" for key, value in some.items())])
        for name, some in TABLES
    ]
    return {
        **{name: getattr(options, name) for name in given},
        **own,
        "features": FEATURES,
        "weights": PLACES * WIDTH,
        "tables": tables,
    }


def teach(options: argparse.Namespace) -> dict[str, Any]:
    """Play and learn, generation by generation; returns the settings and the curves."""
    kept: list[Choices] = []
    if options.keep and options.keep.is_file():
        kept.append(np.load(options.keep)["choices"])
    told: list[dict[str, Any]] = []
    made: list[dict[str, Weights]] = []
    lesson: Path | None = None
    for generation in range(1, options.generations + 1):
        begun = perf_counter()
        beginner = generation == 1 and not options.learned
        style = FLAT if beginner else replace(FLAT, rollouts=INSTINCT, guesses=True)
        spawn = get_context("spawn")
        with ProcessPoolExecutor(options.processes, spawn, learn_from, (lesson,)) as pool:
            fresh, held = played(pool, style, options, split(options.seed, generation - 1))
        kept.append(fresh)
        lessons = np.concatenate(kept[-2:])
        if options.keep:
            np.savez_compressed(options.keep, choices=lessons)
        found = {name: taught(name, lessons, held) for name in NAMES}
        made.append({name: weights for name, (weights, _) in found.items()})
        lesson = options.target
        write(lesson, made[-1])
        if options.steps:
            write(options.steps / f"weights-g{generation}.npz", made[-1])
        one = {
            "generation": generation,
            "rollouts": "casual" if beginner else "instinct",
            "choices": len(fresh),
            "learned_from": len(lessons),
            "held": len(held),
            "minutes": round((perf_counter() - begun) / 60, 1),
            **{name: curve for name, (_, curve) in found.items()},
        }
        told.append(one)
        print("generation {generation}: {choices} choices, {minutes} min".format(**one), flush=True)
    last = [
        {name: measured(name, weights, held)._asdict() for name, weights in each.items()}
        for each in made
    ]
    return {"settings": settings(options), "generations": told, "on_the_last_held": last}


def write(file: Path, weights: Mapping[str, Weights]) -> None:
    np.savez_compressed(file, plays=weights["plays"], guesses=weights["guesses"])


def draw(log: Mapping[str, Any], file: Path) -> None:
    """Draw how every generation learned, after the first round."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "volte"
    figure = Figure((9, 3.4), layout="constrained")
    panels = figure.subplots(1, 3)
    shown = (
        ("plays", "loss", "plays: loss in nats"),
        ("guesses", "loss", "guesses: loss in nats"),
        ("guesses", "agreement", "guesses: the card chosen, of 100"),
    )
    for axes, (name, measure, title) in zip(panels, shown, strict=True):
        for number, one in enumerate(log["generations"]):
            rounds = [row["round"] for row in one[name][1:]]
            scale = 100 if measure == "agreement" else 1
            values = [scale * row[measure] for row in one[name][1:]]
            style = {"color": f"C{number}", "marker": "os^Dv"[number % 5], "markersize": 3}
            axes.plot(rounds, values, label=f"generation {one['generation']}", **style)
            if measure == "loss":
                own = [row["own_loss"] for row in one[name][1:]]
                axes.plot(rounds, own, color=f"C{number}", linestyle=":")
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("round")
    panels[0].legend(fontsize=8)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--generations", type=int, default=3)
    parser.add_argument("--deals", type=int, default=300, help="at each table")
    parser.add_argument("--simulations", type=int, default=600, help="of each choice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--learned", action="store_true", help="begins with what was learned")
    parser.add_argument("--keep", type=Path, help="a file of choices to learn from, and add to")
    parser.add_argument("--target", type=Path, default=TARGET, help="where the weights go")
    parser.add_argument("--steps", type=Path, help="a folder for those of every generation")
    parser.add_argument("--log", type=Path, help="where settings and curves go, as JSON")
    parser.add_argument("--curve", type=Path, help="where they are drawn, .svg or .png")
    options = parser.parse_args()
    if options.generations:
        log = teach(options)
        if options.log:
            options.log.write_text(json.dumps(log, indent=1) + "\n", encoding="utf-8")
    elif options.log and options.log.is_file():
        log = json.loads(options.log.read_text(encoding="utf-8"))
    else:
        parser.error("nothing to learn, and no log to draw")
    if options.curve:
        draw(log, options.curve)


if __name__ == "__main__":
    main()
