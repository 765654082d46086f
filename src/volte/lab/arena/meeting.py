"""Several contestants: all against all, two at a time or at one table, and their ratings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from operator import add
from typing import NamedTuple

from openskill.models import PlackettLuce

from volte.cards import VolteError
from volte.lab.arena.contest import DuelResult
from volte.lab.arena.contestant import Contestant
from volte.lab.arena.duel import Duel
from volte.lab.arena.standing import DeckScore, SideTotals
from volte.lab.arena.statistics import Mean
from volte.rules import Ruleset


def duels_of(
    contestants: Sequence[Contestant],
    rules: Ruleset,
    seed: int,
    decks: int,
    *,
    seatings: int | None = None,
    matches: bool = False,
    table: bool = False,
) -> tuple[Duel, ...]:
    """One duel of each pair of contestants, on the same decks; or one duel of all of them.

    Args:
        table: whether all sit at one table, each in one seat.
        seed, decks, seatings, matches: see `Duel`.

    Raises `VolteError`: `contestants_few`, `contestant_twice`, and see `Duel`.
    """
    if len(contestants) < 2:
        raise VolteError("contestants_few")
    names = [contestant.name for contestant in contestants]
    for name in names:
        if names.count(name) > 1:
            raise VolteError("contestant_twice", name=name)
    pairs = [tuple(contestants)] if table else list(combinations(contestants, 2))
    return tuple(Duel(rules, pair, seed, decks, seatings, matches) for pair in pairs)


class SkillRating(NamedTuple):
    """Strength of a contestant among the others: higher is stronger, 25 before any game."""

    mu: float
    sigma: float  # uncertainty of `mu`, one standard deviation


class Meeting(NamedTuple):
    """The results of several duels among the same contestants."""

    contestants: tuple[Contestant, ...]  # all of them, in the order given
    results: tuple[DuelResult, ...]

    def margin(self, first: Contestant, second: Contestant) -> Mean:
        """Points per deal and seat that the second takes more than the first; see `DuelResult`."""
        result, *sides = self._between(first, second)
        return result.margin(*sides)

    def lead(self, first: Contestant, second: Contestant) -> Mean:
        """Part of a match that the first wins more than the second; see `DuelStanding.lead`."""
        result, *sides = self._between(first, second)
        return result.standing.lead(*sides)

    def gain(self, first: Contestant, second: Contestant) -> Mean:
        """Stakes of a match that the first wins more than the second; see `DuelStanding.gain`."""
        result, *sides = self._between(first, second)
        return result.standing.gain(*sides)

    def _between(self, first: Contestant, second: Contestant) -> tuple[DuelResult, int, int]:
        """The duel of those two, and the numbers of their sides in it."""
        for result in self.results:
            sides = result.duel.sides
            if first in sides and second in sides:
                return result, sides.index(first), sides.index(second)
        raise VolteError("no_such_duel", first=first.name, second=second.name)

    def side(self, contestant: Contestant) -> SideTotals:
        """The totals of a contestant in all its duels together."""
        sides = [
            result.standing.sides[result.duel.sides.index(contestant)]
            for result in self.results
            if contestant in result.duel.sides
        ]
        return reduce(add, sides)

    def deals(self, contestant: Contestant) -> int:
        """Deals that a contestant has played, in all seatings."""
        return sum(
            result.standing.deals for result in self.results if contestant in result.duel.sides
        )

    def ratings(self) -> tuple[SkillRating, ...]:
        """Ratings of the contestants, by the model of Plackett and Luce (Weng and Lin 2011).

        A deck in all its seatings, or a match in all of them, is one game: the side with fewer
        points a seat ranks higher, in matches the side that has won more. Games count deck by deck.
        """
        model = PlackettLuce()
        ratings = {contestant: model.rating() for contestant in self.contestants}
        for sides, score in self._games():
            teams = [[ratings[side]] for side in sides]
            for side, (rating,) in zip(sides, model.rate(teams, ranks=_ranks(score)), strict=True):
                ratings[side] = rating
        return tuple(SkillRating(rating.mu, rating.sigma) for rating in ratings.values())

    def _games(self) -> Iterator[tuple[tuple[Contestant, ...], DeckScore]]:
        decks = max((result.duel.decks for result in self.results), default=0)
        for number in range(decks):
            for result in self.results:
                score = result.standing.scores.get(number)
                if score is not None:
                    yield result.duel.sides, score


def _ranks(score: DeckScore) -> list[float]:
    """Rank of each side, 0 for the best; equal sides share a rank."""
    wins = score.wins or (0,) * len(score.points)
    worth = [(-won, points) for won, points in zip(wins, score.points, strict=True)]
    return [float(sum(other < own for other in worth)) for own in worth]
