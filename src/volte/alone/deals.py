"""Pages of deals by a link where there is no server: the address itself says what is dealt."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte import game
from volte.boards.board import Board, FoundTry, tried_deal
from volte.boards.called import rules_called, table_name
from volte.boards.seeds import (
    PLAYABLE,
    SeedDeal,
    address_of,
    board_of_seed,
    fresh_seed,
    read_address,
)
from volte.boards.tables import opening
from volte.bots.levels import LEVELS, OF_EXTRA
from volte.forms.fields import Field, FilledForm, NotTaken, declared
from volte.forms.game import STYLED, game_choices, game_fields, game_of
from volte.history.match_page import made_from, match_over, seat_of
from volte.rules import make_ruleset
from volte.say import N_, Words
from volte.say.levels import level_called
from volte.solo.kept import UNREADABLE, KeptStore
from volte.store import AT_TABLES, Conflict, Listing, MatchRow, Unavailable
from volte.table import decode_happening
from volte.table.admission import USUAL
from volte.table.stored import read_summary
from volte.web.addresses import shared
from volte.web.page import done_text, form_page, page
from volte.web.refused import Refused
from volte.web.visit import Visit, route, see_other

DONE: Final = {"made": N_("The address is ready: give it to anybody you like.")}
"""Messages about what has just been done, by the value of `done` in the address."""

OFFERED: Final = (STYLED, *(level for level in LEVELS if level not in OF_EXTRA))

OF_MATCH: Final = declared(Field("match"))


log: Final = logging.getLogger(__name__)


def routes() -> list[BaseRoute]:
    return [
        route("/deals", new, methods=["GET"]),
        route("/deals", make, methods=["POST"]),
        route("/deals/{board}", show),
        route("/deals/{board}/play", play, methods=["POST"]),
        route("/deals/{board}/play", to_the_deal),
    ]


# Making an address


async def new(visit: Visit) -> Response:
    """`/deals`: the form for a deal with an address."""
    return _form_page(visit, FilledForm.of(game_fields(visit.words), {}))


async def make(visit: Visit) -> Response:
    """Draw a deal, by the form or by the rules of a match that is over, and lead to its page.

    Nothing is stored: the address is all there is of it.
    """
    sent, words = await visit.fields(), visit.words
    match = FilledForm.typed(OF_MATCH, sent).read()["match"]
    if match:
        deal = await _deal_like(visit, match)
    else:
        form = FilledForm.typed(game_fields(words), sent)
        try:
            chosen, _ = game_of(form, words)
        except NotTaken as problem:
            return _form_page(visit, form, problem)
        rules = make_ruleset(chosen.preset, {"players": chosen.players})
        levels = map(_playable, chosen.bots(USUAL))
        deal = SeedDeal(rules, 0, ("", *levels), fresh_seed())
    return see_other(f"/deals/{address_of(deal)}?done=made")


async def _deal_like(visit: Visit, match: str) -> SeedDeal:
    """A deal by the rules of a match that the person has played, against the same bots. Raises
    `Refused`."""
    row = await match_over(visit, match)
    seat = seat_of(visit, row)
    started = await made_from(visit, row, lambda log: log[0])
    if seat is None or not isinstance(started, game.MatchStarted):
        raise Refused(404, "no_match")
    levels = [_playable(each.level) for each in started.players]
    levels[seat] = ""
    return SeedDeal(started.rules, seat, tuple(levels), fresh_seed())


def _playable(level: str) -> str:
    """The level of a bot, or the usual one where others might not have it."""
    return level if level in PLAYABLE else USUAL


def _form_page(visit: Visit, form: FilledForm, problem: NotTaken | None = None) -> Response:
    choices = game_choices(visit.words, form["preset"], OFFERED)
    presets = [(name, title) for name, title, _ in choices["presets"]]
    return form_page(visit, "deal_new.html", form, problem, **{**choices, "presets": presets})


# The page of a deal


def board_of(visit: Visit) -> Board:
    """The board of the address. Raises `Refused` 404 where it is none."""
    address = visit.path_params["board"]
    deal = read_address(address)
    if deal is None:
        raise Refused(404, "bad_deal_address")
    return board_of_seed(address, deal)


async def show(visit: Visit) -> Response:
    """`/deals/{board}`: a deal, and the person's own result once they have played it."""
    board, words = board_of(visit), visit.words
    deal, tables = board.deal, await tables_of(visit, board)
    found = await _first_result(visit, board, tables)
    row, own = found or (None, None)
    return page(
        visit,
        "board.html",
        board=board.id,
        fixed=None,
        in_set="",
        come=True,
        rules=rules_called(words, board),
        seats=deal.rules.players,
        bots=sorted({level_called(words, level) for level in deal.levels if level}),
        maker="",
        mine=False,
        played="",
        goes_on=any(each.state != "waiting" for each in tables),
        tried=False,
        own=own,
        own_match=row.id if row is not None else "",
        standings={"told": _told(words, own), "groups": ()} if own is not None else None,
        named=False,
        to_share=f"{shared(visit)}/deals/?at=/deals/{board.id}",
        done=done_text(visit, DONE),
    )


