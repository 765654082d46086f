"""A session at a table: one WebSocket of one person, from its hello to its goodbye."""

from __future__ import annotations

import asyncio
from asyncio import Future, TaskGroup
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from volte.cards import Card, VolteError
from volte.conversation.answers import Hints, answer, cards_typed
from volte.conversation.pace import PACES, PersonalPace, pace_of
from volte.conversation.updates import (
    before_last_deal,
    happened,
    parts,
    pauses,
    told_late,
    view_of,
    welcome,
)
from volte.evenings.conducting import Evenings, seat_at_evening
from volte.game import Refusal
from volte.game.codec import encode
from volte.people.sessions import hashed, identify, token_of
from volte.say import Words, words_of
from volte.say.catalogue import language_of
from volte.scene.table import Scenes
from volte.server.live.attendees import Attendees
from volte.server.live.closing import close
from volte.server.live.costs import PER_BYTE, READING, SENDING, cost_of
from volte.server.run.doors import TEXTS
from volte.server.tables.entrance import entrance, is_invited
from volte.store import Gone, Person, Unavailable, acting
from volte.store.bus import within
from volte.table import Someone, TableState
from volte.table.commands import Back, Sit
from volte.table.live import LiveTable
from volte.table.subscriptions import Subscription
from volte.table.viewpoints import Update
from volte.talk.service import TalkService
from volte.talk.session import TalkSession
from volte.view import View
from volte.web.logs import get_logger
from volte.web.metrics import client_faults, counted
from volte.web.refused import Refused
from volte.web.room import Room
from volte.web.visit import visitor_of
from volte.wire import messages as wire
from volte.wire.messages import Answer, Asking, Hello, Question, decode_asking
from volte.wire.reading import FieldFault

log = get_logger("volte.server")

LOOKING: Final = 30.0  # seconds after which an evening is asked again for the next table

AT_ONCE: Final = 64  # happenings sent before other sessions have their turn


