"""The report of a simulation: tables, or sentences where they are read aloud."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from volte.cards import VolteError
from volte.lab.arena import EngineKind, Mean, Request, SimulationResult, Tally
from volte.lab.report import (
    PlayReport,
    give_or_take,
    places_for,
    table_or_sentences,
    with_margin,
)
from volte.rules import Direction, MoonRule
from volte.say.deal import WAYS
from volte.say.faults import shown_path
from volte.say.language import N_
from volte.say.measures import Row, decimal, duration, fits, in_columns, magnitude, percent
from volte.say.rulesheet.options import rules_played
from volte.say.telling import Lines
from volte.say.words import Words

Group = tuple[Sequence[int], str, Tally]
"""Seats, from 1, the player who sits there, and their tally together."""
Found = tuple[int, Path] | None
"""The number of a deal or match, from 1, and the file of its record."""

WHERE: Final = WAYS | {
    Direction.SCATTER: N_("to each of the others"),
    Direction.HOLD: N_("to nobody"),
}


class Simulation(NamedTuple):
    """A simulation that has been played."""

    request: Request
    engine: EngineKind  # the engine that played
    why: VolteError | None  # the reason why the kernel did not play, if it was not ruled out
    statistics: SimulationResult
    seconds: float  # time of the simulation

    @property
    def deals_per_second(self) -> float:
        return self.statistics.deals / max(self.seconds, 1e-9)


# The simulation


def heading(words: Words, simulation: Simulation) -> str:
    """Heading: number of deals or matches, ruleset, and seed."""
    request, statistics = simulation.request, simulation.statistics
    rules, seed = rules_played(request.rules, request.whole_matches), str(request.seed)
    if request.whole_matches:
        return words.n(
            "{count} match of {rules}, {deals}, seed {seed}",
            "{count} matches of {rules}, {deals}, seed {seed}",
            statistics.matches,
            rules=rules,
            deals=_deals(words, statistics.deals),
            seed=seed,
        )
    return words.n(
        "{count} deal of {rules}, seed {seed}",
        "{count} deals of {rules}, seed {seed}",
        statistics.deals,
        rules=rules,
        seed=seed,
    )


def played(words: Words, simulation: Simulation) -> str:
    """A sentence on the game and the players."""
    seats = simulation.request.seats
    if len(set(seats)) == 1:
        company = words.t("In every seat: {player}.", player=seats[0])
    else:
        company = words.t("In the seats, clockwise: {players}.", players=", ".join(seats))
    return f"{heading(words, simulation)}. {company}"


def served(words: Words, simulation: Simulation) -> str:
    """Sentence on the engine, its speed, and why not the kernel, if it was not ruled out."""
    time, rate = duration(words, simulation.seconds), round(simulation.deals_per_second)
    if simulation.engine is EngineKind.KERNEL:
        text = words.n(
            "Played by the kernel in {time}: {count} deal a second.",
            "Played by the kernel in {time}: {count} deals a second.",
            rate,
            time=time,
        )
    else:
        text = words.n(
            "Played by the readable engine in {time}: {count} deal a second.",
            "Played by the readable engine in {time}: {count} deals a second.",
            rate,
            time=time,
        )
    return text if simulation.why is None else f"{text} {words.fault(simulation.why)}"


def _deals(words: Words, count: int) -> str:
    return words.n("{count} deal", "{count} deals", count)


# Results


class SimulationReport(PlayReport):
    """The statistics of one simulation, in the words of one language."""

    def __init__(self, words: Words, simulation: Simulation) -> None:
        request = simulation.request
        super().__init__(words, request.rules, request.whole_matches)
        self._statistics = simulation.statistics
        self._levels = request.seats
        # whether the sign of a moon is open, so that it matters (W7)
        self._minus = request.rules.moon.moon in (
            MoonRule.SHOOTER_CHOOSES,
            MoonRule.PLUS_UNLESS_LOST,
        )
        self._sides = request.rules.all_sides

    def lines(self, width: int | None) -> Lines:
        """All lines of the report; for the width, see `table_or_sentences`."""
        return (
            *self._lengths(width != 0),
            *self._seats(width),
            *self._partners(),
            *self._queenless(),
            *self._directions(width),
        )

    # Matches

    def _lengths(self, by_eye: bool) -> Iterator[str]:
        if not self._matches:
            return
        lengths = self._statistics.lengths
        if lengths.least == lengths.most:
            yield self._words.n(
                "Every match has {count} deal.", "Every match has {count} deals.", lengths.most
            )
            return
        mean, places = lengths.mean, places_for([lengths.mean])
        show = with_margin if by_eye else give_or_take
        yield self._words.t(
            "Deals in a match, on average: {mean}; in the shortest {least}, in the longest {most}.",
            mean=show(self._words, mean, places),
            least=lengths.least,
            most=lengths.most,
        )

    # By seat, and by player

    def _seats(self, width: int | None) -> Lines:
        _ = self._words.t
        groups = list(self._groups())
        sentences, notes = list(self._seat_sentences(groups)), list[str]()
        if self._statistics.deals > 1:
            sentences += [_("Each of these margins holds 95 times out of 100.")]
            notes += [_("The margins given after ± hold 95 times out of 100.")]
        if self._minus:
            notes += [_("Minus: moons that lowered the shooter’s own score.")]
        if len(groups) > len(self._levels):
            notes += [
                _("A row with several seats shows their results together, and the points per seat.")
            ]
        rows = self._seat_rows(groups)
        return table_or_sentences(width, rows, sentences, left=2, before=[""], after=["", *notes])

    def _groups(self) -> Iterator[Group]:
        """Every seat; and the seats of a player who has several, together."""
        by_seat = zip(self._levels, self._statistics.seats, strict=True)
        for seat, (level, tally) in enumerate(by_seat, start=1):
            yield [seat], level, tally
        for level, tally in self._statistics.levels.items():
            if tally.seats > 1:
                sitting = enumerate(self._levels, start=1)
                yield [seat for seat, name in sitting if name == level], level, tally

    def _seat_rows(self, groups: Sequence[Group]) -> Iterator[Row]:
        _ = self._words.t
        heads = [_("Seat"), _("Player"), _("Points per deal")]
        yield [*heads, *self._heads()]
        rarest_moon = min((tally.moons for _, _, tally in groups if tally.moons), default=0)
        rarest_slam = min((tally.slams for _, _, tally in groups if tally.slams), default=0)
        for seats, level, tally in groups:
            points = with_margin(self._words, tally.points_per_deal, self._places)
            cells = self._cells(
                percent(self._words, tally.per_deal(tally.queens).value),
                self._often(tally.moons, rarest_moon),
                self._often(tally.slams, rarest_slam),
                percent(self._words, _won(tally)),
                self._words.number(tally.minus),
            )
            yield [", ".join(map(str, seats)), level, points, *cells]

    @property
    def _places(self) -> int:
        return places_for(tally.points_per_deal for tally in self._statistics.seats)

    def _often(self, times: int, rarest: int) -> str:
        """A number of deals and its share of all, with digits enough for the rarest."""
        if not times:
            return "0"
        deals = self._statistics.deals
        places = 1 if 100 * rarest >= deals else max(2, -magnitude(100 * rarest / deals))
        return f"{self._words.number(times)} ({percent(self._words, times / deals, places)})"

    def _seat_sentences(self, groups: Sequence[Group]) -> Iterator[str]:
        _ = self._words.t
        for seats, level, tally in groups:
            points = points_a_deal(self._words, tally.points_per_deal, self._places)
            if tally.seats == 1:
                text = _(
                    "Seat {seat} ({player}): {points}", seat=seats[0], player=level, points=points
                )
            else:
                text = _(
                    "Seats {seats} ({player}) together: {points} in each seat",
                    seats=seats,
                    player=level,
                    points=points,
                )
            yield _("; ").join([text, *self._tallied(tally)]) + "."

    def _tallied(self, tally: Tally) -> Iterator[str]:
        words = self._words
        queens = _about(words, tally.per_deal(tally.queens).value)
        yield from self._doings(queens, tally.moons, tally.slams)
        if self._minus and tally.minus:
            yield words.n(
                "{count} of them taken off the shooter’s own score",
                "{count} of them taken off the shooter’s own score",
                tally.minus,
            )
        if self._matches:
            yield words.t("{share} of the matches won", share=_about(words, _won(tally)))

    def _partners(self) -> Iterator[str]:
        """Say which seats play together (W10)."""
        if len(self._sides) == len(self._levels):
            return
        sides = [self._words.listed([str(seat + 1) for seat in side]) for side in self._sides]
        yield self._words.t(
            "Partners: seats {sides}. They score what their side scores, and share what it wins.",
            sides=self._words.t("; ").join(sides),
        )

    def _queenless(self) -> Iterator[str]:
        count = self._statistics.queenless
        if self._queens and count:
            yield self._words.n(
                "In {count} deal nobody took the queen of spades.",
                "In {count} deals nobody took the queen of spades.",
                count,
            )

    # By passing direction

    def _directions(self, width: int | None) -> Lines:
        if len(self._statistics.directions) < 2:
            return ()
        for show in (with_margin, _bare):
            columns = in_columns(self._direction_rows(show), left=1)
            if fits(columns, width):
                title = self._words.t("Points per deal, by pass and seat:")
                return ("", title, *columns)
        return tuple(self._direction_sentences())

    def _direction_rows(self, show: Callable[[Words, Mean, int], str]) -> Iterator[Row]:
        _ = self._words.t
        seats = range(1, len(self._levels) + 1)
        yield [_("Pass"), _("Deals"), *(_("Seat {seat}", seat=seat) for seat in seats)]
        for direction, points in self._statistics.directions.items():
            means = [each.mean for each in points]
            cells = [show(self._words, mean, places_for(means)) for mean in means]
            deals = self._words.number(points[0].number)
            yield [_(WHERE[direction]), deals, *cells]

    def _direction_sentences(self) -> Iterator[str]:
        words = self._words
        for direction, points in self._statistics.directions.items():
            means = [
                words.t("{points} in seat {seat}", points=_bare(words, each.mean, 2), seat=seat)
                for seat, each in enumerate(points, start=1)
            ]
            yield words.t(
                "Passing {where}, {deals}, points per deal: {means}.",
                where=words.t(WHERE[direction]),
                deals=_deals(words, points[0].number),
                means=words.t("; ").join(means),
            )


def _won(tally: Tally) -> float:
    """The part of the matches that a seat, or several together, have won."""
    return tally.wins_per_match.value * tally.seats


def _about(words: Words, share: float) -> str:
    """A share as a percentage, for ears."""
    return percent(words, share, 0 if share in (0, 1) else 1)


def _bare(words: Words, estimate: Mean, places: int) -> str:
    return decimal(words, estimate.value, places)


def record_sentence(words: Words, simulation: Simulation, name: str, found: Found) -> str:
    """Sentence on the record of a deal or match named to `--keep`, or on its absence.

    Args:
        name: a number, or `moon`, `slam` or `highest`.
        found: None if there was no such deal.
    """
    if found is None:
        return words.t(_NONE[name])
    number, path = found
    match, deal = _RECORDED.get(name, _RECORDED[""])
    message = match if simulation.request.whole_matches else deal
    return words.t(message, number=number, path=shown_path(str(path)))


_NONE: Final = {
    "moon": N_("Nobody shot the moon, so there is no moon to save."),
    "slam": N_("Nobody made a slam, so there is no slam to save."),
}
_RECORDED: Final = {
    "": (N_("Match {number}: {path}"), N_("Deal {number}: {path}")),
    "moon": (
        N_("The first moon, in match {number}: {path}"),
        N_("The first moon, in deal {number}: {path}"),
    ),
    "slam": (
        N_("The first slam, in match {number}: {path}"),
        N_("The first slam, in deal {number}: {path}"),
    ),
    "highest": (
        N_("The most points for one seat, in match {number}: {path}"),
        N_("The most points for one seat, in deal {number}: {path}"),
    ),
}


def points_a_deal(words: Words, estimate: Mean, places: int) -> str:
    """The mean and its margin, as a sentence."""
    half = estimate.margin
    mean = decimal(words, estimate.value, places)
    if not half:
        return words.t("{mean} points per deal", mean=mean)
    most = decimal(words, half, places)
    return words.t("{mean} points per deal, give or take {margin}", mean=mean, margin=most)
