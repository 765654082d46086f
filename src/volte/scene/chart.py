"""Drawing of the totals, made here so that it needs no script: the twin of `chart.js`; and a
drawing of chances.

It is for the eyes; the table beside it says it all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from volte.names import isolated
from volte.rules import Ruleset
from volte.sheet import Table
from volte.web.fields import signed

WIDTH: Final = 320
HEIGHT: Final = 190
LEFT: Final = 30
RIGHT: Final = 130
TOP: Final = 12
BOTTOM: Final = 22
GAP: Final = 14  # between the names at the ends of the lines

LONGEST_NAME: Final = 8
MOST_MARKS: Final = 15
MOST_NUMBERS: Final = 6
APART: Final = (1, 2, 5, 10, 20, 50)
"""Possible steps between the deals that have a number below them."""

DASHES: Final = (
    *("", "7 3", "2 3", "9 3 2 3", "4 2"),
    *("12 4", "6 2 2 2 2 2", "1 2", "14 2 2 2", "3 6"),
)
"""Dash pattern of each seat's or side's line, to tell the lines apart without colours."""

MARKS: Final = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-3.6-3.6h7.2v7.2h-7.2z",
    "M0-5L5 0L0 5L-5 0z",
    "M0-4.6L4.6 3.6H-4.6z",
    "M0 4.6L4.6-3.6H-4.6z",
    "M-4-4L4 4M4-4L-4 4",
    "M0-5V5M-5 0H5",
    "M-5 0A5 5 0 0 1 5 0z",
    "M-4.5-2.5H4.5M-4.5 2.5H4.5",
    "M0-5L1.6-1.6L5 0L1.6 1.6L0 5L-1.6 1.6L-5 0L-1.6-1.6z",
)
"""Path of the sign on each seat's or side's line."""


@dataclass(frozen=True)
class Chart:
    """A chart in the shape that the template draws."""

    levels: tuple[tuple[float, str, bool], ...]  # horizontal lines: y, total, whether the limit
    numbers: tuple[tuple[float, int], ...]  # numbers of deals: x, number
    # Per seat or side: path, dash pattern and places of the marks of its line; then the height of
    # the line's end, the height of its label, and the label
    lines: tuple[tuple[str, str, tuple[tuple[float, float], ...]], ...]
    labels: tuple[tuple[float, float, str], ...]
    marks: tuple[str, ...] = MARKS
    size: tuple[int, int] = (WIDTH, HEIGHT)
    left: int = LEFT
    right: int = WIDTH - RIGHT


@dataclass(frozen=True)
class _Plan:
    """Scale of a chart: places of deals and totals in the drawing."""

    sums: Sequence[Sequence[int]]
    low: int
    high: int

    def x(self, deal: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * deal / (len(self.sums) - 1), 1)

    def y(self, total: int) -> float:
        share = (self.high - total) / (self.high - self.low)
        return round(TOP + (HEIGHT - TOP - BOTTOM) * share, 1)


def chart_of(rules: Ruleset, names: Sequence[str], table: Table) -> Chart | None:
    """The drawing of a sheet; None before its first deal."""
    called = [" & ".join(names[seat] for seat in side) for side in rules.all_sides]
    rows = [[row.totals[side[0]] for side in rules.all_sides] for row in table.rows if row.counts]
    sums = [[0] * len(called), *rows]
    if not rows:
        return None
    limit = table.limit
    every = [total for some in sums for total in some]
    low = min(0, *every)
    plan = _Plan(sums, low, max(limit or 0, low + 10, *every))
    heights = {plan.low, 0, plan.high if limit is None else limit}
    step = next((each for each in APART if len(rows) / each <= MOST_NUMBERS), 100)
    return Chart(
        tuple((plan.y(total), signed(total), total == limit) for total in sorted(heights)),
        tuple((plan.x(deal), deal) for deal in range(step, len(sums), step)),
        tuple(_line(plan, seat) for seat in range(len(called))),
        tuple(_labels(plan, called)),
    )


def chart_of_chances(
    name: str, chances: Sequence[int], deals: Sequence[tuple[int, int]], marked: Sequence[int]
) -> Chart | None:
    """One line of chances in 100, from choice to choice; None where there are too few.

    Args:
        name: the player whose chances they are.
        deals: the place of the first choice of each deal, and the number of the deal.
        marked: the places that have a mark.
    """
    if len(chances) < 2:
        return None
    plan = _Plan([[chance] for chance in chances], 0, 100)
    step = next((each for each in APART if len(deals) / each <= MOST_NUMBERS), 100)
    path, dashes, _ = _line(plan, 0)
    marks = tuple((plan.x(place), plan.y(chances[place])) for place in marked)
    return Chart(
        tuple((plan.y(chance), signed(chance), False) for chance in (0, 50, 100)),
        tuple((plan.x(place), deal) for place, deal in deals if (deal - 1) % step == 0),
        ((path, dashes, marks),),
        tuple(_labels(plan, [name])),
    )


def _line(plan: _Plan, seat: int) -> tuple[str, str, tuple[tuple[float, float], ...]]:
    points = tuple((plan.x(deal), plan.y(some[seat])) for deal, some in enumerate(plan.sums))
    path = "M" + "L".join(f"{x} {y}" for x, y in points)
    return path, DASHES[seat], points[1:] if len(points) <= MOST_MARKS else points[-1:]


def _labels(plan: _Plan, names: Sequence[str]) -> Iterator[tuple[float, float, str]]:
    """Labels (name and total) at the ends of the lines, as near to them as there is room."""
    last = plan.sums[-1]
    order = sorted(range(len(names)), key=lambda seat: plan.y(last[seat]))
    places: dict[int, float] = {}
    least = float(TOP)
    for seat in order:
        places[seat] = max(plan.y(last[seat]), least)
        least = places[seat] + GAP
    most = float(HEIGHT - BOTTOM)
    for seat in reversed(order):
        places[seat] = min(places[seat], most)
        most = places[seat] - GAP
    for seat, name in enumerate(names):
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        label = f"{isolated(short)} {signed(last[seat])}"
        yield plan.y(last[seat]), round(places[seat], 1), label
