"""Talk at the tables of this node: what people say, kept first and then told.

What is said is no happening: nothing of the game depends on it, and it can be forgotten. All
connections to a table end at one node, so whoever is there hears everything at once; what is
decided elsewhere (mutes, measures) is looked up again when the bus says so.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import Lock, Task
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec.structs import replace

from volte.names import NameFault, clean_text
from volte.say.talk import PHRASES
from volte.store import Conflict, Store, Unavailable
from volte.store.talk import LATEST, Measure, Said
from volte.table import Someone, TableState, Talk
from volte.table.live import LiveTable
from volte.table.subscriptions import Bell
from volte.web.limits import REMEMBERED, Buckets, Limits
from volte.web.logs import get_logger
from volte.web.refused import Refused
from volte.wire.messages import Speak

LONGEST_SAYING: Final = 300
"""Characters."""

MOST_WAITING: Final = 200
"""Sayings that wait for a slow connection; of more, it hears the last ones."""

AT_ONCE: Final = 5
"""Sayings of one person in a moment; after them, one a second."""

SWEEPING: Final = 3600.0
"""Seconds between two looks for what is too old."""

DAY: Final = 86_400.0


log = get_logger("volte.server")


class TalkRefused(Exception):
    """Something is not said, or not done about what was said.

    Attributes:
        reason: the key of its sentence in `volte.say.talk`.
        params: what the sentence speaks of.
    """

    def __init__(self, reason: str, **params: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.params = params


class TalkListener:
    """Somebody who reads what is said at a table, on one connection.

    Args:
        seated: whether they have a seat now.

    Attributes:
        muted: ids of people whom they do not want to hear.
        told: number of the last saying that they have been told, or that others have.
    """

    def __init__(self, person: str, seated: Callable[[], bool]) -> None:
        self.person = person
        self.muted: frozenset[str] = frozenset()
        self.told = 0
        self._seated = seated
        self._waiting: list[Said] = []
        self._bell = Bell()

    @property
    def rooms(self) -> tuple[str, ...]:
        """Where they read. With a seat one never reads what those say who have none."""
        return ("table",) if self._seated() else ("table", "watchers")

    def hear(self, saying: Said) -> None:
        """Something has been said."""
        self._waiting = [*self._waiting[1 - MOST_WAITING :], saying]
        self._bell.ring()

    def nudge(self) -> None:
        """There is something to tell the person that was said by nobody here."""
        self._bell.ring()

    async def listen(self) -> list[Said]:
        """What has been said since; nothing after a nudge."""
        await self._bell.wait()
        heard = [each for each in self._waiting if each.number > self.told]
        self._waiting.clear()
        self.told = max([self.told, *(each.number for each in heard)])
        return [each for each in heard if self._reads(each)]

    def _reads(self, saying: Said) -> bool:
        return saying.room in self.rooms and saying.person not in self.muted


@dataclass
class TableTalk:
    """Whoever is at one table.

    Attributes:
        last: number of the last saying told there; None while nobody has looked.
        speaking: held while something is kept and told, so that all hear it in one order.
    """

    ears: set[TalkListener] = field(default_factory=set)
    last: int | None = None
    speaking: Lock = field(default_factory=Lock)


class Talks:
    """The talk of this node.

    Args:
        days: after which what was said is forgotten.
    """

    def __init__(self, store: Store, limits: Limits, days: float) -> None:
        self._store = store
        self._limits = limits
        self._kept_for = days * DAY
        self._circles: dict[str, TableTalk] = {}
        self._paces = Buckets(1.0, AT_ONCE)
        self._answered: OrderedDict[str, None] = OrderedDict()
        self._untold: set[str] = set()
        self._tasks: set[Task[None]] = set()

    def begin(self) -> None:
        """Begins: from now on it hears what other nodes do."""
        self._store.bus.hear("mutes", lambda person: self._later(self._look_at_mutes(person)))
        self._store.bus.hear("measures", lambda _: self._later(self._look_at_told()))
        self._later(self._look_at_told())
        self._later(self._sweep())

    async def close(self) -> None:
        """Ends what it still does."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Listening

    @asynccontextmanager
    async def listening(self, live: LiveTable, person: str) -> AsyncIterator[TalkListener]:
        """Lets a person read what is said at a table. Raises `Unavailable`."""
        ear = TalkListener(person, lambda: live.state.seat_of(person) is not None)
        circle = self._circles.setdefault(live.id, TableTalk())
        circle.ears.add(ear)
        try:
            ear.muted = frozenset(await self._store.talk.muted(person))
            yield ear
        finally:
            circle.ears.discard(ear)
            if not circle.ears and self._circles.get(live.id) is circle:
                del self._circles[live.id]

    async def before(self, live: LiveTable, ear: TalkListener, heard: int) -> list[Said]:
        """The last sayings after one of that number; they count as told. Raises `Unavailable`."""
        found = await self._store.talk.latest(
            live.id, ear.rooms, after=heard, without=ear.muted, limit=LATEST
        )
        ear.told = max([heard, *(each.number for each in found)])
        return found

    def has_news(self, person: str) -> bool:
        """Whether there may be something to tell that person: a measure, or a decision."""
        return person in self._untold

    def has_told(self, person: str) -> None:
        """They have been told, and the store knows."""
        self._untold.discard(person)

    # Speaking

    async def speak(self, live: LiveTable, who: Someone, asking: Speak) -> None:
        """Keeps and tells what somebody says, once. Raises `TalkRefused` and `Unavailable`."""
        cause = f"{who.id}:{asking.id}"
        if cause in self._answered:
            return
        text = allowed(live.state, who, asking)
        await self._count(who.id)
        silence = await self._store.talk.binding(who.id, "silence")
        if silence is not None:
            raise bound(silence, "silenced")
        saying = Said(live.id, 0, asking.room, who.id, who.name, asking.phrase, text, time.time())
        await self._tell(saying, cause)
        self._answered[cause] = None
        if len(self._answered) > REMEMBERED:
            self._answered.popitem(last=False)

    async def _tell(self, saying: Said, cause: str) -> None:
        circle = self._circles.setdefault(saying.table, TableTalk())
        async with circle.speaking:
            if circle.last is None:
                circle.last = await self._store.talk.last(saying.table)
            try:
                numbered = replace(saying, number=circle.last + 1)
                kept = await self._store.talk.say(numbered, cause)
            except Conflict:
                raise Unavailable("too many speak at once") from None
            if kept.number <= circle.last:
                return  # it has been told before
            circle.last = kept.number
            for ear in circle.ears:
                ear.hear(kept)

    async def _count(self, person: str) -> None:
        if not self._paces.of(person).take():
            raise TalkRefused("talk_too_fast", seconds=1)
        try:
            await self._limits.spend("saying", person)
        except Refused as refused:
            raise TalkRefused("talk_too_fast", **refused.params) from None

    # What has been decided elsewhere

    async def _look_at_mutes(self, person: str) -> None:
        """Somebody mutes others from now on, or no longer; empty where it may be anybody."""
        ears = [ear for circle in self._circles.values() for ear in circle.ears]
        people = {ear.person for ear in ears if person in ("", ear.person)}
        mutes = await self._store.talk.mutes_of(people)
        for ear in ears:
            ear.muted = mutes.get(ear.person, ear.muted)

    async def mutes_changed(self, person: str) -> None:
        """The same, for good before anything else is told here; other nodes hear of it."""
        await self._look_at_mutes(person)
        await self._store.bus.tell("mutes", person)

    async def measures_changed(self, *people: str) -> None:
        """There is something to tell those people, or no longer; other nodes hear of it."""
        await self._look_at_told()
        for person in people:
            await self._store.bus.tell("measures", person)

    async def _look_at_told(self) -> None:
        """There may be somebody to be told of a measure or a decision."""
        self._untold = await self._store.talk.untold()
        for circle in self._circles.values():
            for ear in circle.ears:
                if ear.person in self._untold:
                    ear.nudge()

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        async def run() -> None:
            with suppress(Unavailable):  # the bus says it again once the database is back
                await work

        task = asyncio.create_task(run(), name="talk")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _sweep(self) -> None:
        """Forgets what is too old, now and every hour."""
        while True:
            try:
                await self._store.talk.sweep(time.time() - self._kept_for)
            except Unavailable as error:
                log.warning("talk_not_swept", why=str(error))
            await asyncio.sleep(SWEEPING)


