"""`volte review`: a review of a match on record."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import msgspec

from volte.bots.hints import Reason
from volte.bots.judged import Judged, Parts
from volte.bots.protocol import Clock, Estimate
from volte.bots.reviewing import AFTERWARDS, get_ready, review
from volte.cards import Card, cards_in
from volte.console.options import STDIN, given, print_json, words_for
from volte.console.parameters import only_one
from volte.console.plot import COLOURS, MARKERS, WIDTH, Plot
from volte.console.progress import progress_on
from volte.console.terminal import Console, Misuse
from volte.game import Pass, Phase, Play, Player
from volte.history.review import (
    LookedBack,
    ReviewReport,
    chart_text,
    course_of_cards,
    courses,
    heading,
    marks,
)
from volte.notation import parse_record
from volte.rules import options_of
from volte.say import Words
from volte.say.measures import decimal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def look_back(
    lang: str,
    file: Path,
    seat: str | None,
    chart: Path | None,
    simulations: int | None,
    again: bool,
    as_json: bool,
    plain: bool,
    width: int | None,
) -> None:
    """Judge every choice, print the report, draw the chart. Raises `VolteError`, and `Quit`.

    Args:
        again: whether the person tries the costliest choices again, instead of the report.
    """
    only_one("--try", again or None, "--json", as_json or None)
    if again and file == STDIN:
        raise Misuse("try_needs_file")
    console, words = Console.here(width, plain), Words(lang)
    clock = AFTERWARDS if simulations is None else Clock(simulations=simulations)
    canvas = Plot(chart) if chart is not None else None
    record = parse_record(given(file))
    players = record.state.players
    seats, people = chosen_seats(players, seat), people_at(players)
    if again and len(seats) > 1:
        raise Misuse("try_needs_seat", players=tuple(players[each].name for each in seats))
    get_ready(record.state.rules)
    with progress_on(sys.stderr, words, console.plain) as progress:
        found = review(record.log, seats, clock, progress)
    only_person = people[0] if len(people) == 1 else None
    looked = LookedBack(record.log, record.state, seats, found, only_person)
    if as_json:
        print_json(ReviewAnswer.of(looked))
    elif not again:
        report = ReviewReport(words_for(lang, console.plain), looked)
        console.say(*report.lines(console.table_width))
    if canvas is not None and found.deals:
        canvas.save(lambda: picture(words, looked), heading(words, looked))
        if not as_json:
            console.say("", *chart_text(words, looked))
    if again:
        from volte.history.trying import try_again  # here, as its imports take a while

        try_again(words_for(lang, console.plain), console, looked)


def chosen_seats(players: Sequence[Player], named: str | None) -> tuple[int, ...]:
    """The seats to review: the one named, by name or number from 1; else the seats of people; else
    every seat. Raises `Misuse`.
    """
    if named is None:
        return people_at(players) or tuple(range(len(players)))
    wanted = named.strip().casefold()
    found = [seat for seat, player in enumerate(players) if player.name.casefold() == wanted]
    if len(found) != 1 and re.fullmatch("[0-9]{1,2}", wanted):
        found = [seat for seat in range(len(players)) if seat == int(wanted) - 1]
    if len(found) != 1:
        names = tuple(player.name for player in players)
        raise Misuse("no_such_seat", seat=named, players=names, most=len(players))
    return (found[0],)


def people_at(players: Sequence[Player]) -> tuple[int, ...]:
    """The seats of people."""
    return tuple(seat for seat, player in enumerate(players) if player.person)


# The answer to programs


class ReviewAnswer(msgspec.Struct):
    """A review as JSON; seats, deals and tricks count from 1."""

    rules: Mapping[str, object]
    players: list[PlayerAnswer]
    finished: bool
    winners: list[int]
    seats: list[int]
    deals: list[DealAnswer]
    parts: list[Parts | None]  # by seat
    choices: int
    left_out: int
    costliest: list[ChoiceAnswer]

    @classmethod
    def of(cls, looked: LookedBack) -> Self:
        state, review = looked.state, looked.review
        return cls(
            options_of(state.rules),
            [PlayerAnswer(each.name, each.person, each.level or None) for each in state.players],
            state.phase is Phase.ENDED,
            [seat + 1 for seat in state.winners],
            [seat + 1 for seat in looked.seats],
            [
                DealAnswer(each.number, each.points, each.totals, each.cards)
                for each in review.deals
            ],
            [review.parts(seat) for seat in range(len(state.players))],
            len(review.judged),
            review.left_out,
            [ChoiceAnswer.of(each) for seat in looked.seats for each in review.costliest(seat)],
        )


class PlayerAnswer(msgspec.Struct):
    """A player, person or bot."""

    name: str
    person: bool
    level: str | None


class DealAnswer(msgspec.Struct):
    """A deal that was scored: points, totals and worth of the cards, by seat."""

    deal: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    cards: tuple[float, ...] | None


class ChoiceAnswer(msgspec.Struct):
    """A costly choice, with the cards that the seat saw: its hand, and the cards on the table."""

    seat: int
    deal: int
    trick: int  # 0 for a pass
    hand: Sequence[Card]
    leader: int | None
    table: Sequence[Card]
    done: EstimateAnswer
    best: EstimateAnswer
    reason: Reason
    cost: CostAnswer

    @classmethod
    def of(cls, judged: Judged) -> Self:
        deal = judged.view.deal
        part, stakes = (judged.lost, None) if judged.wins else (None, judged.lost)
        return cls(
            judged.seat + 1,
            judged.deal,
            judged.trick,
            cards_in(judged.view.hand.mask),
            deal.leader + 1 if judged.trick else None,
            deal.trick,
            EstimateAnswer.of(judged.done),
            EstimateAnswer.of(judged.best),
            judged.reasons[0],
            CostAnswer(judged.behind, judged.error, part, stakes),
        )


class EstimateAnswer(msgspec.Struct):
    """The bot's estimate of a choice."""

    cards: tuple[Card, ...]
    margin: float
    worth: float | None

    @classmethod
    def of(cls, estimate: Estimate) -> Self:
        action = estimate.action
        assert isinstance(action, Play | Pass)
        cards = (action.card,) if isinstance(action, Play) else action.cards
        return cls(cards, estimate.margin, estimate.worth)


class CostAnswer(msgspec.Struct):
    """The cost of a choice; for the match either a part of the win, or stakes."""

    points: float
    error: float
    part_of_win: float | None
    stakes: float | None


# The picture: the totals deal by deal


HEIGHT: Final = 6.0
"""Height of the picture of a match, in inches."""

DASHES: Final = ("-", "--", "-.", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (8, 3)), (0, (1, 1)))
"""Styles of lines; with `MARKERS` they can be told apart without colour."""


def picture(words: Words, looked: LookedBack) -> Figure:
    """Draw a line for each side, one for the worth of the cards, and stars at costly choices."""
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
    """Draw numbered stars for the costliest choices, each on the line of its player."""
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
