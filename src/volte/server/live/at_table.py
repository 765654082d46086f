"""Somebody connected to a table: what they are told, and what is answered."""

from __future__ import annotations

import asyncio
from asyncio import TaskGroup
from time import monotonic
from typing import Any, Final, Protocol

import msgspec
from msgspec.structs import replace

from volte.cards import Fault
from volte.game import Dealt, Refusal
from volte.referee.scores import rows_of_match
from volte.say import Words
from volte.say.catalogue import language_of
from volte.say.serving import serving_sentence
from volte.server.live.answers import Advising, answer, cards_typed
from volte.server.live.scene import Scenes, score_of
from volte.server.live.updates import happened, parts, pauses, told_late, view_of
from volte.store import Person, Unavailable
from volte.table import TableState
from volte.table.commands import Sit
from volte.table.live import LiveTable
from volte.table.pacing import Manner
from volte.table.subscriptions import Watcher
from volte.table.telling import who_watches
from volte.table.viewpoints import Update
from volte.talk.talking import Outcome, Talking
from volte.talk.talks import Talks
from volte.view import View
from volte.web.faults import client_faults
from volte.web.metrics import counted
from volte.web.preferences import USUAL_BOT_PACE, USUAL_READER_RATE, USUAL_TRICK_PACE
from volte.web.room import Room
from volte.web.visit import words_of
from volte.wire.messages import (
    LONGEST_ID,
    PROTOCOL,
    Answer,
    Ask,
    Asking,
    Do,
    Happened,
    Heard,
    Hello,
    Mute,
    Notice,
    Prefer,
    Question,
    Report,
    Saying,
    Scene,
    Speak,
    Welcome,
)

LEAST_TO_TELL: Final = 250
"""Milliseconds before each card of bots that wait until the one before has been heard."""


LONGEST_TO_HEAR: Final = 15.0
"""Seconds for which bots wait at most until somebody has heard what was told."""


AT_ONCE: Final = 64
"""Happenings told in one go."""


