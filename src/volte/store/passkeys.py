"""Passkeys: the public keys of people, and the challenges that prove that somebody holds one."""

from __future__ import annotations

import secrets
from time import time
from typing import Any, Final

import msgspec
from sqlalchemy import select

from volte.store.part import Part
from volte.store.schema import PASSKEYS
from volte.store.writer import Change

CHALLENGE_BYTES: Final = 32
CHALLENGE_LASTS: Final = 300.0
"""Seconds in which somebody has to touch their key."""


class Passkey(msgspec.Struct, frozen=True):
    """A passkey of somebody's; the secret half of it never leaves their device.

    Attributes:
        id: as the device calls it; no two people have the same.
        person: whose it is.
        public_key: as COSE writes it.
        sign_count: of its uses, as it last said; always 0 where devices keep copies in step.
        name: by which its owner knows it.
        made: in seconds since 1970.
        used: the last time; None where it never was.
    """

    id: bytes
    person: str
    public_key: bytes
    sign_count: int
    name: str
    made: float
    used: float | None = None


class Passkeys(Part):
    """The keys of everybody."""

    async def add(self, passkey: Passkey) -> None:
        """Keeps a new one. Raises `Conflict` where its id is known, or its person is not."""
        values = msgspec.structs.asdict(passkey)
        await self._write(Change("passkey", (passkey.id,), values))

    async def of(self, person: str) -> list[Passkey]:
        """All keys of somebody, the oldest first."""
        query = select(PASSKEYS).where(PASSKEYS.c.person == person)
        rows = await self._reader.rows(query.order_by(PASSKEYS.c.made, PASSKEYS.c.id), person)
        return [Passkey(*row) for row in rows]

    async def find(self, key: bytes) -> Passkey | None:
        """The one with that id."""
        rows = await self._reader.rows(select(PASSKEYS).where(PASSKEYS.c.id == key))
        return Passkey(*rows[0]) if rows else None

    async def rename(self, passkey: Passkey, name: str) -> None:
        """Calls it something else; nothing happens where it is gone."""
        values = {"key": passkey.id, "whose": passkey.person, "called": name}
        await self._write(Change("passkey_named", (passkey.id,), values))

    async def use(self, passkey: Passkey, count: int) -> None:
        """Keeps that it has been used, and how often it says it was.

        Raises `Conflict` where that is no more than was known, as happens when somebody has made
        a copy of it; and where it is gone.
        """
        values = {"key": passkey.id, "whose": passkey.person, "count": count, "now": time()}
        await self._write(Change("passkey_used", (passkey.id,), values))

    async def remove(self, passkey: Passkey) -> None:
        """Lets it open nothing any more."""
        values = {"key": passkey.id, "whose": passkey.person}
        await self._write(Change("passkey_over", (passkey.id,), values))

    async def export(self, person: str) -> dict[str, Any]:
        """See `Part`."""
        told = [
            {"name": key.name, "made": key.made, "used": key.used} for key in await self.of(person)
        ]
        return {"passkeys": told}

    # Challenges

    async def challenge(self, purpose: str) -> bytes:
        """New random bytes to be signed, for that purpose alone; those that are over are swept."""
        challenge, now = secrets.token_bytes(CHALLENGE_BYTES), time()
        values = {"challenge": challenge, "person": purpose, "expires": now + CHALLENGE_LASTS}
        await self._write(
            Change("challenges_over", (), {"now": now}), Change("challenge", (challenge,), values)
        )
        return challenge

    async def try_writing(self) -> None:
        """Writes something, and takes it away in the same transaction: on the disk, as all else.

        Raises `Unavailable` where nothing can be written.
        """
        key, now = secrets.token_bytes(CHALLENGE_BYTES), time()
        values = {"challenge": key, "person": "", "expires": now + CHALLENGE_LASTS}
        taken = {"taken": key, "whose": "", "now": now}
        await self._write(
            Change("challenge", (key,), values), Change("challenge_taken", (key,), taken)
        )

    async def take(self, challenge: bytes, purpose: str) -> None:
        """Uses a challenge up. Raises `Conflict` for one that is used, too old, or never was."""
        values = {"taken": challenge, "whose": purpose, "now": time()}
        await self._write(Change("challenge_taken", (challenge,), values))
