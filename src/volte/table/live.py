"""A live table: one task, one inbox. Judge, keep in the store, fold, and only then tell."""

from __future__ import annotations

import asyncio
import logging
from asyncio import Future, Task
from collections.abc import Callable, Sequence
from contextvars import Context
from math import inf
from time import monotonic
from typing import Final

import msgspec
from msgspec.structs import replace

from volte import game, referee
from volte.fair import House
from volte.game import Refusal
from volte.referee.codec import encode
from volte.store import Conflict, Store, Unavailable
from volte.table import happenings as hap
from volte.table import pacing
from volte.table.admission import away_when_rated, watch_refusal
from volte.table.commands import Command, Someone
from volte.table.decide import Outcome, ready
from volte.table.failing import Trouble, where_it_failed
from volte.table.happenings import Happening, Why
from volte.table.house import (
    acts_of_house,
    come_back,
    covered_by_house,
    decide_bot,
    decide_house,
    hand_on,
    pause_empty,
    play_forced,
    resume_present,
    settle_asker,
    stand_in,
)
from volte.table.inbox import Ask, Inbox, turned_down
from volte.table.judging import judged
from volte.table.pacing import Manner, Presence, Room, Step, Timing
from volte.table.state import TableState, states
from volte.table.stored import LISTED, Kept, Reply, listing_of, read_table, row_after, row_of
from volte.table.subscriptions import Audience, Watcher
from volte.table.thinking import Mind, Minds, Thinking, any_action
from volte.table.turns import Asked, asked_now, clock_ends
from volte.table.viewpoints import Sight, Update
from volte.view import View

log: Final = logging.getLogger(__name__)


class Setting(msgspec.Struct, frozen=True):
    """What all tables of a lobby share.

    Attributes:
        house: makes who deals in a new match.
        ended: told of every table that has ended.
    """

    store: Store
    thinking: Thinking
    house: Callable[[], House]
    timing: Timing
    ended: Callable[[LiveTable], None]


