"""The pages of deals that are played again: by a link, and the deal of the day."""

from __future__ import annotations

import re
import secrets
import time
from contextlib import suppress
from datetime import date
from typing import Any, Final

from starlette.datastructures import FormData
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.boards.board import Board, Try, deal_of_match, packed
from volte.boards.called import rules_called, table_name
from volte.boards.days import days_told
from volte.boards.fixed import DealTerm, digest_of, term_of
from volte.boards.keeper import BoardKeeper
from volte.boards.sets import Sets, place_of
from volte.boards.shown import DealStandings, day_told, lines_of, standings_of
from volte.boards.store import Boards, NamedTry
from volte.boards.tables import opening, table_of
from volte.boards.weeks import board_of_week
from volte.fair import SECRET_BYTES
from volte.forms.fields import Choice, Field, FilledForm, declared
from volte.history.match_page import events_of, made_from, match_over, seat_of
from volte.people.sessions import begin, new_guest
from volte.people.store import Accounts
from volte.say import N_, Words
from volte.say.levels import level_called
from volte.say.measures import day_and_time
from volte.store import Conflict, MatchRow, Person
from volte.talk.store import TalkStore
from volte.web.addresses import shared
from volte.web.page import as_json, done_text, page
from volte.web.programs import json_body
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route, see_other
from volte.wire.api import DealResults, Met, PlayDeal

ADDRESS: Final = re.compile(r"[0-9a-f]{32}")
"""The id of a board by a link: 128 random bits."""

TODAY: Final = "today"
"""The name of the present day in addresses."""

MOST_BOARDS: Final = 100  # boards of one person whose addresses work

DONE: Final = {
    "made": N_("The address is ready: give it to anybody you like."),
    "ended": N_("The address no longer works."),
    "named": N_("Saved."),
    "set_ended": N_("The set has ended. Its deals keep their addresses."),
}
"""Messages about what has just been done, by the value of `done` in the address."""

NAMED: Final = declared(Choice("named", values=("yes", "no")))
NEW: Final = declared(Field("match"), Field("number"))


def routes() -> list[BaseRoute]:
    return [
        route("/deals", listed),
        route("/deals", make, methods=["POST"]),
        route("/deals/today", today),
        route("/deals/{board}", show),
        route("/deals/{board}/play", play, methods=["POST"]),
        route("/deals/{board}/named", agree, methods=["POST"]),
        route("/deals/{board}/end", end, methods=["POST"]),
        route("/api/deals/{board}", results, methods=["GET"]),
        route("/api/deals/{board}/play", play_by_program, methods=["POST"]),
        *(route(f"/deals/{{board}}/{form}", to_the_deal) for form in ("play", "named", "end")),
    ]


async def board_of(visit: Visit) -> Board:
    """The board of the address. Raises `Refused` 404 where there is none, or it has ended."""
    name, keeper = visit.path_params["board"], visit.room[BoardKeeper]
    name = keeper.today().isoformat() if name == TODAY else name
    board, term = None, term_of(name)
    if term is not None and term.club:
        board = await board_of_week(visit, term)
    elif term is not None and term.first in days_told(room_of(visit).store.second_look.now()):
        board = await keeper.of_day(term.first)
    elif term is not None or ADDRESS.fullmatch(name):
        board = await room_of(visit).store[Boards].board(name)
    if board is None or board.ended is not None:
        raise Refused(404, "no_board")
    return board


def has_come(visit: Visit, board: Board) -> bool:
    """Whether a board may be played: the time of a fixed deal has come."""
    term = term_of(board.id)
    return term is None or term.first <= visit.room[BoardKeeper].today()


async def tries_now(visit: Visit, board: Board) -> list[Try]:
    """The visitor's tries at a board, each with its result if its match is over."""
    if not visit.who:
        return []
    keeper = visit.room[BoardKeeper]
    tries = await room_of(visit).store[Boards].tries_of([board.id], visit.who)
    return [await keeper.finish(each) for each in tries]


# The page of a board


async def show(visit: Visit) -> Response:
    """`/deals/{board}`: the rules of a deal and, for whoever has played it, how others did."""
    board, words = await board_of(visit), visit.words
    boards, deal, term = room_of(visit).store[Boards], board.deal, term_of(board.id)
    tries = await tries_now(visit, board)
    own = next((each for each in tries if each.finished is not None), None)
    standings: DealStandings | None = None
    if own is not None:
        found = await _results(visit, board, own)
        standings = standings_of(words, found, own, visit.who)
        maker = next((each.name for each in found if not each.tried.attempt), "")
        number = sum(each.tried.attempt == 1 for each in found)
    else:
        maker, number = await _maker(visit, board), await boards.number(board.id)
    return page(
        visit,
        "board.html",
        board=board.id,
        fixed=_fixed(words, board, term) if term is not None else None,
        come=has_come(visit, board),
        rules=rules_called(words, board),
        seats=deal.rules.players,
        bots=sorted({level_called(words, level) for level in deal.levels if level}),
        maker=maker,
        mine=bool(visit.who) and board.maker == visit.who,
        played=number,
        goes_on=any(each.goes_on for each in tries),
        tried=bool(tries),
        own=own,
        own_match=await _match_at(visit, own) if own is not None else "",
        standings=standings,
        named=any(each.named for each in tries),
        in_set=await _set_with(visit, board),
        to_share=f"{shared(visit)}/deals/{board.id}",
        done=done_text(visit, DONE),
    )


