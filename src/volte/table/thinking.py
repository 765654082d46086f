"""The choices of bots, made off the event loop, so no table waits for another table's bots.

Bots that search do so in worker processes (`volte.bots.worker`): in threads they would hold the
interpreter's lock for milliseconds, again and again. The others take a quarter of a millisecond,
about what it costs to send them a view, and choose in one thread. Outside engines have a process
for each seat (`volte.table.engines`).

No table waits long, however many there are: the more choices wait, the less time each has. Where
that is too little, where no worker has started yet and where one is lost, bots that search play as
`casual`, and so does an engine that fails; where even that fails, they take the first legal action.

Advice for people waits in the same queues, takes turns with the bots, and has no more time than
they have. Where there is no time for it, it is the choice of `casual`.
"""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from time import monotonic
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from volte.bots import Hint, hint, is_ours
from volte.bots.levels import SEARCHING
from volte.bots.protocol import revokes_to_claim
from volte.game import Phase
from volte.referee import ClaimRevoke, RefereedMatch, SeatAction, legal_actions
from volte.table.admission import USUAL
from volte.table.engines import EnginePool
from volte.table.pacing import RevokeNoticed
from volte.table.queues import Path
from volte.table.state import TableState
from volte.table.turns import SeatTurn, TurnKind, still_to_act
from volte.table.workers import BotPool, BotRequest, MakeBot, NoChoice, ThreadPool, WorkerPool
from volte.view import View

__all__ = ["BotInput", "ChoiceMade", "MakeBot", "SeatedBots", "Thinking", "any_action"]

LAST_RESORT: Final = "casual"  # the level that chooses where there is no time for more
ADVISER: Final = "expert"  # the level whose advice people are given
PATIENCE: Final = 3.0  # seconds for which somebody waits for advice at most


class ChoiceMade(msgspec.Struct, frozen=True):
    """A report on one choice, or on one piece of advice: level, way, seconds."""

    level: str  # the level that was asked for
    how: str
    """`usual` with all the time that the level usually takes, `hurried` with less, `casual` where
    there was no time, `any` where no bot was able to choose."""
    waited: float  # seconds in the queue
    lasted: float  # seconds of thinking
    advice: bool = False


