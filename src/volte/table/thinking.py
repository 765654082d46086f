"""Bots think here, off the loop, so that no table waits for them but their own.

Those that search think in processes of their own (`volte.bots.worker`): in threads they would
hold the interpreter's lock for milliseconds, again and again. The others take a quarter of a
millisecond, about what it costs to send them a view, and think in one thread.

No table waits long, however many there are: the more choices wait, the less time each of them has;
where none would have enough, where no worker has come yet, and where one is lost, bots that search
play as `casual`, and what fails even then does the first thing that is legal.

Advice for people is thought of in the same lines: it takes turns with the choices of bots, and has
no more time than they have. Where there is none for it, it is what `casual` would do.
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

from volte.bots import Hint, hint
from volte.bots.apart import Came
from volte.bots.honest import revokes_to_claim
from volte.bots.levels import SEARCHING
from volte.bots.protocol import Clock
from volte.game import Phase
from volte.referee import ClaimRevoke, RefereedMatch, SeatAction, legal_actions
from volte.table.admission import USUAL
from volte.table.pacing import Noticed
from volte.table.state import TableState
from volte.table.turns import Asked, What, still_asked
from volte.table.workers import Apart, Choice, Here, Lane, Lost, MakeBot
from volte.view import View

__all__ = ["Chosen", "MakeBot", "Thinking", "any_action"]

LAST_RESORT: Final = "casual"
"""Who chooses where there is no time for more."""

ADVISER: Final = "expert"
"""Whose advice people are given."""

PATIENCE: Final = 3.0
"""Seconds for which somebody waits for advice, whatever becomes of whoever thinks of it."""


class Chosen(msgspec.Struct, frozen=True):
    """A choice that was made, or a piece of advice.

    Attributes:
        level: that was asked for.
        how: `usual` with all the time that the level usually takes, `hurried` with less, `casual`
            where there was no time, `any` where nobody was able to.
        waited: seconds in the line.
        lasted: seconds of thinking.
        advice: whether it is a piece of advice.
    """

    level: str
    how: str
    waited: float
    lasted: float
    advice: bool = False


class Thinking:
    """The bots of all the tables.

    Args:
        bots: makes those that think here.
        workers: how many processes there may be for those that search; with none, they as well
            think here.
        hurried: seconds in which all who wait shall have chosen.
        longest: seconds after which a bot is not waited for any more: half of them may go by in
            the line, half of them in thinking.

    Attributes:
        told: called with every choice, and every piece of advice.
        counts: choices so far, by how they were made (`Chosen.how`).
        advised: pieces of advice so far, likewise.
        waiting: choices that nobody thinks about yet.
        busy: choices that are thought about.
        budget: seconds that the next choice of a bot that searches would have, were as many to
            wait as now; 0 where no worker has come.
        warm: whether no level has to wait for its first worker.
        workers: the processes, by number.
        lost: workers that were killed, failed, or had to be given up.
    """

    def __init__(self, bots: MakeBot, workers: int, hurried: float, longest: float) -> None:
        self.told: Callable[[Chosen], None] = lambda chosen: None
        self.counts: Counter[str] = Counter()
        self.advised: Counter[str] = Counter()
        self._advising: set[Hashable] = set()
        self._here = Here(bots, hurried, longest / 2)
        self._apart = Apart(workers, hurried, longest / 2)

    async def choose(self, level: str, seed: int, view: View, owner: Hashable = None) -> SeatAction:
        """The choice of such a bot for the seat whose view it is, and which has to choose.

        Whatever becomes of it, there is one. Who is cancelled while it waits, is forgotten.

        Args:
            owner: the table: those that wait take turns.
        """
        level, asked = level or USUAL, monotonic()
        for lane, played in self._ways(level):
            choice = _choice(owner, played, seed, view)
            try:
                came = await lane.choose(choice)
            except Lost:
                continue
            assert came.action is not None
            how = _how(choice) if played == level else LAST_RESORT
            self._tell(level, how, asked, choice.begun)
            return came.action
        self._tell(level, "any", asked, None)
        return any_action(view)

    async def advise(self, view: View, owner: Hashable = None) -> Hint:
        """What `expert` would do for the seat whose view it is, and why.

        Only for a seat that has to pass or to play. One piece of advice is thought of for a seat
        at a time: whoever asks besides is told at once what `casual` would do. Who is cancelled
        while it waits, is forgotten.

        Args:
            owner: the table: those that wait take turns.
        """
        asked, whose = monotonic(), (owner, view.seat)
        lane, played = next(self._ways(ADVISER))
        if played != ADVISER or whose in self._advising:
            return self._casual_advice(view, asked)
        choice = _choice(owner, ADVISER, 0, view, advises=True)
        self._advising.add(whose)
        try:
            async with asyncio.timeout(PATIENCE):
                came = await lane.choose(choice)
        except (Lost, TimeoutError):
            return self._casual_advice(view, asked)
        finally:
            self._advising.remove(whose)
        assert came.hint is not None
        self._tell(ADVISER, _how(choice), asked, choice.begun, advice=True)
        return came.hint

    def _casual_advice(self, view: View, asked: float) -> Hint:
        """In so short a time that nobody has to wait for it elsewhere."""
        advice = hint(view)
        self._tell(ADVISER, LAST_RESORT, asked, None, advice=True)
        return advice

    @property
    def waiting(self) -> int:
        return self._here.waiting + self._apart.waiting

    @property
    def busy(self) -> int:
        return self._here.busy + self._apart.busy

    @property
    def budget(self) -> float:
        return self._apart.part

    @property
    def warm(self) -> bool:
        return not self._apart.coming

    @property
    def workers(self) -> tuple[int, ...]:
        return self._apart.workers

    @property
    def lost(self) -> int:
        return self._apart.lost

    async def close(self) -> None:
        """Returns when nothing is being thought any more, but for bots that are lost."""
        await asyncio.gather(self._here.close(), self._apart.close())

    def _ways(self, level: str) -> Iterator[tuple[Lane, str]]:
        """Who may choose, the best first, and as what level."""
        if level not in SEARCHING or not self._apart.most:
            yield self._here, level
            return
        self._apart.call()
        if self._apart.room:
            yield self._apart, level
        yield self._here, LAST_RESORT

    def _tell(
        self, level: str, how: str, asked: float, begun: float | None, *, advice: bool = False
    ) -> None:
        now = monotonic()
        begun = now if begun is None else begun
        counts = self.advised if advice else self.counts
        counts[how] += 1
        self.told(Chosen(level, how, begun - asked, now - begun, advice))


def _choice(owner: Hashable, level: str, seed: int, view: View, *, advises: bool = False) -> Choice:
    came: asyncio.Future[Came] = asyncio.get_running_loop().create_future()
    return Choice(owner, level, seed, view, came, advises)


def _how(choice: Choice) -> str:
    """How somebody has chosen who had their time."""
    return "usual" if choice.clock == Clock() else "hurried"


def any_action(view: View) -> SeatAction:
    """The first thing that the seat may do."""
    assert view.seat is not None
    return legal_actions(view.state, view.seat)[0]


class Mind(NamedTuple):
    """What a bot's choice depends on."""

    level: str
    seed: int
    view: View


