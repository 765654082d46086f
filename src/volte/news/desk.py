"""The news desk: takes news for people, and knows what is true for each of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from functools import partial
from hashlib import sha256
from time import monotonic, time
from typing import Final

from msgspec import json

from volte.news.kinds import News, NewsKind, NewsWishes, wishes_of
from volte.news.store import NewsStore
from volte.news.telling import line_of, notification_text
from volte.push.sender import Sender
from volte.say import Words, words_of
from volte.say.catalogue import LANGUAGES, language_of
from volte.store import Gone, Person
from volte.store.recent import Recent
from volte.store.store import SETTINGS, Store
from volte.web.visit import NewsLine

REMEMBERED: Final = 100_000  # people whose wishes, or lack of news, are remembered

LOOKING: Final = 30.0
"""Seconds for which somebody looks at a page that has said so; it says it again before."""

CHANGED: Final = "news"  # the topic of hints that somebody has other news

ALWAYS: Final = frozenset({NewsKind.INVITED})
"""Kinds that pages show also to those who have not asked for them outside."""

NOTHING: Final = NewsWishes(frozenset(), False)

TrueYet = Callable[[str], Awaitable[Collection[str]]]
"""Ids of all that news of a kind may be about now, for a person. May raise `Unavailable`."""


class NewsDesk:
    """The news desk of this node.

    For whoever has asked for nothing and has no news, the database is asked once, and again only
    after a hint: pages and matches cost them nothing.
    """

    def __init__(self, store: Store, sender: Sender) -> None:
        self._store = store
        self._sender = sender
        self._wishes = Recent[str, NewsWishes | None](REMEMBERED)  # None while a row is being read
        self._looked = Recent[str, float](REMEMBERED)  # times on the monotonic clock
        self._without = Recent[str, bool](REMEMBERED)  # False while the database is being asked
        self._checks: dict[NewsKind, TrueYet] = {}

    def begin(self) -> None:
        """Listen for changes of wishes and news, at any node."""
        self._store.bus.subscribe(SETTINGS, self._forget_wishes)
        self._store.bus.subscribe(CHANGED, self._forget_lack)

    # For those who tell

    def check(self, kind: NewsKind, true_yet: TrueYet) -> None:
        """Have news of a kind count only as far as it is true yet, whatever has ended it."""
        self._checks[kind] = true_yet

    async def tell(self, news: News) -> None:
        """Have a person know of something, on every page and, if they have asked for it, outside.

        Nothing is stored for whoever has not asked for that kind, unless it is one of `ALWAYS`, and
        nothing is told again that is true already. Raises `Unavailable`.
        """
        wishes = await self.wishes(news.person)
        if news.kind not in wishes.kinds | ALWAYS:
            return
        same = (news.kind, news.about, news.path)
        if any((each.kind, each.about, each.path) == same for each in await self.of(news.person)):
            return
        try:
            await self._store[NewsStore].tell(news)
        except Gone:
            return
        await self._store.bus.publish(CHANGED, news.person)
        if news.kind in wishes.kinds and not self.looks(news.person):
            await self._send(news, wishes)

    async def _send(self, news: News, wishes: NewsWishes) -> None:
        """Send news to the browsers of its person, in their language."""
        if not self._sender.key:
            return
        person = await self._store.person(news.person)
        if person is not None:
            words = words_of(language_of(person.lang) or LANGUAGES[0])
            message = {"outside": notification_text(words, news, wishes), "path": news.path}
            seconds = news.until - time()
            self._sender.send(
                news.person,
                json.encode(message),
                seconds,
                topic(news.person, news.kind, news.about),
                condition=partial(self._is_true, news),
            )

    async def _is_true(self, news: News) -> bool:
        """Whether news is true still, whichever node may have ended it. Raises `Unavailable`."""
        true = await self.of(news.person)
        return (news.kind, news.about) in {(each.kind, each.about) for each in true}

    async def over(self, kind: NewsKind, about: str, person: str = "") -> None:
        """Take news back that is no longer true: that of one person, or of everybody who has it.
        A message about it that waits does not go. Raises `Unavailable`."""
        for each in await self._store[NewsStore].end(kind, about, person):
            await self._store.bus.publish(CHANGED, each)

    # For those who are told

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
        return await self._checked(person, found)

    async def _checked(self, person: str, found: tuple[News, ...]) -> tuple[News, ...]:
        """The part of a person's news that is true yet, by the checks of their kinds."""
        true = {
            kind: await self._checks[kind](person)
            for kind in {each.kind for each in found} & self._checks.keys()
        }
        return tuple(each for each in found if each.about in true.get(each.kind, (each.about,)))

    async def told(self, person: Person, words: Words) -> list[NewsLine]:
        """The news that is true for a person now, in words. Raises `Unavailable`."""
        wishes = wishes_of(person)
        return [line_of(words, news, wishes) for news in await self.of(person.id)]

    # What people want

    def know(self, person: Person) -> None:
        """Remember the wishes of somebody whose row has just been read."""
        self._wishes[person.id] = wishes_of(person)

    async def wishes(self, person: str) -> NewsWishes:
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

    def may_want(self, person: str, kind: NewsKind) -> bool:
        """Whether somebody has asked for a kind of news, or may have, as far as is remembered."""
        known = self._wishes.get(person)
        return known is None or kind in known.kinds

    def looked(self, person: str, looks: bool) -> None:
        """Note whether somebody looks at a page of theirs, or has just turned away from one."""
        if looks:
            self._looked[person] = monotonic()
        else:
            self._looked.pop(person, None)

    def looks(self, person: str) -> bool:
        """Whether somebody looks at a page, as far as this node knows."""
        return monotonic() - self._looked.get(person, -LOOKING) < LOOKING

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


def topic(person: str, kind: NewsKind, about: str) -> str:
    """The topic of a person's messages about one thing, by which the next one replaces one that
    waits. The push service reads it, and learns nothing by it."""
    return sha256(f"{person} {kind} {about}".encode()).hexdigest()[:32]
