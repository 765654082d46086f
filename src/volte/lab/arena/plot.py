"""`volte arena --plot`: every margin with its interval, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from volte.console.plot import COLOURS, WIDTH, Plot
from volte.lab import measures as means
from volte.lab.arena.telling import Arena, heading, margins_told
from volte.lab.simulate.plot import SEAT, TITLE
from volte.say import Words, measures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOOT: Final = 1.2
"""Inches for what stands below the margins."""


class ArenaPlot:
    """A picture to be drawn into a file; see `Plot`, and what it raises."""

    def __init__(self, path: Path) -> None:
        self._plot = Plot(path)

    def draw(self, words: Words, arena: Arena) -> None:
        """Writes the picture. Raises `TerminalFault`."""
        self._plot.save(lambda: picture(words, arena), heading(words, arena))


def picture(words: Words, arena: Arena) -> Figure:
    """A row for each pair, the first of them being better to the right of the line."""
    from matplotlib.figure import Figure

    told = margins_told(words, arena)
    figure = Figure(figsize=(WIDTH, TITLE + FOOT + SEAT * len(told)), layout="constrained")
    figure.suptitle(heading(words, arena), x=0.01, ha="left", weight="bold", wrap=True)
    panel = figure.subplots()
    places = means.places_for([estimate for _, estimate in told])
    for row, (_, estimate) in enumerate(told):
        panel.errorbar(
            estimate.value,
            row,
            xerr=means.margin(estimate),
            fmt="o",
            color=COLOURS[0],
            markersize=7,
            capsize=4,
            linewidth=1.8,
        )
        panel.text(
            1.02,
            row,
            means.with_margin(words, estimate, places),
            transform=panel.get_yaxis_transform(),
            va="center",
        )
    panel.axvline(0, color="black", linewidth=1.2, linestyle=(0, (4, 2)))
    panel.set_yticks(range(len(told)), [pair for pair, _ in told])
    panel.set_ylim(len(told) - 0.5, -0.5)
    panel.margins(x=0.1)
    panel.grid(axis="x")
    panel.tick_params(axis="y", length=0)
    panel.set_title(words.t("Points a deal and seat that the first takes fewer than the second"))
    panel.set_xlabel(words.t("Points, with margins of 95%"))
    panel.xaxis.set_major_formatter(lambda value, _: measures.shortest(words, value))
    return figure
