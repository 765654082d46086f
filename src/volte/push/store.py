"""The store of subscriptions: the browsers that want messages, and where to send these."""

from __future__ import annotations

import time
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Index, delete, select

from volte.store.part import Part
from volte.store.schema import PEOPLE, SESSIONS, table
from volte.store.store import locked, session_lasts
from volte.store.writer import one, put

MOST_BROWSERS: Final = 5
"""Subscriptions of one person; with one more, the oldest goes."""


class SubscribedBrowser(msgspec.Struct, frozen=True):
    """A browser that wants messages: the address at its push service, and its keys (RFC 8291).

    It belongs to a session and goes with it: at sign-out, with a new password, with the person.
    """

    session: bytes  # hash of the session's token
    person: str
    endpoint: str  # URL at the push service: whoever knows it can send to the browser
    p256dh: bytes  # the browser's public key, a point on the curve P-256 in 65 bytes
    auth: bytes  # the secret of 16 bytes that the browser shares with the server
    since: float  # seconds since 1970


SUBSCRIPTIONS: Final = table(
    "subscriptions",
    SubscribedBrowser,
    "session",
    Index("subscriptions_by_person", "person"),
    unique="endpoint",
    session=SESSIONS,
    person=PEOPLE,
)


class Subscriptions(Part):
    """The store's part for the browsers that want messages."""

    async def add(
        self, session: bytes, person: str, endpoint: str, p256dh: bytes, auth: bytes
    ) -> None:
        """Stores the subscription of a session, in place of its earlier one; also in place of
        anybody's with the same endpoint, since that is the same browser.

        Raises `Conflict` where the session has ended, and `Gone` where the person is deleted.
        """
        columns = SUBSCRIPTIONS.c
        row = SubscribedBrowser(session, person, endpoint, p256dh, auth, time.time())
        same = delete(SUBSCRIPTIONS).where(columns.endpoint == endpoint, columns.session != session)
        latest = select(columns.session).where(columns.person == person)
        latest = latest.order_by(columns.since.desc(), columns.session).limit(MOST_BROWSERS)
        others = delete(SUBSCRIPTIONS).where(columns.person == person)
        await self._write(
            one(locked(person)),  # so that of two browsers at once each counts the other
            session_lasts(session),
            same,
            put(SUBSCRIPTIONS, row),
            others.where(columns.session.not_in(latest)),
        )

    async def of(self, person: str) -> list[SubscribedBrowser]:
        """The subscriptions of a person whose sessions last, the oldest first."""
        query = select(SUBSCRIPTIONS).join(
            SESSIONS, SESSIONS.c.token_hash == SUBSCRIPTIONS.c.session
        )
        query = query.where(SUBSCRIPTIONS.c.person == person, SESSIONS.c.expires > time.time())
        return await self._all(SubscribedBrowser, query.order_by(SUBSCRIPTIONS.c.since))

    async def end(self, person: str, session: bytes | None = None) -> None:
        """Forgets the subscription of a person's session, or all that the person has."""
        theirs = delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.person == person)
        if session is not None:
            theirs = theirs.where(SUBSCRIPTIONS.c.session == session)
        await self._write(theirs)

    async def gone(self, endpoint: str) -> None:
        """Forgets a subscription of which the push service says that it is over."""
        await self._write(delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.endpoint == endpoint))

    async def export(self, person: str) -> dict[str, Any]:
        found = await self.of(person)
        return {
            "browsers_with_messages": [
                {"push_service": urlsplit(each.endpoint).hostname, "since": each.since}
                for each in found
            ]
        }