class Thinking:
    """The bots of all the tables.

    Args:
        bots: makes the bots of this process.
        workers: most processes for bots that search; with 0 they run in this process.
        hurried: seconds in which all waiting bots are to choose.
        longest: seconds after which a table no longer waits for a bot: half of them may go by in
            the queue, and half in thinking.
        engines: outside engines that can be seated beside the levels.
    """

    def __init__(
        self,
        bots: MakeBot,
        workers: int,
        hurried: float,
        longest: float,
        engines: EnginePool | None = None,
    ) -> None:
        self.engines = engines or EnginePool()
        self.on_choice: Callable[[ChoiceMade], None] = lambda choice: None  # also for advice
        self.counts: Counter[str] = Counter()  # choices so far, by `ChoiceMade.how`
        self.advised: Counter[str] = Counter()  # advice given so far, by `ChoiceMade.how`
        self._advising: set[Hashable] = set()
        self._here = ThreadPool(bots, hurried, longest / 2)
        self._apart = WorkerPool(workers, hurried, longest / 2)

    async def choose(
        self,
        level: str,
        seed: int,
        view: View,
        owner: Path = (None,),
        *,
        alike: bool = False,
    ) -> SeatAction:
        """The choice of a bot for the seat of the view, whose turn it is.

        It never fails. It can be cancelled while it waits.

        Args:
            owner: path in the queue, whose owners take turns: the table, or address and person.
            alike: whether the choice must be the same however busy the machine is; then it comes
                after all others, thinks for a number of simulations, and takes as long as it takes.
        """
        level, requested = level or USUAL, monotonic()
        for pool, played in self._pools(level, alike=alike):
            request = BotRequest(owner, played, seed, view, alike=alike)
            try:
                came = await pool.choose(request)
            except NoChoice:
                continue
            assert came.action is not None
            self._count(
                level, request.how if played == level else LAST_RESORT, requested, request.begun
            )
            return came.action
        self._count(level, "any", requested, None)
        return any_action(view)

    async def advise(self, view: View, owner: Path = (None,)) -> Hint:
        """The advice of `expert` for the seat of the view, with reasons.

        The seat has to pass or to play. A seat has one piece of advice at a time thought of:
        further requests get the advice of `casual` at once. It can be cancelled while it waits.

        Args:
            owner: path in the queue, whose owners take turns: the table, or address and person.
        """
        requested, whose = monotonic(), (owner, view.seat)
        pool, played = next(self._pools(ADVISER))
        if played != ADVISER or whose in self._advising:
            return self._casual_advice(view, requested)
        request = BotRequest(owner, ADVISER, 0, view, advises=True)
        self._advising.add(whose)
        try:
            async with asyncio.timeout(PATIENCE):
                came = await pool.choose(request)
        except (NoChoice, TimeoutError):
            return self._casual_advice(view, requested)
        finally:
            self._advising.remove(whose)
        assert came.hint is not None
        self._count(ADVISER, request.how, requested, request.begun, advice=True)
        return came.hint

    def _casual_advice(self, view: View, requested: float) -> Hint:
        """The advice of `casual`, which takes so little time that it needs no queue."""
        advice = hint(view)
        self._count(ADVISER, LAST_RESORT, requested, None, advice=True)
        return advice

    @property
    def waiting(self) -> int:
        """Number of choices that wait for a bot."""
        return self._here.waiting + self._apart.waiting

    @property
    def busy(self) -> int:
        """Number of choices that bots are thinking about."""
        return self._here.busy + self._apart.busy + self.engines.busy

    @property
    def budget(self) -> float:
        """Seconds that the next choice of a bot that searches would have, with as many waiting as
        now; 0 where no worker has started."""
        return self._apart.share

    @property
    def workers(self) -> tuple[int, ...]:
        """The ids of the worker processes."""
        return self._apart.workers

    @property
    def lost(self) -> int:
        """Number of workers that were killed, failed, or had to be given up."""
        return self._apart.lost

    async def close(self) -> None:
        """Ends all bots; returns when none thinks any more, except lost ones."""
        await asyncio.gather(self._here.close(), self._apart.close(), self.engines.close())

    def _pools(
        self, level: str, *, alike: bool = False
    ) -> Iterator[tuple[BotPool | EnginePool, str]]:
        """The pools to ask, the best first, each with the level to ask for."""
        if not is_ours(level):  # an engine, perhaps of another node, or of other settings
            if level in self.engines:
                yield self.engines, level
            yield self._here, LAST_RESORT
            return
        if level not in SEARCHING or not self._apart.most:
            yield self._here, level
            return
        self._apart.call()
        if self._apart.has_room or alike:
            yield self._apart, level
        if alike:  # a worker was lost, and the next one makes the same choice
            yield self._apart, level
        yield self._here, LAST_RESORT

    def _count(
        self, level: str, how: str, requested: float, begun: float | None, *, advice: bool = False
    ) -> None:
        now = monotonic()
        begun = now if begun is None else begun
        (self.advised if advice else self.counts)[how] += 1
        self.on_choice(ChoiceMade(level, how, begun - requested, now - begun, advice))


def any_action(view: View) -> SeatAction:
    """The first legal action of the seat of a view."""
    return legal_actions(view.state, view.seat)[0]


def timeless(view: View) -> View:
    """The view of a seat as if nothing but cards had been played in its deal.

    Bots draw by the number of the last event, so they would draw otherwise after a pass that was
    taken back, or that came before another one.
    """
    deal = view.state.deal
    if deal is None:
        return view
    cards = len(deal.trick) + sum(len(trick.cards) for trick in deal.tricks)
    return View(view.seat, replace(view.state, version=cards))


class BotInput(NamedTuple):
    """Everything that a bot's choice follows from: level, seed and view."""

    level: str
    seed: int
    view: View
    alike: bool = False  # whether it must be the same however busy the machine is


