"""Learns the likely cost of a hand after each pass, and prints it for `volte.bots.odds`.

    python scripts/teach_passes.py [--hands 300] [--worlds 24] [--seed 1]

At each table hands are dealt, and the sets of the cards that weigh most by `casual` are played out,
all in the same worlds, by instinct. The numbers are fitted to the differences between these sets
within a hand. First they are tested on one hand in four that is left out, which prints two results:
how much of the variance of the means they explain, much of which is chance, and by what factor they
should be multiplied.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.bots import BotOwner, Casual, Clock
from volte.bots.candidates import burdens, handed_out, places
from volte.bots.odds import LEARNED, ONE
from volte.bots.protocol import Budget
from volte.bots.search import LESS, Hunt, Options
from volte.cards import SUIT_MASKS, mask_of
from volte.game import Pass, Phase, SeatAction
from volte.lab.arena.readable import run_at
from volte.lab.seeded import table_of
from volte.rules import Ruleset, make_ruleset
from volte.view import View

TABLES: Final = (
    *(("dame-de-pique", 4),) * 3,
    *(("salon", 3), ("salon", 5), ("coeurs", 4), ("coeurs", 6)),
)
"""Tables at which hands are dealt; most of them where people play most."""

CARDS: Final = 9
"""Number of the heaviest cards of a hand; the sets are made of these."""

RIDGE: Final = 100.0
"""Penalty that keeps numbers small if little is known of them."""

Sample = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Sample of one hand: places, `[sets, places]`, and margins, `[sets]`; both less their means."""


class Witness:
    """A `casual` player that keeps its views when it has to pass."""

    def __init__(self, views: list[View]) -> None:
        self._views = views
        self._casual = Casual()

    def choose(self, view: View, clock: Clock) -> SeatAction:
        if view.state.phase is Phase.PASSING:
            self._views.append(view)
        return self._casual.choose(view, clock)


def hands(rules: Ruleset, seed: int) -> Iterator[View]:
    """Yield hands that have to pass, one deal after the other."""
    number = 0
    while True:
        views: list[View] = []
        owners = [BotOwner(Witness(views), seat) for seat in range(rules.players)]
        run_at(table_of(rules, seed, number, False), ["casual"] * rules.players, owners)
        yield from views
        number += 1


def sample(view: View, worlds: int, seed: int) -> Sample:
    """The sets of one hand, played out."""
    heavy, count = burdens(view)[:CARDS], view.deal.pass_size
    sets = [mask_of(cards) for cards in combinations(heavy, count)]
    seat = view.seat
    assert seat is not None
    options: Options = {each: (Pass(seat, handed_out(view, each)),) for each in sets}
    clock = Clock(simulations=worlds * len(sets))
    hunt = Hunt(view, options, LESS["expert-points"], clock, Budget(clock), seed, 1)
    hunt.add(worlds)
    margins = hunt.race.margins
    found = np.array([described(view, each) for each in sets])
    return found - found.mean(axis=0), margins - margins.mean()


def described(view: View, given: int) -> NDArray[np.float64]:
    """`[places]`: how much of each place a hand has after a pass."""
    found = np.zeros(len(LEARNED))
    hand = view.hand.mask
    for suit in SUIT_MASKS:
        for place, much in places(view.deal.rules, suit, hand & suit, hand & suit & ~given):
            found[place] += much / ONE
    return found


def fitted(samples: list[Sample]) -> NDArray[np.float64]:
    """The numbers, by ridge regression."""
    found, margins = map(np.concatenate, zip(*samples, strict=True))
    square = found.T @ found + RIDGE * np.eye(len(LEARNED))
    numbers: NDArray[np.float64] = np.linalg.solve(square, found.T @ margins)
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hands", type=int, default=300, help="of each table")
    parser.add_argument("--worlds", type=int, default=24, help="that each set is played out in")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tables: list[list[Sample]] = []
    for number, (preset, players) in enumerate(TABLES):
        dealt = hands(make_ruleset(preset, {"players": players}), options.seed + number)
        tables.append([sample(next(dealt), options.worlds, each) for each in range(options.hands)])
    numbers = fitted([each for table in tables for each in table[1::4] + table[2::4] + table[3::4]])
    for (preset, players), table in zip(TABLES, tables, strict=True):
        found, margins = map(np.concatenate, zip(*table[::4], strict=True))
        told = found @ numbers
        shared = (told * margins).mean()
        explained = (2 * shared - told.var()) / margins.var()
        print(f"{preset} {players}: {explained:.0%} explained, factor {shared / told.var():.2f}")
    numbers = fitted([each for table in tables for each in table])
    print(", ".join(f"{ONE * number:.0f}" for number in numbers))


if __name__ == "__main__":
    main()
