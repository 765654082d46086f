"""Matches that are over: who may see them, and their records to take home."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from starlette.responses import Response

from volte.evenings.conducting import Evenings
from volte.evenings.disclosure import may_see, withheld
from volte.notation import format_record
from volte.store import Entry, MatchRow
from volte.table import Happening, TableEvent, decode_happening
from volte.web.refused import Refused
from volte.web.visit import Visit

LONGEST_ID: Final = 64

KEY: Final = "key"
"""What the address of a match says for whoever has been given it by somebody who played there."""

KEY_SIGNS: Final = 32

Log = Sequence[Happening]
Made = TypeVar("Made")


async def record(visit: Visit) -> Response:
    """`/matches/{match}/record`: the record of a match, to save."""
    row = await match_over(visit)
    text = await made_from(visit, row, written)
    name = f"volte-{row.id}.volte"
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def match_over(visit: Visit) -> MatchRow:
    """The match of the address, which is over. Raises `Refused` for whoever may not see it."""
    room, name, person = visit.room, visit.path_params["match"], visit.person
    row = await room.store.match(name) if name.isascii() and len(name) <= LONGEST_ID else None
    who = person.id if person is not None else ""
    if row is None or not (_has_key(visit, row) or await may_see(room[Evenings], row, who)):
        raise Refused(401, "no_session") if person is None else Refused(404, "no_match")
    for reason in (await withheld(room[Evenings], [row])).values():
        raise Refused(403, reason)
    return row


async def made_from(visit: Visit, row: MatchRow, make: Callable[[Log], Made]) -> Made:
    """What is made of all that has happened in a match.

    A long one takes seconds, so others have their turn meanwhile.
    """
    room = visit.room
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


def carried(visit: Visit) -> str:
    """What addresses about the same match have behind them, for whoever has come by its key."""
    key = visit.query_params.get(KEY, "")
    known = len(key) == KEY_SIGNS and key.isascii() and key.isalnum()
    return f"?{KEY}={key}" if known else ""


def _has_key(visit: Visit, row: MatchRow) -> bool:
    given = visit.query_params.get(KEY, "")
    return hmac.compare_digest(given.encode(), key_of(row).encode())