class SeatedBots:
    """The bots at one table: lets them choose when it is their turn, and drops what comes too late.

    Args:
        bot_input: gives the input of the bot that plays for a seat now.
        woken: called whenever a bot is done.
        failed: called with the error of a choice that failed.
    """

    def __init__(
        self,
        thinking: Thinking,
        bot_input: Callable[[int], BotInput],
        woken: Callable[[], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self.noticed: RevokeNoticed | None = None  # the revoke that a bot claims next
        self._thinking = thinking
        self._bot_input = bot_input
        self._woken = woken
        self._failed = failed
        self._tasks: dict[int, tuple[SeatTurn, Task[None]]] = {}
        self._choices: dict[int, tuple[SeatTurn, SeatAction, float]] = {}  # with the time
        self._checked: object = None  # the position in which revokes were last looked for
        self._claimed: set[tuple[int, int, int]] = set()

    @property
    def decided(self) -> dict[int, float]:
        """The times when bots have chosen, by seat."""
        return {seat: when for seat, (*_, when) in self._choices.items()}

    def look(self, state: TableState, turns: Mapping[int, SeatTurn]) -> None:
        """Drops the choices for turns that are over, and starts choices for new turns."""
        for seat, (turn, *_) in list(self._choices.items()):
            if turns.get(seat) != turn:
                del self._choices[seat]
        for seat, (turn, task) in self._tasks.items():
            if turns.get(seat) != turn:
                task.cancel()
        for seat, turn in turns.items():
            idle = seat not in self._tasks and seat not in self._choices
            chooses = turn.bot and turn.kind in (TurnKind.PLAY, TurnKind.PASS, TurnKind.CHOOSE)
            if idle and chooses and still_to_act(state, seat, turn):
                task = asyncio.create_task(self._choose(seat, turn))
                task.add_done_callback(partial(self._done, seat))
                self._tasks[seat] = turn, task
        match = state.match
        if isinstance(match, RefereedMatch) and match.phase is Phase.PLAYING:
            self._look_for_revokes(state, match)
        else:
            self.noticed = self._checked = None

    def take(self, seat: int) -> SeatAction:
        """Removes and returns the choice of the bot at a seat."""
        return self._choices.pop(seat)[1]

    def claimed(self, state: TableState, claim: ClaimRevoke) -> None:
        """Remembers that a claim is made: bots make only one against each seat in a deal."""
        assert state.match is not None
        assert state.match.deal is not None
        self._claimed.add((state.match_began, state.match.deal.number, claim.against))
        self._checked = None

    def _look_for_revokes(self, state: TableState, match: RefereedMatch) -> None:
        """Notices a revoke that the bots' views prove (I9).

        They look when a trick has been gathered, since cards on the table can still be taken back.
        """
        bots = tuple(place for place, seat in enumerate(state.seats) if seat.bot)
        deal = match.lying
        now = state.match_began, deal.number
        position = (*now, len(deal.tricks), deal.offenders, match.reckoned is None, bots)
        if position == self._checked:
            return
        self._checked = position
        views = (self._bot_input(place).view for place in bots)
        claims = (claim for view in views for claim in revokes_to_claim(view))
        new = (claim for claim in claims if (*now, claim.against) not in self._claimed)
        claim = next(new, None)
        self.noticed = None if claim is None else RevokeNoticed(claim, monotonic())

    def stop(self) -> None:
        """Cancels all choices."""
        for _, task in self._tasks.values():
            task.cancel()

    async def _choose(self, seat: int, turn: SeatTurn) -> None:
        try:
            level, seed, view, alike = self._bot_input(seat)
            action = await self._thinking.choose(level, seed, view, (self,), alike=alike)
        except Exception as error:
            self._failed(error)
        else:
            self._choices[seat] = turn, action, monotonic()

    def _done(self, seat: int, _: Task[None]) -> None:
        """Clears the task of a bot that has chosen or was cancelled, perhaps before it began."""
        del self._tasks[seat]
        self._woken()
