"""A conversation with one client at a table, from the welcome on."""

from __future__ import annotations

import asyncio
from asyncio import TaskGroup
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Final, Protocol, Self, TypeAlias

from msgspec.structs import replace

from volte.cards import Card
from volte.conversation.answers import Hints, answer, cards_typed
from volte.conversation.attendees import Alone, Attendees, Surroundings
from volte.conversation.ending import ConversationEnded
from volte.conversation.pace import PACES, PersonalPace, pace_of
from volte.conversation.requests import Request, Unread
from volte.conversation.updates import (
    before_last_deal,
    first_news,
    happened,
    parts,
    pauses,
    told_late,
    view_of,
    welcome,
)
from volte.game import Refusal, Revealed
from volte.say import N_, Words, words_of
from volte.say.catalogue import language_of
from volte.scene.table import Scenes
from volte.store import Person, Unavailable
from volte.table import Someone, TableState
from volte.table.live import LiveTable
from volte.table.subscriptions import Subscription
from volte.table.viewpoints import Update
from volte.view import View
from volte.wire import messages as wire
from volte.wire.messages import Answer, Hello, Question

NOBODY_SOUGHT: Final = N_("You are not looking for people to play with.")
NO_FRIENDS: Final = N_("Nobody else can come to this table.")

AT_ONCE: Final = 64  # happenings sent before other conversations have their turn

Outcome: TypeAlias = Answer | wire.Notice | None
"""Answer to a request; to one without an id, a notice; None if it is answered later."""


class People(Protocol):
    """Store that changes the settings of people: a database, or what a browser keeps."""

    async def change_person(self, person: str, change: Callable[[Person], Person]) -> Person | None:
        """Change a person; return the person after it, or None where they are gone."""


