"""Ways to matches that a browser alone has: from their tables, and from records that are opened.

A record is read strictly, and kept as a match to look at.
"""

from __future__ import annotations

import time
from hashlib import sha256
from typing import Final

from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.game import MatchStarted
from volte.history.match_page import OPENED, last_over, match_over
from volte.names import on_one_line
from volte.notation import RecordFault, parse_record
from volte.referee.codec import encode
from volte.referee.events import Event
from volte.solo.kept import KeptStore, KeptStream
from volte.solo.room import ME
from volte.store import Listing, MatchRow
from volte.table import Access
from volte.web.refused import Refused
from volte.web.visit import Visit, route, see_other

MOST_BYTES: Final = 256 * 1024
"""Longest text that is opened: some ten times the longest match of a preset."""

LONGEST_SENT: Final = 10_000_000
"""Longest text of a file that a page sends, in bytes; it sends nothing of a longer one."""


def routes() -> list[BaseRoute]:
    return [
        route("/matches", open_record, methods=["POST"]),
        route("/matches/{match}/forget", forget, methods=["POST"]),
        *(route(f"/tables/{{table}}/{page}", last_match) for page in ("replay", "proof", "record")),
    ]


async def last_match(visit: Visit) -> Response:
    """Lead to the last match of a table that is over."""
    table = visit.path_params["table"]
    return last_over(visit, await visit.room[KeptStore].matches_at(table))


async def open_record(visit: Visit) -> Response:
    """Open a record: keep it, and show its result. Raises `RecordFault`, and keeps nothing then."""
    form = await visit.fields(LONGEST_SENT)
    table = kept_record(str(form.get("record", "")))
    await visit.room[KeptStore].add([table])
    return see_other(f"/matches/{table.matches[0].id}")


async def forget(visit: Visit) -> Response:
    """Delete a record that was opened; its file stays where it is."""
    await visit.fields()
    row = await match_over(visit)
    store = visit.room[KeptStore]
    listing = await store.listing(row.table)
    if listing is None or listing.state != OPENED:
        raise Refused(404, "no_match")
    await store.forget(row.table)
    return see_other("/matches")


def kept_record(text: str) -> KeptStream:
    """The match of a record, as it is kept: the same record is the same match.

    Raises `RecordFault` where the text is no record of a match that is over.
    """
    if len(text) > MOST_BYTES or len(text.encode()) > MOST_BYTES:
        raise RecordFault("too_large", line=1, most=MOST_BYTES)
    record = parse_record(text)
    if not record.finished and record.master is not None:
        raise RecordFault("record_goes_on")
    log, now = [encode(_shown(event)) for event in record.log], time.time()
    name = sha256(b"\n".join(log)).hexdigest()[:20]
    table = f"{OPENED}-{name}"
    # People of a record are nobody here; each has an id of their own all the same.
    people = tuple(
        f"{table}-{seat}" if player.person else ""
        for seat, player in enumerate(record.state.players)
    )
    row = MatchRow(name, table, 1, b"", now, people, len(log), now)
    return KeptStream(
        Listing(table, "", ME, Access.PRIVATE, OPENED, updated=now), (row,), tuple(log)
    )


def _shown(event: Event) -> Event:
    """The event, with names that pages can show: a record may have any."""
    if not isinstance(event, MatchStarted):
        return event
    players = tuple(replace(each, name=on_one_line(each.name)) for each in event.players)
    return replace(event, players=players)
