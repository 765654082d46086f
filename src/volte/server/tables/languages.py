"""The languages of people at tables."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select

from volte.store.part import Part
from volte.store.schema import LISTINGS, MATCHES, PEOPLE, PLAYERS


class TableLanguages(Part):
    """The languages in which people at tables read Volte."""

    async def languages_at(self, tables: Collection[str]) -> list[tuple[str, int | None, str]]:
        """The languages of people at tables, as table, seat and language: of hosts, without a seat,
        and of the people who took a seat last in a match that goes on.
        """
        hosts = select(LISTINGS.c.table, PEOPLE.c.lang).join(PEOPLE, PEOPLE.c.id == LISTINGS.c.host)
        players = select(MATCHES.c.table, PLAYERS.c.seat, PEOPLE.c.lang)
        players = players.join(PLAYERS, PLAYERS.c.match == MATCHES.c.id)
        players = players.join(PEOPLE, PEOPLE.c.id == PLAYERS.c.person)
        players = players.where(MATCHES.c.ended.is_(None))
        hosting = await self._among(hosts, LISTINGS.c.table, tables)
        seated = await self._among(players, MATCHES.c.table, tables)
        return [*((table, None, lang) for table, lang in hosting), *map(tuple, seated)]
