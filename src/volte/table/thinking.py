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
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from time import monotonic
from typing import Final

import msgspec

from volte.bots import Hint, hint
from volte.bots.apart import BotAnswer
from volte.bots.levels import SEARCHING
from volte.bots.protocol import Clock
from volte.referee import SeatAction, legal_actions
from volte.table.lanes import Apart, Choice, Here, Lane
from volte.table.runner import Lost, MakeBot
from volte.table.seating import USUAL
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
    came: asyncio.Future[BotAnswer] = asyncio.get_running_loop().create_future()
    return Choice(owner, level, seed, view, came, advises)


def _how(choice: Choice) -> str:
    """How somebody has chosen who had their time."""
    return "usual" if choice.clock == Clock() else "hurried"


def any_action(view: View) -> SeatAction:
    """The first thing that the seat may do."""
    assert view.seat is not None
    return legal_actions(view.state, view.seat)[0]