class Ended(Exception):
    """The connection has come to its end, for that reason; empty where the client has gone."""

    def __init__(self, reason: str = "", **params: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.params = params


class Line(Protocol):
    """The connection itself. All of it raises `Ended` once there is none any more."""

    async def receive(self) -> str | bytes:
        """What the client says next."""

    def read(self, text: str | bytes) -> Asking:
        """What it means. Raises `msgspec.DecodeError`."""

    async def afford(self, asking: Asking | None) -> None:
        """Waits until that may be done; None is what cannot be read."""

    async def say(self, *sayings: Saying) -> None:
        """Sends that."""

    def sits(self, seated: bool) -> None:
        """Whether the person has a seat, as others are told."""


class AtTable:
    """A person at a table, on one connection.

    Args:
        hello: how they came.
    """

    def __init__(
        self,
        line: Line,
        room: Room,
        table: LiveTable,
        person: Person,
        watcher: Watcher,
        words: Words,
        hello: Hello,
    ) -> None:
        self._line = line
        self._room = room
        self._table = table
        self._person = person
        self._who = watcher.who
        self._watcher = watcher
        self._words = words
        self._hello = hello
        self._scenes = Scenes(self._who, table)
        self._told = hello.seen
        self._replayed: TableState | None = None
        self._scored: tuple[object, ...] = ()
        self._hears_until = 0.0
        self._talking: Talking
        self._doing: TaskGroup
        self._advising: Advising | None = None  # most never ask

    @property
    def _state(self) -> TableState:
        return self._replayed or self._watcher.state

    @property
    def _view(self) -> View | None:
        return view_of(self._state, self._watcher.seat)

    async def talk(self) -> None:
        """Tells and answers. Raises `Ended`."""
        self._mind_manner()
        async with self._room[Talks].listening(self._table, self._who.id) as ear:
            await self._talk(Talking(self._room, self._table, self._who, ear, self._now))

    def _now(self) -> Words:
        """The words that the person reads now."""
        return self._words

    async def _talk(self, talking: Talking) -> None:
        self._talking = talking
        said = await talking.before(self._hello.heard)
        missed = self._watcher.catch_up(self._hello.seen)
        if missed.first != self._hello.seen + 1:
            self._told = _before_the_deal(missed)
        await self._welcome(self._hello.id, missed.first)
        await self._line.say(*said)
        await self._pass_on(missed)
        if not self._hello.told:  # on a page, it stands there until it has been read
            await self._tell_news(talking)
        try:
            async with TaskGroup() as self._doing:
                for each in (self._listen(), self._tell(), self._tell_talk(talking)):
                    self._doing.create_task(each)
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    # Telling

    async def _tell(self) -> None:
        async for update in self._watcher:
            too_late: list[Answer] = []
            if self._advising is not None and self._advising.busy:
                too_late = self._advising.look(self._state, self._view)
            if update.resync:
                await self._welcome("", update.first)
            if told_late(update, self._watcher.seat):
                await self._replay(update)
            else:
                await self._pass_on(update)
            if too_late:
                await self._line.say(*too_late)
        raise Ended("" if self._watcher.closed == "gone" else self._watcher.closed)

    async def _tell_talk(self, talking: Talking) -> None:
        while True:
            await self._line.say(*await talking.listen())
            await self._tell_news(talking)

    async def _tell_news(self, talking: Talking) -> None:
        """What moderators have decided about the person."""
        async with talking.news() as notices:
            await self._line.say(*notices)

    async def _replay(self, update: Update) -> None:
        """Tells a deal card by card; whoever sits down meanwhile is told it all anew as it is."""
        try:
            waits = pauses(update, self._pace())
            for part, wait in zip(parts(update), waits, strict=True):
                self._replayed = part.after
                await self._pass_on(part)
                if wait and not self._watcher.closed:
                    await asyncio.sleep(wait)
                if self._table.state.seat_of(self._who.id) is not None:
                    return
        finally:
            self._replayed = None

    def _pace(self) -> Manner:
        """How fast a deal is told late: as the person likes it, or else as the table goes."""
        settings = self._person.settings
        if "bot_pace" not in settings:
            return self._table.pace()
        bot_pace = _whole(settings["bot_pace"], USUAL_BOT_PACE)
        trick_pace = _whole(settings.get("trick_pace"), USUAL_TRICK_PACE)
        return Manner(bot_pace / 1000, trick_pace / 1000)

    async def _pass_on(self, update: Update) -> None:
        """Sends what has happened, and how the table is now."""
        words = self._words if self._hello.told else None
        sayings: list[Saying] = []
        spoken = 0
        for message in happened(update, self._told, words, self._who.id):
            sayings.append(message)
            spoken += self._words_told(message)
            if len(sayings) == AT_ONCE:
                await self._line.say(*sayings)
                sayings.clear()
                await asyncio.sleep(0)  # others have their turn while a long match is told
        self._told = max(self._told, update.last)
        if update.notice:
            sayings.append(self._notice(update.notice))
        self._line.sits(self._watcher.seat is not None)
        if self._hello.told:
            sayings.append(self._scene())
        if sayings:
            await self._line.say(*sayings)
        if spoken:
            self._hear(spoken)

    def _words_told(self, message: Happened) -> int:
        """How many words the person hears of a happening, if bots are to wait for them."""
        settings = self._person.settings
        if not settings.get("bots_wait") or message.told is None:
            return 0
        lines = message.told.get(str(settings.get("verbosity")), message.told["normal"])
        return sum(len(line.split()) for line in lines)

    def _hear(self, spoken: int) -> None:
        """Bots wait until a screen reader has spoken so many words more."""
        rate = _whole(self._person.settings.get("reader_rate"), USUAL_READER_RATE)
        now = monotonic()
        until = max(now, self._hears_until) + spoken * 60 / rate
        self._hears_until = min(until, now + LONGEST_TO_HEAR)
        self._table.hears(self._who, self._hears_until)

    def _scene(self) -> Scene:
        watching = who_watches(self._words, *self._room.live.watching(self._table.id))
        state, view = self._state, self._view
        shown = self._scenes.scene(self._words, state, view, watching)
        scored = score_of(state)
        if view is not None and scored != self._scored:
            self._scored = scored
            shown = replace(shown, sheet=rows_of_match(view.state))
        return shown

    async def _welcome(self, asking: str, first: int) -> None:
        state = self._state
        await self._line.say(
            Welcome(
                id=asking,
                protocol=PROTOCOL,
                table=self._table.id,
                person=self._who.id,
                name=self._who.name,
                seat=state.seat_of(self._who.id),
                number=state.version,
                first=first,
                began=state.match_began,
                host=state.host == self._who.id,
                setup=state.setup,
                host_id=state.host,
                host_name=state.host_name,
                seats=state.seats,
                paused=state.paused,
                closed=state.closed,
                moved=state.moved,
                matches=state.matches,
                talked=self._talking.told,
            )
        )

    def _notice(self, reason: str) -> Notice:
        return Notice(reason, serving_sentence(self._words, reason))

    # Answering

    async def _listen(self) -> None:
        while True:
            text = await self._line.receive()
            try:
                asking = self._line.read(text)
            except msgspec.DecodeError as error:
                client_faults.count("malformed")
                await self._line.afford(None)
                await self._misread(text, error)
                continue
            await self._line.afford(asking)
            answered = await self._answer(asking)
            if answered is not None:
                await self._line.say(answered)

    async def _misread(self, text: str | bytes, error: msgspec.DecodeError) -> None:
        """Says that it cannot be read, as an answer where that is possible."""
        try:
            asking = msgspec.json.decode(text, type=_Named).id
        except (msgspec.DecodeError, ValueError, RecursionError):
            asking = ""
        if not 1 <= len(asking) <= LONGEST_ID:
            await self._line.say(self._notice("malformed"))
        elif isinstance(error.__cause__, Fault):
            fault = error.__cause__
            line = self._words.fault(fault)
            await self._line.say(
                Answer(asking, False, self._state.version, Refusal(fault.reason), (line,))
            )
        else:
            await self._line.say(self._no(asking, "malformed"))

    async def _answer(self, asking: Asking) -> Answer | None:
        """The answer; None for a hint that is still to come."""
        try:
            return await self._answered(asking)
        except Unavailable:
            return self._no(asking.id, "unavailable")

    async def _answered(self, asking: Asking) -> Answer | None:
        match asking:
            case Hello():
                return self._no(asking.id, "second_hello")
            case Do():
                return await self._do(asking)
            case Ask(what=Question.HINT):
                return self._hint(asking.id)
            case Ask(what=Question.CARDS):
                reason, lines, cards = cards_typed(self._words, asking, self._view)
                refusal = Refusal(reason) if reason else None
                return Answer(asking.id, not reason, self._state.version, refusal, lines, cards)
            case Ask():
                words, state, view = self._words, self._state, self._view
                status = self._scenes.status(words, state, view)
                reason, lines = answer(words, asking, state, view, status)
                refusal = Refusal(reason) if reason else None
                return Answer(asking.id, not reason, self._state.version, refusal, lines)
            case Prefer():
                return await self._prefer(asking)
            case Heard():
                self._hears_until = 0.0
                self._table.hears(self._who, self._hears_until)
                return Answer(asking.id, True, self._state.version)
            case Speak() | Mute() | Report():
                return self._said(asking.id, await self._talking.answer(asking))

    def _hint(self, asking: str) -> Answer | None:
        if self._advising is None:
            thinking, say = self._room.lobby.thinking, self._line.say
            self._advising = Advising(thinking, self._table, self._now, say, self._doing)
        return self._advising.ask(asking, self._state, self._view)

    async def _do(self, asking: Do) -> Answer:
        if isinstance(asking.command, Sit):
            outcome = await self._talking.may_sit()
            if outcome[0] is not None:
                return self._said(asking.id, outcome)
        cause = f"{self._who.id}:{asking.id}"
        doing = self._table.do(self._who, asking.command, asking.seen, cause)
        reply = await counted(doing)
        if reply.refusal is None:
            return Answer(asking.id, True, reply.number)
        if reply.refusal.reason in ("moved_away", "stopping"):
            raise Ended(reply.refusal.reason)  # nobody knows whether it was done; it is asked again
        line = self._refused(reply.refusal)
        return Answer(asking.id, False, reply.number, reply.refusal, (line,))

    def _said(self, asking: str, outcome: Outcome) -> Answer:
        refusal, lines = outcome
        return Answer(asking, refusal is None, self._state.version, refusal, lines)

    def _refused(self, refusal: Refusal) -> str:
        try:
            return self._words.refusal(refusal, self._view)
        except KeyError:  # it is the server's to say, not the table's
            return serving_sentence(self._words, refusal.reason)

    def _no(self, asking: str, reason: str) -> Answer:
        line = serving_sentence(self._words, reason)
        return Answer(asking, False, self._state.version, Refusal(reason), (line,))

    # Manners

    async def _prefer(self, asking: Prefer) -> Answer:
        spoken = language_of(asking.lang or "")
        if asking.lang is not None and spoken is None:
            return self._no(asking.id, "no_such_language")
        person = await self._room.store.person(self._person.id) or self._person
        given = {
            name: value
            for name in ("bot_pace", "trick_pace", "auto_forced")
            if (value := getattr(asking, name)) is not None
        }
        lang = spoken or person.lang
        self._person = replace(person, lang=lang, settings={**person.settings, **given})
        await self._room.store.change_person(self._person)
        self._mind_manner()
        if asking.lang is not None:
            self._words = words_of(lang)
            if self._hello.told:
                await self._line.say(self._scene())
        return Answer(asking.id, True, self._state.version)

    def _mind_manner(self) -> None:
        """Lets the table know how the person likes it, and which face they have chosen."""
        settings = self._person.settings
        self._scenes.wear(settings)
        if not settings.keys().isdisjoint(("bot_pace", "trick_pace", "auto_forced")):
            least = LEAST_TO_TELL if settings.get("bots_wait") else 0
            self._table.manner(
                self._who,
                max(_whole(settings.get("bot_pace"), USUAL_BOT_PACE), least),
                _whole(settings.get("trick_pace"), USUAL_TRICK_PACE),
                bool(settings.get("auto_forced", False)),
            )


class _Named(msgspec.Struct):
    """All that is read of a message that is none."""

    id: str


def _whole(value: Any, usual: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else usual


def _before_the_deal(missed: Update) -> int:
    """The number before the last deal: whoever comes anew hears the sentences of that one."""
    dealt = [
        number
        for number, happening in enumerate(missed.happenings, start=missed.first)
        if isinstance(happening, Dealt)
    ]
    return dealt[-1] - 1 if dealt else missed.first - 1
