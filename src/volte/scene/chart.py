"""Drawings for the eyes, in SVG: the totals of a score sheet, chances, luck and play.

The table beside a drawing says it all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from volte.names import isolated
from volte.say.language import Language
from volte.sheet import Table

WIDTH: Final = 320
HEIGHT: Final = 190
LEFT: Final = 30
RIGHT: Final = 190  # where the lines end; names follow
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
"""Dash pattern of each line, to tell the lines apart without colours."""

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
"""Path of the sign on each line."""

HUES_OF_LUCK: Final = (5, 1)
"""Colours of the lines of luck and of play."""


def chart_of(
    words: Language,
    names: Sequence[str],
    hues: Sequence[int],
    table: Table,
    own: int | None = None,
) -> str:
    """The drawing of a sheet; empty before its first deal.

    Args:
        names: by seat.
        hues: the colours of the players' faces, by seat; partners have that of the first of them.
        own: the seat whose line stands out.
    """
    sides = table.sides
    rows = [[row.totals[side[0]] for side in sides] for row in table.rows if row.counts]
    if not rows:
        return ""
    limit, sums = table.limit, [[0] * len(sides), *rows]
    every = [total for some in sums for total in some]
    low = min(0, *every)
    high = max(limit or 0, low + 10, *every)
    plan = _Plan(words, sums, [hues[side[0]] for side in sides], low, high)
    heights = {plan.low, 0, plan.high if limit is None else limit}
    step = _step(len(rows))
    count = len(sums)
    mine = next((at for at, side in enumerate(sides) if own in side), None)
    called = [" & ".join(names[seat] for seat in side) for side in sides]
    return _drawing(
        *(plan.level(total, total == limit) for total in sorted(heights)),
        plan.numbers((deal, deal) for deal in range(step, count, step)),
        # The own line comes last, above the others
        *(
            plan.line(at, range(1, count) if count <= MOST_MARKS else [count - 1], at == mine)
            for at in sorted(range(len(sides)), key=lambda at: at == mine)
        ),
        *plan.labels(called, mine),
    )


def chart_of_chances(
    words: Language,
    name: str,
    hue: int,
    chances: Sequence[int],
    deals: Sequence[tuple[int, int]],
    marked: Sequence[int],
) -> str:
    """One line of chances in 100, from choice to choice; empty where there are too few.

    Args:
        name: the player whose chances they are.
        hue: the colour of the player's face.
        deals: the place of the first choice of each deal, and the number of the deal.
        marked: the places that have a mark.
    """
    if len(chances) < 2:
        return ""
    plan = _Plan(words, [[chance] for chance in chances], [hue], 0, 100)
    step = _step(len(deals))
    return _drawing(
        *(plan.level(chance) for chance in (0, 50, 100)),
        plan.numbers((place, deal) for place, deal in deals if (deal - 1) % step == 0),
        plan.line(0, marked),
        *plan.labels([name]),
    )


def chart_of_luck(
    words: Language,
    names: Sequence[str],
    sums: Sequence[tuple[int, int]],
    chance: Sequence[int] = (),
) -> str:
    """The sums of luck and of play as two lines, from span to span; empty where there are none.

    Args:
        names: of the two lines.
        sums: after each span.
        chance: after each span, how far luck may come from 0 by chance, as dots on either side.
    """
    if not sums:
        return ""
    bounds = [0, *chance]
    every = [*(total for some in sums for total in some), *bounds, *(-each for each in bounds)]
    low, high = min(*every, -5), max(*every, 5)
    plan = _Plan(words, [(0, 0), *sums], HUES_OF_LUCK, low, high)
    return _drawing(
        *(plan.level(total) for total in sorted({low, 0, high})),
        *((plan.bound(bounds), plan.bound([-each for each in bounds])) if chance else ()),
        *(plan.line(at, [len(sums)]) for at in (1, 0)),
        *plan.labels(names),
    )


def _step(deals: int) -> int:
    """The step between the deals that have a number."""
    return next((each for each in APART if deals / each <= MOST_NUMBERS), 100)


def _drawing(*parts: str) -> str:
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false"'
    return f"<svg {size}>{''.join(parts)}</svg>"


def _mark(line: int, x: float, y: float) -> str:
    return f'<path class="mark" d="{MARKS[line]}" transform="translate({x} {y})"/>'


@dataclass(frozen=True)
class _Plan:
    """Scale of a chart, which makes its parts."""

    words: Language
    sums: Sequence[Sequence[int]]  # from the beginning on, the total of each line
    hues: Sequence[int]  # the colour of each line
    low: int
    high: int

    def x(self, place: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * place / (len(self.sums) - 1), 1)

    def y(self, total: int) -> float:
        share = (self.high - total) / (self.high - self.low)
        return round(TOP + (HEIGHT - TOP - BOTTOM) * share, 1)

    def level(self, total: int, limit: bool = False) -> str:
        """A total, and a line across at its height."""
        y, number = self.y(total), self.words.number(total)
        return (
            f'<g class="{"limit" if limit else "level"}"><path d="M{LEFT} {y}H{RIGHT}"/>'
            f'<text x="{LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{number}</text></g>'
        )

    def numbers(self, deals: Iterable[tuple[int, int]]) -> str:
        """Numbers of deals below their places."""
        return "".join(
            (
                '<g class="deals">',
                *(
                    f'<text x="{self.x(place)}" y="{HEIGHT - 5}" text-anchor="middle">{deal}</text>'
                    for place, deal in deals
                ),
                "</g>",
            )
        )

    def line(self, line: int, marked: Iterable[int], own: bool = False) -> str:
        """A line from place to place, with marks at some of them."""
        points = [(self.x(place), self.y(some[line])) for place, some in enumerate(self.sums)]
        path = "M" + "L".join(f"{x} {y}" for x, y in points)
        dashes = f' stroke-dasharray="{DASHES[line]}"' if DASHES[line] else ""
        marks = "".join(_mark(line, *points[place]) for place in marked)
        kind = f"line hue-{self.hues[line]}{' own' if own else ''}"
        return f'<g class="{kind}"><path d="{path}"{dashes}/>{marks}</g>'

    def bound(self, totals: Sequence[int]) -> str:
        """A dotted line through these totals, from place to place."""
        points = (f"{self.x(place)} {self.y(total)}" for place, total in enumerate(totals))
        return f'<g class="bound"><path d="M{"L".join(points)}"/></g>'

    def labels(self, names: Sequence[str], own: int | None = None) -> Iterator[str]:
        """Names and totals at the ends of the lines, as near to them as there is room."""
        last = self.sums[-1]
        order = sorted(range(len(names)), key=lambda line: self.y(last[line]))
        places: dict[int, float] = {}
        least = float(TOP)
        for line in order:
            places[line] = max(self.y(last[line]), least)
            least = places[line] + GAP
        most = float(HEIGHT - BOTTOM)
        for line in reversed(order):
            places[line] = min(places[line], most)
            most = places[line] - GAP
        for line, name in enumerate(names):
            short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
            end, y = self.y(last[line]), round(places[line], 1)
            text = escape(f"{isolated(short)} {self.words.number(last[line])}")
            yield (
                f'<g class="label hue-{self.hues[line]}{" own" if line == own else ""}">'
                f'<path d="M{RIGHT + 6} {end}L{RIGHT + 13} {y}"/>{_mark(line, RIGHT + 19, y)}'
                f'<text x="{RIGHT + 27}" y="{y + 4:.1f}">{text}</text></g>'
            )
