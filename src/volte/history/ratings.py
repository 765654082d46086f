"""Ratings of people after rated matches.

They are by the model of Plackett and Luce (Weng, Lin 2011). People are rated against people: bots
are left out. A player who leaves is rated as last, but the others are not rated against them, so
that a stand-in neither helps nor harms anybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

from volte.history.results import Side

MODEL: Final = PlackettLuce()

SCALE: Final = 40
MIDDLE: Final = 1500
"""Scale of ratings as shown: 1500 before the first match, and 40 for each point of the model."""

LIKELY: Final = 2
"""Standard deviations on either side of a rating that are shown as its margin."""

ENOUGH: Final = 10
"""Rated matches from which on a rating is ranked among the others."""


class Skill(NamedTuple):
    """The estimated strength of a player: a mean and its standard deviation."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """The rating as it is shown."""
        return round(MIDDLE + (self.mu - MODEL.mu) * SCALE)

    @property
    def margin(self) -> int:
        """Half the width of the interval that holds the true strength 19 times in 20."""
        return round(self.sigma * LIKELY * SCALE)


UNKNOWN: Final = Skill(MODEL.mu, MODEL.sigma)


def rated(
    sides: Sequence[Side], before: Mapping[str, Skill], *, compared: bool = True
) -> dict[str, Skill]:
    """The skills that a match changes, by person.

    On a side that a person has left, only that person is rated: as last, against the people who
    stayed on the other sides. If nobody stayed there, the skill does not change.

    Args:
        before: skills before the match; people not in it are new.
        compared: whether people who stayed are rated against each other: not if the match has
            no end.
    """
    sides = sorted(sides)
    whole = [side for side in sides if compared and side.stayed and not side.left]
    after = _after(whole, before) if len(whole) > 1 else {}
    for side in sides:
        others = [other for other in sides if other is not side and other.stayed]
        last = 1 + max((other.place for other in others), default=0)
        for person in side.left if others else ():
            after[person] = _after([*others, Side(last, (person,))], before)[person]
    return after


def _after(sides: Sequence[Side], before: Mapping[str, Skill]) -> dict[str, Skill]:
    """The skills of the people who stayed, updated by the places of their sides."""
    teams = [
        [MODEL.rating(*before.get(person, UNKNOWN)) for person in side.stayed] for side in sides
    ]
    found = MODEL.rate(teams, ranks=[float(side.place) for side in sides])
    return {
        person: Skill(rating.mu, rating.sigma)
        for side, team in zip(sides, found, strict=True)
        for person, rating in zip(side.stayed, team, strict=True)
    }
