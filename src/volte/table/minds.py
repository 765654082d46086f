"""The bots at one table: who of them is thinking, and what they have made up their minds to do."""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections.abc import Callable, Mapping
from functools import partial
from time import monotonic
from typing import NamedTuple

from volte.bots.owner import revokes_to_claim
from volte.game import Phase
from volte.referee import ClaimRevoke, RefereedMatch, SeatAction
from volte.table.asking import Asked, What, still_asked
from volte.table.pacing import Noticed
from volte.table.state import TableState
from volte.table.thinking import Thinking
from volte.view import View


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
