"""The pages of a match that is over: its result, its replay, its proof, its record."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from volte import game, referee
from volte.game import MatchState, Play, Played, Player
from volte.game.codec import card_text
from volte.history import turning
from volte.history.again import match_after, match_before
from volte.history.luck_told import luck_told
from volte.history.moments import Eyes, FaceSettings, Moment, before, retold
from volte.history.results import outcome_of
from volte.history.rows import MatchLuck, MatchStore, Result
from volte.notation import format_record
from volte.people.settings_shown import wishes
from volte.referee import Event
from volte.rules import Ruleset, described
from volte.say import N_, Verbosity, Words
from volte.say.beside import SameCards, by_deals
from volte.say.measures import day_and_time
from volte.say.outcome import mean_of
from volte.say.rulesheet.options import game_title
from volte.say.scores import TableTelling, how_it_counts, remarks, won
from volte.scene.changes import change
from volte.scene.chart import chart_of
from volte.scene.faces import faces_of
from volte.sheet import SheetRow, Table, rows_of_match
from volte.store import Listing, MatchRow
from volte.table import Happening, TableEvent, decode_happening
from volte.table.setup import game_of
from volte.table.stored import read_summary
from volte.table.thinking import Thinking
from volte.web.addresses import shared
from volte.web.disclosure import Disclosure
from volte.web.page import as_json, page
from volte.web.refused import Refused
from volte.web.visit import Visit, route, see_other

LONGEST_ID: Final = 64
KEY: Final = "key"
"""Query parameter with the share key, which a player of the match may pass on."""

KEY_SIGNS: Final = 32

OPENED: Final = "record"
"""State of the line of a record that was opened; no table has it."""

OUTLINE: Final = (game.MatchStarted, game.Dealt, game.Settled)
"""Events that the page of a replay gets at once, besides the score sheet."""

PROVING: Final = (
    *(game.MatchStarted, game.Committed, game.Promised, game.Contributed, game.Revealed),
    *(game.DealerDrawn, game.Dealt, game.LotsDrawn),
)
"""Events that prove that the cards and the lots were fair (D3)."""

Log = Sequence[Happening]
Made = TypeVar("Made")


def routes() -> list[BaseRoute]:
    return [
        route("/matches/{match}", match_page),
        route("/matches/{match}/replay", replay),
        route("/matches/{match}/replay/{deal:number}", deal),
        route("/matches/{match}/proof", proof),
        route("/matches/{match}/proof.json", proof_json),
        route("/matches/{match}/record", record),
        route("/matches/{match}/why/{number:number}", why),
    ]


# Access, and the log


async def match_over(visit: Visit, name: str = "") -> MatchRow:
    """The match of the address, or of a name, which is over. Raises `Refused` if the visitor may
    not see it."""
    room, name = visit.room, name or visit.path_params["match"]
    row = await room[MatchStore].match(name) if name.isascii() and len(name) <= LONGEST_ID else None
    given = visit.query_params.get(KEY, "").encode()
    has_key = row is not None and hmac.compare_digest(given, key_of(row).encode())
    if row is None or not (has_key or await room[Disclosure].may_see(row, visit.who)):
        raise Refused(401, "no_session") if visit.person is None else Refused(404, "no_match")
    for reason in (await room[Disclosure].withheld([row])).values():
        raise Refused(403, reason)
    await room[Disclosure].note_opened(row, visit.who)
    return row


async def made_from(visit: Visit, row: MatchRow, make: Callable[[Log], Made]) -> Made:
    """Read the log of a match, and return the result of `make` on it.

    A long match takes seconds, so it waits its turn and runs in a thread. Raises `Refused`.
    """
    room = visit.room
    async with room.work.turn(visit.whose):
        entries = await room[MatchStore].read(row.table, row.first - 1, row.last)
        return await asyncio.to_thread(lambda: make([decode_happening(e.data) for e in entries]))


def key_of(row: MatchRow) -> str:
    """Share key that lets anybody see the match once it is over; its players may pass it on.

    It is derived from the secret of the match, so nothing has to be stored.
    """
    return hmac.digest(row.master, b"volte replay 1 " + row.id.encode(), "sha256").hex()[:KEY_SIGNS]


def carried(visit: Visit) -> str:
    """Query string that carries the share key to other pages of the match; empty without one."""
    key = visit.query_params.get(KEY, "")
    known = len(key) == KEY_SIGNS and key.isascii() and key.isalnum()
    return f"?{KEY}={key}" if known else ""


def events_of(log: Log) -> list[Event]:
    """The events of the match, without the other happenings at the table."""
    return [each for each in log if not isinstance(each, TableEvent)]


async def facts(visit: Visit, row: MatchRow) -> dict[str, Any]:
    """Context for the pages of a match: id, date, table, query string of its share key, whether
    the visitor may begin a review together, and for its players the address of the table while it
    is open."""
    listing = await visit.room[MatchStore].listing(row.table)
    return {
        "match": row.id,
        "date": day_and_time(visit.words, row.begun),
        "where": where_played(visit.words, listing),
        "opened": listing is not None and listing.state == OPENED,
        "to_table": f"/tables/{row.table}"
        if listing is not None and listing.state != "closed" and row.played(visit.who)
        else "",
        "carried": carried(visit),
        # Whoever is here by a key alone may not begin a review together
        "may_gather": visit.person is not None
        and await visit.room[Disclosure].may_see(row, visit.who),
    }


def last_over(visit: Visit, rows: Sequence[MatchRow]) -> Response:
    """Redirect `/tables/{table}/record`, `replay`, `review` and `proof` to the last match of the
    table that is over.

    Args:
        rows: the matches of the table.
    """
    over = [row for row in rows if row.last]
    if not over:
        raise Refused(404, "no_match")
    wanted = visit.url.path.rpartition("/")[2]
    return see_other(f"/matches/{max(over, key=lambda row: row.first).id}/{wanted}")


def where_played(words: Words, listing: Listing | None) -> str:
    """The name of the table of a match, or that it is from a record; empty where it is gone."""
    if listing is not None and listing.state == OPENED:
        return words.t("from a file")
    return listing.name if listing is not None else ""


async def chosen_by_players(visit: Visit, row: MatchRow) -> FaceSettings:
    """Settings of the people of a match, as they are now."""
    ids = {*row.players, *row.beginners} - {""}
    found = [await visit.room[MatchStore].person(each) for each in ids]
    return FaceSettings(
        row.beginners, {each.id: each.settings for each in found if each is not None}
    )


async def hues_of(visit: Visit, row: MatchRow, players: Sequence[Player]) -> list[int]:
    """The colours of the players with whom a match began, by seat."""
    chosen = await chosen_by_players(visit, row)
    return [face.hue for face in faces_of(players, chosen.at())]


# The result


class ScoredDeal(NamedTuple):
    """A deal of the score sheet, in words."""

    number: str
    cells: tuple[tuple[str, str], ...]  # by side: points, and the total after them
    notes: str


async def match_page(visit: Visit) -> Response:
    """`/matches/{match}`: the result and score sheet of a match that is over."""
    row = await match_over(visit)
    words, me = visit.words, visit.who
    match, outcome = await made_from(
        visit, row, lambda log: (referee.replay(events_of(log)), outcome_of(row, log))
    )
    table = rows_of_match(match)
    telling = TableTelling(words, [player.name for player in match.players], table)
    names = dict(enumerate(telling.players))
    mean = mean_of(words, match.rules, table.totals, names)
    title, (_, changes) = game_title(words, match.rules), described(match.rules)
    changed = set(changes) - {"players"}
    ranked = sorted(outcome.results, key=lambda result: (result.place, result.seat, result.late))
    return page(
        visit,
        "match.html",
        **await facts(visit, row),
        **await _same_cards(visit, row, match),
        rules=words.t("{rules}, with changes", rules=title) if changed else title,
        played=row.played(me),
        ending=" ".join((*won(telling), *mean)) if table.over else words.t("abandoned"),
        standing=[_placed(words, each, me) for each in ranked] if table.over else [],
        stakes=bool(outcome.results) and outcome.results[0].stake is not None,
        columns=[telling.names(side) for side in telling.sides],
        lines=[_line(telling, each) for each in table.rows],
        totals=[  # by side, and whether it has won
            (words.number(table.totals[side[0]]), side[0] in table.winners) for side in table.sides
        ],
        chart=chart_of(
            words,
            [player.name for player in match.players],
            await hues_of(visit, row, match.players),
            table,
        ),
        ladder=game_of(match.rules) if row.rated else "",
        sat=seat_of(visit, row) is not None,
        board=await _board_of(visit, row),
        deals=[(str(number), words.number(number)) for number in range(1, len(match.deals) + 1)],
        **await _luck(visit, row, match.rules, outcome.results),
        to_share=f"{shared(visit)}/matches/{row.id}?{KEY}={key_of(row)}" if row.played(me) else "",
    )


async def _same_cards(visit: Visit, row: MatchRow, match: MatchState) -> dict[str, Any]:
    """Addresses of the matches with the same cards, before and after this one, where the visitor
    may see them, and the one before beside it."""
    before, after, beside = await match_before(visit, match), await match_after(visit, row), None
    if before is not None and match.winners:
        old = await made_from(visit, before, lambda log: referee.replay(events_of(log)))
        if len(old.players) == len(match.players):
            then = SameCards(old.players, old.deals)
            now = SameCards(match.players, match.deals)
            beside = by_deals(visit.words, match.rules, then, now, seat_of(visit, row))
    return {
        "before": f"/matches/{before.id}" if before is not None else "",
        "after": f"/matches/{after.id}" if after is not None else "",
        "beside": beside,
    }


async def _board_of(visit: Visit, row: MatchRow) -> str:
    """The id of the board at whose table a match was played; empty for other tables."""
    listing = await visit.room[MatchStore].listing(row.table)
    played_here = listing is not None and listing.state != OPENED
    return read_summary(listing).board if listing is not None and played_here else ""


async def _luck(
    visit: Visit, row: MatchRow, rules: Ruleset, results: Sequence[Result]
) -> dict[str, Any]:
    """Context about the visitor's own luck: none unless they played from beginning to end."""
    known = visit.room[MatchLuck]
    counts = any(
        each.person == visit.who and not (each.left or each.late) for each in results if each.person
    )
    found = await known.own(row.id, visit.who) if counts else None
    return {
        "luck": luck_told(visit.words, found, rules) if found is not None else None,
        "luck_waits": counts and found is None,
        "able": known.able,
    }