class Conversation:
    """Updates, scenes and answers for one client at a table.

    It is a context, in which the person is present at the table.

    Args:
        hello: the client's first message.
        who: the person as tables know them.
        person: the person with their settings.
        words: the language that they read at first.
        send: sends some messages at once. Raises `ConversationEnded` if the client has gone.
        people: keeps the person's settings.
        around: the people around the table.

    Attributes:
        words: the language that the person reads now.
    """

    # Known once the person is present:
    _subscription: Subscription
    _tasks: TaskGroup

    def __init__(
        self,
        hello: Hello,
        live: LiveTable,
        who: Someone,
        person: Person,
        words: Words,
        send: Callable[..., Awaitable[None]],
        people: People,
        around: Surroundings | None = None,
    ) -> None:
        self.words = words
        self._hello = hello
        self._live = live
        self._who = who
        self._person = person
        self._send = send
        self._people = people
        self._around = around or Alone()
        self._scenes = Scenes(who, live)
        self._pace = PersonalPace(who, live)
        self._attendees = Attendees(who, live, self._around)
        self._narrated = 0  # happenings up to this number need no sentences
        self._replayed: TableState | None = None  # the table while a deal is shown late
        self._hints: Hints | None = None  # made for the first request

    def __enter__(self) -> Self:
        self._subscription = self._live.subscribe(self._who)
        # Before the others get a scene with the people who are present
        self._around.sits(self._subscription.seat is not None)
        self._apply_settings()
        return self

    def __exit__(self, *_: object) -> None:
        self._subscription.close()

    async def begin(self, sayings: Iterable[wire.Spoken] = ()) -> None:
        """Welcome the client; send some sayings, and the happenings that it has missed."""
        seen = self._hello.seen
        missed = self._subscription.catch_up(seen)
        news = first_news(missed, self._subscription.state, self._subscription.seat)
        last_deal = seen if missed.first == seen + 1 else before_last_deal(missed)
        self._narrated = min(last_deal, news - 1)
        await self._welcome(self._hello.id, missed.first, news)
        await self._send(*sayings)
        await self._send_update(missed)

    async def stay(
        self, requests: Coroutine[Any, Any, None], *beside: Coroutine[Any, Any, None]
    ) -> None:
        """Send updates until the table ends the conversation, or one of the tasks beside fails.

        Raises `ConversationEnded`, or the error of the task.

        Args:
            requests: answers the client's requests.
        """
        try:
            async with TaskGroup() as self._tasks:
                for task in (requests, self._send_updates(), *beside):
                    self._tasks.create_task(task)
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    def end(self, reason: str) -> None:
        """End the conversation soon, for that reason."""
        self._subscription.end(reason)

    # The table as the person knows it

    def know(self, who: Someone) -> None:
        """Take the person as tables know them from now on."""
        self._who = self._scenes.who = who

    @property
    def state(self) -> TableState:
        return self._replayed or self._subscription.state

    @property
    def view(self) -> View | None:
        """The present match, as the person's seat sees it; None before the first."""
        return view_of(self.state, self._subscription.seat)

    # Sending

    async def _send_updates(self) -> None:
        subscription = self._subscription
        async for update in subscription:
            void: list[Answer] = []
            if self._hints is not None and self._hints.busy:
                void = self._hints.table_changed(self.state, self.view)
            if update.resync:
                await self._welcome("", update.first, update.last + 1)
            if told_late(update, subscription.seat):
                await self._replay(update)
            else:
                await self._send_update(update)
            if void:
                await self._send(*void)
            for happening in update.happenings:
                if isinstance(happening, Revealed) and not update.resync:
                    self._around.revealed(happening.number)
        raise ConversationEnded("" if subscription.closed == "gone" else subscription.closed)

    async def _send_update(self, update: Update) -> None:
        """Send the happenings of an update, and the scene after them."""
        narrates, settings = self._hello.sentences, self._person.settings
        messages: list[wire.Saying] = []
        spoken: list[str] = []
        for message in happened(
            update,
            self._narrated,
            self.words if narrates else None,
            self._who.id,
            remarks=settings.get("remarks") is not False,
        ):
            messages.append(message)
            if message.told is not None and settings.get("bots_wait"):
                spoken += message.told.get(str(settings.get("verbosity")), message.told["normal"])
            if len(messages) == AT_ONCE:
                await self._send(*messages)
                messages.clear()
                await asyncio.sleep(0)  # other conversations have their turn in a long match
        self._narrated = max(self._narrated, update.last)
        if update.notice:
            messages.append(wire.Notice(update.notice, self.words.why(update.notice)))
        self._around.sits(self._subscription.seat is not None)
        if narrates:
            messages.append(self._scene())
        messages += self._attendees.notices(self.words, self.state)
        if messages:
            await self._send(*messages)
        if spoken:
            self._pace.tell(spoken)

    async def _replay(self, update: Update) -> None:
        """Show a deal card by card; stop if the person takes a seat, as everything is sent anew."""
        try:
            settings = self._person.settings
            pace = pace_of(settings) if "bot_pace" in settings else self._live.pace()
            waits = pauses(update, pace)
            for part, wait in zip(parts(update), waits, strict=True):
                self._replayed = part.after
                await self._send_update(part)
                if wait and not self._subscription.closed:
                    await asyncio.sleep(wait)
                if self._live.state.seat_of(self._who.id) is not None:
                    return
        finally:
            self._replayed = None

    async def _welcome(self, request: str, first: int, news: int) -> None:
        table, state, talked = self._live.id, self.state, self._around.talked
        await self._send(welcome(request, table, self._who, state, first, news, talked))

    def _scene(self) -> wire.Scene:
        watching = self._attendees.watching(self.words)
        return self._scenes.scene(self.words, self.state, self.view, watching)

    async def show_scene(self) -> None:
        """Send the present scene, if the client wants scenes."""
        if self._hello.sentences:
            await self._send(self._scene())

    async def show_next_table(self, table: str) -> None:
        """Show the table to which an evening sends the person now, by its id."""
        if table != self._scenes.next_table:
            self._scenes.next_table = table
            await self.show_scene()

    # Requests

    async def respond(
        self, request: Request, answer: Callable[[Request], Awaitable[Outcome]] | None = None
    ) -> None:
        """Deal with a request, and send the answer.

        Args:
            answer: in place of the method `answer`.
        """
        try:
            answered = await (answer or self.answer)(request)
        except Unavailable:
            answered = self.refused(request.id, "unavailable")
        if answered is not None:
            await self._send(answered)

    async def answer(self, request: Request) -> Outcome:
        """Deal with a request and return the answer. Raises `Unavailable`."""
        words = self.words
        match request:
            case Unread():
                return self._malformed(request)
            case Hello():
                return self.refused(request.id, "second_hello")
            case wire.Do():
                return await self.do(request)
            case wire.Ask(what=Question.HINT):
                return self._hint(request.id)
            case wire.Ask(what=Question.CARDS):
                reason, lines, cards = cards_typed(words, request, self.view)
                refusal = Refusal(reason) if reason else None
                return self.answered(request.id, refusal, lines, cards)
            case wire.Ask(what=Question.SEEKING):
                line = self._around.seeking(words) or words.t(NOBODY_SOUGHT)
                return self.answered(request.id, None, (line,))
            case wire.Ask(what=Question.FRIENDS):
                return self.answered(request.id, None, (words.t(NO_FRIENDS),))
            case wire.Ask(what=Question.WHO | Question.ROOM):
                lines = self._attendees.answer(words, request.what, self.state)
                return self.answered(request.id, None, lines)
            case wire.Ask():
                state, view = self.state, self.view
                status = self._scenes.status(words, state, view)
                lines = answer(words, request, state, view, status)
                return self.answered(request.id, None, lines)
            case wire.Prefer():
                return await self._prefer(request)
            case wire.Heard():
                self._pace.hear()
                return self.answered(request.id)
            case wire.Seeking():
                return self.refused(request.id, "no_seeking")
            case wire.Avoid():
                return self.refused(request.id, "not_at_table")
            case wire.Befriend() | wire.InviteFriend():
                return self.refused(request.id, "no_friend")
            case wire.Speak() | wire.Mute() | wire.Report():
                return self.refused(request.id, "talk_off")

    async def do(self, request: wire.Do) -> Answer:
        """Give the command to the table. Raises `ConversationEnded` if it is not here any more."""
        cause = f"{self._who.id}:{request.id}"
        reply = await self._live.do(self._who, request.command, request.seen, cause)
        refusal = reply.refusal
        if refusal is None:
            return Answer(request.id, True, reply.number)
        if refusal.reason in ("moved_away", "stopping"):
            raise ConversationEnded(refusal.reason)  # it may be done: the client asks again
        try:
            line = self.words.refusal(refusal, self.view)
        except KeyError:  # a reason of the server's, not of the game
            line = self.words.why(refusal.reason)
        return Answer(request.id, False, reply.number, refusal, (line,))

    def _hint(self, request: str) -> Answer | None:
        if self._hints is None:
            self._hints = Hints(self._live, lambda: self.words, self._send, self._tasks)
        return self._hints.ask(request, self.state, self.view)

    def _malformed(self, unread: Unread) -> Answer | wire.Notice:
        """Say that a message cannot be read: in an answer if it has an id, or else in a notice."""
        line = unread.told(self.words)
        if not unread.id:
            return wire.Notice("malformed", line)
        return self.answered(unread.id, Refusal(unread.reason), (line,))

    def answered(
        self,
        request: str,
        refusal: Refusal | None = None,
        lines: tuple[str, ...] = (),
        cards: tuple[Card, ...] = (),
    ) -> Answer:
        """The answer to a request, from its id, as the table is now."""
        return Answer(request, refusal is None, self.state.version, refusal, lines, cards)

    def refused(self, request: str, reason: str) -> Answer:
        """The answer to a request that is not done, from its id, for a reason of the server's."""
        return self.answered(request, Refusal(reason), (self.words.why(reason),))

    # Settings

    async def _prefer(self, request: wire.Prefer) -> Answer:
        lang = language_of(request.lang or "")
        if request.lang is not None and lang is None:
            return self.refused(request.id, "no_such_language")
        given = {name: value for name in PACES if (value := getattr(request, name)) is not None}

        def preferring(person: Person) -> Person:
            settings = {**person.settings, **given}
            return replace(person, lang=lang or person.lang, settings=settings)

        changed = await self._people.change_person(self._who.id, preferring)
        self._person = changed or preferring(self._person)
        other_face = self._apply_settings()
        if request.lang is not None:
            self.words = words_of(self._person.lang, self.words.zone)
        if other_face or request.lang is not None:
            await self.show_scene()
        return self.answered(request.id)

    def _apply_settings(self) -> bool:
        """Apply the settings: the person's face to the scenes, and their pace to the table; return
        whether the face is another one than before."""
        self._pace.apply(self._person.settings)
        return self._scenes.show_face(self._person.settings)
