"""`volte review --chart`: the totals of a match, deal by deal, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from volte.console.plot import COLOURS, MARKERS, WIDTH
from volte.history.review import LookedBack, course_of_cards, courses, heading, marks
from volte.say import Words
from volte.say.measures import decimal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT: Final = 6.0
"""Inches."""

DASHES: Final = ("-", "--", "-.", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (8, 3)), (0, (1, 1)))
"""Lines that, with `MARKERS`, can be told apart without colour."""


def picture(words: Words, looked: LookedBack) -> Figure:
    """A line for each side, one for the worth of the cards, and stars where much was lost."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    figure.suptitle(heading(words, looked), x=0.01, ha="left", weight="bold", wrap=True)
    panel = figure.subplots()
    for place, course in enumerate(courses(words, looked)):
        panel.plot(
            range(len(course.totals)),
            course.totals,
            label=f"{course.name} ({words.number(int(course.totals[-1]))})",
            color=COLOURS[place % len(COLOURS)],
            marker=MARKERS[place % len(MARKERS)],
            linestyle=DASHES[place % len(DASHES)],
            linewidth=1.8,
        )
    cards = course_of_cards(words, looked)
    if cards is not None:
        panel.plot(
            range(len(cards.totals)),
            cards.totals,
            label=cards.name,
            color="black",
            linestyle=":",
            linewidth=1.4,
        )
    _stars(words, panel, looked)
    panel.grid()
    panel.set_title(words.t("Totals after every deal"))
    panel.set_xlabel(words.t("Deals"))
    panel.set_ylabel(words.t("Points"))
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
        axis.set_major_formatter(lambda value, _: decimal(words, value, 0))
    panel.legend(loc="upper left", frameon=False)
    return figure


def _stars(words: Words, panel: Axes, looked: LookedBack) -> None:
    """A numbered star for the costliest choices, on the line of whoever made them."""
    deals = looked.review.deals
    places: dict[tuple[int, int], list[str]] = {}
    for place, judged in enumerate(marks(looked), start=1):
        played = min(judged.deal, len(deals))
        spot = played, deals[played - 1].totals[judged.seat]
        places.setdefault(spot, []).append(str(place))
    label: str | None = words.t("What cost most")
    for spot, numbers in places.items():
        panel.plot(
            *([each] for each in spot),
            linestyle="",
            marker="*",
            markersize=17,
            color="white",
            markeredgecolor="black",
            label=label,
            zorder=3,
        )
        label = None
        panel.annotate(
            ", ".join(numbers),
            spot,
            xytext=(0, 11),
            textcoords="offset points",
            ha="center",
            weight="bold",
        )
