"""What a rated match makes of people's ratings, by the model of Plackett and Luce (Weng, Lin 2011).

People are rated against people: bots are left out. Whoever leaves is last for themselves and for
nobody else; so the others neither lose by a stand-in nor win by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

MODEL: Final = PlackettLuce()

SCALE: Final = 40
MIDDLE: Final = 1500
"""As ratings are told: 1500 before the first match, and 40 for each point of the model."""

LIKELY: Final = 2
"""Standard deviations on either side of a rating within which it is told to lie."""

ENOUGH: Final = 10
"""Rated matches from which on a rating stands among the others."""


class Skill(NamedTuple):
    """How well somebody plays: a mean, and how unsure it is, one standard deviation."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """As it is told."""
        return round(MIDDLE + (self.mu - MODEL.mu) * SCALE)

    @property
    def margin(self) -> int:
        """Where the true one lies, 19 times in 20: so far above or below."""
        return round(self.sigma * LIKELY * SCALE)


UNKNOWN: Final = Skill(MODEL.mu, MODEL.sigma)


class Side(NamedTuple):
    """The people of one side, or one of them alone.

    Attributes:
        place: from 1; equal ones share it.
        stayed: ids of those who have played to the end.
        left: of those who have not.
    """

    place: int
    stayed: tuple[str, ...]
    left: tuple[str, ...] = ()


def rated(
    sides: Sequence[Side], before: Mapping[str, Skill], *, compared: bool = True
) -> dict[str, Skill]:
    """The skills that a match has changed.

    Sides that somebody has left are no longer what they were: of these, only who has left is
    rated, as the last of all who have stayed on the other sides. Where nobody has, nothing changes.

    Args:
        before: what is known of them; others are new.
        compared: whether those who have stayed are rated among themselves: not where the match has
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
    """Of everybody who stayed, after these places."""
    teams = [
        [MODEL.rating(*before.get(person, UNKNOWN)) for person in side.stayed] for side in sides
    ]
    found = MODEL.rate(teams, ranks=[float(side.place) for side in sides])
    return {
        person: Skill(rating.mu, rating.sigma)
        for side, team in zip(sides, found, strict=True)
        for person, rating in zip(side.stayed, team, strict=True)
    }
