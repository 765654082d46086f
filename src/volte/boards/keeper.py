"""Results of tries, worked out when their matches end; and the deals of the coming days.

Every node does it, side by side: whoever is first stores a result, or the deal of a day.
"""

from __future__ import annotations

import asyncio
from asyncio import Task
from contextlib import suppress
from contextvars import Context
from datetime import date
from functools import partial
from time import monotonic
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from volte import game
from volte.boards.board import Board, FoundTry, Mark, Try, tried_deal
from volte.boards.days import days_told, rules_of_day, term_of_day
from volte.boards.fixed import day_at, fixed_board, term_of
from volte.boards.store import Boards, NamedTry
from volte.evenings.conducting import Evenings
from volte.evenings.evening import Sitting
from volte.evenings.openings import Openings
from volte.history.ended import EndedMatches
from volte.store import Conflict, MatchRow, Unavailable
from volte.store.recent import Recent
from volte.store.store import Store
from volte.table import decode_happening
from volte.table.stored import read_summary
from volte.web.logs import get_logger

FRESH: Final = 2.0
"""Seconds for which everybody who looks at a board is shown the same results."""

REMEMBERED: Final = 50  # boards whose results are in memory

LOOKING: Final = 60.0
"""Interval between two looks for results that a dead node has left, and for new days, in
seconds."""

log: Final = get_logger("volte.server")


class EarlierDeals(NamedTuple):
    """The matches, tries apart, in which the cards of a board were dealt, and their people."""

    matches: tuple[str, ...] = ()
    people: frozenset[str] = frozenset()