async def tables_of(visit: Visit, board: Board) -> list[Listing]:
    """The tables where the person plays a deal, or has played it, the oldest change first."""
    found = list[Listing]()
    for each in await visit.room[KeptStore].listings(AT_TABLES):
        with suppress(*UNREADABLE):
            if read_summary(each).board == board.id and each.state != "closed":
                found.append(each)
    return found[::-1]


async def _first_result(
    visit: Visit, board: Board, tables: list[Listing]
) -> tuple[MatchRow, FoundTry] | None:
    """The person's first result in a deal, with its match; None before there is one. A table that
    cannot be read is set aside."""
    store = visit.room[KeptStore]
    for each in tables:
        try:
            found = await _result_at(store, each, board.deal.seat, visit.who)
        except Unavailable:
            raise
        except Exception as error:
            log.error("table_set_aside", extra={"table": each.table}, exc_info=error)
            await store.set_aside(each.table)
        else:
            if found is not None:
                return found
    return None


async def _result_at(
    store: KeptStore, table: Listing, seat: int, person: str
) -> tuple[MatchRow, FoundTry] | None:
    """The result at a table, with its match; None while the deal goes on, or was broken off."""
    for row in await store.matches_at(table.table) if table.state == "waiting" else ():
        entries = await store.read(row.table, row.first - 1, row.last)
        happened = [decode_happening(each.data) for each in entries]
        found = tried_deal(happened, row.beginners[seat], person, seat)
        if found is not None:
            return row, found
    return None


def _told(words: Words, own: FoundTry) -> str:
    points = words.points(own.played.points)
    told = words.t("You took {points} in this deal.", points=points)
    moon = words.t("You shot the moon.") if own.played.moon else ""
    return " ".join(each for each in (told, moon) if each)


# Playing


async def play(visit: Visit) -> Response:
    """Open a table of a deal, or lead back to the one that is not over."""
    sent, board = await visit.fields(), board_of(visit)
    going = [each for each in await tables_of(visit, board) if each.state != "waiting"]
    if going:
        return see_other(f"/tables/{going[0].table}")
    opened = opening(
        *(board, visit.key_of(sent)[:20], visit.someone()), table_name(visit.words, board)
    )
    with suppress(Conflict):  # the same press has come twice
        await visit.room[KeptStore].append(
            *(opened.table, 0, opened.entries), listing=opened.listing, matches=(opened.row,)
        )
    return see_other(f"/tables/{opened.table}")


async def to_the_deal(visit: Visit) -> Response:
    """Redirect a browser that loads the answer to a form again."""
    return see_other(f"/deals/{board_of(visit).id}")
