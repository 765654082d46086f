"""Evenings in words: times, lists, the tables of a round, standings, results deal by deal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Final, NamedTuple

from volte.evenings.conducting import summary_of
from volte.evenings.evening import Evening, Round
from volte.evenings.results import Compared, SeatResult, compared, standings
from volte.evenings.store import EveningRow
from volte.forms.when import zone_title
from volte.say import N_, Words
from volte.say.formats import date_text, time_text, zone_of

ABSENT: Final = N_(
    "This deal does not count for {names}: a bot played more than half of their cards."
)
LATE: Final = N_("This deal does not count for {names}: it had begun when they sat down.")

STATES: Final = {
    "planned": N_("planned"),
    "running": N_("under way"),
    "over": N_("over"),
    "cancelled": N_("cancelled"),
}


# Time


def day_and_hour(words: Words, at: float, zone: str) -> str:
    """Day and time of day, with the name of the place."""
    there = datetime.fromtimestamp(at, zone_of(zone))
    day = words.sentence(date_text(words.lang, there, "full"))
    hour = time_text(words.lang, there)
    return f"{day}, {hour} ({zone_title(words, zone)})"


def hour_of(words: Words, at: float, zone: str) -> str:
    """The time of day in a zone."""
    there = datetime.fromtimestamp(at, zone_of(zone))
    return time_text(words.lang, there)


# Lists


class ListedEvening(NamedTuple):
    """An evening as a line of a list."""

    id: str
    name: str
    when: str
    state: str
    coming: int


def listed_evening(words: Words, row: EveningRow) -> ListedEvening:
    """A row of the store as a line of a list."""
    summary = summary_of(row)
    when = day_and_hour(words, row.starts, summary.zone)
    return ListedEvening(row.id, summary.name, when, words.t(STATES[row.state]), summary.coming)


def people_coming(words: Words, evening: Evening) -> tuple[Sequence[str], str]:
    """The people who come, and a sentence with the people invited who have not answered."""
    invited = [comer.name for comer in evening.comers if comer.comes is None]
    waiting = words.t("Invited, no answer yet: {names}", names=words.listed(invited))
    coming = [
        words.t("{name} (not here)", name=comer.name) if comer.away else comer.name
        for comer in evening.coming
    ]
    return coming, waiting if invited else ""


# The round that is played


class SittingShown(NamedTuple):
    """A table of the round that is played."""

    number: int
    people: str  # names, and the number of bots
    deals: str
    own: bool  # whether the visitor belongs there


def sittings(words: Words, evening: Evening, going: Round, person: str) -> list[SittingShown]:
    """The tables of a round that is being played."""
    found = []
    for number, sitting in enumerate(going.tables, start=1):
        bots = sitting.seats.count("")
        names = [evening.name_of(each) for each in sitting.seats if each]
        names += [words.n("{count} bot", "{count} bots", bots)] if bots else []
        deals = words.t(
            "deals played: {count} of {deals}", count=len(sitting.results), deals=evening.plan.deals
        )
        found.append(SittingShown(number, words.listed(names), deals, person in sitting.seats))
    return found


# Standings


class StandingShown(NamedTuple):
    """A line of the standings."""

    place: str
    name: str
    average: str
    comparisons: str
    points: str
    deals: str
    own: bool


def signed(words: Words, value: int | Fraction) -> str:
    """A difference as a number with its sign; zero has none."""
    return f"+{words.number(value)}" if value > 0 else words.number(value)


def standings_shown(words: Words, evening: Evening, person: str) -> list[StandingShown]:
    """The lines of the standings; none where nobody has been compared."""
    found = standings(evening)
    if not any(each.comparisons for each in found):
        return []
    return [
        StandingShown(
            str(each.place or "–"),
            each.name,
            signed(words, each.average) if each.average is not None else "–",
            words.number(each.comparisons),
            words.number(each.points),
            words.number(each.deals),
            each.person == person,
        )
        for each in found
    ]


# Deal by deal


class DealShown(NamedTuple):
    """A deal at all its tables."""

    title: str
    # by table, its title, and a name and points for every seat; None where it was not played out
    tables: tuple[tuple[str, Sequence[tuple[str, str]] | None], ...]
    uncounted: tuple[str, ...]  # sentences with the people for whom it does not count, and why


def deals_shown(words: Words, evening: Evening, number: int) -> list[DealShown]:
    """The deals of a round that count."""
    return [_deal(words, evening, each) for each in compared(evening) if each.round == number]


def _deal(words: Words, evening: Evening, deal: Compared) -> DealShown:
    cells: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for each in deal.seats():
        name = evening.name_of(each.person) or _uncounted(words, evening, deal, each)
        points = words.number(each.points)
        if more := each.differences:
            points += f" ({signed(words, Fraction(sum(more), len(more)))})"
        cells[each.table].append((name, points))
    tables = tuple(
        (words.t("Table {number}", number=table + 1), cells.get(table))
        for table in range(len(deal.results))
    )
    whys = tuple(_whys(words, evening, deal))
    return DealShown(words.t("Deal {number}", number=deal.deal), tables, whys)


def _whys(words: Words, evening: Evening, deal: Compared) -> Iterator[str]:
    """Sentences with the people for whom a deal does not count, one for each reason."""
    played = [(n, each) for n, each in enumerate(deal.results, start=1) if each is not None]
    for why, people in (
        (ABSENT, [(n, person) for n, each in played for _, person in each.absent]),
        (LATE, [(n, person) for n, each in played for _, person in each.late]),
    ):
        names = [
            words.t("{name} (table {number})", name=evening.name_of(person), number=n)
            for n, person in people
        ]
        if names:
            yield words.t(why, names=words.listed(names))


def _uncounted(words: Words, evening: Evening, deal: Compared, at: SeatResult) -> str:
    """People at a seat for whom the deal does not count; "bot" where only a bot had it."""
    result = deal.results[at.table]
    assert result is not None
    there = dict.fromkeys(who for seat, who in (*result.absent, *result.late) if seat == at.seat)
    names = words.listed([evening.name_of(person) for person in there])
    return words.t("{names} (does not count)", names=names) if there else words.t("bot")