class BoardKeeper(EndedMatches):
    """Works out results, makes the deals of the coming days and tells their secrets afterwards.

    Args:
        looking: interval between two looks, in seconds.
    """

    def __init__(self, store: Store, evenings: Evenings, looking: float = LOOKING) -> None:
        super().__init__(store, looking, "boards")
        self._boards = store[Boards]
        self._evenings = evenings
        self._finishing: dict[str, Task[Try]] = {}
        self._earlier = Recent[str, tuple[float, EarlierDeals]](REMEMBERED)
        self._results = Recent[str, tuple[float, list[NamedTry]]](REMEMBERED)

    async def attend(self, match: str) -> None:
        """Work out the result of a match, or look around; log a failure."""
        try:
            if match:
                row = await self._store.match(match)
                tried = await self._boards.at(row.table) if row is not None else None
                if tried is not None:
                    await self.finish(tried)
            else:
                await self.look()
        except Unavailable:
            log.warning("boards_wait_for_store")
        except Exception as error:
            log.error("boards_failed", error=type(error).__name__, exc_info=error)

    async def look(self) -> None:
        """Work out results that are left, and tell secrets that are due. Raises `Unavailable`."""
        now = self._store.second_look.now()
        for table in await self._boards.unfinished():
            tried = await self._boards.at(table)
            if tried is not None:
                await self.finish(tried)
        await self.days()
        for board in await self._boards.untold():
            term = term_of(board.id)
            over = term is not None and term.ends <= now
            if over and await self._store.second_look.past(f"deal of {board.id}", now):
                await self._boards.tell(board, self._store.second_look.now())

    # Days

    def today(self) -> date:
        """The date in UTC, by a clock that is not believed at once when it is set ahead."""
        return day_at(self._store.second_look.now())

    async def days(self) -> list[Board]:
        """The boards of today and of the days to come whose rules are told, in their order; made by
        whoever needs them first. Raises `Unavailable`."""
        now = self._store.second_look.now()
        days = days_told(now)
        names = [day.isoformat() for day in days]
        found = await self._boards.some(names)
        missing = [day for day, name in zip(days, names, strict=True) if name not in found]
        if missing:
            with suppress(Conflict):  # another node was first
                await self._boards.make(*(_board_of_day(day, now) for day in missing))
            found = await self._boards.some(names)
        return [
            found[name] if name in found else await self.of_day(day)
            for day, name in zip(days, names, strict=True)
        ]

    async def of_day(self, day: date) -> Board:
        """The board of a day, made by whoever needs it first. Raises `Unavailable`."""
        board = await self._boards.board(day.isoformat())
        if board is None:
            with suppress(Conflict):  # another node was first
                await self._boards.make(_board_of_day(day, self._store.second_look.now()))
            board = await self._boards.board(day.isoformat())
        assert board is not None
        return board

    # Results

    async def results(self, board: str, own: NamedTry) -> list[NamedTry]:
        """The finished tries at a board, as they were `FRESH` seconds ago or later.

        Args:
            own: a try that must be among them.
        """
        until, found = self._results.get(board, (0.0, []))
        if monotonic() >= until:
            found = await self._boards.results(board)
            self._results[board] = monotonic() + FRESH, found
        known = any(each.tried.table == own.tried.table for each in found)
        return found if known else [*found, own]

    async def agree(self, board: str, person: str, named: bool) -> None:
        """Store whether a person agrees to be named; other nodes show it `FRESH` seconds later."""
        await self._boards.agree(board, person, named)
        self._results.pop(board, None)

    async def finish(self, tried: Try) -> Try:
        """Store the result of a try, if its match is over; return the try as it is now.

        Whoever asks for the same try meanwhile waits for the same work.
        """
        if not tried.goes_on:
            return tried
        task = self._finishing.get(tried.table)
        if task is None:
            task = asyncio.create_task(self._finish(tried), context=Context())
            self._finishing[tried.table] = task
            task.add_done_callback(partial(self._finished, tried.table))
        return await asyncio.shield(task)

    def _finished(self, table: str, task: Task[Try]) -> None:
        del self._finishing[table]
        if not task.cancelled():
            task.exception()  # retrieved here, as perhaps nobody awaits the task any more

    async def _finish(self, tried: Try) -> Try:
        board = await self._boards.board(tried.board)
        over = [row for row in await self._store.matches_at(tried.table) if row.ended is not None]
        if board is None or not over:
            return tried
        row = over[0]
        found = await self._found(row, tried.person, board.deal.seat, 1)
        if found is None:
            tried = replace(tried, marks=Mark.BROKEN.value)
            await self._boards.finish(tried)
            return tried
        ended = row.ended or 0.0
        marks = await self._marks(board, replace(tried, finished=ended), found)
        done = replace(tried, finished=ended, marks=" ".join(marks), found=stored(found))
        await self._boards.finish(done)
        return await self._boards.at(tried.table) or tried

    async def try_of_maker(self, board: Board, row: MatchRow, guest: bool) -> Try | None:
        """The try of a board's maker: the deal as they have played it in the match where it comes
        from; None where it has no score."""
        found = await self._found(row, board.maker, board.deal.seat, board.number)
        if found is None:
            return None
        marks = [Mark.SAT, *([Mark.HELPED] if found.helped else [])]
        ended = row.ended or board.made
        return Try(
            table=f"{board.id}/{row.table}",
            board=board.id,
            person=board.maker,
            guest=guest,
            attempt=0,
            begun=row.begun,
            finished=ended,
            marks=" ".join(marks),
            found=stored(found),
            named=False,
        )

    async def _found(self, row: MatchRow, person: str, seat: int, number: int) -> FoundTry | None:
        entries = await self._store.read(row.table, row.first - 1, row.last)
        beginner = row.beginners[seat]
        return await asyncio.to_thread(
            lambda: tried_deal(
                [decode_happening(each.data) for each in entries], beginner, person, seat, number
            )
        )

    async def _marks(self, board: Board, tried: Try, found: FoundTry) -> list[Mark]:
        """The reasons why a finished try is not compared with others."""
        person, ended = tried.person, tried.finished or 0.0
        dealt = await self._dealt(board)
        boards = [*await self._boards.of_deal(dealt.matches, board.number), board.id]
        marks = list[Mark]()
        if person in dealt.people:
            marks.append(Mark.SAT)
        opened = await self._store[Openings].any_of(dealt.matches, person, ended)
        if opened or await self._boards.opened(boards, person, ended):
            marks.append(Mark.SEEN)
        if await self._boards.earlier(boards, tried, ended):
            marks.append(Mark.AGAIN)
        if found.helped:
            marks.append(Mark.HELPED)
        term = term_of(board.id)
        told = board.told is not None and ended >= board.told
        if term is not None and (told or tried.begun >= term.ends):
            marks.append(Mark.AFTER)
        return marks

    async def _dealt(self, board: Board) -> EarlierDeals:
        """The earlier deals of the cards of a board; remembered for a minute."""
        until, dealt = self._earlier.get(board.id, (0.0, EarlierDeals()))
        if monotonic() >= until:
            row = await self._store.match(board.match) if board.match else None
            if row is not None:
                sittings = await self._elsewhere(row)
                rows = await self.same_cards(row)
                for sitting in sittings:
                    rows += await self._store.matches_at(sitting.table)
                people = {person for each in rows for person in (*each.players, *each.began)}
                people.update(person for sitting in sittings for person in sitting.seats)
                dealt = EarlierDeals(tuple(each.id for each in rows), frozenset(people - {""}))
            self._earlier[board.id] = monotonic() + LOOKING, dealt
        return dealt

    async def same_cards(self, row: MatchRow) -> list[MatchRow]:
        """A match, and others at its table that dealt the same cards."""
        rows = await self._store.matches_at(row.table)
        root = {each.id: await origin_of(self._store, each) or each.id for each in rows}
        for _ in rows:  # a chain of matches has no more links than there are
            root = {match: root.get(before, before) for match, before in root.items()}
        return [each for each in rows if root[each.id] == root[row.id]]

    async def _elsewhere(self, row: MatchRow) -> list[Sitting]:
        """The other tables that had the same cards in the round of an evening."""
        listing = await self._store.listing(row.table)
        key = read_summary(listing).evening if listing is not None else ""
        evening = await self._evenings.find(key) if key else None
        played = evening.round_of(row.table) if evening is not None else None
        tables = played.tables if played is not None else ()
        return [sitting for sitting in tables if sitting.table != row.table]


def _board_of_day(day: date, now: float) -> Board:
    return fixed_board(term_of_day(day), rules_of_day(day), now)


async def origin_of(store: Store, row: MatchRow) -> str:
    """The id of the match whose cards a match was given; empty where they were drawn."""
    (first,) = await store.read(row.table, row.first - 1, row.first)
    started = decode_happening(first.data)
    assert isinstance(started, game.MatchStarted)
    return started.cards.match if started.cards is not None else ""


def stored(found: FoundTry) -> dict[str, Any]:
    """The deal as somebody has played it, as it is stored."""
    plain: dict[str, Any] = msgspec.to_builtins(found.played)
    return plain
