"""Talk beside a review: stored as that of a table is, and read by everybody at any node."""

from __future__ import annotations

import time
from typing import Final

from volte.history.rows import MatchStore
from volte.studies.admission import Admitted
from volte.studies.service import Studies
from volte.studies.store import talk_of
from volte.talk.reports import refused_line
from volte.talk.service import TalkService, text_of
from volte.talk.session import TalkOutcome, TalkPlace, mute, report, spoken
from volte.talk.store import Said, TalkStore
from volte.web.refused import Refused
from volte.web.room import Room, room_of
from volte.web.visit import Visit
from volte.wire import messages as wire

ROOMS: Final = ("table",)

Asking = wire.Speak | wire.Mute | wire.Report


async def heard_here(visit: Visit, study: str, after: int) -> list[wire.Spoken]:
    """The last sayings of a review after a number, but for those of people muted by the visitor."""
    talk = room_of(visit).store[TalkStore]
    muted = await talk.muted(visit.who)
    found = await talk.latest(talk_of(study), ROOMS, after=after, without=muted)
    return [spoken(visit.words, each) for each in found]


async def say_here(visit: Visit, at: Admitted, asking: Asking) -> TalkOutcome:
    """Carry out what an attendee asks of the talk, or refuse it."""
    room, who, words = room_of(visit), visit.someone(), visit.words
    try:
        match asking:
            case wire.Speak():
                await _speak(room, at, who.name, asking)
                return None, ()
            case wire.Mute():
                return None, (await mute(room, await _place(room, at), who, asking, words),)
            case wire.Report():
                return None, (await report(room, await _place(room, at), who, asking, words),)
    except Refused as refused:
        return refused_line(words, refused)


async def _speak(room: Room, at: Admitted, name: str, asking: wire.Speak) -> None:
    text, talk = text_of(asking), room.store[TalkStore]
    await room[TalkService].allow(at.person)
    number = await talk.last(talk_of(at.id)) + 1
    saying = Said(
        *(talk_of(at.id), number, "table", at.person, name, asking.phrase, text, time.time())
    )
    await talk.say(saying, f"{at.person}:{asking.id}")
    await room[Studies].changed(at.id)


async def _place(room: Room, at: Admitted) -> TalkPlace:
    attendees = await room[Studies].attendees(at.id)
    listing = await room[MatchStore].listing(at.row.table)
    people = {each.person: each.name for each in attendees}
    return TalkPlace(
        *(talk_of(at.id), listing.name if listing is not None else "", people, ROOMS, at.row.id)
    )