class SessionEnded(Exception):
    """The session is over, for that reason; the reason is empty if the client has gone."""

    def __init__(self, reason: str = "", **params: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.params = params


class TableSession:
    """One connection of a person to a table: sends updates, and answers requests.

    The public attributes are those of `volte.web.room.TableConnection`.
    """

    # Known once the client has said hello and been admitted:
    _hello: Hello
    _live: LiveTable
    _profile: Person
    _who: Someone
    _subscription: Subscription
    _scenes: Scenes
    _pace: PersonalPace
    _talk: TalkSession
    _attendees: Attendees
    _tasks: TaskGroup

    def __init__(self, socket: WebSocket, room: Room) -> None:
        self.session = b""
        self.table = str(socket.path_params["table"])
        self.person = self.name = ""
        self.seated = True  # until the person has come in, others are not told of them
        self.gone: Future[None] = asyncio.get_running_loop().create_future()
        self._socket = socket
        self._room = room
        self._visitor = visitor_of(socket)
        self._words = words_of(self._visitor.lang, self._visitor.zone)
        self._budget = room.limits.budget(self._visitor.address)
        self._hung_up = ""
        self._narrated = 0  # happenings up to this number need no sentences
        self._replayed: TableState | None = None  # the table while a deal is shown late
        self._hints: Hints | None = None  # made for the first request

    # Opening and closing

    async def run(self) -> None:
        """Serve the client to the end, and tell it why the connection is closed."""
        try:
            try:
                await self._socket.accept()
            except (WebSocketDisconnect, OSError):
                return  # it left before the connection was open
            reason, params = await self._serve()
            await close(
                self._socket, self._words, self._room.settings.patience, reason, "", **params
            )
        finally:
            self.gone.set_result(None)

    async def _serve(self) -> tuple[str, Mapping[str, Any]]:
        """Serve the session; return the reason for its end, and the parameters of its sentence."""
        try:
            await self._admit()
        except (SessionEnded, Refused) as end:
            return end.reason, end.params
        except Unavailable:
            return "unavailable", {}
        except Gone:
            return "no_session", {}
        except Exception as error:
            log.error("connection_failed", table=self.table, exc_info=error)
            return "failed", {}
        return "", {}

    def hang_up(self, reason: str) -> None:
        """End the session soon, for that reason."""
        self._hung_up = reason
        if hasattr(self, "_subscription"):
            self._subscription.end(reason)

    async def _admit(self) -> None:
        """Identify the client and let it in. Raises `SessionEnded`, `Refused` and `Unavailable`."""
        hello = self._hello = await self._first_message()
        await self._budget.afford(cost_of(hello))
        self.session = hashed(token_of(self._socket))
        self._room.live.add(self)  # first: the session may end while it is looked up
        try:
            await identify(self._socket)
            person = self._visitor.person
            if person is None:
                raise SessionEnded("no_session")
            self._words = words_of(
                language_of(hello.lang) or self._visitor.lang, self._visitor.zone
            )
            self._profile, self.person, self.name = person, person.id, person.name
            with self._room.limits.connected("person", person.id):
                self._budget.belongs_to(person.id)
                with acting(person.id):
                    await self._enter()
        finally:
            self._room.live.remove(self)

    async def _first_message(self) -> Hello:
        try:
            async with asyncio.timeout(self._room.settings.patience):
                hello = _decode(await self._receive())
        except TimeoutError:
            raise SessionEnded("no_hello") from None
        except msgspec.DecodeError as error:
            raise SessionEnded("malformed", line=self._unread(error)) from None
        if not isinstance(hello, Hello):
            raise SessionEnded("malformed")
        if hello.protocol != wire.PROTOCOL:
            raise SessionEnded("old_protocol", version=wire.PROTOCOL)
        return hello

    async def _enter(self) -> None:
        """Subscribe to the table until the end of the session."""
        table = self._live = await entrance(self._socket, self.table)
        if self._hung_up:  # meanwhile
            raise SessionEnded(self._hung_up)
        invited = await is_invited(self._room, table, self.person)
        self._who = Someone(self.person, self.name, invited)
        self._subscription = table.subscribe(self._who)
        # Before the others get a scene with the people who are present
        self._room.live.sits(self, self._subscription.seat is not None)
        try:
            self._scenes = Scenes(self._who, table)
            self._pace = PersonalPace(self._who, table)
            self._apply_settings()
            async with self._room[TalkService].listening(table, self.person) as listener:
                self._talk = TalkSession(self._room, table, self._who, listener, self._now)
                self._attendees = Attendees(self._who, table, self._room.live, self._talk)
                await self._stay()
        finally:
            self._subscription.close()

    async def _stay(self) -> None:
        """Send the missed happenings and talk; then updates, talk and answers side by side."""
        sayings = await self._talk.before(self._hello.heard)
        missed = self._subscription.catch_up(self._hello.seen)
        caught_up = missed.first == self._hello.seen + 1
        self._narrated = self._hello.seen if caught_up else before_last_deal(missed)
        await self._welcome(self._hello.id, missed.first)
        await self._send(*sayings)
        await self._send_update(missed)
        if not self._hello.sentences:  # pages show the news themselves, until they have been read
            await self._send_news()
        try:
            async with TaskGroup() as self._tasks:
                for task in (self._answer_requests(), self._send_updates(), self._send_talk()):
                    self._tasks.create_task(task)
                if self._state.setup.evening:
                    self._tasks.create_task(self._follow(self._state.setup.evening))
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    # Sending

    async def _send(self, *messages: wire.Saying) -> None:
        """Send some messages at once. Raises `SessionEnded` if the connection is closed."""
        if self._socket.application_state is not WebSocketState.CONNECTED:
            raise SessionEnded
        texts = [*map(encode, messages)]
        self._budget.charge(SENDING * len(texts) + PER_BYTE * sum(map(len, texts)))
        await self._write(texts)

    async def _write(self, texts: list[bytes]) -> None:
        try:
            await self._socket.send({"type": "websocket.send", TEXTS: texts})
        except (WebSocketDisconnect, RuntimeError, OSError):
            raise SessionEnded from None

    async def _send_updates(self) -> None:
        subscription = self._subscription
        async for update in subscription:
            void: list[Answer] = []
            if self._hints is not None and self._hints.busy:
                void = self._hints.table_changed(self._state, self._view)
            if update.resync:
                await self._welcome("", update.first)
            if told_late(update, subscription.seat):
                await self._replay(update)
            else:
                await self._send_update(update)
            if void:
                await self._send(*void)
        raise SessionEnded("" if subscription.closed == "gone" else subscription.closed)

    async def _send_update(self, update: Update) -> None:
        """Send the happenings of an update, and the scene after them."""
        narrates, settings = self._hello.sentences, self._profile.settings
        messages: list[wire.Saying] = []
        spoken: list[str] = []
        for message in happened(
            update,
            self._narrated,
            self._words if narrates else None,
            self.person,
            remarks=settings.get("remarks") is not False,
        ):
            messages.append(message)
            if message.told is not None and settings.get("bots_wait"):
                spoken += message.told.get(str(settings.get("verbosity")), message.told["normal"])
            if len(messages) == AT_ONCE:
                await self._send(*messages)
                messages.clear()
                await asyncio.sleep(0)  # other sessions have their turn in a long match
        self._narrated = max(self._narrated, update.last)
        if update.notice:
            messages.append(self._notice(update.notice))
        self._room.live.sits(self, self._subscription.seat is not None)
        if narrates:
            messages.append(self._scene())
        messages += self._attendees.notices(self._words, self._state)
        if messages:
            await self._send(*messages)
        if spoken:
            self._pace.tell(spoken)

    def _scene(self) -> wire.Scene:
        watching = self._attendees.watching(self._words)
        return self._scenes.scene(self._words, self._state, self._view, watching)

    async def _replay(self, update: Update) -> None:
        """Show a deal card by card; stop if the person takes a seat, as everything is sent anew."""
        try:
            settings = self._profile.settings
            pace = pace_of(settings) if "bot_pace" in settings else self._live.pace()
            waits = pauses(update, pace)
            for part, wait in zip(parts(update), waits, strict=True):
                self._replayed = part.after
                await self._send_update(part)
                if wait and not self._subscription.closed:
                    await asyncio.sleep(wait)
                if self._live.state.seat_of(self.person) is not None:
                    return
        finally:
            self._replayed = None

    async def _send_talk(self) -> None:
        muted = self._talk.muted
        while True:
            await self._send(*await self._talk.listen())
            await self._send_news()
            if muted != self._talk.muted and self._hello.sentences:
                muted = self._talk.muted
                await self._send(self._scene())

    async def _send_news(self) -> None:
        """Send moderators' decisions about the person."""
        async with self._talk.news() as notices:
            await self._send(*notices)

    async def _follow(self, evening: str) -> None:
        """Show the table to which an evening sends the person, whenever that changes."""
        evenings, scenes = self._room[Evenings], self._scenes
        while True:
            change = evenings.change(evening)
            with suppress(Unavailable):
                table = await evenings.next_table(evening, self.table, self.person)
                if table != scenes.next_table:
                    scenes.next_table = table
                    if self._hello.sentences:
                        await self._send(self._scene())
            await within(change, LOOKING)

    async def _welcome(self, request: str, first: int) -> None:
        state, who, table = self._state, self._who, self._live.id
        await self._send(welcome(request, table, who, state, first, self._talk.reached))

    def _notice(self, reason: str) -> wire.Notice:
        return wire.Notice(reason, self._words.why(reason))

    # Requests

    async def _receive(self) -> str | bytes:
        """The next message. Raises `SessionEnded` if the client has gone, and for one too long.

        An empty text is echoed: page scripts test their connection by it, as they cannot ping.
        """
        text: str | bytes = ""
        while not text:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                raise SessionEnded
            text = message.get("text") or message.get("bytes") or ""
            if not text:
                await self._budget.afford(READING)
                await self._write([b""])
        size = len(text.encode()) if isinstance(text, str) else len(text)
        if size > wire.LONGEST_MESSAGE:
            raise SessionEnded("too_big", most=wire.LONGEST_MESSAGE)
        return text

    async def _answer_requests(self) -> None:
        while True:
            text = await self._receive()
            try:
                request = _decode(text)
            except msgspec.DecodeError as error:
                client_faults.count("malformed")
                await self._budget.afford(READING)
                await self._send(self._malformed(text, error))
                continue
            await self._budget.afford(cost_of(request))
            answered = await self._answer(request)
            if answered is not None:
                await self._send(answered)

    async def _answer(self, request: Asking) -> Answer | None:
        """Deal with a request and return the answer; None for a hint, which is answered later."""
        words = self._words
        try:
            match request:
                case Hello():
                    return self._refused(request.id, "second_hello")
                case wire.Do():
                    return await self._do(request)
                case wire.Ask(what=Question.HINT):
                    return self._hint(request.id)
                case wire.Ask(what=Question.CARDS):
                    reason, lines, cards = cards_typed(words, request, self._view)
                    refusal = Refusal(reason) if reason else None
                    return self._answered(request.id, refusal, lines, cards)
                case wire.Ask(what=Question.WHO | Question.ROOM):
                    lines = self._attendees.answer(words, request.what, self._state)
                    return self._answered(request.id, None, lines)
                case wire.Ask():
                    state, view = self._state, self._view
                    status = self._scenes.status(words, state, view)
                    lines = answer(words, request, state, view, status)
                    return self._answered(request.id, None, lines)
                case wire.Prefer():
                    return await self._prefer(request)
                case wire.Heard():
                    self._pace.hear()
                    return self._answered(request.id)
                case wire.Speak() | wire.Mute() | wire.Report():
                    return self._answered(request.id, *await self._talk.answer(request))
        except Unavailable:
            return self._refused(request.id, "unavailable")

    async def _do(self, request: wire.Do) -> Answer:
        if isinstance(request.command, Sit):
            excluded, lines = await self._talk.may_sit()
            if excluded is not None:
                return self._answered(request.id, excluded, lines)
        cause = f"{self.person}:{request.id}"
        reply = await counted(self._live.do(self._who, request.command, request.seen, cause))
        refusal = reply.refusal
        if refusal is None:
            if isinstance(request.command, Back) and self._state.setup.evening:
                await seat_at_evening(self._room, self._who, self._live)
            return Answer(request.id, True, reply.number)
        if refusal.reason in ("moved_away", "stopping"):
            raise SessionEnded(refusal.reason)  # it may be done: the client asks again
        try:
            line = self._words.refusal(refusal, self._view)
        except KeyError:  # a reason of the server's, not of the game
            line = self._words.why(refusal.reason)
        return Answer(request.id, False, reply.number, refusal, (line,))

    def _hint(self, request: str) -> Answer | None:
        if self._hints is None:
            thinking = self._room.lobby.thinking
            self._hints = Hints(thinking, self._live, self._now, self._send, self._tasks)
        return self._hints.ask(request, self._state, self._view)

    def _malformed(self, text: str | bytes, error: msgspec.DecodeError) -> Answer | wire.Notice:
        """Say that a message cannot be read: in an answer if it has an id, or else in a notice."""
        try:
            request = msgspec.json.decode(text, type=_Identified).id
        except (msgspec.DecodeError, ValueError, RecursionError):
            request = ""
        if not 1 <= len(request) <= wire.LONGEST_ID:
            return wire.Notice("malformed", self._unread(error))
        fault, reason = error.__cause__, "malformed"
        if isinstance(fault, VolteError) and not isinstance(fault, FieldFault):
            reason = fault.reason
        return self._answered(request, Refusal(reason), (self._unread(error),))

    def _unread(self, error: msgspec.DecodeError) -> str:
        """The sentence that says which part of a message cannot be read."""
        fault = error.__cause__
        if isinstance(fault, VolteError):
            return self._words.fault(fault)
        return self._words.why("malformed")

    def _answered(
        self,
        request: str,
        refusal: Refusal | None = None,
        lines: tuple[str, ...] = (),
        cards: tuple[Card, ...] = (),
    ) -> Answer:
        return Answer(request, refusal is None, self._state.version, refusal, lines, cards)

    def _refused(self, request: str, reason: str) -> Answer:
        line = self._words.why(reason)
        return self._answered(request, Refusal(reason), (line,))

    def _now(self) -> Words:
        """The language in which the person reads now."""
        return self._words

    @property
    def _state(self) -> TableState:
        return self._replayed or self._subscription.state

    @property
    def _view(self) -> View | None:
        return view_of(self._state, self._subscription.seat)

    # Settings

    async def _prefer(self, request: wire.Prefer) -> Answer:
        lang = language_of(request.lang or "")
        if request.lang is not None and lang is None:
            return self._refused(request.id, "no_such_language")
        given = {name: value for name in PACES if (value := getattr(request, name)) is not None}

        def preferring(person: Person) -> Person:
            settings = {**person.settings, **given}
            return replace(person, lang=lang or person.lang, settings=settings)

        changed = await self._room.store.change_person(self.person, preferring)
        self._profile = changed or preferring(self._profile)
        other_face = self._apply_settings()
        if request.lang is not None:
            self._words = words_of(self._profile.lang, self._visitor.zone)
        if self._hello.sentences and (other_face or request.lang is not None):
            await self._send(self._scene())
        return self._answered(request.id)

    def _apply_settings(self) -> bool:
        """Apply the settings: the person's face to the scenes, and their pace to the table; return
        whether the face is another one than before."""
        self._pace.apply(self._profile.settings)
        return self._scenes.show_face(self._profile.settings)


class _Identified(msgspec.Struct):
    """The one part that is read of a malformed message."""

    id: str


def _decode(text: str | bytes) -> Asking:
    """Read a message of the client. Raises `msgspec.DecodeError`."""
    if isinstance(text, bytes):
        raise msgspec.DecodeError("not text")
    return decode_asking(text)
