"""Matches that have been played: the list of one's own, each with what it came to, statistics."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.evenings.conducting import Evenings
from volte.evenings.disclosure import withheld
from volte.history.match_page import match_page
from volte.history.store import Result, Results, Statistics
from volte.rules import PRESETS
from volte.say import N_, Words
from volte.say.measures import day_and_time
from volte.say.rulesheet.options import preset_title
from volte.store import MatchRow
from volte.table.setup import OTHER
from volte.web.page import page
from volte.web.room import Room
from volte.web.visit import NameWanted, Visit, route

A_PAGE: Final = 20
"""Matches on a page of the list."""

MOST_PAGES: Final = 10_000

COMPANY: Final = {"people": True, "bots": False}
"""Whom somebody has played with: other people, or bots alone."""

CHOICES: Final = {"people": N_("with other people"), "bots": N_("with bots alone")}
HEADINGS: Final = {"people": N_("With other people"), "bots": N_("With bots alone")}
"""The sentences that name them, in a list to choose from and as a heading."""


def routes() -> list[BaseRoute]:
    return [
        route("/matches", matches),
        route("/matches/statistics", statistics),
        route("/matches/{match}", match_page),
    ]


class Asked(NamedTuple):
    """Which of one's matches are asked for.

    Attributes:
        rules: of one game; empty for all.
        company: a name of `COMPANY`; empty for both.
        number: of the page, from 1.
    """

    rules: str
    company: str
    number: int

    @classmethod
    def by(cls, visit: Visit) -> Asked:
        """What the address asks for; what it cannot ask for is all."""
        query = visit.query_params
        rules, company, number = (query.get(name, "") for name in ("rules", "company", "page"))
        known = number.isascii() and number.isdecimal() and len(number) <= 5
        return cls(
            rules if rules in PRESETS or rules == OTHER else "",
            company if company in COMPANY else "",
            min(max(int(number), 1), MOST_PAGES) if known else 1,
        )

    def address(self, number: int) -> str:
        """Of another page of the same list."""
        asked = {"rules": self.rules, "company": self.company, "page": str(number)}
        return "/matches?" + urlencode({name: value for name, value in asked.items() if value})


class Played(NamedTuple):
    """A match in words.

    Attributes:
        state: empty where it is over, and has come to something.
        table: its id, where the match goes on.
        players: who has played, the best first, each with place and points.
        own: what whoever asks has come to.
    """

    id: str
    date: str
    where: str
    rules: str
    state: str
    table: str
    players: tuple[str, ...]
    own: str
    rated: bool
    over: bool


async def matches(visit: Visit) -> Response:
    """`/matches`: one's own, the latest first; `rules`, `company` and `page` choose among them."""
    person = visit.person
    if person is None:
        raise NameWanted(visit.here)
    words = visit.words
    asked = Asked.by(visit)
    rows, more = await matches_asked(visit.room, person.id, asked)
    return page(
        visit,
        "matches.html",
        matches=await _told(visit.room, words, person.id, rows),
        asked=asked,
        games=[("", words.t("all games")), *_games(words)],
        companies=[("", words.t("with anybody")), *_companies(words)],
        earlier=asked.address(asked.number + 1) if more else "",
        later=asked.address(asked.number - 1) if asked.number > 1 else "",
    )


async def matches_asked(room: Room, person: str, asked: Asked) -> tuple[list[MatchRow], bool]:
    """The matches of that page, and whether there are more."""
    found = await room.store[Results].matches_of(
        person,
        rules=asked.rules,
        people=COMPANY.get(asked.company),
        skip=(asked.number - 1) * A_PAGE,
        limit=A_PAGE + 1,
    )
    rows = [await room.store.match(match) for match in found[:A_PAGE]]
    return [row for row in rows if row is not None], len(found) > A_PAGE


def _games(words: Words) -> list[tuple[str, str]]:
    return [(name, game_title(words, name)) for name in (*PRESETS, OTHER)]


def _companies(words: Words) -> list[tuple[str, str]]:
    return [(name, words.t(sentence)) for name, sentence in CHOICES.items()]


