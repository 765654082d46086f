"""What a look back on a match has found: what choices cost, and what the cards were worth.

It is made by `volte.bots.reviewing`, and can be read without what that needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from statistics import fmean
from typing import Final

import msgspec
from msgspec.structs import astuple

from volte.bots.protocol import Estimate
from volte.bots.reasons import Reason, reasons_of
from volte.game import Pass, Play
from volte.rules import Settlement
from volte.view import View

MOST_TOLD: Final = 5
"""Choices of a seat that are shown as the costliest, one of them a pass at most."""

LEAST_POINTS: Final = 0.1
"""Fewer points are not worth showing; of a match, `DOUBT` is the least."""

DOUBT: Final = {True: 0.01, False: 0.25}
"""How little it may matter, in parts of a win or in stakes, before points count as much."""

FALLBACK: Final = 0.15
"""What part of the cost are points in any case: where nothing else matters, they do."""


# Luck


class Parts(msgspec.Struct, frozen=True):
    """What the points of a seat are made of: the share, luck and play come to them together."""

    points: float  # that it had
    share: float  # what a hand at that table was worth on average
    luck: float  # by how much its cards were worse than that
    play: float  # what it had beyond the worth of its cards, by what it did and the others did

    @property
    def cards(self) -> float:
        return self.share + self.luck


class DealLuck(msgspec.Struct, frozen=True):
    """A deal that has been played."""

    number: int
    points: tuple[int, ...]  # by seat
    totals: tuple[int, ...]  # by seat, with these
    # By seat, what its cards would have come to, had everybody played alike; None where unknown
    cards: tuple[float, ...] | None

    def parts(self, seat: int) -> Parts | None:
        """What the points of a seat are made of; None where that is unknown."""
        if self.cards is None:
            return None
        share, cards = fmean(self.cards), self.cards[seat]
        return Parts(self.points[seat], share, cards - share, self.points[seat] - cards)


def together(deals: Iterable[DealLuck], seat: int) -> Parts | None:
    """What the points of a seat are made of, in all deals where that is known."""
    parts = [each for deal in deals if (each := deal.parts(seat)) is not None]
    if not parts:
        return None
    return Parts(*map(sum, zip(*map(astuple, parts), strict=True)))


# Choices


class Judged(msgspec.Struct, frozen=True):
    """A choice, and what the bot thinks of it."""

    number: int  # of the event that it is, from 1
    deal: int  # from 1
    trick: int  # from 1; 0 for a pass
    seat: int
    view: View  # what the seat knew
    done: Estimate  # what it did, as the bot sees it
    best: Estimate  # what the bot would have done
    weighed: tuple[Estimate, ...] = ()  # all that it has weighed, the best first
    # Whether it was looked at again, and a search with other opponents in mind agrees that it cost
    # something
    confirmed: bool = False

    @property
    def behind(self) -> float:
        """By how many points against the others it ends worse than the best; below zero where it
        ends better in points, and only the match speaks against it."""
        return self.done.margin - self.best.margin

    @property
    def points(self) -> float:
        """`behind`, but never below zero."""
        return max(0.0, self.behind)

    @property
    def error(self) -> float:
        """Two standard errors of these points, were both drawn apart."""
        return 2 * hypot(self.done.error or 0.0, self.best.error or 0.0)

    @property
    def lost(self) -> float | None:
        """What it cost in the match: a part of the win, or stakes; None where that is unknown."""
        if self.done.worth is None or self.best.worth is None:
            return None
        return max(0.0, self.best.worth - self.done.worth)

    @property
    def wins(self) -> bool:
        """Whether what is lost is a part of the win; else it is stakes."""
        return self.view.deal.rules.stakes.settlement is Settlement.NONE

    @property
    def cost(self) -> float:
        """What choices of a match are compared by: points count where the match hardly does."""
        if self.lost is None:
            return self.points
        return self.lost + FALLBACK * DOUBT[self.wins] * self.points

    @property
    def costs_points(self) -> bool:
        """Whether it surely cost points, and not next to nothing."""
        return self.behind > max(self.error, LEAST_POINTS)

    @property
    def saves_points(self) -> bool:
        return -self.behind > max(self.error, LEAST_POINTS)

    @property
    def costs_match(self) -> bool:
        """Whether it cost something of the match, and not next to nothing."""
        return (self.lost or 0.0) >= DOUBT[self.wins]

    @property
    def felt(self) -> bool:
        """Whether it cost anything that is worth telling."""
        return self.costs_points or self.costs_match

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """What speaks for the best, and not as much for what was done."""
        done, best = self.done.action, self.best.action
        assert isinstance(done, Play | Pass)
        assert isinstance(best, Play | Pass)
        return reasons_of(self.view, best, () if done == best else (done,))


class Review(msgspec.Struct, frozen=True):
    """A match that has been looked back on."""

    judged: tuple[Judged, ...]  # every choice of those seats that was one, in order
    deals: tuple[DealLuck, ...]  # those that were scored
    left_out: int = 0  # choices of theirs that the bot could not judge

    def costliest(self, seat: int, most: int = MOST_TOLD) -> tuple[Judged, ...]:
        """The choices of a seat that cost most, the worst first; none that cost nothing."""
        own = [each for each in self.judged if each.seat == seat and each.confirmed]
        return tuple(dearest(own, most, passes=1))

    def parts(self, seat: int) -> Parts | None:
        """Of all deals that can be taken apart, together; None where none can."""
        return together(self.deals, seat)


def dearest(judged: list[Judged], most: int, passes: int) -> list[Judged]:
    """The worst of them, the worst first, with so many passes at most."""
    order = sorted(judged, key=lambda each: (-each.cost, each.number))
    left_out = {each.number for each in [each for each in order if not each.trick][passes:]}
    return [each for each in order if each.number not in left_out][:most]