def allowed(state: TableState, who: Someone, asking: Speak) -> str:
    """The text as it is said; empty for a phrase. Raises `TalkRefused` for what may not be."""
    if state.setup.talk is Talk.NOBODY:
        raise TalkRefused("talk_off")
    seated = state.seat_of(who.id) is not None
    if seated and asking.room == "watchers":
        raise TalkRefused("watchers_talk")
    if not seated and asking.room == "table" and state.under_way:
        raise TalkRefused("players_talk")
    if asking.phrase:
        if asking.phrase not in PHRASES:
            raise TalkRefused("no_such_phrase")
        return ""
    if state.setup.talk is Talk.PHRASES:
        raise TalkRefused("phrases_only")
    text = plain(asking.text, LONGEST_SAYING, "saying_too_long")
    if not text:
        raise TalkRefused("nothing_said")
    return text


def bound(measure: Measure, reason: str) -> TalkRefused:
    """Why somebody may not do something, as a moderator has decided; until when, in seconds."""
    if measure.until is None:
        return TalkRefused(f"{reason}_for_good", why=measure.note)
    return TalkRefused(reason, until=measure.until, why=measure.note)


def plain(text: str, most: int, too_long: str) -> str:
    """One line of text, without what cannot be seen. Raises `TalkRefused`.

    Line breaks and tabs become spaces. Signs that turn the direction of writing are refused: what
    stands beside the text would be turned as well.
    """
    one_line = "".join(" " if sign in "\t\r\n" else sign for sign in text)
    try:
        cleaned = clean_text(one_line).strip()
    except NameFault:
        raise TalkRefused("saying_unprintable") from None
    if len(cleaned) > most:
        raise TalkRefused(too_long, most=most)
    return cleaned
