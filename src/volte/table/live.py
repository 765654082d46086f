"""A live table: one task, one queue. It decides, stores, folds, and only then notifies."""

from __future__ import annotations

import asyncio
import logging
from asyncio import Future, Task
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from math import inf
from time import monotonic
from typing import Final

import msgspec
from msgspec.structs import replace

from volte import game
from volte.bots import Hint
from volte.fair import House
from volte.game import Refusal
from volte.referee.codec import encode
from volte.store import Conflict, Gone, Unavailable, acting
from volte.store.behalf import ACTING
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table import pacing, steps
from volte.table.admission import watch_refusal
from volte.table.commands import Someone, TableCommand
from volte.table.decide import TableOutcome, decide
from volte.table.happenings import Happening, Why
from volte.table.pacing import Pace, Presence, TableContext, TableStep, Timing, Trouble
from volte.table.state import TableState, states
from volte.table.stored import (
    LISTED,
    CommandReply,
    StoredTable,
    TableStore,
    listing_of,
    read_table,
    row_after,
    row_broken_off,
    row_of,
    row_without,
)
from volte.table.subscriptions import Subscription
from volte.table.thinking import BotInput, SeatedBots, Thinking, any_action, timeless
from volte.table.turns import SeatTurn, clock_ends, current_turns, hesitation
from volte.table.viewpoints import Update, Viewpoint
from volte.view import View

MOST_REQUESTS: Final = 256  # commands that may wait at one table

SEATING: Final = (hap.Sat, hap.Stood, hap.SeatWanted, hap.SeatDenied, hap.SeatForgone, hap.Closed)
"""Happenings by which people come to the seats of a table, ask for them, or leave."""

_CLAIMS: Final = ThreadPoolExecutor(1, "claims")
"""A claim (C1) may take a second to search: off the loop, and one at a time for all tables."""

log: Final = logging.getLogger(__name__)


class TableServices(msgspec.Struct, frozen=True):
    """Services that all tables of a lobby share."""

    store: TableStore
    thinking: Thinking
    house: Callable[[], House]  # makes the dealer of a new match
    timing: Timing
    ended: Callable[[LiveTable], None]  # called with every table that has ended
    seated: Callable[[LiveTable], None]  # called when people of a table have come or gone
    turned: Callable[[LiveTable], None]  # called when it has become others' turn


class TableRequest(msgspec.Struct, eq=False):
    """A command in the queue of a table; see `LiveTable.do`."""

    who: Someone
    command: TableCommand
    seen: int
    cause: str
    reply: Future[CommandReply]
    acting: str  # id of the person for whom it is stored; see `volte.store.acting`

    def answer(self, reply: CommandReply) -> None:
        if not self.reply.done():  # if it is done, its waiter has been cancelled
            self.reply.set_result(reply)


