"""Sets of deals: boards in an order, with sentences between them; and who has begun which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Index, delete, select, update

from volte.boards.board import Board, Try
from volte.store.part import Part
from volte.store.schema import PEOPLE, table
from volte.store.writer import Write, insert, one, renew
from volte.talk.store import OF_SETS, Said

LATEST: Final = 20  # sets that a person has begun, as their page lists them


class SetDeal(msgspec.Struct, frozen=True):
    """A deal of a set, and the sentence before it."""

    board: str
    before: str  # empty where there is none


class DealSet(msgspec.Struct, frozen=True):
    """A set of deals, as it is stored."""

    id: str  # 32 hexadecimal digits
    maker: str  # id of the person who has made it
    title: str
    content: bytes  # a tuple of `SetDeal` as JSON
    last: str  # the sentence after the last deal; empty where there is none
    version: int  # number of changes
    made: float  # seconds since 1970
    changed: float  # time of the last change, in seconds since 1970
    origin: str  # key of the form that has made it, so that it makes one

    @property
    def steps(self) -> tuple[SetDeal, ...]:
        return _STEPS.decode(self.content)

    def has(self, board: str) -> bool:
        """Whether a board is among its deals."""
        return any(step.board == board for step in self.steps)


_STEPS: Final = msgspec.json.Decoder(tuple[SetDeal, ...])


class PlacedDeal(NamedTuple):
    """A deal of a set, as somebody finds it who goes through the set."""

    number: int  # from 1, among the deals that they find
    step: SetDeal
    board: Board
    own: Try | None  # their first finished try


def found_by(
    steps: tuple[SetDeal, ...], boards: dict[str, Board], own: dict[str, Try]
) -> Iterator[PlacedDeal]:
    """The deals that somebody finds: those whose addresses work, and those they have played.

    Args:
        boards: by id, as far as they exist.
        own: by board, the person's first finished tries.
    """
    number = 0
    for step in steps:
        board, tried = boards.get(step.board), own.get(step.board)
        if board is not None and (board.ended is None or tried is not None):
            number += 1
            yield PlacedDeal(number, step, board, tried)


# Its texts, for moderators


def place_of(deal_set: str) -> str:
    """The name under which a set is reported. No table has such an id: theirs have no slash."""
    return OF_SETS + deal_set


def texts_of(deal_set: DealSet, name: str) -> tuple[Said, ...]:
    """The texts of a set as sayings of its maker: the title as number 1, then the sentence before
    each deal, then the last one; those that are empty are left out.

    Args:
        name: of the maker.
    """
    texts = (deal_set.title, *(step.before for step in deal_set.steps), deal_set.last)
    place, maker, at = place_of(deal_set.id), deal_set.maker, deal_set.changed
    return tuple(
        Said(place, number, "table", maker, name, "", text, at)
        for number, text in enumerate(texts, start=1)
        if text
    )


# The store

SETS: Final = table(
    "deal_sets",
    DealSet,
    "id",
    Index("deal_sets_by_maker", "maker"),
    unique="origin",
    maker=PEOPLE,
)

BEGUN: Final = table(
    "sets_begun",
    {"deal_set": str, "person": str, "at": float},
    "deal_set person",
    Index("sets_begun_by_person", "person", "at"),
    deal_set=SETS,
    person=PEOPLE,
)


class Sets(Part):
    """The store's part for sets of deals; they go with their maker."""

    async def deal_set(self, deal_set: str) -> DealSet | None:
        """The set of an id; None where there is none."""
        return await self._first(DealSet, select(SETS).where(SETS.c.id == deal_set))

    async def from_origin(self, origin: str) -> DealSet | None:
        """The set that a form has made; None where it has made none."""
        return await self._first(DealSet, select(SETS).where(SETS.c.origin == origin))

    async def made_by(self, person: str) -> list[DealSet]:
        """The sets that a person has made, the latest first."""
        query = select(SETS).where(SETS.c.maker == person)
        return await self._all(DealSet, query.order_by(SETS.c.made.desc(), SETS.c.id))

    async def make(self, deal_set: DealSet) -> None:
        """Store a new set. Raises `Conflict` where its form has made one, `Gone` where its maker is
        forgotten."""
        await self._write(insert(SETS, deal_set))

    async def change(self, before: DealSet, after: DealSet) -> None:
        """Change a set. Raises `Conflict` where it is no longer as it was."""
        same = SETS.c.id == before.id, SETS.c.version == before.version
        await self._write(one(update(SETS).where(*same).values(asdict(after)), before.id))

    async def end(self, deal_set: str) -> None:
        """Delete a set with its texts. Its boards stay."""
        await self._write(delete(SETS).where(SETS.c.id == deal_set))

    async def begin(self, deal_set: str, person: str, now: float) -> None:
        """Note that a person plays the deals of a set. Raises `Conflict` once it has ended."""
        row = {"deal_set": deal_set, "person": person, "at": now}
        await self._write(renew(BEGUN, "at", **row))

    async def begun(self, person: str) -> list[DealSet]:
        """The sets that a person plays, the latest first."""
        query = select(SETS).join(BEGUN, BEGUN.c.deal_set == SETS.c.id)
        query = query.where(BEGUN.c.person == person)
        return await self._all(DealSet, query.order_by(BEGUN.c.at.desc(), SETS.c.id).limit(LATEST))

    async def export(self, person: str) -> dict[str, Any]:
        """The sets that a person has made, with their texts, and those that they play."""
        made = [
            {
                "id": each.id,
                "title": each.title,
                "deals": [asdict(step) for step in each.steps],
                "last": each.last,
                "made": each.made,
            }
            for each in await self.made_by(person)
        ]
        query = select(BEGUN.c.deal_set, BEGUN.c.at).where(BEGUN.c.person == person)
        begun = await self._dicts(query.order_by(BEGUN.c.at))
        return ({"sets_of_deals": made} if made else {}) | ({"sets_begun": begun} if begun else {})

    def forgetting(self, person: str) -> tuple[Write, ...]:
        """Writes that end a person's sets, also for whoever has them open."""
        return (
            delete(SETS).where(SETS.c.maker == person),
            delete(BEGUN).where(BEGUN.c.person == person),
        )