def _placed(words: Words, each: Result, me: str) -> dict[str, Any]:
    signed = f"+{each.stake}" if each.stake and each.stake > 0 else words.number(each.stake or 0)
    name = words.t("{name} (bot)", name=each.name) if each.level else each.name
    if each.person and each.person == me:
        name = words.t("{name} (you)", name=each.name)
    notes = [(each.left, N_("left before the end")), (each.late, N_("joined during the match"))]
    return {
        "place": words.number(each.place),
        "name": name,
        "note": ", ".join(words.t(note) for holds, note in notes if holds),
        "total": words.number(each.total),
        "stake": signed,
        "moons": words.number(each.moons),
        "queens": words.number(each.queens),
    }


def _line(telling: TableTelling, row: SheetRow) -> ScoredDeal:
    number = telling.language.number
    cells = tuple(
        (number(row.points[side[0]]), number(row.totals[side[0]])) for side in telling.sides
    )
    notes = " ".join((*remarks(telling, row), *how_it_counts(telling, row)))
    return ScoredDeal(number(row.number or row.line), cells, notes)


# The replay


async def replay(visit: Visit) -> Response:
    """`/matches/{match}/replay`: the page that replays a match."""
    row = await match_over(visit)
    outline, sheet = await made_from(visit, row, outline_of)
    started = outline[0]
    assert isinstance(started, game.MatchStarted)
    words, rules, seat = visit.words, started.rules, seat_of(visit, row)
    called = [player.name for player in started.players]
    if seat is not None:
        called[seat] = words.sentence(words.t("you"))
    return page(
        visit,
        "replay.html",
        **await facts(visit, row),
        rules=game_title(words, rules),
        seat=seat,
        chart=chart_of(words, called, await hues_of(visit, row, started.players), sheet, seat),
        outline=msgspec.to_builtins(outline, enc_hook=card_text),
        sheet=msgspec.to_builtins(sheet, enc_hook=card_text),
        chosen=wishes(visit),
    )


