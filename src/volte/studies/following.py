"""The line to the page of a review, by which it is told of every change while it is open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from time import monotonic
from typing import Final

import msgspec

from volte.people.sessions import hashed
from volte.store import Gone, Unavailable
from volte.store.bus import within
from volte.studies.admission import Admitted, seats_seen
from volte.studies.service import EVERY, Studies
from volte.studies.talking import heard_here
from volte.studies.telling import study_shown
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit

EVENTS: Final = "text/event-stream"
AGAIN: Final = 2_000  # milliseconds until a page comes back to a line that has broken
AWAY: Final = 10_000  # the same while the database is away
LATER: Final = 60_000  # the same once the server has refused it


async def follow(visit: Visit, at: Admitted, heard: int) -> AsyncIterator[str]:
    """Events for the page: the review as its attendee is shown it (`message`), sayings (`talk`),
    and the sentence for its end (`over`); comments keep the line open.

    Args:
        heard: number of the last saying that the page has.
    """
    room, studies, sent, noted = room_of(visit), visit.room[Studies], b"", -EVERY
    yield f"retry: {AGAIN}\n\n"
    try:
        with room.limits.connected("person", at.person):
            while not studies.closed:
                change = studies.change(at.id)
                if monotonic() - noted >= EVERY:
                    if not await room.store.lasting([hashed(visit.token)]):
                        raise Refused(401, "no_session")
                    await studies.attend(at.id, at.person)
                    noted = monotonic()
                look = await studies.look(at.id)
                at = at._replace(study=look.study)
                seats = await seats_seen(visit, at, look.attendees)
                shown = study_shown(visit.words, look.study, look.here, seats, at.person)
                news = msgspec.json.encode(shown)
                sayings = await heard_here(visit, at.id, heard) if look.said > heard else []
                heard = max(heard, look.said)
                if news != sent:
                    yield f"data: {news.decode()}\n\n"
                if sayings:
                    yield f"event: talk\ndata: {msgspec.json.encode(sayings).decode()}\n\n"
                if news == sent and not sayings and not await within(change, EVERY):
                    yield ":\n\n"
                sent = news
    except Refused as refused:
        if refused.status_code == 503:  # too much is asked of the server just now
            yield f"retry: {AWAY}\n\n"
            return
        line = visit.words.why(refused.reason, **refused.params)
        yield f"retry: {LATER}\nevent: over\ndata: {msgspec.json.encode(line).decode()}\n\n"
    except Gone:
        yield f"retry: {LATER}\n\n"
    except Unavailable:
        yield f"retry: {AWAY}\n\n"