async def _set_with(visit: Visit, board: Board) -> str:
    """The id of the set that the visitor has begun last among those with the board; empty where
    there is none."""
    begun = await room_of(visit).store[Sets].begun(visit.who) if visit.who else []
    return next((each.id for each in begun if each.has(board.id)), "")


async def _results(visit: Visit, board: Board, own: Try) -> list[NamedTry]:
    """The results at a board, for somebody whose own try is finished."""
    mine = NamedTry(own, own.played, visit.known().name if own.named else "")
    return await visit.room[BoardKeeper].results(board.id, mine)


async def _maker(visit: Visit, board: Board) -> str:
    """The name of a board's maker, if they agree to be named; else empty."""
    store = room_of(visit).store
    tries = await store[Boards].tries_of([board.id], board.maker) if board.maker else []
    person = await store.person(board.maker) if any(each.named for each in tries) else None
    return person.name if person is not None else ""


async def _match_at(visit: Visit, tried: Try) -> str:
    """The id of the match of a try that is over; empty for one that is not played here."""
    rows = await room_of(visit).store.matches_at(tried.table)
    return rows[0].id if rows else ""


def _fixed(words: Words, board: Board, term: DealTerm) -> dict[str, Any]:
    """A deal fixed beforehand as its page tells it; the secret only where it is told."""
    return {
        "date": day_told(words, term.first),
        "club": term.club,
        "digest": digest_of(term, board.secret).hex(),
        "since": day_and_time(words, board.made),
        "secret": board.secret.hex() if board.told is not None else "",
    }


async def today(visit: Visit) -> Response:
    """Redirect `/deals/today` to the deal of the day."""
    return see_other(f"/deals/{visit.room[BoardKeeper].today().isoformat()}")


async def results(visit: Visit) -> Response:
    """Answer a program with the results, once its person's own is in."""
    board = await board_of(visit)
    tries = await tries_now(visit, board)
    own = next((each for each in tries if each.finished is not None), None)
    if own is None:
        return as_json(DealResults())
    found = await _results(visit, board, own)
    return as_json(DealResults(lines_of(visit.words, found, own, visit.who)))


async def to_the_deal(visit: Visit) -> Response:
    """Redirect a browser that loads the answer to a form again."""
    return see_other(f"/deals/{(await board_of(visit)).id}")


# Playing


async def play(visit: Visit) -> Response:
    """Open the table of a try, or lead back to the one that is not over."""
    sent, board = await visit.fields(), await board_of(visit)
    if not has_come(visit, board):
        raise Refused(403, "day_to_come")
    return await to_table(visit, sent, board)


async def to_table(visit: Visit, sent: FormData, board: Board, deal_set: str = "") -> Response:
    """Redirect to the table of a try; whoever has no session gets one as a guest.

    Args:
        sent: the form with their name.
        deal_set: id of the set that they play; empty for none.
    """
    newcomer = visit.person is None
    if newcomer:
        name = str(sent.get("name", "")).strip() or visit.words.t("Guest")
        visit.visitor.person = await new_guest(visit, name, str(sent.get("lang", "")))
    if deal_set:
        await room_of(visit).store[Sets].begin(deal_set, visit.known().id, time.time())
    response = see_other(f"/tables/{await open_try(visit, board)}")
    if newcomer:
        await begin(visit, visit.known(), response)
    return response


async def play_by_program(visit: Visit) -> Response:
    """Open the table of a try for a program; see `play`."""
    await json_body(visit, PlayDeal)
    board = await board_of(visit)
    if not has_come(visit, board):
        raise Refused(403, "day_to_come")
    return as_json(Met(await open_try(visit, board)))


async def open_try(visit: Visit, board: Board) -> str:
    """Open the table of the visitor's next try at a board, unless one is not over; return its id.

    The try is stored before its table: whoever dies between leaves a try whose table is opened by
    the next press. Raises `Refused`.
    """
    room, who = room_of(visit), visit.someone()
    boards, tries = room.store[Boards], await tries_now(visit, board)
    tried = next((each for each in tries if each.goes_on), None)
    if tried is None:
        await room.limits.spend("table", who.id)
        attempt = 1 + sum(each.attempt > 0 for each in tries)
        guest = await room.store[Accounts].account(who.id) is None
        tried = Try(
            table=table_of(board, who.id, attempt),
            board=board.id,
            person=who.id,
            guest=guest,
            attempt=attempt,
            begun=room.store.second_look.now(),
            finished=None,
            marks="",
            found=None,
            named=any(each.named for each in tries),
        )
        with suppress(Conflict):  # the same press has come twice at once
            await boards.begin(tried)
    if await room.store.listing(tried.table) is None:
        opened = opening(board, tried.table, who, table_name(visit.words, board))
        with suppress(Conflict):
            await room.store.append(
                *(opened.table, 0, opened.entries), listing=opened.listing, matches=(opened.row,)
            )
    return tried.table