async def deal(visit: Visit) -> Response:
    """A deal, step by step, as JSON: with `eyes=own` from the visitor's seat, else all open."""
    row = await match_over(visit)
    words, number, seat = visit.words, visit.path_params["deal"], seat_of(visit, row)
    eyes = Eyes.OWN if visit.query_params.get("eyes") == Eyes.OWN else Eyes.OPEN
    verbosity = Verbosity(wishes(visit)["verbosity"])
    chosen = await chosen_by_players(visit, row)
    found = await made_from(
        visit, row, lambda log: retold(words, log, number, seat, eyes, verbosity, chosen)
    )
    if not found.moments:
        raise Refused(404, "not_found")
    return JSONResponse({"number": found.number, "moments": list(sent(found.moments))})


def sent(moments: Sequence[Moment]) -> Iterator[dict[str, Any]]:
    """The steps as the page gets them: of each scene, the changes from the one before."""
    last = dict[str, Any]()
    for moment in moments:
        step = msgspec.to_builtins(moment, enc_hook=card_text)
        step["scene"], last = change(last, step["scene"]), step["scene"]
        yield step


def outline_of(log: Log) -> tuple[list[Event], Table]:
    """The events of `OUTLINE` as everybody may see them, and the score sheet."""
    events = events_of(log)
    outline = [referee.visible(each, None) for each in events if isinstance(each, OUTLINE)]
    return outline, rows_of_match(referee.replay(events))


