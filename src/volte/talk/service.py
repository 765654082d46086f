"""Talk at the tables of this node: what people say is stored, and then sent to the others.

A saying is no happening: nothing of the game depends on it, and it can be deleted. All connections
to a table end at one node, so everybody there hears everything; decisions on other nodes (mutes,
measures) are looked up when the bus tells of them.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import Lock, Task
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec.structs import replace

from volte.forms.fields import Field, Wrong
from volte.names import NameFault, clean_text
from volte.say.texts.talk import PHRASES
from volte.store import Conflict, Unavailable
from volte.store.recent import Recent
from volte.store.store import Store
from volte.table import Someone, TableState, Talk
from volte.table.live import LiveTable
from volte.table.subscriptions import Bell
from volte.talk.store import LATEST, Measure, Said, TalkStore
from volte.web.limits import REMEMBERED, Buckets, Limits
from volte.web.refused import Refused
from volte.wire.messages import Speak

LONGEST_SAYING: Final = 300  # characters
MOST_WAITING: Final = 200  # sayings that wait for a slow connection; it misses older ones
AT_ONCE: Final = 5  # sayings that a person may send at once; after them, one a second


class TalkListener:
    """One connection of a person who reads the talk at a table; `seated`: if with a seat now."""

    def __init__(self, person: str, seated: Callable[[], bool]) -> None:
        self.person = person
        self.muted: frozenset[str] = frozenset()  # people whom the person does not want to hear
        self.reached = 0  # number of the last saying taken, also of one not for this person
        self._seated = seated
        self._waiting: list[Said] = []
        self._bell = Bell()

    @property
    def rooms(self) -> tuple[str, ...]:
        """The rooms that the person reads; somebody with a seat never reads the watchers' talk."""
        return ("table",) if self._seated() else ("table", "watchers")

    def put(self, saying: Said) -> None:
        """Queues a saying for the connection; the oldest goes if too many wait."""
        self._waiting = [*self._waiting[1 - MOST_WAITING :], saying]
        self._bell.ring()

    def nudge(self) -> None:
        """Wakes the connection, as there are other news for the person."""
        self._bell.ring()

    async def listen(self) -> list[Said]:
        """Waits for new sayings or a nudge, and returns the new sayings for this person."""
        await self._bell.wait()
        new = [each for each in self._waiting if each.number > self.reached]
        self._waiting.clear()
        self.reached = max([self.reached, *(each.number for each in new)])
        return [each for each in new if each.room in self.rooms and each.person not in self.muted]


@dataclass
class TableTalk:
    """The talk at one table."""

    listeners: set[TalkListener] = field(default_factory=set)
    last: int | None = None  # number of the last saying; None until it is read from the store
    speaking: Lock = field(default_factory=Lock)  # held from storing to sending, to keep the order


