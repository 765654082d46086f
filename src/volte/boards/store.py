"""The store's part for boards and tries."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Index, func, select, update

from volte.boards.board import Board, TriedDeal, Try
from volte.evenings.openings import OPENINGS
from volte.store.part import Part
from volte.store.schema import MATCHES, PEOPLE, table
from volte.store.writer import Write, insert

BOARDS: Final = table(
    "boards",
    Board,
    "id",
    Index("boards_by_maker", "maker"),
    Index("boards_by_match", "match"),
    unique="origin",
)

TRIES: Final = table(
    "tries",
    Try,
    "table",
    Index("tries_by_board", "board"),
    Index("tries_by_person", "person"),
    board=BOARDS,
)


class NamedTry(msgspec.Struct, frozen=True):
    """A try with the present name of its person."""

    tried: Try
    played: TriedDeal
    name: str  # empty where the person does not agree, or is forgotten


class Boards(Part):
    """Reads and writes boards, and the tries at them."""

    # Boards

    async def board(self, board: str) -> Board | None:
        """The board of an id, whether its address has ended or not; None where there is none."""
        return await self._first(Board, select(BOARDS).where(BOARDS.c.id == board))

    async def from_origin(self, origin: str) -> Board | None:
        """The board whose address works and which has that origin; None where there is none."""
        return await self._first(Board, select(BOARDS).where(BOARDS.c.origin == origin))

    async def some(self, boards: list[str]) -> dict[str, Board]:
        """The boards of some ids, by id, as far as they exist."""
        rows = await self._among(select(BOARDS), BOARDS.c.id, boards)
        return {row.id: Board(*row) for row in rows}

    async def make(self, *boards: Board, tries: Sequence[Try] = ()) -> None:
        """Store new boards, with the tries of their makers. Raises `Conflict` where there is one of
        them already; then nothing is stored."""
        tried = (insert(TRIES, each) for each in tries)
        await self._write(*(insert(BOARDS, each) for each in boards), *tried)

    async def made_by(self, person: str, limit: int = 200) -> list[Board]:
        """The boards of a person whose addresses work, the latest first."""
        query = select(BOARDS).where(BOARDS.c.maker == person, BOARDS.c.ended.is_(None))
        return await self._all(Board, query.order_by(BOARDS.c.made.desc()).limit(limit))

    async def of_deal(self, matches: Collection[str], number: int) -> list[str]:
        """Ids of all boards of the deal with a number in some matches, ended or not."""
        query = select(BOARDS.c.id).where(BOARDS.c.number == number)
        return [name for (name,) in await self._among(query, BOARDS.c.match, matches)]

    async def end(self, board: Board, now: float) -> None:
        """End the address of a board. Tries under way may be finished."""
        columns = BOARDS.c
        row = update(BOARDS).where(columns.id == board.id, columns.ended.is_(None))
        await self._write(row.values(ended=now, origin=board.id))

    async def tell(self, board: Board, now: float) -> None:
        """Note that the secret of a deal fixed beforehand is shown from now on."""
        row = update(BOARDS).where(BOARDS.c.id == board.id, BOARDS.c.told.is_(None))
        await self._write(row.values(told=now))

    async def untold(self) -> list[Board]:
        """The deals of days and of weeks whose secrets are not shown yet."""
        columns = BOARDS.c
        query = select(BOARDS).where(columns.secret != b"", columns.told.is_(None))
        return await self._all(Board, query.order_by(columns.id))

    async def of_club(self, club: str, limit: int) -> list[Board]:
        """The deals of the weeks of a club, the latest first."""
        query = select(BOARDS).where(BOARDS.c.id.startswith(f"{club}-"), BOARDS.c.secret != b"")
        return await self._all(Board, query.order_by(BOARDS.c.id.desc()).limit(limit))

    # Tries

    async def begin(self, tried: Try) -> None:
        """Store a try. Raises `Conflict` where it has begun, and `Gone` where nobody is there."""
        await self._write(insert(TRIES, tried))

    async def tries_of(self, boards: list[str], person: str) -> list[Try]:
        """The tries of a person at some boards, those at each in their order."""
        query = select(TRIES).where(TRIES.c.board.in_(boards), TRIES.c.person == person)
        return await self._all(Try, query.order_by(TRIES.c.attempt))

    async def at(self, table: str) -> Try | None:
        """The try that is played at a table; None where there is none."""
        return await self._first(Try, select(TRIES).where(TRIES.c.table == table))

    async def finish(self, tried: Try) -> None:
        """Store the result of a try, unless it has one."""
        columns = TRIES.c
        row = update(TRIES).where(columns.table == tried.table, columns.finished.is_(None))
        values = {"finished": tried.finished, "marks": tried.marks, "found": tried.found}
        await self._write(row.values(values))

    async def unfinished(self, limit: int = 200) -> list[str]:
        """Ids of tables where a try is over and has no result yet; without those that were broken
        off, which bear a mark."""
        query = select(TRIES.c.table).join(MATCHES, MATCHES.c.table == TRIES.c.table)
        query = query.where(TRIES.c.finished.is_(None), TRIES.c.marks == "")
        query = query.where(MATCHES.c.ended.is_not(None))
        return await self._column(query.order_by(MATCHES.c.ended).limit(limit))

    async def number(self, board: str) -> int:
        """Number of people who have finished a try at a board."""
        query = select(func.count()).select_from(TRIES).where(TRIES.c.board == board)
        query = query.where(TRIES.c.finished.is_not(None), TRIES.c.attempt == 1)
        return await self._value(query, 0)

    async def results(self, board: str, limit: int = 5000) -> list[NamedTry]:
        """The finished tries at a board, in the order in which they were finished."""
        query = select(TRIES, PEOPLE.c.name.label("called"))
        query = query.outerjoin(PEOPLE, PEOPLE.c.id == TRIES.c.person)
        query = query.where(TRIES.c.board == board, TRIES.c.finished.is_not(None))
        rows = await self._reader.rows(query.order_by(TRIES.c.finished, TRIES.c.table).limit(limit))
        found = [(Try(*row[:-1]), row[-1] or "") for row in rows]
        return [NamedTry(each, each.played, called if each.named else "") for each, called in found]

    async def agree(self, board: str, person: str, named: bool) -> None:
        """Store whether a person agrees to be named to others who have played the board."""
        row = update(TRIES).where(TRIES.c.board == board, TRIES.c.person == person)
        await self._write(row.values(named=named))

    async def earlier(self, boards: list[str], tried: Try, before: float) -> bool:
        """Whether the person of a try has begun another at one of some boards before a moment."""
        query = select(TRIES.c.table).where(TRIES.c.person == tried.person, TRIES.c.begun < before)
        query = query.where(TRIES.c.attempt > 0, TRIES.c.table != tried.table)
        query = query.where(TRIES.c.board.in_(boards)).limit(1)
        return bool(await self._column(query))

    async def opened(self, boards: list[str], person: str, before: float) -> bool:
        """Whether a person has opened somebody else's try at one of some boards before a moment."""
        query = select(OPENINGS.c.match).join(MATCHES, MATCHES.c.id == OPENINGS.c.match)
        query = query.join(TRIES, TRIES.c.table == MATCHES.c.table)
        query = query.where(OPENINGS.c.person == person, OPENINGS.c.at < before)
        return bool(await self._column(query.where(TRIES.c.board.in_(boards)).limit(1)))

    # People

    async def export(self, person: str) -> dict[str, Any]:
        """The boards that a person has made, and their own tries; no secret, and nobody else's."""
        columns = BOARDS.c
        mine = select(columns.id, columns.match, columns.number, columns.made, columns.ended)
        boards = await self._dicts(mine.where(columns.maker == person).order_by(columns.made))
        query = select(TRIES).where(TRIES.c.person == person, TRIES.c.attempt > 0)
        tries = await self._all(Try, query.order_by(TRIES.c.begun))
        left_out = {"person", "guest"}
        told = [
            {
                name: value
                for name, value in msgspec.structs.asdict(each).items()
                if name not in left_out
            }
            for each in tries
        ]
        return ({"deals_by_link": boards} if boards else {}) | ({"tries": told} if told else {})

    def forgetting(self, person: str) -> tuple[Write, ...]:
        """Writes that end a person's addresses, and leave their results to nobody."""
        columns = BOARDS.c
        ended = update(BOARDS).where(columns.maker == person, columns.ended.is_(None))
        return (
            ended.values(ended=time.time(), origin=columns.id),
            update(BOARDS).where(columns.maker == person).values(maker=""),
            update(TRIES).where(TRIES.c.person == person).values(person="", named=False),
        )
