"""Matches that are over, to take home."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from volte.game import Event, format_record
from volte.server.refused import Refused
from volte.server.visit import room_of, someone
from volte.store import MatchRow
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
    name = f"volte-{row.id}.volte"
    return Response(
        format_record(await _events(request, row)),
        media_type="text/plain; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def _events(request: Request, row: MatchRow) -> list[Event]:
    entries = await room_of(request).store.read(row.table, row.first - 1)
    happenings = (decode_happening(each.data) for each in entries if each.version <= row.last)
    return [each for each in happenings if not isinstance(each, TableEvent)]


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