class TalkService:
    """The talk at the tables of this node."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._tables: dict[str, TableTalk] = {}
        self._paces = Buckets(1.0, AT_ONCE)
        self._answered = Recent[str, None](REMEMBERED)
        self.untold: set[str] = set()  # ids of people with a measure or a decision not read yet
        self._tasks: set[Task[None]] = set()

    def begin(self) -> None:
        """Starts, and listens to decisions on other nodes."""
        self._store.bus.subscribe("mutes", lambda person: self._later(self._look_at_mutes(person)))
        self._store.bus.subscribe("measures", lambda _: self._later(self._look_for_news()))
        self._later(self._look_for_news())

    async def close(self) -> None:
        """Cancels the background tasks, and waits until they have ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Listening

    @asynccontextmanager
    async def listening(self, live: LiveTable, person: str) -> AsyncIterator[TalkListener]:
        """A connection that reads the talk at a table. Raises `Unavailable`."""
        listener = TalkListener(person, lambda: live.state.seat_of(person) is not None)
        talk = self._tables.setdefault(live.id, TableTalk())
        talk.listeners.add(listener)
        try:
            listener.muted = frozenset(await self._store[TalkStore].muted(person))
            yield listener
        finally:
            talk.listeners.discard(listener)
            if not talk.listeners and self._tables.get(live.id) is talk:
                del self._tables[live.id]

    async def before(self, live: LiveTable, listener: TalkListener, heard: int) -> list[Said]:
        """The last sayings after number `heard`, now taken. Raises `Unavailable`."""
        found = await self._store[TalkStore].latest(
            live.id, listener.rooms, after=heard, without=listener.muted, limit=LATEST
        )
        listener.reached = max([heard, *(each.number for each in found)])
        return found

    # Speaking

    async def speak(self, live: LiveTable, who: Someone, asking: Speak) -> None:
        """Stores and sends what a person says, once. Raises `Refused` and `Unavailable`."""
        cause = f"{who.id}:{asking.id}"
        if cause in self._answered:
            return
        text = check_allowed(live.state, who, asking)
        await self.allow(who.id)
        saying = Said(live.id, 0, asking.room, who.id, who.name, asking.phrase, text, time.time())
        await self._publish(saying, cause)
        self._answered[cause] = None

    async def allow(self, person: str) -> None:
        """Raises `Refused` for somebody who may not talk now: too fast, or silenced."""
        if not self._paces.of(person).take():
            raise Refused(429, "talk_too_fast", seconds=1)
        try:
            await self._limits.spend("saying", person)
        except Refused as refused:
            raise Refused(429, "talk_too_fast", **refused.params) from None
        silence = await self._store[TalkStore].binding(person, "silence")
        if silence is not None:
            raise refused_by(silence)

    async def _publish(self, saying: Said, cause: str) -> None:
        talk = self._tables.setdefault(saying.table, TableTalk())
        async with talk.speaking:
            if talk.last is None:
                talk.last = await self._store[TalkStore].last(saying.table)
            try:
                numbered = replace(saying, number=talk.last + 1)
                stored = await self._store[TalkStore].say(numbered, cause)
            except Conflict:
                raise Unavailable("too many speak at once") from None
            if stored.number <= talk.last:
                return  # the saying has been sent before
            talk.last = stored.number
            for listener in talk.listeners:
                listener.put(stored)

    # Decisions, perhaps on another node

    async def _look_at_mutes(self, person: str) -> None:
        """Reads again the mutes of a person, or of everybody here if the id is empty."""
        listeners = [each for talk in self._tables.values() for each in talk.listeners]
        people = {each.person for each in listeners if person in ("", each.person)}
        mutes = await self._store[TalkStore].mutes_of(people)
        for each in listeners:
            each.muted, before = mutes.get(each.person, each.muted), each.muted
            if each.muted != before:
                each.nudge()

    async def mutes_changed(self, person: str) -> None:
        """Applies the mutes of a person at once here, and then on other nodes."""
        await self._look_at_mutes(person)
        await self._store.bus.publish("mutes", person)

    async def measures_changed(self, *people: str) -> None:
        """Looks for unread notices, here and on other nodes, after news for some people."""
        await self._look_for_news()
        for person in people:
            await self._store.bus.publish("measures", person)

    async def _look_for_news(self) -> None:
        """Looks up the people with unread measures or decisions, and wakes their connections."""
        self.untold = await self._store[TalkStore].untold()
        for talk in self._tables.values():
            for listener in talk.listeners:
                if listener.person in self.untold:
                    listener.nudge()

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        async def run() -> None:
            with suppress(Unavailable):  # the bus says it again once the database is back
                await work

        task = asyncio.create_task(run(), name="talk")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def check_allowed(state: TableState, who: Someone, asking: Speak) -> str:
    """The cleaned text of a saying; empty for a phrase. Raises `Refused` if not allowed."""
    if state.setup.talk is Talk.NOBODY:
        raise Refused(403, "talk_off")
    seated = state.seat_of(who.id) is not None
    if seated and asking.room == "watchers":
        raise Refused(403, "watchers_talk")
    if not seated and asking.room == "table" and state.under_way:
        raise Refused(403, "players_talk")
    if state.setup.talk is Talk.PHRASES and not asking.phrase:
        raise Refused(403, "phrases_only")
    return text_of(asking)


def text_of(asking: Speak) -> str:
    """The cleaned text of a saying; empty for a phrase. Raises `Refused` if it says nothing."""
    if asking.phrase:
        if asking.phrase not in PHRASES:
            raise Refused(422, "no_such_phrase")
        return ""
    text = plain_line(asking.text, LONGEST_SAYING, "saying_too_long")
    if not text:
        raise Refused(422, "nothing_said")
    return text


BOUND: Final = {"silence": "silenced", "exclusion": "excluded"}
"""Reasons of refusals by kind of measure; with `_for_good` added for a measure without end."""


def refused_by(measure: Measure) -> Refused:
    """The refusal that follows from a moderator's measure; `until` is in seconds since 1970."""
    reason = BOUND[measure.kind]
    if measure.until is None:
        return Refused(403, f"{reason}_for_good", why=measure.note)
    return Refused(403, reason, until=measure.until, why=measure.note)


def line_field(name: str, longest: int, needed: str = "") -> Field:
    """The field of a text on one line.

    Args:
        needed: the sentence where nothing was typed; empty where that is allowed.
    """

    def meant(text: str) -> str:
        try:
            line = plain_line(text, longest, "note_too_long")
        except Refused as refused:
            raise Wrong(name, refused) from None
        if needed and not line:
            raise Wrong(name, needed)
        return line

    return Field(name, meant=meant)


def plain_line(text: str, most: int, too_long: str) -> str:
    """A text as one line, without invisible characters. Raises `Refused`.

    Line breaks and tabs become spaces.
    """
    one_line = "".join(" " if sign in "\t\r\n" else sign for sign in text)
    try:
        cleaned = clean_text(one_line).strip()
    except NameFault as fault:
        raise Refused(422, fault.reason, **fault.params) from None
    if len(cleaned) > most:
        raise Refused(422, too_long, most=most)
    return cleaned
