"""A session at a table: one WebSocket of one person, from its hello to its goodbye."""

from __future__ import annotations

import asyncio
from asyncio import Future
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from volte.cards import VolteError
from volte.conversation.conversation import Conversation, Outcome
from volte.conversation.ending import ConversationEnded
from volte.conversation.requests import Request, Unread, hello_of, read
from volte.evenings.conducting import Evenings, seat_at_evening
from volte.forms.meeting import PeopleWanted
from volte.friends.telling import friends_told
from volte.friends.whereabouts import EVERY, Whereabouts
from volte.game.codec import encode
from volte.history.luck import is_much
from volte.history.luck_reckoner import LuckReckoner, OpenDeal, own_at, told_during
from volte.history.luck_told import luck_told, lucky_told
from volte.meeting.matchmaker import Matchmaker
from volte.meeting.telling import waiting_told, waits_told
from volte.meeting.waiting import Waiting
from volte.news.desk import NewsDesk
from volte.people.sessions import hashed, identify, token_of
from volte.say import N_, Words, words_of
from volte.say.catalogue import language_of
from volte.server.live.closing import close
from volte.server.live.costs import PER_BYTE, READING, SENDING, cost_of
from volte.server.run.doors import TEXTS
from volte.server.tables.entrance import entrance, known_at
from volte.server.tables.inviting import FRIEND_INVITED, ask_to_be_friends, invite_friend
from volte.server.tables.meeting import wish_of
from volte.server.tables.planned import planning, with_reminder
from volte.store import Gone, Person, Unavailable, acting
from volte.store.bus import within
from volte.table import Someone
from volte.table.commands import Back, Change, Sit
from volte.table.decide import refusal_of
from volte.table.live import LiveTable
from volte.talk.company import APART, Avoided
from volte.talk.reports import refused_line
from volte.talk.service import TalkService
from volte.talk.session import TalkSession
from volte.web.disclosure import Disclosure
from volte.web.logs import get_logger
from volte.web.metrics import client_faults, counted
from volte.web.refused import Refused
from volte.web.room import Room
from volte.web.visit import visitor_of
from volte.wire import messages as wire
from volte.wire.messages import Answer, Hello, Question

log = get_logger("volte.server")

LOOKING: Final = 30.0  # seconds after which an evening is asked again for the next table

SOUGHT: Final = N_("You are looking for people to play with.")
SOUGHT_NO_MORE: Final = N_(
    "You are no longer looking for people. Anybody who finds this table can still come."
)

KEPT_APART: Final = N_(
    "Noted: you will not be seated with {name} again. If you are playing a match together, it "
    "goes on."
)
TOGETHER: Final = N_("You and {name} can sit at the same table again.")


async def _none_opened(table: str) -> str:
    """The table where somebody sits already: none is opened."""
    return table


