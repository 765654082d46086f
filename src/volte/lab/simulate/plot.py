"""`volte simulate --plot`: points, means and the length of matches as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from volte.console.plot import COLOURS
from volte.lab.arena import Frequencies, Request, SimulationResult
from volte.lab.picture import SEAT, put_rows, titled
from volte.lab.simulate.telling import Simulation, heading
from volte.say import Words, measures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


HATCHES: Final = ("", "///", "...", "xxx", "\\\\\\", "+++", "---")
"""Hatches, which tell players apart without colour."""

MOST_BARS: Final = 80
PANEL: Final = 2.0
"""Height of a histogram, in inches."""


def picture(words: Words, simulation: Simulation) -> Figure:
    """A histogram for each player on the left; means, and lengths of matches, on the right."""
    request, statistics = simulation.request, simulation.statistics
    levels, seats = list(statistics.levels), len(request.seats)
    right_side = SEAT * seats + (PANEL if statistics.matches else 0)
    height = max(PANEL * max(2, len(levels)), right_side)
    figure = titled(heading(words, simulation), height)
    ((left, right),) = figure.subfigures(1, 2, squeeze=False, wspace=0.04)
    _histograms(words, left.subplots(len(levels), squeeze=False, sharex=True), request, statistics)
    if statistics.matches:
        means, lengths = right.subplots(2, height_ratios=(SEAT * seats, PANEL))
        _lengths(words, lengths, statistics.lengths)
    else:
        means = right.subplots()
    _means(words, means, request, statistics, levels)
    return figure


def _histograms(words: Words, panels: Any, request: Request, statistics: SimulationResult) -> None:
    by_level: dict[str, Frequencies] = {}  # of one seat in a deal, over all seats of a player
    for level, tally in zip(request.seats, statistics.seats, strict=True):
        by_level[level] = by_level.get(level, Frequencies()) + tally.points
    least = min(points.least for points in by_level.values())
    most = max(points.most for points in by_level.values())
    step = -(-(most - least + 1) // MOST_BARS)
    for place, (level, points) in enumerate(by_level.items()):
        panel = panels[place][0]
        _bars(words, panel, points, least, step, place)
        panel.axvline(points.mean.value, color="black", linewidth=1.2, linestyle=(0, (4, 2)))
        mean = measures.decimal(words, points.mean.value, 2)
        title = words.t(
            "{player}: points per deal, {mean} on average (dashed line)", player=level, mean=mean
        )
        panel.set_title(title)
    panels[-1][0].set_xlabel(words.t("Points"))


def _bars(
    words: Words, panel: Axes, counts: Frequencies, least: int, step: int, place: int
) -> None:
    """Draw shares of all, each bar standing for `step` numbers from `least` on."""
    heights: dict[int, int] = {}
    for number, times in counts.times.items():
        bar = (number - least) // step
        heights[bar] = heights.get(bar, 0) + times
    middles = [least + (bar + 0.5) * step - 0.5 for bar in heights]
    panel.bar(
        middles,
        [times / counts.number for times in heights.values()],
        width=0.85 * step,
        color=COLOURS[place % len(COLOURS)],
        hatch=HATCHES[place % len(HATCHES)],
        edgecolor="white",
        linewidth=0,
    )
    panel.grid(axis="y")
    panel.yaxis.set_major_formatter(lambda share, _: _percent(words, share))
    _whole_numbers(words, panel)


def _means(
    words: Words, panel: Axes, request: Request, statistics: SimulationResult, levels: Sequence[str]
) -> None:
    estimates = [tally.points_per_deal for tally in statistics.seats]
    names = [f"{seat} {level}" for seat, level in enumerate(request.seats, start=1)]
    put_rows(words, panel, names, estimates, [levels.index(level) for level in request.seats])
    panel.set_title(words.t("Points per deal by seat, with 95% margins"))
    panel.set_xlabel(words.t("Points"))


def _lengths(words: Words, panel: Axes, lengths: Frequencies) -> None:
    step = -(-(lengths.most - lengths.least + 1) // MOST_BARS)
    _bars(words, panel, lengths, lengths.least, step, 0)
    panel.set_title(words.t("Length of the matches"))
    panel.set_xlabel(words.t("Deals"))


def _whole_numbers(words: Words, panel: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.xaxis.set_major_formatter(lambda value, _: measures.decimal(words, value, 0))


def _percent(words: Words, share: float) -> str:
    return measures.percent(words, share, 0 if round(100 * share, 6).is_integer() else 1)