class LiveTable:
    """A table that is played at. `volte.table.lobby.Lobby` makes it and begins its task.

    Attributes:
        id: also the name of its stream.
        password: argon2 hash of the word for coming in; elsewhere the invitation's secret, or "".
        ended: why it lives no more; empty while it does.
        task: all that it does; None before it begins.
    """

    def __init__(self, table: str, kept: Kept, password: str, setting: Setting) -> None:
        self.id = table
        self.password = password
        self.ended = ""
        self._kept = kept
        self._setting = setting
        self._inbox = Inbox()
        self._woken = asyncio.Event()
        self._audience = Audience()
        self._presence = Presence(monotonic())
        self._asked: dict[int, Asked] = {}
        self._minds = Minds(setting.thinking, self._mind, self._woken.set, self._fail)
        self._trouble = Trouble(setting.timing)
        self._dealer: House | None = None
        self._stopping = self._dismissed = False
        self._shown = 0.0
        self._show_at = inf
        self.task: Task[None] | None = None

    # What others see of it

    @property
    def state(self) -> TableState:
        """The whole table, with everybody's cards: never to be shown to anybody."""
        return self._kept.state

    @property
    def present(self) -> frozenset[str]:
        """Ids of the people who are connected."""
        return self._presence.here

    def view(self, seat: int | None) -> View:
        """The present match as a seat sees it. Only where there is one."""
        match = self._kept.sights.fold(seat).match
        assert match is not None
        return View(seat, match)

    def since(self, number: int, sight: Sight) -> Update:
        """What that sight was shown after that happening, from the match's start at most."""
        return self._kept.sights.since(sight, number)

    def clock_left(self, seat: int) -> float | None:
        """Seconds that the person at a seat has left for the present choice; None: no hurry."""
        asked = self._asked.get(seat)
        if asked is None:
            return None
        tick, trick_pace = self._setting.timing.tick, self.pace().trick_pace
        ends = clock_ends(self.state, seat, asked, trick_pace, tick)
        return None if ends is None else max(ends - monotonic(), 0.0) / tick

    def pace(self) -> Manner:
        """How fast it goes now, for the slowest of its people."""
        return pacing.pace(self.state, self._room(), self._setting.timing)

    # What others do

    async def do(self, who: Someone, command: Command, seen: int, cause: str = "") -> Reply:
        """Has a command judged, and done. The same cause again gets the same answer.

        Args:
            seen: number of the last happening that the person had before them.
            cause: names the message, `PERSON:MESSAGE`; empty for one that comes once.
        """
        if self._dismissed or self._inbox.full:
            return turned_down(self.state.version, self.ended)
        if cause and not cause.startswith(f"{who.id}:"):
            cause = f"{who.id}:{cause}"
        answer: Future[Reply] = asyncio.get_running_loop().create_future()
        self._inbox.put(Ask(who, command, seen, cause, answer))
        self._woken.set()
        return await answer

    def watch(self, who: Someone) -> Watcher:
        """A connection, through which that person is here until it is closed."""
        closed = "moved_away" if self.ended else watch_refusal(self.state, who.id)
        watcher = Watcher(who, self._kept.sights, self._gone, closed)
        if not closed:
            self._audience.add(watcher)
            self._presence.come(who.id)
            self._show()
            if self._trouble.told:
                watcher.nudge("not_saved")
        return watcher

    def manner(self, who: Someone, bot_pace: int, trick_pace: int, auto_forced: bool) -> None:
        """How somebody likes to play; paces in milliseconds."""
        self._keep_manner(who, Manner(bot_pace / 1000, trick_pace / 1000, auto_forced))

    def hears(self, who: Someone, until: float) -> None:
        """Bots wait for somebody who listens, until then, in seconds of `time.monotonic`."""
        manner = self._presence.manners.get(who.id)
        if manner is not None:
            self._keep_manner(who, replace(manner, hears_until=until))

    def _keep_manner(self, who: Someone, manner: Manner) -> None:
        self._presence.manners[who.id] = manner
        self._presence.keep_in_mind(pacing.concerned(self.state))
        self._woken.set()

    async def lock(self, password: str) -> None:
        """Changes the hash of the word for coming in. Raises `Unavailable` and `Conflict`."""
        await self._list(password)
        self.password = password

    def begin(self) -> None:
        """Begins the task of the table."""
        # Whoever opens it first has nothing to do with what it does later, in a log for one.
        self.task = asyncio.create_task(self._run(), name=f"table {self.id}", context=Context())

    async def stop(self) -> None:
        """Ends it in good order: what is being done is done. Nobody is told before `dismiss`."""
        self._stopping = True
        self._woken.set()
        if self.task is not None:
            await asyncio.wait({self.task}, timeout=self._setting.timing.closing)
            self.task.cancel()
            await asyncio.wait({self.task})

    def dismiss(self) -> None:
        """Tells its people that it has ended here; and whoever has asked for something since."""
        self._dismissed = True
        self._audience.end(self.ended)
        self._inbox.answer_all(turned_down(self.state.version, self.ended))

    def lose(self) -> None:
        """Ends it here: another node goes on with it."""
        self._end("moved_away")
        self._woken.set()

    # The task

    async def _run(self) -> None:
        try:
            while not self._over:
                try:
                    await self._once()
                except Conflict:
                    self._end("moved_away")
                except Exception as error:
                    self._fail(error)
        finally:
            self._end("closed" if self.state.closed else "stopping")

    async def _once(self) -> None:
        """One command, and one thing that is due; or a wait for either."""
        self._woken.clear()
        if self._inbox:
            await self._serve(self._inbox.take())
        self._look()
        until = await self._next()
        if not (self._over or self._inbox) and (until is None or until > monotonic()):
            await self._wait(until)

    @property
    def _over(self) -> bool:
        """Whether there is nothing more to do here."""
        return bool(self.ended) or self.state.closed or self._stopping

    async def _wait(self, until: float | None) -> None:
        until = min(inf if until is None else until, self._show_at)
        loop = asyncio.get_running_loop()
        later = loop.call_later(until - monotonic(), self._woken.set) if until < inf else None
        try:
            await self._woken.wait()
        finally:
            if later is not None:
                later.cancel()

    async def _next(self) -> float | None:
        """Does what is due; the answer is when to look again."""
        now = monotonic()
        if now < self._trouble.until:
            return self._trouble.until
        if self._trouble.in_doubt:
            await self._learn()
            return now
        if self._trouble.told:
            await self._probe()
            return now
        due = pacing.due(self.state, self._room(), self._setting.timing)
        if due is None or due.at > now:
            return None if due is None else due.at
        await self._step(due.step)
        return now

    def _look(self) -> None:
        """Sees what is asked now, has bots think about it, and shows who is there."""
        now = monotonic()
        self._asked = asked_now(self.state, self._asked, now)
        self._minds.look(self.state, self._asked)
        if self._show_at <= now:
            self._shown, self._show_at = now, inf
            self._audience.nudge()

    def _mind(self, seat: int) -> Mind:
        """The bot of a seat: the same one for as long as the match lasts."""
        seed = int.from_bytes(self._house().contribution(0, seat)[:8], "big")
        return Mind(self.state.seats[seat].level, seed, self.view(seat))

    async def _serve(self, ask: Ask) -> None:
        try:
            reply = await self._obey(ask)
        except Conflict:
            raise
        except Exception as error:
            self._fail(error)
            reply = Reply(self.state.version, Refusal("table_failed"))
        self._inbox.answer(reply)

    async def _obey(self, ask: Ask) -> Reply:
        known = self._kept.causes.get(ask.cause)
        if known is not None:
            return known
        if self._trouble.failed and not self._trouble.told:
            await self._learn()
        if self._trouble.in_doubt:
            return Reply(self.state.version, Refusal("not_saved"))
        lacking = away_when_rated(self.state, ask.command, self.present)
        outcome = lacking or await judged(self.state, ask.who, ask.command, ask.seen)
        if isinstance(outcome, Refusal):
            reply = Reply(self.state.version, outcome)
        elif await self._keep(outcome, ask.cause):
            reply = Reply(self.state.version)
        else:
            return Reply(self.state.version, Refusal("not_saved"))
        self._kept.causes.put(ask.cause, reply)
        seat = self.state.seat_of(ask.who.id)
        if seat is not None:
            away = self.state.seats[seat].stand_in is Why.CLOCK and not self.state.closed
            if away and ask.shows_presence:
                await self._take(come_back(self.state, seat))
        return reply

    async def _step(self, step: Step) -> None:
        """Does what is due."""
        state = self.state
        match step:
            case pacing.Pause():
                await self._take(pause_empty(state))
            case pacing.Resume():
                await self._take(resume_present(state))
            case pacing.StandIn():
                await self._take(stand_in(state, step.seat, step.why))
            case pacing.ComeBack():
                await self._take(come_back(state, step.seat))
            case pacing.HandOn():
                await self._take(hand_on(state, step.seat))
            case pacing.SettleAsker():
                await self._take(settle_asker(state, step.seat, self.present))
            case pacing.LetHouse():
                covered = covered_by_house(state, self.present)
                await self._take(acts_of_house(self._house(), state, covered))
            case pacing.LetBot():
                await self._take(self._choice(step.seat))
            case pacing.PlayForced():
                await self._take(play_forced(state, step.seat))
            case pacing.Answer():
                assert state.match is not None
                await self._take(referee.decide(state.match, step.action))
            case pacing.LetClaim():
                self._minds.claimed(state, step.claim)
                await self._take(decide_bot(state, step.claim))
            case pacing.LeaveOut():
                await self._take(decide_house(state, step.action))
            case pacing.Ready():
                await self._take(ready(self.state, step.seat))
            case pacing.Forget():
                self._end("idle")

    def _choice(self, seat: int) -> Outcome:
        outcome = decide_bot(self.state, self._minds.take(seat))
        if not isinstance(outcome, Refusal):
            return outcome
        log.error("bot_refused", extra={"table": self.id, "reason": outcome.reason})
        return decide_bot(self.state, any_action(self.view(seat)))

    async def _take(self, outcome: Outcome) -> None:
        """Keeps what the table does by itself; it must come to something, or be due for ever."""
        if isinstance(outcome, Refusal) or not outcome:
            raise RuntimeError("what was due could not be done")
        await self._keep(outcome)

    # Keeping and telling

    async def _keep(self, happenings: Sequence[Happening], cause: str = "") -> bool:
        """Keeps, folds and tells; whether it was kept. Raises `Conflict`."""
        kept = self._kept
        folded = list(states(self.state, happenings))
        state = folded[-1]
        row = row_after(kept.row, self.id, happenings, state, self._new_house)
        listed = any(isinstance(happening, LISTED) for happening in happenings)
        entries = [encode(happening) for happening in happenings]
        try:
            await self._setting.store.append(
                self.id,
                self.state.version,
                entries,
                cause=cause,
                listing=listing_of(self.id, state, self.password) if listed else None,
                matches=(row,) if row is not None and row != kept.row else (),
            )
        except Unavailable:
            self._doubt()
            return await self._learn(entries)
        kept.sights.add(happenings, folded)
        kept.row = row
        self._tell(happenings)
        if self._trouble.over():
            self._audience.nudge("saved")
        return True

    async def _list(self, password: str) -> None:
        """Keeps the line in the lobby, and nothing else."""
        listing = listing_of(self.id, self.state, password)
        await self._setting.store.append(self.id, self.state.version, (), listing=listing)

    async def _probe(self) -> None:
        """Tries whether the store can be written again, so that people hear of it."""
        try:
            await self._list(self.password)
        except Unavailable:
            self._doubt()
            return
        if self._trouble.over():
            self._audience.nudge("saved")

    def _doubt(self) -> None:
        """The store has failed: what it has is not known, and must be read before anything."""
        if self._trouble.doubt(monotonic()):
            log.warning("table_waits_for_store", extra={"table": self.id})
            self._audience.nudge("not_saved")

    async def _learn(self, hoped: Sequence[bytes] = ()) -> bool:
        """Takes over what the store has; whether that begins with what was hoped for."""
        store, kept = self._setting.store, self._kept
        found: Sequence[bytes] = ()
        try:
            if self._trouble.failed:
                fresh = await read_table(store, self.id)
                if fresh is None or fresh.state.version < self.state.version:
                    raise Conflict(self.id)
                kept.become(fresh)
                happenings: Sequence[Happening] = ()
            else:
                entries = await store.read(self.id, self.state.version)
                rows = await store.matches_at(self.id)
                found = [entry.data for entry in entries[: len(hoped)]]
                happenings = kept.take(entries)
                kept.row = row_of(rows, self.state)
        except Unavailable:
            self._doubt()
            return False
        self._trouble.learnt()
        self._tell(happenings)
        return list(found) == list(hoped)

    def _tell(self, happenings: Sequence[Happening]) -> None:
        """Something has been kept: whoever is here hears of it."""
        for each in happenings:
            if isinstance(each, hap.Unpaused | game.MatchStarted):
                self._presence.begin_anew(monotonic())
        self._audience.bring_up(self.state)
        self._look()

    def _fail(self, error: Exception) -> None:
        """Whatever goes wrong here, the table goes on from what is kept."""
        log.error("table_failed", extra={"table": self.id, "where": where_it_failed(error)})
        self._trouble.fail(monotonic())

    def _end(self, why: str) -> None:
        """No more of it here."""
        if self.ended:
            return
        self.ended = why
        self._minds.stop()
        if not self._stopping:
            self.dismiss()
        self._setting.ended(self)

    # Helpers

    def _gone(self, watcher: Watcher) -> None:
        self._audience.remove(watcher)
        self._presence.go(watcher.who.id, monotonic())
        self._presence.keep_in_mind(pacing.concerned(self.state))
        self._show()

    def _show(self) -> None:
        """Something to show has changed, though nothing has happened."""
        timing = self._setting.timing
        self._show_at = self._shown + timing.gathering + timing.crowding * len(self._audience)
        self._woken.set()

    def _house(self) -> House:
        """Who deals in the present match."""
        assert self._kept.row is not None
        master = self._kept.row.master
        if self._dealer is None or self._dealer.master != master:
            self._dealer = House(master)
        return self._dealer

    def _new_house(self) -> House:
        self._dealer = self._setting.house()
        return self._dealer

    def _room(self) -> Room:
        presence = self._presence
        return Room(
            presence.here,
            presence.gone,
            presence.began,
            presence.empty,
            self._asked,
            self._minds.made_up,
            presence.manners,
            self._minds.noticed,
        )
