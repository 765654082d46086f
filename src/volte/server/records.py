"""Matches that are over, to take home."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from volte.referee.record import format_record
from volte.server.refused import Refused
from volte.server.tables import entrance
from volte.server.visit import room_of, see_other, someone
from volte.store import Entry, MatchRow
from volte.table import Access, Happening, Someone, TableEvent, Watching, decode_happening
from volte.table.listing import read_summary

LONGEST_ID: Final = 64

Log = Sequence[Happening]
Made = TypeVar("Made")


async def record(request: Request) -> Response:
    """`/matches/{match}/record`: the record of a match, to save."""
    row = await match_over(request)
    text = await made_from(request, row, _written)
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
    store, who = room_of(request).store, someone(request)
    key = request.path_params["match"]
    row = await store.match(key) if key.isascii() and len(key) <= LONGEST_ID else None
    if row is None or not await _may_see(request, row, who):
        raise Refused(404, "no_match")
    if row.ended is None or not row.last:
        raise Refused(403, "match_goes_on")
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


def _written(log: Log) -> str:
    return format_record([each for each in log if not isinstance(each, TableEvent)])


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
