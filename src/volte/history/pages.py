"""Pages of a person's matches and statistics."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.history import match_page
from volte.history.luck_told import missing_told, overall_told
from volte.history.match_page import where_played
from volte.history.rows import MatchLuck, MatchResults, MatchStore, Result, Statistics
from volte.rules import PRESETS
from volte.say import N_, Words
from volte.say.measures import day_and_time
from volte.say.rulesheet.options import preset_title
from volte.store import MatchRow
from volte.table.setup import OTHER
from volte.web.disclosure import Disclosure
from volte.web.page import page
from volte.web.page_room import PageRoom
from volte.web.visit import Visit, route

A_PAGE: Final = 20  # matches
MOST_PAGES: Final = 10_000

COMPANY: Final = {"people": True, "bots": False}
"""Name of a filter of matches → whether other people took part."""

CHOICES: Final = {"people": N_("with other people"), "bots": N_("with bots only")}
HEADINGS: Final = {"people": N_("With other people"), "bots": N_("With bots only")}
"""Texts for the names in `COMPANY`: in a list to choose from, and as headings."""


def routes() -> list[BaseRoute]:
    return [
        route("/matches", matches, named=True),
        route("/matches/statistics", statistics, named=True),
        *match_page.routes(),
    ]


def page_number(visit: Visit) -> int:
    """The page number in the address, from 1; 1 without one."""
    text = visit.query_params.get("page", "")
    known = text.isascii() and text.isdecimal() and len(text) <= 5
    return min(max(int(text), 1), MOST_PAGES) if known else 1


# The list


class MatchQuery(NamedTuple):
    """A filter of the visitor's matches, and a page of them."""

    rules: str  # preset, or `other`; empty for all
    company: str  # a name of `COMPANY`; empty for both
    number: int  # of the page, from 1

    @classmethod
    def of(cls, visit: Visit) -> MatchQuery:
        """The filter that the address asks for; an unknown value counts as none."""
        rules, company = (visit.query_params.get(name, "") for name in ("rules", "company"))
        return cls(
            rules if rules in PRESETS or rules == OTHER else "",
            company if company in COMPANY else "",
            page_number(visit),
        )

    def address(self, number: int) -> str:
        """The address of another page of the same list."""
        fields = {"rules": self.rules, "company": self.company, "page": str(number)}
        return "/matches?" + urlencode({name: value for name, value in fields.items() if value})


class ListedMatch(NamedTuple):
    """An item of the list of matches, in words."""

    id: str
    date: str
    where: str
    rules: str
    state: str  # "broken off" or "not over yet"; empty for a match with a result
    table: str  # id of the table if the match goes on there; else empty
    players: list[str]  # the best first, each with place and points
    own: str  # the visitor's place
    rated: bool
    over: bool  # whether its pages may be seen


async def matches(visit: Visit) -> Response:
    """`/matches`: the visitor's matches, the latest first; see `MatchQuery` for the filters."""
    words, person, query = visit.words, visit.known().id, MatchQuery.of(visit)
    rows, more = await matches_of(visit.room, person, query)
    games = [(name, game_title(words, name)) for name in (*PRESETS, OTHER)]
    companies = [(name, words.t(sentence)) for name, sentence in CHOICES.items()]
    return page(
        visit,
        "matches.html",
        matches=await _listed(visit.room, words, person, rows),
        query=query,
        games=[("", words.t("all games")), *games],
        companies=[("", words.t("with anybody")), *companies],
        earlier=query.address(query.number + 1) if more else "",
        later=query.address(query.number - 1) if query.number > 1 else "",
    )


async def matches_of(room: PageRoom, person: str, query: MatchQuery) -> tuple[list[MatchRow], bool]:
    """The matches of the page asked for, and whether there are more."""
    found = await room[MatchResults].matches_of(
        person,
        rules=query.rules,
        people=COMPANY.get(query.company),
        skip=(query.number - 1) * A_PAGE,
        limit=A_PAGE + 1,
    )
    rows = [await room[MatchStore].match(match) for match in found[:A_PAGE]]
    return [row for row in rows if row is not None], len(found) > A_PAGE


def game_title(words: Words, name: str) -> str:
    """The title of a preset, or "other rules"."""
    return words.t("other rules") if name == OTHER else preset_title(words, name)


async def _listed(
    room: PageRoom, words: Words, person: str, rows: Sequence[MatchRow]
) -> list[ListedMatch]:
    results = await room[MatchResults].of_matches([row.id for row in rows])
    listings = await room[MatchStore].listings_at({row.table for row in rows})
    waiting = await room[Disclosure].withheld(rows)
    listed = []
    for row in rows:
        listing, found = listings.get(row.table), results[row.id]
        whole = found and not (row.rated and all(each.left for each in found))
        state = "" if whole else words.t("abandoned")
        over = row.id not in waiting
        goes_on = row.ended is None and listing is not None and listing.state != "closed"
        listed.append(
            ListedMatch(
                id=row.id,
                date=day_and_time(words, row.begun),
                where=where_played(words, listing),
                rules=game_title(words, found[0].rules) if found else "",
                state=state if over else words.t("not over yet"),
                table=row.table if goes_on else "",
                players=_players(words, found, person),
                own=_own(words, found, person),
                rated=row.rated,
                over=over,
            )
        )
    return listed


def _players(words: Words, results: Sequence[Result], person: str) -> list[str]:
    """The players, the best first: "1. Anne, 5 points"."""
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
    """The player of a result: a person, a bot, or a person who has been forgotten."""
    if result.person and result.person == person:
        return words.t("{name} (you)", name=result.name)
    if result.level:
        return words.t("{name} (bot)", name=result.name)
    return result.name or words.t("somebody who is no longer here")


def _own(words: Words, results: Sequence[Result], person: str) -> str:
    """The person's place in the match: "first of 4"; empty without a result."""
    own = next((each for each in results if each.person == person), None)
    if own is None:
        return ""
    if own.left:
        return words.t("left before the end")
    if own.late:
        return words.t("joined during the match")
    sides = max(each.place for each in results)
    if own.place == 1:
        return words.t("first of {most}", most=sides)
    return words.t("place {place} of {most}", place=own.place, most=sides)


# Statistics


async def statistics(visit: Visit) -> Response:
    """`/matches/statistics`: sums over the visitor's matches, game by game; their luck and play."""
    words, me, luck = visit.words, visit.known().id, visit.room[MatchLuck]
    found = await visit.room[MatchResults].statistics(me)
    sums, order = await luck.sums(me), (*PRESETS, OTHER)
    found.sort(key=lambda each: order.index(each.rules))
    return page(
        visit,
        "statistics.html",
        parts=[
            (
                name,
                words.t(HEADINGS[name]),
                [_statistics_row(words, each) for each in found if each.people is people],
            )
            for name, people in COMPANY.items()
        ],
        luck=overall_told(words, sums, {each: game_title(words, each) for each in order}),
        luck_missing=missing_told(
            words, sum(each.silent for each in sums), await luck.waiting(me), luck.able
        ),
    )


def _statistics_row(words: Words, each: Statistics) -> dict[str, Any]:
    def share(total: int, count: int) -> str:
        return words.number(Fraction(total, count)) if count else "–"

    cells = [
        words.number(each.matches),
        words.number(each.won),
        share(each.places, each.matches),
        share(each.points, each.deals),
        words.number(each.moons),
        share(each.queens, each.deals),
        words.number(each.left),
    ]
    return {"game": game_title(words, each.rules), "name": each.rules, "cells": cells}
