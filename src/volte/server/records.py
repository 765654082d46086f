"""Matches that are over: who may see them, and their records to take home."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from volte.referee.record import format_record
from volte.server.evenings import check_told, may_read
from volte.server.preferences import USUAL
from volte.server.refused import Refused
from volte.server.settings_page import settings_of
from volte.server.tables import entrance
from volte.server.visit import room_of, see_other, someone
from volte.store import Entry, MatchRow
from volte.table import Access, Happening, TableEvent, Watching, decode_happening
from volte.table.listing import read_summary

LONGEST_ID: Final = 64

KEY: Final = "key"
"""What the address of a match says for whoever has been given it by somebody who played there."""

KEY_SIGNS: Final = 32

Log = Sequence[Happening]
Made = TypeVar("Made")


async def record(request: Request) -> Response:
    """`/matches/{match}/record`: the record of a match, to save."""
    row = await match_over(request)
    text = await made_from(request, row, written)
    name = f"volte-{row.id}.volte"
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def last_match(request: Request) -> Response:
    """`/tables/{table}/record`, `replay`, `proof`: of the match that was last over at a table."""
    live = await entrance(request, request.path_params["table"])
    over = [row for row in await room_of(request).store.matches_at(live.id) if row.last]
    if not over:
        raise Refused(404, "no_match")
    wanted = request.url.path.rpartition("/")[2]
    return see_other(f"/matches/{max(over, key=lambda row: row.first).id}/{wanted}")


async def match_over(request: Request) -> MatchRow:
    """The match of the address, which is over. Raises `Refused` for whoever may not see it."""
    store, name = room_of(request).store, request.path_params["match"]
    row = await store.match(name) if name.isascii() and len(name) <= LONGEST_ID else None
    if row is None or not (_has_key(request, row) or await _may_see(request, row)):
        if request.state.person is None:
            raise Refused(401, "no_session")
        raise Refused(404, "no_match")
    if row.ended is None or not row.last:
        raise Refused(403, "match_goes_on")
    await check_told(room_of(request), row.table)
    return row


async def made_from(request: Request, row: MatchRow, make: Callable[[Log], Made]) -> Made:
    """What is made of all that has happened in a match.

    A long one takes seconds, so others have their turn meanwhile.
    """
    room = room_of(request)
    async with room.recording:
        entries = await room.store.read(row.table, row.first - 1, row.last)
        return await asyncio.to_thread(lambda: make(_decoded(entries)))


def _decoded(entries: Sequence[Entry]) -> Log:
    return [decode_happening(each.data) for each in entries]


def written(log: Log) -> str:
    """The record of a match, as text."""
    return format_record([each for each in log if not isinstance(each, TableEvent)])


def key_of(row: MatchRow) -> str:
    """What lets anybody see a match that is over, once somebody who played there has told them.

    It follows from the secret of its house, so that nothing need be kept.
    """
    told = hmac.digest(row.master, b"volte replay 1 " + row.id.encode(), "sha256")
    return told.hex()[:KEY_SIGNS]


def carried(request: Request) -> str:
    """What addresses about the same match have behind them, for whoever has come by its key."""
    key = request.query_params.get(KEY, "")
    known = len(key) == KEY_SIGNS and key.isascii() and key.isalnum()
    return f"?{KEY}={key}" if known else ""


def _has_key(request: Request, row: MatchRow) -> bool:
    given = request.query_params.get(KEY, "")
    return hmac.compare_digest(given.encode(), key_of(row).encode())


def wishes(request: Request) -> dict[str, Any]:
    """The settings of who asks, also where nobody knows them here: they may have come by a key."""
    person = request.state.person
    return {**USUAL, "lang": request.state.lang} if person is None else settings_of(person)


async def _may_see(request: Request, row: MatchRow) -> bool:
    """Whether who asks has played in the match, or could have watched it."""
    if request.state.person is None:
        return False
    who = someone(request)
    if row.played(who.id):
        return True
    store = room_of(request).store
    listing = await store.listing(row.table)
    if listing is None or who.id == listing.host:
        return listing is not None
    if read_summary(listing).evening:
        return await may_read(room_of(request), row.table, who.id)
    nobody = read_summary(listing).watching is Watching.NOBODY
    if nobody or listing.access == Access.PRIVATE:
        return False
    locked = listing.access == Access.PASSWORD
    return not locked or await store.admitted(row.table, who.id)