def seat_of(visit: Visit, row: MatchRow) -> int | None:
    """The visitor's seat in the match, at its end or its beginning; None without one."""
    for players in (row.players, row.beginners):
        if visit.who and visit.who in players:
            return players.index(visit.who)
    return None


# Why was that played?


async def why(visit: Visit) -> Response:
    """`/matches/{match}/why/{number}`: the hint that the player of a card would have got."""
    row = await match_over(visit)
    number = visit.path_params["number"]
    try:
        state, event = await made_from(visit, row, lambda log: before(log, number))
    except IndexError:
        raise Refused(404, "not_found") from None
    if not isinstance(event, Played):
        raise Refused(404, "not_found")
    await visit.room.limits.spend("why", visit.who or visit.address)
    view, done = turning.view_of(state, event.seat), Play(event.seat, event.card)
    if done.card not in view.legal:
        return as_json({"lines": [visit.words.t(turning.OUT_OF_TURN)]})
    hint = await visit.room[Thinking].advise(view, visit.whose)
    lines = turning.explained(visit.words, view, seat_of(visit, row), done, hint)
    return as_json({"lines": lines})


# The proof


async def proof(visit: Visit) -> Response:
    """`/matches/{match}/proof`: the page on which the browser checks `proof.json`."""
    row = await match_over(visit)
    return page(visit, "proof.html", **await facts(visit, row), chosen=wishes(visit))


async def proof_json(visit: Visit) -> Response:
    """`/matches/{match}/proof.json`: the events of `PROVING`, as they are in the log."""
    row = await match_over(visit)
    return await made_from(
        visit, row, lambda log: as_json([each for each in log if isinstance(each, PROVING)])
    )


# The record


async def record(visit: Visit) -> Response:
    """`/matches/{match}/record`: the record of a match, to save."""
    row = await match_over(visit)
    text = await made_from(visit, row, written)
    headers = {"content-disposition": f'attachment; filename="volte-{row.id}.volte"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def written(log: Log) -> str:
    """The record of a match, as text."""
    return format_record(events_of(log))