def game_title(words: Words, name: str) -> str:
    """A preset by its title, or that the rules were none of theirs."""
    return words.t("other rules") if name == OTHER else preset_title(words, name)


async def _told(room: Room, words: Words, person: str, rows: Sequence[MatchRow]) -> list[Played]:
    results = await room.store[Results].of_matches([row.id for row in rows])
    listings = await room.store.listings_at({row.table for row in rows})
    waiting = await withheld(room[Evenings], rows)
    told = []
    for row in rows:
        listing, found = listings.get(row.table), results[row.id]
        over = row.id not in waiting
        goes_on = row.ended is None and listing is not None and listing.state != "closed"
        told.append(
            Played(
                id=row.id,
                date=day_and_time(words, row.begun),
                where=listing.name if listing is not None else "",
                rules=game_title(words, found[0].rules) if found else "",
                state=_state(words, row, found) if over else words.t("not over yet"),
                table=row.table if goes_on else "",
                players=tuple(_players(words, found, person)),
                own=_own(words, found, person),
                rated=row.rated,
                over=over,
            )
        )
    return told


def _state(words: Words, row: MatchRow, results: Sequence[Result]) -> str:
    """Of a match that is over: whether it was broken off."""
    whole = results and not (row.rated and all(each.left for each in results))
    return "" if whole else words.t("broken off")


def _players(words: Words, results: Sequence[Result], person: str) -> list[str]:
    """Who has played, the best first: "1. Anne, 5 points"."""
    ranked = sorted(
        (each for each in results if not each.late), key=lambda result: (result.place, result.seat)
    )
    return [
        words.t(
            "{place}. {name}, {points}",
            place=each.place,
            name=named(words, each, person),
            points=words.points(each.total),
        )
        for each in ranked
    ]


def named(words: Words, result: Result, person: str = "") -> str:
    """Whose result it is: a person, a bot, or somebody who has been forgotten."""
    if result.person and result.person == person:
        return words.t("{name} (you)", name=result.name)
    if result.level:
        return words.t("{name} (bot)", name=result.name)
    return result.name or words.t("somebody who is no longer here")


def _own(words: Words, results: Sequence[Result], person: str) -> str:
    """What a person has come to."""
    own = [each for each in results if each.person == person]
    if not own:
        return ""
    first = own[0]
    if first.left:
        return words.t("left before the end")
    if first.late:
        return words.t("came while it was played")
    sides = max(each.place for each in results)
    if first.place == 1:
        return words.t("first of {most}", most=sides)
    return words.t("place {place} of {most}", place=first.place, most=sides)


# Statistics


async def statistics(visit: Visit) -> Response:
    """`/matches/statistics`: what one's matches come to, game by game."""
    person = visit.person
    if person is None:
        raise NameWanted(visit.here)
    words = visit.words
    found = await visit.room.store[Results].statistics(person.id)
    return page(
        visit,
        "statistics.html",
        parts=[
            (name, words.t(HEADINGS[name]), _rows(words, found, people))
            for name, people in COMPANY.items()
        ],
    )


def _rows(words: Words, found: Sequence[Statistics], people: bool) -> list[dict[str, Any]]:
    """A row for each game, in the order of the presets."""
    order = {name: place for place, name in enumerate((*PRESETS, OTHER))}
    own = sorted(
        (each for each in found if each.people is people), key=lambda each: order[each.rules]
    )
    return [_row(words, each) for each in own]


def _row(words: Words, each: Statistics) -> dict[str, Any]:
    number, share = words.number, partial(_share, words)
    cells = [
        number(each.matches),
        number(each.won),
        share(each.places, each.matches),
        share(each.points, each.deals),
        number(each.moons),
        share(each.queens, each.deals),
        number(each.left),
    ]
    return {"game": game_title(words, each.rules), "name": each.rules, "cells": cells}


def _share(words: Words, total: int, count: int) -> str:
    """A mean; a dash where there is none."""
    return words.number(Fraction(total, count)) if count else "–"
