"""Luck and play of a seat in numbers: of a match, and of all matches of a person.

The share is what an average hand of the deal was worth. Luck is how much worse one's cards were,
play how many points came beyond the worth of one's cards; the three add up to the points
(docs/review.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from math import sqrt
from typing import Any, Final, NamedTuple, Self

import msgspec

from volte.bots.judged import DealLuck, Parts, together
from volte.rules import Ruleset
from volte.store.rows import MatchRow

FEW: Final = 30
"""Number of deals from which one can tell a mean from chance."""

MUCH: Final = 13.0
"""Points by luck, for or against a seat, from which a deal is told by itself: half of a usual
deal's points."""

SURE: Final = 2.0
"""Standard errors from which a mean counts as more than chance."""

DAY: Final = 24 * 3600.0  # seconds


class SeatLuck(msgspec.Struct, frozen=True):
    """Luck and play of a seat in a match.

    Sums are over the counted deals, those whose cards had a known worth. Who sat there, and whether
    it counts for them, stands in the results of the match.
    """

    match: str
    seat: int
    day: int  # on which the match ended, in days since 1970 in UTC
    given: bool  # whether its cards were set, such as those of another match
    deals: int  # deals counted
    lost: int  # other deals that were scored
    points: int
    luck: float
    play: float
    luck_squares: float  # sum of the squares of the luck in each deal
    play_squares: float
    course: dict[str, Any]  # `deals`: of each deal counted, its number, points, luck and play

    @property
    def parts(self) -> Parts | None:
        """The sums over the deals counted; None if there are none."""
        share = self.points - self.luck - self.play  # of an average hand
        return Parts(self.points, share, self.luck, self.play) if self.deals else None

    def lucky(self, rules: Ruleset) -> Iterator[tuple[int, float]]:
        """Number and luck of the deals with much luck, good or bad."""
        for number, _, luck, _ in self.course["deals"]:
            if is_much(luck, rules):
                yield number, luck


def is_much(luck: float, rules: Ruleset) -> bool:
    """Whether a deal with that luck, good or bad, is told by itself: from `MUCH` points on or,
    where deals have more points than usual, from half of them on."""
    return abs(luck) >= max(MUCH, rules.penalty_total / 2)


def lucks_of(
    row: MatchRow, players: int, deals: Sequence[DealLuck], given: bool = False
) -> list[SeatLuck]:
    """The luck of each seat in a match.

    Args:
        deals: all that were scored.
        given: whether the cards were set, such as those of another match.
    """
    return [_luck_of(row, seat, deals, given) for seat in range(players)]


def _luck_of(row: MatchRow, seat: int, deals: Sequence[DealLuck], given: bool) -> SeatLuck:
    found = [(deal.number, parts) for deal in deals if (parts := deal.parts(seat)) is not None]
    sums = together(deals, seat)
    return SeatLuck(
        match=row.id,
        seat=seat,
        day=int((row.ended or 0.0) // DAY),
        given=given,
        deals=len(found),
        lost=len(deals) - len(found),
        points=round(sums.points) if sums else 0,
        luck=sums.luck if sums else 0.0,
        play=sums.play if sums else 0.0,
        luck_squares=sum(parts.luck**2 for _, parts in found),
        play_squares=sum(parts.play**2 for _, parts in found),
        course={
            "deals": [
                [number, round(parts.points), parts.luck, parts.play] for number, parts in found
            ]
        },
    )


class LuckSum(NamedTuple):
    """Sums of `SeatLuck` over the matches of a person in a game that ended on one day; or over
    several days or games."""

    rules: str  # the game; empty for several
    day: int  # in days since 1970, the last of several
    matches: int  # matches with counted deals
    silent: int  # matches without any
    deals: int
    points: int
    luck: float
    play: float
    luck_squares: float
    play_squares: float

    @classmethod
    def over(cls, some: Iterable[LuckSum], rules: str = "") -> Self:
        """One sum over matches of several days or games."""
        rows: list[LuckSum] = [cls(rules, 0, *(0,) * 8), *some]
        sums = (sum(values) for values in list(zip(*rows, strict=True))[2:])
        return cls(rules, max(each.day for each in rows), *sums)

    @property
    def share(self) -> float:
        """The points of average hands."""
        return self.points - self.luck - self.play

    @property
    def mean_luck(self) -> LuckMean:
        """Mean luck in a deal, in points; below 0 where the cards were better than average."""
        return LuckMean.of(self.deals, self.luck, self.luck_squares)

    @property
    def mean_play(self) -> LuckMean:
        """Mean points that the play has cost in a deal; below 0 where it has saved some."""
        return LuckMean.of(self.deals, self.play, self.play_squares)


class LuckMean(NamedTuple):
    """A mean with its error."""

    value: float
    error: float | None  # one standard error; None of fewer than two values
    number: int  # of the values

    @classmethod
    def of(cls, count: int, total: float, squares: float) -> Self:
        """The mean of some values, by their sum and that of their squares."""
        if count < 2:
            return cls(total / max(count, 1), None, count)
        variance = max(squares - total**2 / count, 0.0) / (count - 1)
        return cls(total / count, sqrt(variance / count), count)

    @property
    def few(self) -> bool:
        """Whether there are too few values to tell chance from anything else."""
        return self.error is None or self.number < FEW

    @property
    def sure(self) -> bool:
        """Whether it is more than chance."""
        return not self.few and abs(self.value) > SURE * (self.error or 0.0)


class LuckSpan(NamedTuple):
    """A span of time with matches: a day, a month or a year."""

    parts: tuple[int, ...]  # year, month and day; a month without its day, a year alone
    sums: LuckSum


MOST_SPANS: Final = 24


def spans(sums: Iterable[LuckSum]) -> list[LuckSpan]:
    """The sums by day, in their order; by month or by year where days or months are too many."""
    ordered = sorted((each for each in sums if each.deals), key=lambda each: each.day)
    found = dict[tuple[int, ...], list[LuckSum]]()
    for length in (3, 2, 1):
        found = {}
        for each in ordered:
            found.setdefault(_date(each.day)[:length], []).append(each)
        if len(found) <= MOST_SPANS:
            break
    return [LuckSpan(parts, LuckSum.over(some)) for parts, some in found.items()]


def _date(day: int) -> tuple[int, int, int]:
    found = date(1970, 1, 1) + timedelta(day)
    return found.year, found.month, found.day
