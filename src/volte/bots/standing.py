"""Worth of moons in a match, by the totals before the deal; the twin is in `volte.kernel.casual`.

A moon turns a match: it moves a seat past the others by all the points of a deal at once. Single
points hardly do: to price them by who takes them, and by how near the end is, paid nothing in
matches of `casual` among itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from volte.bots.odds import NOBODY, Shooter, Weights
from volte.rules import MoonRule, Ruleset


class MatchMoons(NamedTuple):
    """Moons in a match with those totals. Where no total ends it, they count as in a lone deal."""

    rules: Ruleset
    totals: Sequence[int]  # by seat, before the deal

    def wins_by_moon(self, seat: int, shooters: Sequence[int]) -> bool:
        """Whether a moon of the shooters ends the match with that seat in front, or level."""
        rules = self.rules
        spared = {member for shooter in shooters for member in rules.side(shooter)}
        up = 0 if rules.moon.moon is MoonRule.SHOOTER_MINUS else rules.penalty_total
        after = [
            total + up - (rules.penalty_total if other in spared else 0)
            for other, total in enumerate(self.totals)
        ]
        return max(after) >= rules.ending_total and after[seat] == min(after)

    def leads(self, seat: int) -> bool:
        """Whether no seat has a lower total."""
        return self.totals[seat] == min(self.totals)

    def hoped(self, weights: Weights, seat: int, shooters: Sequence[int]) -> int:
        """Points that full hope for a moon of one's own side is worth.

        It is worth more to a seat that is behind where the moon wins the match.
        """
        if not self.rules.ending_total or self.leads(seat):
            return weights.moon
        return weights.moon + weights.decisive * self.wins_by_moon(seat, shooters)

    def feared(self, seat: int, shooter: Shooter) -> Shooter:
        """Return the shooter, feared no more if its moon wins the match for the seat that looks."""
        if not shooter.share or shooter.ours or not self.rules.ending_total:
            return shooter
        return NOBODY if self.wins_by_moon(seat, shooter.seats) else shooter
