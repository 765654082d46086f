"""Results of reviewing a match: the cost of choices, and the worth of the cards.

They are made by `volte.bots.reviewing`, and can be read without the compiled code it needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from statistics import fmean
from typing import Final

import msgspec
from msgspec.structs import astuple

from volte.bots.hints import Other, Reason
from volte.bots.protocol import Estimate
from volte.bots.queen import discard_of_queen, keeps_queen, kept_queen
from volte.bots.reasons import reasons_of
from volte.game import Pass, Play
from volte.rules import Settlement
from volte.view import View

MOST_TOLD: Final = 5
"""Choices of a seat that are shown as the costliest, one of them a pass at most."""

LEAST_POINTS: Final = 0.1
"""Least points worth showing; the least cost in the match is `DOUBT`."""

DOUBT: Final = {True: 0.01, False: 0.25}
"""Least cost that matters in the match, by `wins`: as a part of the win, or in stakes."""

FALLBACK: Final = 0.15
"""Weight of points in any cost, so that they decide where nothing else matters."""


# Luck


class Parts(msgspec.Struct, frozen=True):
    """Parts of a seat's points: share, luck and play add up to them."""

    points: float  # of the seat
    share: float  # average points of a seat at that table
    luck: float  # points by which its cards were worse than an average hand
    play: float  # points by its own play and the others'

    @property
    def cards(self) -> float:
        return self.share + self.luck


class DealLuck(msgspec.Struct, frozen=True):
    """A deal that has been played."""

    number: int
    points: tuple[int, ...]  # by seat
    totals: tuple[int, ...]  # by seat, after this deal
    # By seat, expected points of its cards if all had played alike; None where unknown
    cards: tuple[float, ...] | None

    def parts(self, seat: int) -> Parts | None:
        """Return the parts of a seat's points; None where they are unknown."""
        if self.cards is None:
            return None
        points, share = self.points[seat], fmean(self.points)
        luck = self.cards[seat] - fmean(self.cards)
        return Parts(points, share, luck, points - share - luck)


def together(deals: Iterable[DealLuck], seat: int) -> Parts | None:
    """Return the sums of a seat's parts over the deals where they are known; None if nowhere."""
    parts = [each for deal in deals if (each := deal.parts(seat)) is not None]
    if not parts:
        return None
    return Parts(*map(sum, zip(*map(astuple, parts), strict=True)))


# Choices


class Judged(msgspec.Struct, frozen=True):
    """A choice, with the bot's judgement of it."""

    number: int  # of the event of the choice, from 1
    deal: int  # from 1
    trick: int  # from 1; 0 for a pass
    seat: int
    view: View  # of the seat, at the time of the choice
    done: Estimate  # the bot's estimate of the action taken
    best: Estimate  # the bot's estimate of the action that it would have taken
    weighed: tuple[Estimate, ...] = ()  # all actions weighed, the best first
    # Whether it was judged a second time, and a search that assumes other opponents agrees that it
    # had a cost
    confirmed: bool = False

    @property
    def behind(self) -> float:
        """Points against the opponents by which it ends worse than the best; below zero where it
        ends better in points, and only the match speaks against it."""
        return self.done.margin - self.best.margin

    @property
    def points(self) -> float:
        """`behind`, but never below zero."""
        return max(0.0, self.behind)

    @property
    def error(self) -> float:
        """Two standard errors of `points`, as if both estimates were independent."""
        return 2 * hypot(self.done.error or 0.0, self.best.error or 0.0)

    @property
    def lost(self) -> float | None:
        """Cost in the match: a part of the win, or stakes; None where unknown."""
        if self.done.worth is None or self.best.worth is None:
            return None
        return max(0.0, self.best.worth - self.done.worth)

    @property
    def wins(self) -> bool:
        """Whether `lost` is a part of the win; else it is stakes."""
        return self.view.deal.rules.stakes.settlement is Settlement.NONE

    @property
    def cost(self) -> float:
        """Cost by which choices are compared; points count where the match hardly does."""
        if self.lost is None:
            return self.points
        return self.lost + FALLBACK * DOUBT[self.wins] * self.points

    @property
    def costs_points(self) -> bool:
        """Whether it surely cost points, and enough to show."""
        return self.behind > max(self.error, LEAST_POINTS)

    @property
    def saves_points(self) -> bool:
        return -self.behind > max(self.error, LEAST_POINTS)

    @property
    def costs_match(self) -> bool:
        """Whether it cost enough in the match to show."""
        return (self.lost or 0.0) >= DOUBT[self.wins]

    @property
    def felt(self) -> bool:
        """Whether it had any cost worth showing."""
        return self.costs_points or self.costs_match

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Reasons that hold for the best action, and not as much for the one taken."""
        done, best = self.done.action, self.best.action
        assert isinstance(done, Play | Pass)
        assert isinstance(best, Play | Pass)
        weighed = self.weighed or (self.best, self.done)
        return reasons_of(self.view, best, () if done == best else (done,), weighed)

    @property
    def queen(self) -> Reason | None:
        """The reason for keeping the queen of spades, where she was discarded or passed instead."""
        done, best = self.done.action, self.best.action
        assert isinstance(done, Play | Pass)
        assert isinstance(best, Play | Pass)
        if keeps_queen(self.view, done):
            return None
        discard = discard_of_queen(self.view, best, [Other.beside(self.done, self.best)])
        return kept_queen(self.view, best, self.reasons, discard, self.wins, self.best.moon)


class Review(msgspec.Struct, frozen=True):
    """A match that has been reviewed."""

    judged: tuple[Judged, ...]  # every real choice of the reviewed seats, in order
    deals: tuple[DealLuck, ...]  # the deals that were scored
    left_out: int = 0  # choices of the reviewed seats that the bot could not judge

    def costliest(self, seat: int, most: int = MOST_TOLD) -> tuple[Judged, ...]:
        """The confirmed choices of a seat that cost most, the worst first."""
        own = [each for each in self.judged if each.seat == seat and each.confirmed]
        return tuple(dearest(own, most, passes=1))

    def parts(self, seat: int) -> Parts | None:
        """Return the sums of a seat's parts over the deals where they are known; None if none."""
        return together(self.deals, seat)


def dearest(judged: list[Judged], most: int, passes: int) -> list[Judged]:
    """Return at most `most` of the costliest choices, the worst first, at most `passes` passes."""
    order = sorted(judged, key=lambda each: (-each.cost, each.number))
    left_out = {each.number for each in [each for each in order if not each.trick][passes:]}
    return [each for each in order if each.number not in left_out][:most]
