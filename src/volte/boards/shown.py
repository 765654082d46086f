"""DealStandings of a board in words: who has taken how many points, and where plays parted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple

from volte.boards.board import Mark, TriedDeal, Try, parting
from volte.boards.fixed import term_of
from volte.boards.store import NamedTry
from volte.cards import Card
from volte.say import N_, Words
from volte.say.formats import date_text

MOST_SHOWN: Final = 300  # tries of each group that a page shows

MARKS: Final = {
    Mark.SAT: N_("had a seat when these cards were dealt"),
    Mark.SEEN: N_("had seen a match with these cards"),
    Mark.AGAIN: N_("had played this deal before"),
    Mark.HELPED: N_("a bot played some of the cards"),
    Mark.AFTER: N_("the day was over"),
}
"""The reasons why a try stands apart."""

FIRST: Final = N_("First tries of people with an account")
GUESTS: Final = N_("First tries of guests")
APART: Final = N_("Not compared with the others")


class StandingRow(NamedTuple):
    """A try in the standings, in words."""

    place: str  # empty where it is not compared
    name: str
    points: str
    took: str  # the points with their word
    moon: bool
    parted: str  # where its plays parted from the visitor's; empty for the visitor's own
    notes: str
    own: bool


class Group(NamedTuple):
    """Tries that stand together, the fewest points first."""

    key: str
    title: str
    rows: list[StandingRow]
    more: int  # number of tries that are not shown


class DealStandings(NamedTuple):
    """The standings of a board for somebody who has played it."""

    told: str  # the visitor's points, and how the others did
    groups: list[Group]


def day_told(words: Words, day: date) -> str:
    """A date in words."""
    return date_text(words.lang, day, "full")


def standings_of(words: Words, tries: Sequence[NamedTry], own: Try, person: str) -> DealStandings:
    """The standings of a board.

    Args:
        tries: the finished ones.
        own: the visitor's first finished try.
        person: id of the visitor.
    """
    played = own.played

    def group(key: str, title: str, some: Iterable[NamedTry], *, compared: bool = True) -> Group:
        ranked = sorted(some, key=lambda each: (each.played.points, each.tried.finished))
        points = [each.played.points for each in ranked]
        places = [bisect_left(points, each) + 1 if compared else 0 for each in points]
        shown = [
            _row(words, each, played, person, places[at])
            for at, each in enumerate(ranked)
            if at < MOST_SHOWN or (person and each.tried.person == person)
        ]
        return Group(key, words.t(title), shown, len(ranked) - len(shown))

    firsts = [each for each in tries if each.tried.compared and not each.tried.guest]
    guests = [each for each in tries if each.tried.compared and each.tried.guest]
    others = [each for each in tries if not each.tried.compared]
    groups = [
        group("firsts", FIRST, firsts),
        group("guests", GUESTS, guests),
        group("others", APART, others, compared=False),
    ]
    alike = guests if own.guest else firsts
    others_points = [each.played.points for each in alike if each.tried.person != person]
    return DealStandings(_told(words, own, others_points), [each for each in groups if each.rows])


def lines_of(words: Words, tries: Sequence[NamedTry], own: Try, person: str) -> tuple[str, ...]:
    """The standings as lines, for ears; see `standings_of`."""
    found = standings_of(words, tries, own, person)
    lines = [found.told]
    for group in found.groups:
        lines.append(group.title)
        lines += [_line(words, row) for row in group.rows]
    return tuple(lines)


def _line(words: Words, row: StandingRow) -> str:
    name = f"{row.name} ({row.notes})" if row.notes else row.name
    place = f"{row.place}. " if row.place else ""
    moon = f"{words.t('Moon')}." if row.moon else ""
    told = words.t("{name}: {points}", name=name, points=row.took)
    return " ".join(each for each in (f"{place}{told}.", moon, row.parted) if each)


def _told(words: Words, own: Try, others: Sequence[int]) -> str:
    mine = own.played.points
    told = words.t("You took {points} in this deal.", points=words.points(mine))
    if not others:
        return " ".join((told, words.t("There is nobody to compare with yet.")))
    mean = words.points(Fraction(sum(others), len(others)).limit_denominator(10))
    told = " ".join((told, words.t("The others took {points} on average.", points=mean)))
    if own.compared:
        numbers = {"place": 1 + sum(each < mine for each in others), "most": len(others) + 1}
        shared = others.count(mine)
        if shared:
            place = words.n(
                "Your place: {place} of {most}, shared with {count} other.",
                "Your place: {place} of {most}, shared with {count} others.",
                shared,
                **numbers,
            )
        else:
            place = words.t("Your place: {place} of {most}.", **numbers)
        told = f"{told} {place}"
    return told


def _row(words: Words, each: NamedTry, mine: TriedDeal, person: str, place: int) -> StandingRow:
    tried, played = each.tried, each.played
    own = bool(person) and tried.person == person
    name = words.t("you") if own else each.name or words.t("somebody")
    notes = [_mark(words, Mark(mark), tried.board) for mark in tried.marks.split()]
    if tried.guest and tried.marks:
        notes.insert(0, words.t("guest"))
    return StandingRow(
        words.number(place) if place else "",
        words.sentence(name) if own or not each.name else name,
        words.number(played.points),
        words.points(played.points),
        played.moon,
        "" if own else parted(words, mine, played),
        ", ".join(notes),
        own,
    )


def _mark(words: Words, mark: Mark, board: str) -> str:
    """The reason why a try at a board stands apart, in words."""
    term = term_of(board)
    weekly = mark is Mark.AFTER and term is not None and bool(term.club)
    return words.t("the week was over") if weekly else words.t(MARKS[mark])


def parted(words: Words, mine: TriedDeal, theirs: TriedDeal) -> str:
    """The place where somebody's plays parted from the visitor's, as a sentence."""
    found = parting(mine, theirs)
    if found is None:
        return words.t("Played exactly as you did.")
    if not found.trick:
        return words.t("Passed other cards.")
    cards = {"mine": Card(found.mine), "theirs": Card(found.theirs)}
    return words.t(
        "Trick {trick}: played {theirs:the}, you {mine:the}.", trick=found.trick, **cards
    )