async def agree(visit: Visit) -> Response:
    """Store whether the visitor agrees to be named to others who have played the deal."""
    sent, board = await visit.fields(), await board_of(visit)
    named = FilledForm.typed(NAMED, sent).read()["named"] == "yes"
    await visit.room[BoardKeeper].agree(board.id, visit.known().id, named)
    return see_other(f"/deals/{board.id}?done=named")


# Making and ending


async def listed(visit: Visit) -> Response:
    """`/deals`: the deal of the day, and the visitor's own addresses."""
    words, room = visit.words, room_of(visit)
    boards = room.store[Boards]
    mine = await boards.made_by(visit.who) if visit.who else []
    begun = await room.store[Sets].begun(visit.who) if visit.who else []
    removed = await room.store[TalkStore].removed([place_of(each.id) for each in begun])
    days = await visit.room[BoardKeeper].days()
    return page(
        visit,
        "boards.html",
        days=[
            (each.id, day_told(words, date.fromisoformat(each.id)), rules_called(words, each))
            for each in days
        ],
        mine=[
            {
                "id": each.id,
                "made": day_and_time(words, each.made),
                "rules": rules_called(words, each),
                "number": words.number(each.number),
                "match": each.match,
                "played": await boards.number(each.id),
                "address": f"{shared(visit)}/deals/{each.id}",
            }
            for each in mine
        ],
        sets=await room.store[Sets].made_by(visit.who) if visit.who else [],
        begun=[each for each in begun if place_of(each.id) not in removed],
        done=done_text(visit, DONE),
    )


async def make(visit: Visit) -> Response:
    """Make a board of a deal of the visitor's, or find the one that they have made of it."""
    sent, person = await visit.fields(), visit.known()
    form = FilledForm.typed(NEW, sent).read()
    match, number = form["match"] or "-", form["number"]
    if not (number.isascii() and number.isdecimal() and len(number) <= 3):
        raise Refused(404, "no_match")
    row = await match_over(visit, match)
    board = await board_from(visit, row, int(number), person)
    return see_other(f"/deals/{board.id}?done=made")


async def board_from(visit: Visit, row: MatchRow, number: int, person: Person) -> Board:
    """The board of a deal, made now if the person has none of it. Raises `Refused`."""
    room, seat = room_of(visit), seat_of(visit, row)
    boards, origin = room.store[Boards], f"{person.id}/{row.id}/{number}"
    if seat is None:
        raise Refused(404, "no_match")
    tried = await boards.at(row.table)
    if tried is not None:  # these cards have an address already
        found = await boards.board(tried.board)
        if found is None or found.ended is not None:
            raise Refused(404, "no_board")
        return found
    same = await room[BoardKeeper].same_cards(row)
    if any(each.ended is None for each in same):
        raise Refused(403, "cards_go_on")
    known = await boards.from_origin(origin)
    if known is not None:
        return known
    if len(await boards.made_by(person.id)) >= MOST_BOARDS:
        raise Refused(429, "too_many_boards", most=MOST_BOARDS)
    await room.limits.spend("table", person.id)  # ended ones are kept, with the tries of others
    deal = await made_from(visit, row, lambda log: deal_of_match(events_of(log), number, seat))
    if deal is None:
        raise Refused(404, "no_match")
    board = Board(
        id=secrets.token_hex(16),
        maker=person.id,
        match=row.id,
        number=number,
        cards=packed(deal),
        secret=b"",
        master=secrets.token_bytes(SECRET_BYTES),
        made=time.time(),
        ended=None,
        told=None,
        origin=origin,
    )
    guest = await room.store[Accounts].account(person.id) is None
    own = await room[BoardKeeper].try_of_maker(board, row, guest)
    with suppress(Conflict):  # the same press has come twice at once
        await boards.make(board, tries=[own] if own is not None else [])
    made = await boards.from_origin(origin)
    if made is None:
        raise Refused(409, "others_faster")
    return made


async def end(visit: Visit) -> Response:
    """End the address of a board, for its maker."""
    await visit.fields()
    board, person = await board_of(visit), visit.known()
    if board.maker != person.id:
        raise Refused(403, "forbidden")
    await room_of(visit).store[Boards].end(board, time.time())
    return see_other("/deals?done=ended")
