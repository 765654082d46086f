"""Live tables, and people who play there by a script."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final, TypeVar
from weakref import WeakSet

import pytest
from kit.tables import ANNE, BERT, CARA, DORA, due, setup

from volte import game
from volte.bots import make_bot
from volte.fair import House
from volte.referee import SeatAction, legal_actions
from volte.solo.kept import KeptStore
from volte.table import Happening, Setup, Someone, TableState, evolve
from volte.table import commands as cmd
from volte.table.engines import EnginePool
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.table.pacing import Timing
from volte.table.stored import CommandReply, TableStore
from volte.table.subscriptions import Subscription
from volte.table.thinking import MakeBot
from volte.table.viewpoints import Update
from volte.view import View

QUICK: Final = Timing(
    grace=60.0,
    promise_within=60.0,
    undo_within=60.0,
    bot_pace=0.0,
    trick_pace=0.0,
    turn_down=0.0,
    cut=0.0,
    slot=0.0,
    retry=0.01,
    longest_retry=0.05,
)
"""Timing by which nothing takes time but what people do."""

TOO_LATE: Final = ("stale", "paused", "no_match", "moved_away", "stopping", "closed")
LIMIT: Final = 60.0
T = TypeVar("T")


async def until(condition: Callable[[], object]) -> None:
    """Wait until a condition holds; raise any fault that a guest has found."""
    async with asyncio.timeout(LIMIT):
        while not condition():
            for guest in present():
                if guest.task.done() and not guest.task.cancelled():
                    guest.task.result()
            await asyncio.sleep(0.002)


# Lobbies

OpenLobby = Callable[..., Awaitable[Lobby]]


@asynccontextmanager
async def room(
    store: TableStore,
    timing: Timing = QUICK,
    bots: MakeBot = make_bot,
    house: Callable[[], House] = House.fresh,
    thinkers: int = 0,
    engines: EnginePool | None = None,
) -> AsyncIterator[Lobby]:
    """A lobby over a store, closed in good order."""
    lobby = Lobby(store, bots, house=house, timing=timing, thinkers=thinkers, engines=engines)
    try:
        yield lobby
    finally:
        await lobby.close()
    async with asyncio.timeout(LIMIT):
        for guest in present():
            if guest.table.ended:
                GUESTS.discard(guest)
                await guest.task


@pytest.fixture
async def open_lobby() -> AsyncIterator[OpenLobby]:
    """Function that opens a lobby in place of the one before, as a server that starts again does.

    Without a store, the lobbies of a test share one in memory; see `room`.
    """
    memory = KeptStore()
    async with AsyncExitStack() as rooms:

        async def open_lobby(store: TableStore = memory, **settings: Any) -> Lobby:
            await rooms.aclose()
            return await rooms.enter_async_context(room(store, **settings))

        yield open_lobby


@pytest.fixture
async def lobby(open_lobby: OpenLobby) -> Lobby:
    """A lobby in memory, where nothing takes time but what people do."""
    return await open_lobby()


async def found(lobby: Lobby, table: str) -> LiveTable:
    live = await lobby.find(table)
    assert live is not None
    return live


# Acts at a table


async def moved_on(table: LiveTable, happenings: int) -> None:
    """Wait for that many more happenings, or until the match or the table is over."""
    number = table.state.version + happenings
    await until(lambda: table.state.version >= number or not table.state.under_way or table.ended)


async def over(table: LiveTable) -> None:
    """Wait until the match is over."""
    await until(lambda: not table.state.under_way)


async def dealt(table: LiveTable) -> None:
    """Wait until the cards are dealt."""
    await until(lambda: table.state.match and table.state.match.deal)


async def done(table: LiveTable, who: Someone, *commands: cmd.TableCommand) -> None:
    """Do commands one after another; none may be refused."""
    for command in commands:
        reply = await table.do(who, command, table.state.version)
        assert reply.refusal is None, (command, reply.refusal)


async def refused(
    table: LiveTable,
    who: Someone,
    command: cmd.TableCommand,
    seen: int | None = None,
    cause: str = "",
) -> str:
    """Reason for which a command is refused."""
    reply = await table.do(who, command, table.state.version if seen is None else seen, cause)
    assert reply.refusal is not None, command
    return reply.refusal.reason


async def let_sit(table: LiveTable, who: Someone, seat: int) -> None:
    """Ask for a bot's seat in the middle of a deal, and allow it as the host."""
    await done(table, who, cmd.Sit(seat))
    host = Someone(table.state.host, table.state.host_name)
    await done(table, host, cmd.AnswerSeat(seat, who.id, allow=True))


async def kill(table: LiveTable) -> None:
    """End the task of a table wherever it is."""
    assert table.task is not None
    table.task.cancel()
    await asyncio.wait({table.task})


# People


