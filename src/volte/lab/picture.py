"""Base of the laboratory's pictures: a title, and means in rows with their margins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from volte.console.plot import COLOURS, MARKERS, WIDTH
from volte.lab.arena.statistics import Mean
from volte.lab.report import places_for, with_margin
from volte.say import Words, measures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE: Final = 0.8
SEAT: Final = 0.45
"""Heights of the title and of a row, in inches."""


def titled(title: str, height: float) -> Figure:
    """An empty picture below its title.

    Args:
        height: of what stands below the title, in inches.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, TITLE + height), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", weight="bold", wrap=True)
    return figure


def put_rows(
    words: Words, panel: Axes, names: Sequence[str], means: Sequence[Mean], kinds: Sequence[int]
) -> None:
    """Draw a row for each mean, with its name on the left, its margin, and both in figures.

    Args:
        kinds: numbers from 0; equal ones have the same mark and colour.
    """
    places = places_for(means)
    for row, (mean, kind) in enumerate(zip(means, kinds, strict=True)):
        panel.errorbar(
            mean.value,
            row,
            xerr=mean.margin,
            fmt=MARKERS[kind % len(MARKERS)],
            color=COLOURS[kind % len(COLOURS)],
            markersize=7,
            capsize=4,
            linewidth=1.8,
        )
        figures, beside = with_margin(words, mean, places), panel.get_yaxis_transform()
        panel.text(1.02, row, figures, transform=beside, va="center")
    panel.set_yticks(range(len(means)), names)
    panel.set_ylim(len(means) - 0.5, -0.5)
    panel.margins(x=0.1)
    panel.grid(axis="x")
    panel.tick_params(axis="y", length=0)
    panel.xaxis.set_major_formatter(lambda value, _: measures.shortest(words, value))