class Minds:
    """Has bots choose whenever they are asked something; a choice that comes too late is dropped.

    Args:
        mind: of the bot that plays for a seat now.
        woken: called whenever one is done.
        failed: called with what went wrong.

    Attributes:
        noticed: the revoke that a bot claims next, at a refereed table; None where there is none.
    """

    def __init__(
        self,
        thinking: Thinking,
        mind: Callable[[int], Mind],
        woken: Callable[[], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._thinking = thinking
        self._mind = mind
        self._woken = woken
        self._failed = failed
        self._tasks: dict[int, tuple[Asked, Task[None]]] = {}
        self._choices: dict[int, tuple[Asked, SeatAction]] = {}
        self.noticed: Noticed | None = None
        self._seen_at: object = None
        self._claimed: set[tuple[int, int, int]] = set()

    @property
    def made_up(self) -> frozenset[int]:
        """The seats whose bot has chosen."""
        return frozenset(self._choices)

    @property
    def thinking(self) -> frozenset[int]:
        """The seats whose bot is choosing."""
        return frozenset(self._tasks)

    def look(self, state: TableState, asked: Mapping[int, Asked]) -> None:
        """Drops the choices for what is asked no more, and has bots think about what is."""
        for seat, (what, _) in list(self._choices.items()):
            if asked.get(seat) != what:
                del self._choices[seat]
        for seat, (what, task) in self._tasks.items():
            if asked.get(seat) != what:
                task.cancel()
        for seat, what in asked.items():
            idle = seat not in self._tasks and seat not in self._choices
            chooses = what.bot and what.what in (What.PLAY, What.PASS, What.CHOOSE)
            if idle and chooses and still_asked(state, seat, what):
                task = asyncio.create_task(self._choose(seat, what))
                task.add_done_callback(partial(self._done, seat))
                self._tasks[seat] = what, task
        self._look_back(state)

    def take(self, seat: int) -> SeatAction:
        """What the bot at that seat has chosen."""
        return self._choices.pop(seat)[1]

    def claimed(self, state: TableState, claim: ClaimRevoke) -> None:
        """The claim is made, whatever comes of it: once for each seat and deal."""
        self._claimed.add((*_deal_of(state), claim.against))
        self._seen_at = None

    def _look_back(self, state: TableState) -> None:
        """Sees whether a revoke is proved, as far as the bots can know it (I9).

        They look whenever a trick has been gathered: what lies on the table is still to be seen.
        """
        match = state.match
        if not isinstance(match, RefereedMatch) or match.phase is not Phase.PLAYING:
            self.noticed = self._seen_at = None
            return
        bots = tuple(place for place, seat in enumerate(state.seats) if seat.bot)
        deal, now = match.lying, _deal_of(state)
        seen_at = (*now, len(deal.tricks), deal.offenders, match.reckoned is None, bots)
        if seen_at == self._seen_at:
            return
        self._seen_at = seen_at
        claims = (claim for place in bots for claim in revokes_to_claim(self._mind(place).view))
        new = (claim for claim in claims if (*now, claim.against) not in self._claimed)
        claim = next(new, None)
        self.noticed = None if claim is None else Noticed(claim, monotonic())

    def stop(self) -> None:
        """Nobody thinks any more."""
        for _, task in self._tasks.values():
            task.cancel()

    async def _choose(self, seat: int, asked: Asked) -> None:
        try:
            self._choices[seat] = asked, await self._thinking.choose(*self._mind(seat), self)
        except Exception as error:
            self._failed(error)

    def _done(self, seat: int, _: Task[None]) -> None:
        """It has chosen, or is not to choose any more; be it that it has never begun."""
        del self._tasks[seat]
        self._woken()


def _deal_of(state: TableState) -> tuple[int, int]:
    """Which deal it is: the match, and the number in it."""
    assert state.match is not None
    assert state.match.deal is not None
    return state.match_began, state.match.deal.number