class Guest:
    """A person with a connection, who knows a table from its updates alone.

    Attributes:
        state: folded from the updates, and from nothing else.
        heard: all happenings of the updates, by number; one that comes again takes its old place.
        notices: the notices of the updates.
    """

    plays = False

    def __init__(self, table: LiveTable, who: Someone) -> None:
        self.table = table
        self.who = who
        self.watcher: Subscription = table.subscribe(who)
        self.heard: dict[int, Happening] = {}
        self._caught_up = False
        self.notices: list[str] = []
        self.replies: list[CommandReply] = []
        self.state: TableState = self.watcher.state
        self.task = asyncio.create_task(self._listen())
        GUESTS.add(self)

    @property
    def seat(self) -> int | None:
        return self.watcher.seat

    @property
    def match(self) -> game.MatchState:
        assert self.state.match is not None
        return self.state.match

    @property
    def view(self) -> View:
        return View(self.seat, self.match)

    async def do(self, command: cmd.Command, cause: str = "") -> CommandReply:
        reply = await self.table.do(self.who, command, self.state.version, cause)
        self.replies.append(reply)
        return reply

    async def leave(self) -> None:
        """Close the connection."""
        self.watcher.close()
        await self.task

    async def closed(self) -> str:
        """Wait until the table ends the connection, and return the reason."""
        async with asyncio.timeout(LIMIT):
            await self.task
        return self.watcher.closed

    async def up_to_date(self) -> None:
        """Wait until every happening has come."""
        await until(lambda: self.state.version == self.table.state.version)

    def all_of(self, kind: type[T]) -> list[T]:
        """All happenings of that kind that have come."""
        return [each for _, each in sorted(self.heard.items()) if isinstance(each, kind)]

    async def play_on(self) -> None:
        """Play from now on."""
        self.plays = True
        await self.moved()

    async def _listen(self) -> None:
        self._take(self.watcher.catch_up(0))
        await self.moved()
        async for update in self.watcher:
            self._take(update)
            await self.moved()

    def _take(self, update: Update) -> None:
        state = update.before
        if not update.resync and self._caught_up:
            assert state == self.state, "the update does not fold into what is known"
            assert update.first == self.state.version + 1
        self._caught_up = True
        for number, happening in enumerate(update.happenings, update.first):
            state = evolve(state, happening)
            self.heard[number] = happening
        assert state == update.after
        assert state is not None
        self.state = state
        if update.notice:
            self.notices.append(update.notice)
        self._see_nothing_hidden()

    def _see_nothing_hidden(self) -> None:
        match = self.state.match
        if match is None or match.deal is None or self.watcher.state.setup.watching == "afterwards":
            return
        hands = enumerate(match.deal.hands)
        assert all(not hand for seat, hand in hands if seat != self.seat)

    async def moved(self) -> None:
        """Called when something has happened."""


GUESTS: Final[WeakSet[Guest]] = WeakSet()


def present() -> list[Guest]:
    """The guests of this test; none of them may fail."""
    here = asyncio.get_running_loop()
    return [guest for guest in GUESTS if guest.task.get_loop() is here]


G = TypeVar("G", bound=Guest)


class Player(Guest):
    """A person who plays: the first legal card, whatever comes.

    Attributes:
        plays: whether they play; they promise and are ready for the next deal all the same.
        proves: whether their program adds bytes to the shuffle.
    """

    plays = True
    proves = True

    def __init__(self, table: LiveTable, who: Someone) -> None:
        self._answered: set[object] = set()
        super().__init__(table, who)

    def share(self, number: int) -> bytes:
        """The bytes that the person adds to a shuffle."""
        return self.who.id.encode().ljust(16, b".")

    async def moved(self) -> None:
        seat, match = self.seat, self.state.match
        if seat is None or match is None or not self.state.under_way or self.state.paused:
            return
        command = due(self.state, seat, self.share if self.proves else None)
        if command is not None:
            number = match.proof.number if match.proof is not None else 0
            await self._once((type(command), number), command)
        elif self.plays and not self.state.between_deals:
            await self._play(seat, match)

    async def _play(self, seat: int, match: game.MatchState) -> None:
        if seat in game.still_to_consent(match):
            await self.do(cmd.Act(game.AnswerUndo(seat, allow=True)))
        elif match.asked is None and (action := self.chosen(seat, match)) is not None:
            await self._once((self.state.moved, action), cmd.Act(action))

    def chosen(self, seat: int, match: game.MatchState) -> SeatAction | None:
        actions = legal_actions(match, seat)
        return actions[0] if actions else None

    async def _once(self, what: object, command: cmd.Command, *forgiven: str) -> None:
        """Do a command unless `what` has been done in this match; being too late is forgiven."""
        if (self.state.match_began, what) not in self._answered:
            self._answered.add((self.state.match_began, what))
            reply = await self.do(command)
            reason = reply.refusal.reason if reply.refusal is not None else ""
            assert reason in {"", *TOO_LATE, *forgiven}, (command, reply.refusal)


class Lingering(Player):
    """A player who does nothing between deals."""

    async def moved(self) -> None:
        if not self.state.between_deals:
            await super().moved()


async def seated(table: LiveTable, *guests: Guest) -> None:
    """Seat guests from the first seat on."""
    for seat, guest in enumerate(guests):
        await done(table, guest.who, cmd.Sit(seat))


async def together(
    lobby: Lobby,
    *kinds: type[G],
    chosen: Setup | None = None,
    plays: bool = True,
    begun: bool = True,
    **settings: Any,
) -> tuple[G, ...]:
    """Anne, Bert, Cara and Dora, as many as there are kinds, at the first seats of a new table.

    Args:
        chosen: the setup of the table; else it is made of `settings`.
        plays: whether they play, or only promise and contribute.
        begun: whether a match begins; then bots take the other seats.
    """
    table = await lobby.open(chosen or setup("dame-de-pique", **settings), ANNE)
    people = zip(kinds, (ANNE, BERT, CARA, DORA), strict=False)
    guests = tuple(kind(table, who) for kind, who in people)
    for guest in guests if not plays else ():
        guest.plays = False
    await seated(table, *guests)
    if begun:
        await done(table, ANNE, cmd.Start())
    return guests


async def with_bots(lobby: Lobby, kind: type[Player] = Player, **settings: Any) -> Player:
    """Anne alone, in a match with bots; see `together`."""
    (anne,) = await together(lobby, kind, **settings)
    return anne