class LiveTable:
    """A table that is played at. `volte.table.lobby.Lobby` makes it and starts its task."""

    def __init__(
        self, table: str, stored: StoredTable, password: str, services: TableServices
    ) -> None:
        self.id = table  # also the name of its stream
        self.password = password  # argon2 hash of its password, the invitation's secret, or empty
        self.ended = ""  # reason why it is no longer live here; empty while it is
        self.task: Task[None] | None = None  # serves commands and takes the table's own steps
        self._stored = stored
        self._services = services
        self._requests: deque[TableRequest] = deque()
        self._current: TableRequest | None = None
        self._woken = asyncio.Event()
        self._subscriptions: dict[Subscription, None] = {}
        self._presence = Presence(monotonic())
        self._turns: dict[int, SeatTurn] = {}
        self._bots = SeatedBots(services.thinking, self._bot_input, self._woken.set, self._fail)
        self._trouble = Trouble(services.timing)
        self._dealer: House | None = None
        self._stopping = self._dismissed = False
        self._presence_shown = 0.0  # time when it was last shown; the next time is below
        self._show_presence_at = inf

    # The table as others see it

    @property
    def state(self) -> TableState:
        """The whole table, with everybody's cards: must never be shown to anybody."""
        return self._stored.state

    @property
    def present(self) -> frozenset[str]:
        """Ids of the people who are connected."""
        return self._presence.here

    @property
    def turns(self) -> Mapping[str, SeatTurn]:
        """The turns of people who have something to do, by their ids."""
        seats = self.state.seats
        turns = {seats[seat].person: each for seat, each in self._turns.items() if not each.bot}
        turns.pop("", None)
        return turns

    def view(self, seat: int | None) -> View:
        """The present match as a seat sees it. There must be a match."""
        match = self._stored.log.fold(seat).match
        assert match is not None
        return View(seat, match)

    def clock_left(self, seat: int) -> float | None:
        """Seconds left to the person at a seat for the present choice; None for no limit."""
        turn = self._turns.get(seat)
        if turn is None:
            return None
        tick, trick_pace = self._services.timing.tick, self.pace().trick_pace
        ends = clock_ends(self.state, seat, turn, trick_pace, tick)
        return None if ends is None else max(ends - monotonic(), 0.0) / tick

    def meeting_left(self) -> float | None:
        """Seconds until bots take the free seats of a meeting table, or until its match can no
        longer be begun anew; None while neither is to come."""
        ends = pacing.meeting_ends(self.state, self._presence, self._services.timing)
        return None if ends is None else max(ends - monotonic(), 0.0)

    def pace(self) -> Pace:
        """The present pace of the table: as fast as its slowest person likes."""
        return pacing.common_pace(self.state, self._presence, self._services.timing)

    async def advise(self, view: View) -> Hint:
        """Advice for a person; it takes turns with other tables and with bots."""
        return await self._services.thinking.advise(view, (self,))

    # Commands and connections

    async def do(
        self, who: Someone, command: TableCommand, seen: int, cause: str = ""
    ) -> CommandReply:
        """Queues a command, and returns the reply. A cause that comes again gets the same reply.

        Args:
            seen: number of the last happening that the person had seen.
            cause: key of the message, `PERSON:MESSAGE`; empty for a message that comes only once.
        """
        if self._dismissed or len(self._requests) >= MOST_REQUESTS:
            return self._turned_away()
        if cause and not cause.startswith(f"{who.id}:"):
            cause = f"{who.id}:{cause}"
        reply: Future[CommandReply] = asyncio.get_running_loop().create_future()
        self._requests.append(TableRequest(who, command, seen, cause, reply, ACTING.get()))
        self._woken.set()
        return await reply

    def _turned_away(self) -> CommandReply:
        """The reply to a command that is not even decided."""
        reasons = {"": "table_busy", "closed": "closed", "stopping": "stopping"}
        return CommandReply(self.state.version, Refusal(reasons.get(self.ended, "moved_away")))

    def subscribe(self, who: Someone) -> Subscription:
        """A connection of a person, who counts as present until it is closed."""
        closed = "moved_away" if self.ended else watch_refusal(self.state, who.id)
        subscription = Subscription(who, self._stored.log, self._unsubscribed, closed)
        if not closed:
            self._subscriptions[subscription] = None
            self._presence.come(who.id)
            self._show_presence_soon()
            if self._trouble.announced:
                subscription.nudge("not_saved")
        return subscription

    def _unsubscribed(self, subscription: Subscription) -> None:
        del self._subscriptions[subscription]
        self._presence.go(subscription.who.id, monotonic())
        self._presence.forget_others(pacing.concerned(self.state))
        self._show_presence_soon()

    def _show_presence_soon(self) -> None:
        timing = self._services.timing
        gathering = timing.gathering + timing.crowding * len(self._subscriptions)
        self._show_presence_at = self._presence_shown + gathering
        self._woken.set()

    @property
    def lost(self) -> frozenset[str]:
        """Ids of people whose connection has been lost for so long that others are told."""
        return self._presence.gone_before(monotonic() - self._services.timing.told_lost)

    def set_pace(self, who: Someone, pace: Pace) -> None:
        """Sets the pace at which a person likes to play."""
        self._presence.paces[who.id] = pace
        self._presence.forget_others(pacing.concerned(self.state))
        self._woken.set()

    def wait_for_listener(self, who: Someone, until: float) -> None:
        """Lets bots wait for somebody who listens, until a time in seconds of `time.monotonic`."""
        pace = self._presence.paces.get(who.id)
        if pace is not None:
            self.set_pace(who, replace(pace, hears_until=until))

    async def lock(self, password: str) -> None:
        """Changes the hash of the table's password. Raises `Unavailable` and `Conflict`."""
        await self._list(password)
        self.password = password

    def begin(self) -> None:
        """Starts the task of the table."""
        # In a context of its own: it does not inherit the log context of the table's opener.
        self.task = asyncio.create_task(self._run(), name=f"table {self.id}", context=Context())

    async def stop(self) -> None:
        """Ends the table in good order, after its present step. `dismiss` tells its people."""
        self._stopping = True
        self._woken.set()
        if self.task is not None:
            await asyncio.wait({self.task}, timeout=self._services.timing.closing)
            self.task.cancel()
            await asyncio.wait({self.task})

    def dismiss(self) -> None:
        """Ends all subscriptions and answers all requests, as the table has ended here."""
        self._dismissed = True
        for subscription in list(self._subscriptions):
            subscription.end(self.ended)
        waiting = [*([self._current] if self._current is not None else []), *self._requests]
        self._requests.clear()
        for request in waiting:
            request.answer(self._turned_away())

    def lose(self) -> None:
        """Ends the table here, as another node goes on with it."""
        self._end("moved_away")
        self._woken.set()

    # The task

    async def _run(self) -> None:
        """Serves one request and takes one step that is due, again and again; else waits."""
        try:
            while not self._over:
                try:
                    self._woken.clear()
                    if self._requests:
                        await self._serve(self._requests.popleft())
                    self._look()
                    until = await self._do_what_is_due()
                    idle = until is None or until > monotonic()
                    if idle and not (self._over or self._requests):
                        await self._wait(inf if until is None else until)
                except Conflict:
                    self._end("moved_away")
                except Exception as error:
                    self._fail(error)
        finally:
            self._end("closed" if self.state.closed else "stopping")

    @property
    def _over(self) -> bool:
        """Whether the table has ended, is closed, or is to stop."""
        return bool(self.ended) or self.state.closed or self._stopping

    async def _wait(self, until: float) -> None:
        until = min(until, self._show_presence_at)
        loop = asyncio.get_running_loop()
        timer = loop.call_later(until - monotonic(), self._woken.set) if until < inf else None
        try:
            await self._woken.wait()
        finally:
            if timer is not None:
                timer.cancel()

    def _look(self) -> None:
        """Updates whose turn it is, lets bots think, and shows who is present."""
        now = monotonic()
        self._presence.attend(self.state, now)
        before, self._turns = self._turns, current_turns(self.state, self._turns, now)
        if self._turns != before:
            self._services.turned(self)
        self._bots.look(self.state, self._turns)
        if self._show_presence_at <= now:
            self._presence_shown, self._show_presence_at = now, inf
            wait = self._services.timing.told_lost
            told = (since + wait for since in self._presence.gone.values())
            self._show_presence_at = min((each for each in told if each > now), default=inf)
            self._nudge()

    async def _serve(self, request: TableRequest) -> None:
        self._current = request
        try:
            reply = await self._obey(request)
        except Conflict:
            raise
        except Gone:
            reply = CommandReply(self.state.version, Refusal("person_gone"))
        except Exception as error:
            self._fail(error)
            reply = CommandReply(self.state.version, Refusal("table_failed"))
        self._current = None
        request.answer(reply)

    async def _obey(self, request: TableRequest) -> CommandReply:
        who, command = request.who, request.command
        known = self._stored.replies.get(request.cause)
        if known is not None:
            return known
        if self._trouble.failed and not self._trouble.announced:
            await self._read_again()
        if self._trouble.in_doubt:
            return CommandReply(self.state.version, Refusal("not_saved"))
        if isinstance(command, cmd.Vanish):
            self._stored.row = row_without(self._stored.row, who.id)
        present, engines = self._presence.here, self._services.thinking.engines
        last = self._stored.row.id if self._stored.row is not None else ""
        arguments = self.state, who, command, request.seen, present, engines, last
        if isinstance(command, cmd.Act) and isinstance(command.action, game.Claim):
            loop = asyncio.get_running_loop()
            outcome = await loop.run_in_executor(_CLAIMS, decide, *arguments)
        else:
            outcome = decide(*arguments)
        if isinstance(outcome, Refusal):
            reply = CommandReply(self.state.version, outcome)
        elif await self._append(outcome, request.cause, request.acting):
            reply = CommandReply(self.state.version)
        else:
            return CommandReply(self.state.version, Refusal("not_saved"))
        self._stored.replies.put(request.cause, reply)
        seat = self.state.seat_of(who.id)
        if seat is not None and self.state.seats[seat].stand_in is Why.CLOCK:
            # Programs promise by themselves, so a promise does not show that somebody is there.
            unattended = cmd.Promise | cmd.Contribute | cmd.Away | cmd.Stand
            if not self.state.closed and not isinstance(command, unattended):
                await self._step(steps.outcome_of(self.state, pacing.ComeBack(seat)))
        return reply

    async def _do_what_is_due(self) -> float | None:
        """Takes the next step if it is due. The time to look again; None if only when woken."""
        now = monotonic()
        if now < self._trouble.until:
            return self._trouble.until
        if self._trouble.in_doubt:
            await self._read_again()
            return now
        if self._trouble.announced:
            await self._probe()
            return now
        bots, turns = self._bots, self._turns
        seems = {seat: hesitation(self.state, seat, self._chance(seat)[1]) for seat in turns}
        context = TableContext(self._presence, turns, bots.decided, bots.noticed, seems)
        scheduled = pacing.next_step(self.state, context, self._services.timing)
        if scheduled is None or scheduled.at > now:
            return None if scheduled is None else scheduled.at
        if isinstance(scheduled.step, pacing.Forget):
            self._end("idle")
        else:
            await self._step(self._outcome(scheduled.step))
        return now

    def _outcome(self, step: TableStep) -> TableOutcome:
        state = self.state
        match step:
            case pacing.LetHouse():
                covered = steps.covered_by_house(state, self._presence.here)
                return steps.acts_of_house(self._house(), state, covered)
            case pacing.LetBot():
                outcome = steps.decide_bot(state, self._bots.take(step.seat))
                if isinstance(outcome, Refusal):
                    extra = {"table": self.id, "reason": outcome.reason}
                    log.error("bot_refused", extra=extra)
                    outcome = steps.decide_bot(state, any_action(self.view(step.seat)))
                return outcome
            case pacing.LetClaim():
                self._bots.claimed(state, step.claim)
                return steps.decide_bot(state, step.claim)
        return steps.outcome_of(state, step)

    async def _step(self, outcome: TableOutcome) -> None:
        """Stores a step of the table's own. Raises if it is empty: it would be due again."""
        if isinstance(outcome, Refusal) or not outcome:
            raise RuntimeError("what was due could not be done")
        await self._append(outcome)

    # Storing and notifying

    async def _append(
        self, happenings: Sequence[Happening], cause: str = "", person: str = ""
    ) -> bool:
        """Stores, folds and publishes happenings. True if they were stored. Raises `Conflict`.

        Args:
            person: id of the person who acts. Raises `Gone` where they are deleted, if the lobby
                shows the happenings; for others, such as a card, that is not checked, which is
                cheaper.
        """
        stored = self._stored
        folded = list(states(self.state, happenings))
        state = folded[-1]
        row = row_after(stored.row, self.id, happenings, state, self._new_house)
        left = row_broken_off(stored.row, self.state, happenings)
        rows = [each for each in (left, row) if each is not None and each != stored.row]
        listed = any(isinstance(happening, LISTED) for happening in happenings)
        entries = [encode(happening) for happening in happenings]
        try:
            with acting(person if listed else ""):
                await self._services.store.append(
                    self.id,
                    self.state.version,
                    entries,
                    cause=cause,
                    listing=listing_of(self.id, state, self.password) if listed else None,
                    matches=rows,
                )
        except Unavailable:
            self._store_failed()
            return await self._read_again(entries)
        stored.log.add(happenings, folded)
        stored.row = row
        self._notify(happenings)
        self._store_works()
        return True

    def _notify(self, happenings: Sequence[Happening]) -> None:
        """Publishes stored happenings, and ends the subscriptions of people whom they exclude."""
        for each in happenings:
            if isinstance(each, hap.Unpaused | game.MatchStarted):
                self._presence.begin_anew(monotonic())
            if isinstance(each, hap.Sat):
                self._presence.sat = monotonic()
            if self.state.setup.meeting and isinstance(each, hap.Sat | hap.SeatWanted):
                self._presence.expect(each.person, monotonic(), seated=isinstance(each, hap.Sat))
            if isinstance(each, hap.StoodIn):
                self._presence.came.discard(self.state.seats[each.seat].person)
        if any(isinstance(each, SEATING) for each in happenings):
            self._services.seated(self)
        state, shared = self.state, dict[tuple[Viewpoint, int], Update]()
        for subscription in list(self._subscriptions):
            subscription.notify(shared)
            reason = "closed" if state.closed else watch_refusal(state, subscription.who.id)
            if reason:
                subscription.end(reason)
        self._look()

    def _nudge(self, notice: str = "") -> None:
        for subscription in list(self._subscriptions):
            subscription.nudge(notice)

    async def _list(self, password: str) -> None:
        """Stores the table's line in the lobby alone."""
        listing = listing_of(self.id, self.state, password)
        await self._services.store.append(self.id, self.state.version, (), listing=listing)

    async def _probe(self) -> None:
        """Tries to write to the store again, and tells people if it works."""
        try:
            await self._list(self.password)
        except Unavailable:
            self._store_failed()
        else:
            self._store_works()

    def _store_works(self) -> None:
        if self._trouble.store_works():
            self._nudge("saved")

    def _store_failed(self) -> None:
        """Notes that the store has failed: it must be read first, as it may have more."""
        if self._trouble.store_failed(monotonic()):
            log.warning("table_waits_for_store", extra={"table": self.id})
            self._nudge("not_saved")

    async def _read_again(self, expected: Sequence[bytes] = ()) -> bool:
        """Takes over what the store has. True if that begins with the `expected` entries."""
        store, stored = self._services.store, self._stored
        found: Sequence[bytes] = ()
        happenings: Sequence[Happening] = ()
        try:
            if self._trouble.failed:
                fresh = await read_table(store, self.id)
                if fresh is None or fresh.state.version < self.state.version:
                    raise Conflict(self.id)
                stored.become(fresh)
            else:
                entries = await store.read(self.id, self.state.version)
                rows = await store.matches_at(self.id)
                found = [entry.data for entry in entries[: len(expected)]]
                happenings = stored.take(entries)
                stored.row = row_of(rows, self.state)
        except Unavailable:
            self._store_failed()
            return False
        self._trouble.read_again()
        self._notify(happenings)
        return list(found) == list(expected)

    def _fail(self, error: Exception) -> None:
        """Notes an unexpected error: the table goes on from what is stored."""
        log.error("table_failed", extra={"table": self.id}, exc_info=error)
        self._trouble.table_failed(monotonic())

    def _end(self, why: str) -> None:
        if self.ended:
            return
        self.ended = why
        self._bots.stop()
        if not self._stopping:
            self.dismiss()
        self._services.ended(self)

    # Helpers

    def _bot_input(self, seat: int) -> BotInput:
        """The input of the bot at a seat, with one seed for the whole match."""
        level, view = self.state.seats[seat].level, self.view(seat)
        alike = bool(self.state.setup.board)
        return BotInput(level, self._chance(seat)[0], timeless(view) if alike else view, alike)

    def _chance(self, seat: int) -> tuple[int, int]:
        """Two random numbers for a seat of the present match, on which no card depends: the seed of
        its bot, and one for the time that the seat seems to think."""
        drawn = self._house().contribution(0, seat)
        return int.from_bytes(drawn[:8], "big"), int.from_bytes(drawn[8:], "big")

    def _house(self) -> House:
        """The dealer of the present match."""
        assert self._stored.row is not None
        master = self._stored.row.master
        if self._dealer is None or self._dealer.master != master:
            self._dealer = House(master)
        return self._dealer

    def _new_house(self) -> House:
        self._dealer = self._services.house()
        return self._dealer
