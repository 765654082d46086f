"""The store of what people are told while they look elsewhere."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import ColumnElement, Index, delete, select

from volte.news.kinds import News, NewsKind
from volte.store.part import Part
from volte.store.schema import PEOPLE, table
from volte.store.writer import Write, put

NEWS: Final = table(
    "news",
    {"person": str, "kind": str, "about": str, "path": str, "name": str}
    | {"at": float, "until": float},
    "person kind about",
    Index("news_by_subject", "kind", "about"),
    Index("news_by_end", "until"),
    person=PEOPLE,
)


class NewsStore(Part):
    """The store's part for news, each until it is no longer true."""

    async def of(self, person: str, now: float) -> tuple[News, ...]:
        """The news that is true for a person at a time, the latest first."""
        query = select(NEWS).where(NEWS.c.person == person, NEWS.c.until > now)
        return tuple(await self._all(_news, query.order_by(NEWS.c.at.desc())))

    async def tell(self, news: News) -> None:
        """Stores a piece of news, in place of one of that kind about the same. Raises `Gone` where
        its person is deleted."""
        await self._write(put(NEWS, news))

    async def end(self, kind: NewsKind, about: str, person: str = "") -> Collection[str]:
        """Deletes news of a kind about something: that of one person, or of everybody who has it.
        Returns the ids of these people."""
        which: list[ColumnElement[bool]] = [NEWS.c.kind == kind, NEWS.c.about == about]
        if person:
            which.append(NEWS.c.person == person)
        people = await self._column(select(NEWS.c.person).where(*which))
        if people:
            await self._write(delete(NEWS).where(*which))
        return people

    def over(self, now: float) -> tuple[Write, ...]:
        return (delete(NEWS).where(NEWS.c.until <= now),)

    def forgetting(self, person: str) -> tuple[Write, ...]:
        return (delete(NEWS).where(NEWS.c.about == person),)  # their own goes with their row

    async def export(self, person: str) -> dict[str, Any]:
        columns = NEWS.c
        query = select(columns.kind, columns.name, columns.path, columns.at, columns.until)
        query = query.where(columns.person == person).order_by(columns.at)
        return {"news": await self._dicts(query)}


def _news(
    person: str, kind: str, about: str, path: str, name: str, at: float, until: float
) -> News:
    return News(person, NewsKind(kind), about, path, name, at, until)
