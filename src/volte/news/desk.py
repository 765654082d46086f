"""The news desk: takes news for people, and knows what is true for each of them."""

from __future__ import annotations

from time import time
from typing import Final

from volte.news.kinds import Kind, News, Wishes, wishes_of
from volte.news.store import NewsStore
from volte.store import Gone, Person
from volte.store.recent import Recent
from volte.store.store import SETTINGS, Store

REMEMBERED: Final = 100_000  # people whose wishes, or lack of news, are remembered

CHANGED: Final = "news"  # the topic of hints that somebody has other news

ALWAYS: Final = frozenset({Kind.INVITED})
"""Kinds that pages show also to those who have not asked for them outside."""

NOTHING: Final = Wishes(frozenset(), False)


class NewsDesk:
    """The news desk of this node.

    For whoever has asked for nothing and has no news, the database is asked once, and again only
    after a hint: pages and matches cost them nothing.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._wishes = Recent[str, Wishes | None](REMEMBERED)  # None while a row is being read
        self._without = Recent[str, bool](REMEMBERED)  # False while the database is being asked

    def begin(self) -> None:
        """Listen for changes of wishes and news, at any node."""
        self._store.bus.subscribe(SETTINGS, self._forget_wishes)
        self._store.bus.subscribe(CHANGED, self._forget_lack)

    def know(self, person: Person) -> None:
        """Remember the wishes of somebody whose row has just been read."""
        self._wishes[person.id] = wishes_of(person)

    async def wishes(self, person: str) -> Wishes:
        """The wishes of a person; none for somebody who is gone. Raises `Unavailable`."""
        known = self._wishes.get(person)
        if known is not None:
            return known
        self._wishes[person] = None
        found = await self._store.person(person)
        wishes = NOTHING if found is None else wishes_of(found)
        if person in self._wishes:  # no hint has come meanwhile
            self._wishes[person] = wishes
        return wishes

    async def tell(self, news: News) -> None:
        """Have a person know of something, on every page and, if they have asked for it, outside.

        Nothing is stored for whoever has not asked for that kind, unless it is one of `ALWAYS`.
        Raises `Unavailable`.
        """
        wishes = await self.wishes(news.person)
        if news.kind not in wishes.kinds | ALWAYS:
            return
        try:
            await self._store[NewsStore].tell(news)
        except Gone:
            return
        await self._store.bus.publish(CHANGED, news.person)

    async def over(self, kind: Kind, about: str, person: str = "") -> None:
        """Take news back that is no longer true: that of one person, or of everybody who has it.
        Raises `Unavailable`."""
        for each in await self._store[NewsStore].end(kind, about, person):
            await self._store.bus.publish(CHANGED, each)

    async def of(self, person: str) -> tuple[News, ...]:
        """The news that is true for a person now, the latest first. Raises `Unavailable`."""
        if self._without.get(person):
            return ()
        self._without[person] = False
        found = await self._store[NewsStore].of(person, time())
        if found:
            self._without.pop(person, None)
        elif person in self._without:  # no hint has come meanwhile
            self._without[person] = True
        return found

    def _forget_wishes(self, person: str) -> None:
        if person:
            self._wishes.pop(person, None)
        else:  # hints may have been missed
            self._wishes.clear()

    def _forget_lack(self, person: str) -> None:
        if person:
            self._without.pop(person, None)
        else:
            self._without.clear()
