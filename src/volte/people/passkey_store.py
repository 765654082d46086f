"""Passkeys: the public keys of people, and the challenges that prove that somebody holds one."""

from __future__ import annotations

import secrets
from time import time
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Delete, Index, and_, delete, or_, select, update

from volte.store.part import Part
from volte.store.schema import PEOPLE, table
from volte.store.writer import NewRow, insert, one

CHALLENGE_BYTES: Final = 32
CHALLENGE_LASTS: Final = 300.0
"""Seconds in which somebody has to touch their key."""


class Passkey(msgspec.Struct, frozen=True):
    """A passkey of a person; the secret half of it never leaves their device."""

    id: bytes  # as the device calls it; no two people have the same
    person: str
    public_key: bytes  # as COSE writes it
    sign_count: int  # of its uses, as it last said; always 0 where devices share copies of the key
    name: str  # by which its owner knows it
    made: float  # seconds since 1970
    used: float | None = None  # the last time; None where it never was


PASSKEYS: Final = table(
    "passkeys",
    Passkey,
    "id",
    Index("passkeys_by_person", "person"),
    wide="sign_count",
    person=PEOPLE,
)

CHALLENGES: Final = table(
    "challenges",
    {"challenge": bytes, "person": str, "expires": float},
    "challenge",
    Index("challenges_by_end", "expires"),
)


class Passkeys(Part):
    """The passkeys of everybody, and the challenges that they sign."""

    met = (PASSKEYS.c.person,)

    async def add(self, passkey: Passkey) -> None:
        """Stores a new one. Raises `Conflict` where its id is known, or its person is not."""
        await self._write(insert(PASSKEYS, passkey))

    async def of(self, person: str) -> list[Passkey]:
        """All keys of a person, the oldest first."""
        query = select(PASSKEYS).where(PASSKEYS.c.person == person)
        return await self._all(Passkey, query.order_by(PASSKEYS.c.made, PASSKEYS.c.id))

    async def find(self, key: bytes) -> Passkey | None:
        """The one with that id."""
        return await self._first(Passkey, select(PASSKEYS).where(PASSKEYS.c.id == key))

    async def rename(self, passkey: Passkey, name: str) -> None:
        """Gives a passkey another name, unless it is gone."""
        await self._write(update(PASSKEYS).where(_is(passkey)).values(name=name))

    async def use(self, passkey: Passkey, count: int) -> None:
        """Stores that a passkey has been used, and the count of its uses that it gave.

        Raises `Conflict` where that is no more than was known, as happens when somebody has made
        a copy of the key; and where it is gone. Keys that are shared by devices always count 0.
        """
        more = PASSKEYS.c.sign_count < count
        counted = or_(more, PASSKEYS.c.sign_count == 0) if count == 0 else more
        used = update(PASSKEYS).where(_is(passkey), counted)
        await self._write(one(used.values(sign_count=count, used=time())))

    async def remove(self, passkey: Passkey) -> None:
        """Removes a passkey, which opens nothing any more."""
        await self._write(delete(PASSKEYS).where(_is(passkey)))

    async def export(self, person: str) -> dict[str, Any]:
        keys = await self.of(person)
        return {"passkeys": [{"name": k.name, "made": k.made, "used": k.used} for k in keys]}

    # Challenges

    async def challenge(self, purpose: str) -> bytes:
        """New random bytes to be signed, for that purpose alone; expired ones are swept."""
        challenge = secrets.token_bytes(CHALLENGE_BYTES)
        expired = delete(CHALLENGES).where(CHALLENGES.c.expires <= time())
        await self._write(expired, _new_challenge(challenge, purpose))
        return challenge

    async def try_writing(self) -> None:
        """Writes a challenge and removes it in the same transaction, to see whether that works.

        Raises `Unavailable` where nothing can be written.
        """
        challenge = secrets.token_bytes(CHALLENGE_BYTES)
        await self._write(_new_challenge(challenge, ""), one(_taken(challenge, "")))

    async def take(self, challenge: bytes, purpose: str) -> None:
        """Uses a challenge up. Raises `Conflict` for one that is used, too old, or never was."""
        await self._write(one(_taken(challenge, purpose)))


def _is(passkey: Passkey) -> ColumnElement[bool]:
    """Whether a row is that passkey, still of the same person."""
    return and_(PASSKEYS.c.id == passkey.id, PASSKEYS.c.person == passkey.person)


def _new_challenge(challenge: bytes, purpose: str) -> NewRow:
    expires = time() + CHALLENGE_LASTS
    return insert(CHALLENGES, challenge=challenge, person=purpose, expires=expires)


def _taken(challenge: bytes, purpose: str) -> Delete:
    query = delete(CHALLENGES).where(CHALLENGES.c.challenge == challenge)
    return query.where(CHALLENGES.c.person == purpose, CHALLENGES.c.expires > time())
