"""A person's talk on one connection to a table: sayings sent, requests answered."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Final

from volte.game import Refusal
from volte.say import N_, Words
from volte.say.texts.talk import REASONS, phrase_line
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
        return [self._spoken(each) for each in sayings]

    async def listen(self) -> list[wire.Spoken]:
        """Waits for new sayings, or for news."""
        return [self._spoken(each) for each in await self._listener.listen()]

    @asynccontextmanager
    async def news(self) -> AsyncIterator[list[wire.Notice]]:
        """Notices of moderators' decisions for the person; marked as read after the context."""
        now = time.time()
        lines = await to_tell(self._room, self._who.id, self._words())
        yield [wire.Notice("measure", line) for line in lines]
        if lines:
            await has_read(self._room, self._who.id, now)

    def _spoken(self, saying: Said) -> wire.Spoken:
        line = phrase_line(self._words(), saying.phrase) if saying.phrase else saying.text
        room: wire.TalkRoom = "watchers" if saying.room == "watchers" else "table"
        return wire.Spoken(
            saying.number, room, saying.person, saying.name, saying.at, line, saying.phrase
        )

    # Answering

    async def answer(self, asking: wire.Speak | wire.Mute | wire.Report) -> TalkOutcome:
        """Carries out a request, or refuses it. Raises `Unavailable`."""
        try:
            match asking:
                case wire.Speak():
                    await self._room[TalkService].speak(self._live, self._who, asking)
                    return None, ()
                case wire.Mute():
                    return None, (await self._mute(asking),)
                case wire.Report():
                    return None, (await self._report(asking),)
        except Refused as refused:
            return refused_line(self._words(), refused)

    async def _mute(self, asking: wire.Mute) -> str:
        if asking.person == self._who.id:
            raise Refused(403, "own_saying")
        muted = await self._store[TalkStore].muted(self._who.id)
        name = muted.get(asking.person) or await self.name_of(asking.person)
        if asking.on:
            if len(muted) >= MOST_MUTED and asking.person not in muted:
                raise Refused(429, "too_many_muted", most=MOST_MUTED)
            await self._store[TalkStore].mute(self._who.id, asking.person, name)
        else:
            await self._store[TalkStore].unmute(self._who.id, asking.person)
        await self._room[TalkService].mutes_changed(self._who.id)
        return self._words().t(
            N_("You have muted {name}, here and at all other tables.")
            if asking.on
            else N_("You can see {name:of} messages again."),
            name=name,
        )

    async def _report(self, asking: wire.Report) -> str:
        if asking.person == self._who.id:
            raise Refused(403, "own_saying")
        if asking.why not in REASONS:
            raise Refused(422, "no_such_reason")
        note = plain_line(asking.note, LONGEST_NOTE, "note_too_long")
        against = await self.name_of(asking.person)
        found = await self._store[TalkStore].numbered(self._live.id, asking.sayings)
        reported = [
            each.number
            for each in found
            if each.person == asking.person and each.room in self._listener.rooms
        ]
        cause = f"{self._who.id}:{asking.id}"
        name = sha256(cause.encode()).hexdigest()[:20]
        if await self._store[TalkStore].report_of(name) is None:
            await self._store_report(name, asking, note, against, reported)
        return self._words().t(
            "Thank you. A moderator will look at your report, with what was said before and after."
        )

    async def _store_report(
        self, name: str, asking: wire.Report, note: str, against: str, reported: list[int]
    ) -> None:
        try:
            await self._room.limits.spend("report", self._who.id)
        except Refused as refused:
            raise Refused(429, "too_many_reports", **refused.params) from None
        table, by = self._live.id, self._who
        evidence = await gather(
            self._store,
            table,
            reported,
            name=self._live.state.setup.name,
            by=by.name,
            against=against,
        )
        report = TalkReport(
            *(name, table, by.id, asking.person, asking.why, note),
            *(frozen(evidence), time.time()),
        )
        await self._store[TalkStore].report(report)
        await self._store.bus.publish("report", name)

    async def name_of(self, person: str) -> str:
        """The name of somebody who sits at this table, has begun its match or has talked there.
        Raises `Refused`."""
        name = people_at(self._live.state).get(person, "")
        if name:
            return name
        for saying in await self._store[TalkStore].said_by(person, table=self._live.id, limit=1):
            return saying.name
        raise Refused(404, "not_at_table")

    async def may_sit(self) -> TalkOutcome:
        """Whether moderators let the person take a seat at this table."""
        if self._live.state.setup.access is not Access.PUBLIC:
            return None, ()
        excluded = await self._store[TalkStore].binding(self._who.id, "exclusion")
        if excluded is None:
            return None, ()
        return refused_line(self._words(), refused_by(excluded))