class TableSession:
    """One connection of a person to a table: who they are, what they cost, and their talk.

    The public attributes are those of `volte.web.room.TableConnection`; the methods of a
    `Surroundings` tell the conversation of the people around the table.
    """

    # Known once the client has said hello and been admitted:
    _live: LiveTable
    _who: Someone
    _conversation: Conversation
    _talk: TalkSession

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
        self._watched = 0  # number of the first happening of the last match watched without a seat
        self._open_deal: OpenDeal | None = None  # the last one whose luck is not known yet

    # Opening and closing

    async def run(self) -> None:
        """Serve the client to the end, and tell it why the connection is closed."""
        try:
            try:
                await self._socket.accept()
            except (WebSocketDisconnect, OSError):
                return  # it left before the connection was open
            reason, params = await self._serve()
            patience = self._room.settings.patience
            await close(self._socket, self._now(), patience, reason, **params)
        finally:
            self.gone.set_result(None)

    async def _serve(self) -> tuple[str, Mapping[str, Any]]:
        """Serve the session; return the reason for its end, and the parameters of its sentence."""
        try:
            await self._admit()
        except (ConversationEnded, Refused) as end:
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
        if hasattr(self, "_conversation"):
            self._conversation.end(reason)

    async def _admit(self) -> None:
        """Identify the client and let it in.

        Raises `ConversationEnded`, `Refused` and `Unavailable`.
        """
        hello = await self._first_message()
        await self._budget.afford(cost_of(hello))
        self.session = hashed(token_of(self._socket))
        self._room.live.add(self)  # first: the session may end while it is looked up
        try:
            await identify(self._socket)
            person = self._visitor.person
            if person is None:
                raise ConversationEnded("no_session")
            self._words = words_of(
                language_of(hello.lang) or self._visitor.lang, self._visitor.zone
            )
            self.person, self.name = person.id, person.name
            with self._room.limits.connected("person", person.id):
                self._budget.belongs_to(person.id)
                with acting(person.id):
                    await self._enter(hello, person)
        finally:
            self._room.live.remove(self)

    async def _first_message(self) -> Hello:
        try:
            async with asyncio.timeout(self._room.settings.patience):
                return hello_of(await self._receive(), self._words)
        except TimeoutError:
            raise ConversationEnded("no_hello") from None

    async def _enter(self, hello: Hello, person: Person) -> None:
        """Converse until the end of the session."""
        table = self._live = await entrance(self._socket, self.table)
        if self._hung_up:  # meanwhile
            raise ConversationEnded(self._hung_up)
        who = self._who = await known_at(self._room, table, person)
        self._room[NewsDesk].know(person)
        try:
            with Conversation(
                hello, table, who, person, self._words, self._send, self._room.store, self
            ) as self._conversation:
                async with self._room[TalkService].listening(table, person.id) as listener:
                    self._talk = TalkSession(self._room, table, who, listener, self._now)
                    await self._converse(hello)
        finally:
            if person.id not in table.present:
                self._room[Whereabouts].left(person.id, table.id)

    async def _converse(self, hello: Hello) -> None:
        """Send what was missed; then updates, talk and answers side by side."""
        conversation, evening = self._conversation, self._live.state.setup.evening
        await conversation.begin(await self._talk.before(hello.heard))
        if not hello.sentences:  # pages show the news themselves, until they have been read
            await self._send_news()
        following = [self._follow(evening)] if evening else []
        following += [self._be_here(), self._tell_luck()]
        if self._live.state.setup.meeting:
            following.append(self._tell_seeking())
        await conversation.stay(self._answer_requests(), self._send_talk(), *following)

    def _now(self) -> Words:
        """The language in which the person reads now."""
        return self._conversation.words if hasattr(self, "_conversation") else self._words

    # Surroundings

    @property
    def talked(self) -> int:
        return self._talk.reached

    def watching(self) -> tuple[list[str], int]:
        return self._room.live.watching(self.table, self._talk.muted)

    def newcomers(self, met: set[str]) -> list[str]:
        return self._room.live.newcomers(self.table, met, self._talk.muted)

    def sits(self, seated: bool) -> None:
        self._room.live.sits(self, seated)

    def seeking(self, words: Words) -> str:
        waiting = self._waiting
        return " ".join(waiting_told(words, waiting)) if waiting is not None else ""

    @property
    def _waiting(self) -> Waiting | None:
        """The wait of the person for people at this table; None if they look for none."""
        waiting = self._room[Matchmaker].waiting(self.person)
        return waiting if waiting is not None and waiting.table == self.table else None

    # Sending

    async def _send(self, *messages: wire.Saying) -> None:
        """Send some messages at once. Raises `ConversationEnded` if the connection is closed."""
        if self._socket.application_state is not WebSocketState.CONNECTED:
            raise ConversationEnded
        texts = [*map(encode, messages)]
        self._budget.charge(SENDING * len(texts) + PER_BYTE * sum(map(len, texts)))
        await self._write(texts)
        began = self._live.state.match_began
        if began > self._watched and self._live.state.seat_of(self.person) is None:
            self._watched = began
            await self._note_watched(began)

    async def _note_watched(self, began: int) -> None:
        """Note that the person watches a match, by the number of its first happening."""
        with suppress(Unavailable, Gone):
            for row in await self._room.store.matches_at(self.table):
                if row.first == began:
                    await self._room[Disclosure].note_opened(row, self.person)

    async def _write(self, texts: list[bytes]) -> None:
        try:
            await self._socket.send({"type": "websocket.send", TEXTS: texts})
        except (WebSocketDisconnect, RuntimeError, OSError):
            raise ConversationEnded from None

    async def _send_talk(self) -> None:
        muted = self._talk.muted
        while True:
            await self._send(*await self._talk.listen())
            await self._send_news()
            if muted != self._talk.muted:
                muted = self._talk.muted
                await self._conversation.show_scene()

    async def _send_news(self) -> None:
        """Send moderators' decisions about the person."""
        async with self._talk.news() as notices:
            await self._send(*notices)

    async def _follow(self, evening: str) -> None:
        """Show the table to which an evening sends the person, whenever that changes."""
        evenings = self._room[Evenings]
        while True:
            change = evenings.change(evening)
            with suppress(Unavailable):
                table = await evenings.next_table(evening, self.table, self.person)
                await self._conversation.show_next_table(table)
            await within(change, LOOKING)

    async def _be_here(self) -> None:
        """Have friends see the person at this table, for as long as they are."""
        while True:
            self._room[Whereabouts].note(self.person, self.table)
            await asyncio.sleep(EVERY)

    def revealed(self, deal: int) -> None:
        """Have the luck in a deal worked out, if its cards may be shown now."""
        state = self._live.state
        if told_during(state):
            self._open_deal = OpenDeal(self.table, state.match_began, state.version, deal)
            self._room[LuckReckoner].take_deal(self._open_deal)

    async def _tell_luck(self) -> None:
        """Tell the person, after a match, how much of it was luck, once that is worked out; and of
        a deal with much luck before, once its cards may be shown."""
        reckoner, told = self._room[LuckReckoner], ""
        while True:
            change, state = reckoner.change(self.table), self._live.state
            await self._tell_open_deal()
            if state.match is not None and not state.under_way:
                with suppress(Unavailable):
                    luck = await own_at(self._room.store, self.table, self.person)
                    if luck is not None and luck.match != told:
                        told, rules = luck.match, state.match.rules
                        line = " ".join(luck_told(self._now(), luck, rules).sentences)
                        await self._send(*([wire.Notice("luck", line)] if line else []))
            await change.wait()

    async def _tell_open_deal(self) -> None:
        """Tell a person who began the match of much luck in the deal whose cards may be shown."""
        deal, state = self._open_deal, self._live.state
        seat = state.seat_of(self.person)
        luck = self._room[LuckReckoner].luck_in(deal) if deal is not None else ()
        if deal is None or seat is None or not luck or state.match_began != deal.began:
            return
        self._open_deal = None
        if state.began[seat] == self.person and is_much(luck[seat], state.setup.rules):
            line = lucky_told(self._now(), deal.number, luck[seat])
            await self._send(wire.Notice("lucky_deal", line, deal=deal.number))

    async def _tell_seeking(self) -> None:
        matchmaker = self._room[Matchmaker]
        async for line, short in waits_told(matchmaker, lambda: self._waiting, self._now):
            await self._send(wire.Notice("seeking", line, short))

    # Requests

    async def _receive(self) -> str | bytes:
        """The next message. Raises `ConversationEnded` if the client has gone, or sends too much.

        An empty text is echoed: page scripts test their connection by it, as they cannot ping.
        """
        text: str | bytes = ""
        while not text:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                raise ConversationEnded
            text = message.get("text") or message.get("bytes") or ""
            if not text:
                await self._budget.afford(READING)
                await self._write([b""])
        size = len(text.encode()) if isinstance(text, str) else len(text)
        if size > wire.LONGEST_MESSAGE:
            raise ConversationEnded("too_big", most=wire.LONGEST_MESSAGE)
        return text

    async def _answer_requests(self) -> None:
        while True:
            request = read(await self._receive())
            if isinstance(request, Unread):
                client_faults.count("malformed")
            await self._budget.afford(cost_of(request))
            await self._conversation.respond(request, self._answer)

    async def _answer(self, request: Request) -> Outcome:
        """Answer what concerns moderators, talk and evenings; the conversation answers the rest."""
        match request:
            case wire.Do():
                return await self._do(request)
            case wire.Seeking():
                return await self._seek(request)
            case wire.Avoid():
                return await self._avoid(request)
            case wire.Ask(what=Question.FRIENDS):
                here = await self._room[Whereabouts].friends(self.person)
                lines = friends_told(self._now(), here)
                return self._conversation.answered(request.id, None, tuple(lines))
            case wire.Befriend() | wire.InviteFriend():
                return await self._befriend(request)
            case wire.Speak() | wire.Mute() | wire.Report():
                return self._conversation.answered(request.id, *await self._talk.answer(request))
        return await self._conversation.answer(request)

    async def _seek(self, request: wire.Seeking) -> Answer:
        """Look for people at this table as the person did last, or no longer do."""
        state, conversation = self._live.state, self._conversation
        if not request.on:
            await self._room[Matchmaker].stop(self.person)
            return conversation.answered(request.id, None, (self._now().t(SOUGHT_NO_MORE),))
        if not state.setup.meeting or state.seat_of(self.person) is None:
            return conversation.refused(request.id, "no_seeking")
        excluded, lines = await self._talk.may_sit()
        if excluded is not None:
            return conversation.answered(request.id, excluded, lines)
        wish = wish_of(PeopleWanted.of_settings(self._visitor.known().settings))
        table = await self._room[Matchmaker].seek(self._who, wish, _none_opened, self.table)
        if table != self.table:
            return conversation.refused(request.id, "seeks_elsewhere")
        return conversation.answered(request.id, None, (self._now().t(SOUGHT),))

    async def _avoid(self, request: wire.Avoid) -> Answer:
        """Keep the person apart from somebody at the table from now on, or no longer."""
        words, matchmaker, other = self._now(), self._room[Matchmaker], request.person
        known = await self._room.store[Avoided].of(self.person)
        try:
            if other == self.person:
                raise Refused(403, "own_saying")
            name = known.get(other) or await self._talk.name_of(other)
            if request.on:
                await matchmaker.keep_apart(self.person, other, name)
            else:
                await matchmaker.take_back(self.person, other)
        except Gone:
            return self._conversation.refused(request.id, "not_at_table")
        except Refused as refused:
            return self._conversation.answered(request.id, *refused_line(words, refused))
        await self._look_whom_to_meet()
        await self._conversation.show_scene()
        lines = [words.t(KEPT_APART if request.on else TOGETHER, name=name)]
        if request.on:
            lines.append(words.t(APART))
        return self._conversation.answered(request.id, None, tuple(lines))

    async def _look_whom_to_meet(self) -> None:
        """Look up anew who is not brought together with the person."""
        apart = await self._room.store[Avoided].apart_from(self.person)
        self._who = replace(self._who, apart=apart)
        self._conversation.know(self._who)

    async def _befriend(self, request: wire.Befriend | wire.InviteFriend) -> Answer:
        """Ask somebody to be friends, or invite a friend to this table."""
        words, conversation = self._now(), self._conversation
        try:
            if isinstance(request, wire.Befriend):
                line = await ask_to_be_friends(self._room, self._who, request.person, words)
            else:
                name = await invite_friend(self._room, self._who, self._live, request.friend)
                line = words.t(FRIEND_INVITED, name=name)
        except Refused as refused:
            return conversation.answered(request.id, *refused_line(words, refused))
        return conversation.answered(request.id, None, (line,))

    async def _do(self, request: wire.Do) -> Answer:
        if isinstance(request.command, Sit):
            excluded, lines = await self._talk.may_sit()
            if excluded is not None:
                return self._conversation.answered(request.id, excluded, lines)
            await self._look_whom_to_meet()
        store, setup = self._room.store, self._live.state.setup
        if isinstance(request.command, Change):
            try:
                async with planning(self._room, self._who.id, request.command.setup, setup):
                    return await counted(self._conversation.do(request))
            except VolteError as fault:
                lines = (self._now().fault(fault),)
                return self._conversation.answered(request.id, refusal_of(fault), lines)
        answer = await counted(self._conversation.do(request))
        if answer.ok and isinstance(request.command, Sit) and setup.planned is not None:
            await store.change_person(self._who.id, partial(with_reminder, table=self.table))
        if answer.ok and isinstance(request.command, Back) and self._live.state.setup.evening:
            await seat_at_evening(self._room, self._who, self._live)
        return answer
