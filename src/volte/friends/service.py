"""The service of friends: who may ask, end, hide and invite, with the limits on that."""

from __future__ import annotations

from contextlib import suppress
from time import time
from typing import Final

from volte.friends.circle import Circle, Friend, FriendInvitation
from volte.friends.store import Friendships
from volte.news.desk import NewsDesk
from volte.news.kinds import News, NewsKind
from volte.store import Gone
from volte.store.recent import Recent
from volte.store.store import Store
from volte.table import Someone
from volte.web.limits import Limits
from volte.web.refused import Refused

REMEMBERED: Final = 100_000  # people of whom it is remembered that nobody asks them

CHANGED: Final = "friends"
"""Topic of hints that the circle of somebody has changed."""


class Friends:
    """The friends of everybody, on whichever node they are.

    Whatever is refused is refused alike to somebody whom the other has muted, or answered by a no.
    """

    def __init__(self, store: Store, limits: Limits, desk: NewsDesk) -> None:
        self._store = store
        self._desk = desk
        self._rows = store[Friendships]
        self._limits = limits
        self._unasked = Recent[str, bool](REMEMBERED)  # False while the database is asked

    def begin(self) -> None:
        """Listen for people who ask others, or read them again, at any node, and say which news of
        invitations is true."""
        for topic in (CHANGED, "mutes"):
            self._store.bus.subscribe(topic, self._hear)
        self._desk.check(NewsKind.INVITED, self._inviting)

    async def of(self, person: str) -> Circle:
        """The circle of a person. Raises `Unavailable`."""
        return await self._rows.of(person)

    async def asking(self, person: str) -> tuple[Friend, ...]:
        """The people who ask a person to be friends. For whoever is asked by nobody, the database
        is asked once, and again only after a hint. Raises `Unavailable`."""
        if self._unasked.get(person):
            return ()
        self._unasked[person] = False
        found = (await self.of(person)).asking
        if found:
            self._unasked.pop(person, None)
        elif person in self._unasked:  # no hint has come meanwhile
            self._unasked[person] = True
        return found

    async def may_ask(self, person: str, other: str) -> bool:
        """Whether a person may ask another one to be friends: they have played with each other,
        or the other one asks too."""
        if person == other:
            return False
        asking = (each.id for each in (await self.of(person)).asking)
        return other in asking or await self._rows.have_played(person, other)

    async def ask(self, person: str, other: str) -> bool:
        """Ask another person to be friends, or agree to it; return whether the two are now.

        Raises `Refused` where they may not be asked, or too many are friends or were asked.
        """
        if person == other:
            raise Refused(422, "friend_of_oneself")
        circle = await self.of(person)
        if circle.friend(other) is not None:
            return True
        asks = any(each.id == other for each in circle.asking)
        if not asks and not await self._rows.have_played(person, other):
            raise Refused(404, "not_played_with")
        if not any(each.id == other for each in circle.asked):
            if circle.full:
                raise Refused(422, "too_many_friends")
            await self._limits.spend("saying", person)
            with suppress(Gone):
                await self._rows.agree(person, other)
                await self._changed(person, other)
        return await self._rows.are_friends(person, other)

    async def decline(self, person: str, other: str) -> None:
        """Answer an asking by a no, which looks to the other one as if it was not answered."""
        if any(each.id == other for each in (await self.of(person)).asking):
            with suppress(Gone):
                await self._rows.decline(person, other)
                await self._changed(person)

    async def end(self, person: str, other: str) -> None:
        """End a friendship, or take an asking back; the other one is not told. Nothing is done
        about people who are not in the person's circle."""
        if not (await self.of(person)).includes(other):
            return
        await self._rows.end(person, other)
        for one, two in ((person, other), (other, person)):
            await self._desk.over(NewsKind.INVITED, one, two)
            await self._desk.over(NewsKind.FRIEND, one, two)
        await self._changed(person, other)

    async def hide(self, person: str, other: str, hidden: bool) -> None:
        """Make a person invisible to a friend, or visible again; nothing is done for others."""
        if (await self.of(person)).friend(other) is None:
            return
        await self._rows.hide(person, other, hidden)
        if hidden:
            await self._desk.over(NewsKind.FRIEND, person, other)

    async def hide_from_all(self, person: str, hidden: bool) -> None:
        """Make a person invisible to everybody, or visible again."""
        await self._rows.hide_from_all(person, hidden)
        if hidden:
            await self._desk.over(NewsKind.FRIEND, person)

    # Invitations

    async def invite(self, who: Someone, other: str, table: str) -> str:
        """Invite a friend to a table to which the person may invite; return the friend's name.

        Nobody is told whether the friend is here, or hears of it. Raises `Refused`.

        Args:
            table: id of that table.
        """
        friend = (await self.of(who.id)).friend(other)
        if friend is None:
            raise Refused(404, "no_friend")
        await self._limits.spend("saying", who.id)
        try:
            refusal = await self._rows.invite(who.id, other, table)
        except Gone:
            raise Refused(404, "no_friend") from None
        if refusal:
            raise Refused(409, refusal, name=friend.name)
        if any(each.by == who.id for each in await self._rows.invitations(other)):
            path, now = f"/tables/{table}", time()
            await self._desk.tell(News.of(other, NewsKind.INVITED, who.id, path, who.name, now))
        return friend.name

    async def answer(self, person: str, by: str, yes: bool) -> str:
        """Answer the open invitation by a friend; return the id of the table, to which a yes
        admits the person. Raises `Refused` 410 where it is over."""
        table = await self._rows.answer(person, by, yes)
        await self._desk.over(NewsKind.INVITED, by, person)
        if not table:
            raise Refused(410, "friend_invitation_over")
        return table

    async def invitations(self, person: str) -> list[FriendInvitation]:
        """The invitations that a person can answer, oldest first."""
        return await self._rows.invitations(person)

    async def _inviting(self, person: str) -> list[str]:
        return [each.by for each in await self.invitations(person)]

    def _hear(self, person: str) -> None:
        if person:
            self._unasked.pop(person, None)
        else:  # hints may have been missed
            self._unasked.clear()

    async def _changed(self, *people: str) -> None:
        for person in people:
            await self._store.bus.publish(CHANGED, person)
