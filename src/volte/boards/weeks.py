"""The deal of the week of a club: the same cards for its members, and the page that lists them."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, timedelta
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.boards.board import Board
from volte.boards.days import WEEK
from volte.boards.fixed import DealTerm, fixed_board, in_week, term_of
from volte.boards.keeper import BoardKeeper
from volte.boards.shown import day_told
from volte.boards.store import Boards
from volte.evenings.clubs import club_of, role_in
from volte.evenings.conducting import Evenings
from volte.evenings.store import Clubs
from volte.rules import Ruleset, make_ruleset
from volte.say import Words
from volte.store import Conflict
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route

MOST_PAST: Final = 52
"""Weeks that the page of a club lists."""


def routes() -> list[BaseRoute]:
    return [route("/clubs/{club}/deals", show, named=True)]


def weeks_told(club: str, today: date) -> list[DealTerm]:
    """The weeks of which digest and rules are told: this one and the next."""
    monday = today - timedelta(today.weekday())
    return [
        DealTerm(f"{club}-{each.strftime('%G-W%V')}", club, each)
        for each in (monday, monday + timedelta(7))
    ]


async def board_of_week(visit: Visit, term: DealTerm) -> Board | None:
    """The board of a club's week, for its members; made by whoever asks first in the week, or in
    the one before. None for others, and where there is none."""
    store = room_of(visit).store
    if not await store[Clubs].role(term.club, visit.who):
        return None
    board = await store[Boards].board(term.board)
    today = visit.room[BoardKeeper].today()
    if board is None and term in weeks_told(term.club, today):
        rules = in_week(await rules_of_club(visit, term), term.first)
        with suppress(Conflict):  # another member was first
            await store[Boards].make(fixed_board(term, rules, store.second_look.now()))
        board = await store[Boards].board(term.board)
    return board


async def rules_of_club(visit: Visit, term: DealTerm) -> Ruleset:
    """The rules of the club's latest evening; without any, those of presets in turn."""
    for row in await room_of(visit).store[Clubs].evenings([term.club], limit=1):
        evening = await visit.room[Evenings].find(row.id)
        if evening is not None:
            return evening.plan.rules
    return make_ruleset(WEEK[term.first.toordinal() // 7 % len(WEEK)])


async def show(visit: Visit) -> Response:
    """`/clubs/{club}/deals`: this week's deal of a club, the next, and those before."""
    club = await club_of(visit, visit.path_params["club"])
    if not await role_in(visit, club):
        raise Refused(403, "forbidden")
    boards, words = room_of(visit).store[Boards], visit.words
    told = weeks_told(club.id, visit.room[BoardKeeper].today())
    here = [await board_of_week(visit, term) for term in told]
    keys = {term.board for term in told}
    past = [each for each in await boards.of_club(club.id, MOST_PAST) if each.id not in keys]
    rows = [each for each in (*here, *past) if each is not None]
    own = await _points(visit, rows)
    return page(
        visit,
        "weeks.html",
        club=club,
        now=_row(words, rows[0], own),
        coming=_row(words, rows[1], own),
        past=[_row(words, each, own) for each in rows[2:]],
    )


async def _points(visit: Visit, boards: list[Board]) -> dict[str, int]:
    """The points of the visitor's first finished tries, by board."""
    keeper, keys = visit.room[BoardKeeper], [each.id for each in boards]
    found = dict[str, int]()
    for each in await room_of(visit).store[Boards].tries_of(keys, visit.who):
        tried = await keeper.finish(each)
        if tried.finished is not None:
            found.setdefault(tried.board, tried.played.points)
    return found


def _row(words: Words, board: Board, own: dict[str, int]) -> dict[str, Any]:
    """The deal of a week, in words."""
    term = term_of(board.id)
    assert term is not None
    points = words.points(own[board.id]) if board.id in own else ""
    return {
        "id": board.id,
        "date": day_told(words, term.first),
        "took": words.t("You took {points} in this deal.", points=points) if points else "",
    }
