"""How the levels play against each other: points per deal in duplicate, moons, choices a second.

    python benchmarks/bots.py [--deals N] [--seed S]

Every deck is played in every mixed seating of two levels (14 at four seats), so that the luck of
the cards cancels; a deck is one sample of the margin.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from volte.bots import Beginner, Bot, BotOwner, Casual, Clock, Drifter
from volte.game import Driver, MatchStarted, PlainChance, Player, SeatAction
from volte.rules import Ruleset, Score, make_ruleset
from volte.view import View

Make = Callable[[int], Bot]

LEVELS: dict[str, Make] = {
    "random": Drifter,
    "beginner": Beginner,
    "casual": lambda _: Casual(),
}
PAIRS = (("casual", "beginner"), ("casual", "random"), ("beginner", "random"))
TABLES = (
    ("microsoft", 4),
    *(("coeurs", players) for players in (3, 4, 5, 6)),
    *(("salon", players) for players in (3, 4, 5, 6)),
)


@dataclass
class Tally:
    """How two sides have done against each other.

    Attributes:
        margins: points per deal and seat that the second took more, one number a deck.
        points: taken by each side.
        seats: deals times seats of each side.
        shot: moons and slams by each side.
        deals: played in all.
    """

    margins: list[float] = field(default_factory=list)
    points: list[int] = field(default_factory=lambda: [0, 0])
    seats: list[int] = field(default_factory=lambda: [0, 0])
    shot: list[int] = field(default_factory=lambda: [0, 0])
    deals: int = 0

    def mean(self) -> float:
        return sum(self.margins) / len(self.margins)

    def half_interval(self) -> float:
        """Half of the 95 % interval of the mean."""
        mean, count = self.mean(), len(self.margins)
        variance = sum((margin - mean) ** 2 for margin in self.margins) / (count - 1)
        return 1.96 * math.sqrt(variance / count)


class Stopwatch:
    """A bot, and the time that its choices take."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.seconds = 0.0
        self.choices = 0

    def choose(self, view: View, clock: Clock) -> SeatAction:
        start = time.perf_counter()
        action = self.bot.choose(view, clock)
        self.seconds += time.perf_counter() - start
        self.choices += 1
        return action


def seatings(players: int) -> Iterator[tuple[int, ...]]:
    """Every way to seat two sides with a seat for each: 14 at four seats."""
    return (sides for sides in product((0, 1), repeat=players) if 0 < sum(sides) < players)


def duplicate(rules: Ruleset, sides: Sequence[Make], decks: int, seed: int) -> Tally:
    """Every deck in every mixed seating of two sides, as matches of one deal."""
    tally = Tally()
    for deck in range(decks):
        margins = []
        for seating in seatings(rules.players):
            score = play(rules, [sides[side] for side in seating], seed + deck)
            means = []
            for side in (0, 1):
                own = [score.points[seat] for seat, who in enumerate(seating) if who == side]
                tally.points[side] += sum(own)
                tally.seats[side] += len(own)
                means.append(sum(own) / len(own))
            margins.append(means[1] - means[0])
            shooter = score.moon if score.moon is not None else score.slam
            if shooter is not None:
                tally.shot[seating[shooter]] += 1
        tally.deals += len(margins)
        tally.margins.append(sum(margins) / len(margins))
    return tally


def play(rules: Ruleset, makes: Sequence[Make], seed: int) -> Score:
    """One deal; the seed says how the cards lie."""
    players = tuple(Player(str(seat)) for seat in range(rules.players))
    owners = [BotOwner(make(seed), seat) for seat, make in enumerate(makes)]
    return Driver([MatchStarted(rules, players)], owners, PlainChance(seed)).run().deals[0]


def report(name: str, players: int, decks: int, seed: int) -> None:
    """One table: every pair of levels, in every mixed seating of every deck."""
    rules = make_ruleset(name, {"players": players, "match_end": "deals:1"})
    for better, worse in PAIRS:
        tally = duplicate(rules, (LEVELS[better], LEVELS[worse]), decks, seed)
        own, other = (
            points / seats for points, seats in zip(tally.points, tally.seats, strict=True)
        )
        print(
            f"{name:10} {players} seats  {better:8} {own:5.2f}  {worse:8} {other:5.2f}  "
            f"margin {tally.mean():+5.2f} ± {tally.half_interval():.2f}  "
            f"moons {tally.shot[0]:3} : {tally.shot[1]:<3}  in {tally.deals} deals",
            flush=True,
        )


def speed(level: str, seed: int) -> float:
    """Choices per second of one level, whole deals of microsoft."""
    watches: list[Stopwatch] = []

    def make(seed: int) -> Bot:
        watches.append(Stopwatch(LEVELS[level](seed)))
        return watches[-1]

    rules = make_ruleset("microsoft", {"match_end": "deals:1"})
    for deck in range(20):
        play(rules, [make] * 4, seed + deck)
    return sum(watch.choices for watch in watches) / sum(watch.seconds for watch in watches)


def main() -> None:
    """Prints points per deal and seat, the margin with its 95 % interval, and moons shot."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--deals", type=int, default=600, help="deals for each pair at each table")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name, players in TABLES:
        decks = max(2, options.deals // (2**players - 2))
        report(name, players, decks, options.seed)
    for level in LEVELS:
        print(f"{level:10} {speed(level, options.seed):,.0f} choices a second")


if __name__ == "__main__":
    main()
