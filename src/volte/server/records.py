"""Matches that are over, to take home."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from volte.game import format_record
from volte.server.refused import Refused
from volte.server.tables import entrance
from volte.server.visit import room_of, see_other, someone
from volte.store import Entry, MatchRow
from volte.table import Access, Someone, TableEvent, Watching, decode_happening
from volte.table.listing import read_summary

LONGEST_ID: Final = 64


async def record(request: Request) -> Response:
    """`/matches/{match}/record`: the record of a match, to save."""
    store, who = room_of(request).store, someone(request)
    key = request.path_params["match"]
    row = await store.match(key) if key.isascii() and len(key) <= LONGEST_ID else None
    if row is None or not await _may_see(request, row, who):
        raise Refused(404, "no_match")
    if row.ended is None or not row.last:
        raise Refused(403, "match_goes_on")
    async with room_of(request).recording:
        text = await _text(request, row)
    name = f"volte-{row.id}.volte"
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def last_record(request: Request) -> Response:
    """`/tables/{table}/record`: that of the match that was last over at a table."""
    live = await entrance(request, request.path_params["table"])
    over = [row for row in await room_of(request).store.matches_at(live.id) if row.last]
    if not over:
        raise Refused(404, "no_match")
    return see_other(f"/matches/{max(over, key=lambda row: row.first).id}/record")


async def _text(request: Request, row: MatchRow) -> str:
    """The record itself: a long one takes seconds, so others have their turn meanwhile."""
    entries = await room_of(request).store.read(row.table, row.first - 1, row.last)
    return await asyncio.to_thread(_written, entries)


def _written(entries: Sequence[Entry]) -> str:
    happenings = (decode_happening(each.data) for each in entries)
    return format_record([each for each in happenings if not isinstance(each, TableEvent)])


async def _may_see(request: Request, row: MatchRow, who: Someone) -> bool:
    """Whether that person has played in the match, or could have watched it."""
    if who.id in row.players:
        return True
    store = room_of(request).store
    listing = await store.listing(row.table)
    if listing is None or who.id == listing.host:
        return listing is not None
    if read_summary(listing).watching is Watching.NOBODY:
        return False
    locked = listing.access == Access.PASSWORD
    return not locked or await store.admitted(row.table, who.id)
