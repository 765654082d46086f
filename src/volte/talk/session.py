"""A person's talk on one connection to a table: sayings sent, requests answered."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Final, NamedTuple

from volte.game import Refusal
from volte.say import N_, Words
from volte.say.texts.talk import REASONS, phrase_line
from volte.store.store import Store
from volte.table import Access, Someone
from volte.table.live import LiveTable
from volte.talk.company import people_at
from volte.talk.reports import frozen, gather, has_read, refused_line, to_tell
from volte.talk.service import TalkListener, TalkService, plain_line, refused_by
from volte.talk.store import Said, TalkReport, TalkStore
from volte.web.refused import Refused
from volte.web.room import Room
from volte.wire import messages as wire

MOST_MUTED: Final = 500  # people whom one person has muted
LONGEST_NOTE: Final = 500  # characters

TalkOutcome = tuple[Refusal | None, tuple[str, ...]]
"""The refusal of a request, or None, and the sentences about it."""


class TalkPlace(NamedTuple):
    """A table, or another place where people talk."""

    id: str  # the name under which its talk is stored
    name: str  # for moderators
    people: Mapping[str, str]  # the people there, names by id
    rooms: tuple[str, ...]  # those that the person reads
    match: str = ""  # id of the match that it is about; empty for the last one of a table
    texts: tuple[Said, ...] = ()  # what is written there, where that is not stored as talk


class TalkSession:
    """The talk of a person at a table: speaking, reading, muting, reporting.

    Args:
        words: gives the language that the person reads now.
    """

    def __init__(
        self,
        room: Room,
        live: LiveTable,
        who: Someone,
        listener: TalkListener,
        words: Callable[[], Words],
    ) -> None:
        self._room, self._store = room, room.store
        self._live = live
        self._who = who
        self._listener = listener
        self._words = words

    @property
    def reached(self) -> int:
        """The number of the last saying that was sent."""
        return self._listener.reached

    @property
    def muted(self) -> frozenset[str]:
        """Ids of the people whom the person does not want to read."""
        return self._listener.muted

    async def before(self, heard: int) -> list[wire.Spoken]:
        """The last sayings after number `heard`."""
        sayings = await self._room[TalkService].before(self._live, self._listener, heard)
        return [spoken(self._words(), each) for each in sayings]

    async def listen(self) -> list[wire.Spoken]:
        """Waits for new sayings, or for news."""
        return [spoken(self._words(), each) for each in await self._listener.listen()]

    @asynccontextmanager
    async def news(self) -> AsyncIterator[list[wire.Notice]]:
        """Notices of moderators' decisions for the person; marked as read after the context."""
        now = time.time()
        lines = await to_tell(self._room, self._who.id, self._words())
        yield [wire.Notice("measure", line) for line in lines]
        if lines:
            await has_read(self._room, self._who.id, now)

    # Answering

    async def answer(self, asking: wire.Speak | wire.Mute | wire.Report) -> TalkOutcome:
        """Carries out a request, or refuses it. Raises `Unavailable`."""
        room, who, words = self._room, self._who, self._words()
        try:
            match asking:
                case wire.Speak():
                    await room[TalkService].speak(self._live, who, asking)
                    return None, ()
                case wire.Mute():
                    return None, (await mute(room, self._place, who, asking, words),)
                case wire.Report():
                    return None, (await report(room, self._place, who, asking, words),)
        except Refused as refused:
            return refused_line(words, refused)

    @property
    def _place(self) -> TalkPlace:
        people, name = people_at(self._live.state), self._live.state.setup.name
        return TalkPlace(self._live.id, name, people, self._listener.rooms)

    async def name_of(self, person: str) -> str:
        """The name of somebody who sits at this table, has begun its match or has talked there.
        Raises `Refused`."""
        return await name_at(self._store, self._place, person)

    async def may_sit(self) -> TalkOutcome:
        """Whether moderators let the person take a seat at this table."""
        if self._live.state.setup.access is not Access.PUBLIC:
            return None, ()
        excluded = await self._store[TalkStore].binding(self._who.id, "exclusion")
        if excluded is None:
            return None, ()
        return refused_line(self._words(), refused_by(excluded))


def spoken(words: Words, saying: Said) -> wire.Spoken:
    """A saying as it is sent to somebody who reads in that language."""
    line = phrase_line(words, saying.phrase) if saying.phrase else saying.text
    room: wire.TalkRoom = "watchers" if saying.room == "watchers" else "table"
    return wire.Spoken(
        saying.number, room, saying.person, saying.name, saying.at, line, saying.phrase
    )


async def name_at(store: Store, place: TalkPlace, person: str) -> str:
    """The name of somebody who is at a place, or has talked there. Raises `Refused`."""
    if name := place.people.get(person, ""):
        return name
    for saying in await store[TalkStore].said_by(person, table=place.id, limit=1):
        return saying.name
    raise Refused(404, "not_at_table")


async def mute(room: Room, place: TalkPlace, who: Someone, asking: wire.Mute, words: Words) -> str:
    """Mute somebody for a person, or no longer; the sentence about it. Raises `Refused`."""
    if asking.person == who.id:
        raise Refused(403, "own_saying")
    muted = await room.store[TalkStore].muted(who.id)
    name = muted.get(asking.person) or await name_at(room.store, place, asking.person)
    if asking.on:
        if len(muted) >= MOST_MUTED and asking.person not in muted:
            raise Refused(429, "too_many_muted", most=MOST_MUTED)
        await room.store[TalkStore].mute(who.id, asking.person, name)
    else:
        await room.store[TalkStore].unmute(who.id, asking.person)
    await room[TalkService].mutes_changed(who.id)
    return words.t(
        N_("You have muted {name}, here and at all other tables.")
        if asking.on
        else N_("You can see {name:of} messages again."),
        name=name,
    )


async def report(
    room: Room, place: TalkPlace, who: Someone, asking: wire.Report, words: Words
) -> str:
    """Report somebody for a person, once; the sentence about it. Raises `Refused`."""
    if asking.person == who.id:
        raise Refused(403, "own_saying")
    if asking.why not in REASONS:
        raise Refused(422, "no_such_reason")
    note = plain_line(asking.note, LONGEST_NOTE, "note_too_long")
    against = await name_at(room.store, place, asking.person)
    found = await room.store[TalkStore].numbered(place.id, asking.sayings)
    found += [each for each in place.texts if each.number in asking.sayings]
    reported = [
        each.number for each in found if each.person == asking.person and each.room in place.rooms
    ]
    cause = f"{who.id}:{asking.id}"
    name = sha256(cause.encode()).hexdigest()[:20]
    if await room.store[TalkStore].report_of(name) is None:
        try:
            await room.limits.spend("report", who.id)
        except Refused as refused:
            raise Refused(429, "too_many_reports", **refused.params) from None
        evidence = await gather(
            *(room.store, place.id, reported),
            name=place.name,
            by=who.name,
            against=against,
            match=place.match,
            texts=place.texts,
        )
        stored = TalkReport(
            *(name, place.id, who.id, asking.person, asking.why, note),
            *(frozen(evidence), time.time()),
        )
        await room.store[TalkStore].report(stored)
        await room.store.bus.publish("report", name)
    return words.t(
        "Thank you. A moderator will look at your report, with what was said before and after."
    )
