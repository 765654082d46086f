"""Passwords of tables and people, and their hashes."""

from __future__ import annotations

import secrets
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from volte.web.refused import Refused
from volte.web.work import Whose, WorkQueue

LONGEST_PASSWORD: Final = 200
HASHING: Final = 2  # passwords that are hashed at once: each takes 19 MiB and some 20 ms


class Passwords:
    """Passwords of tables and people, kept as argon2id hashes that `hasher` makes."""

    def __init__(self) -> None:
        self.hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._work = WorkQueue("hashing", HASHING)
        self._nobody = ""

    async def nobody(self, whose: Whose) -> str:
        """Dummy hash: unknown logins must cost as much time as known ones."""
        self._nobody = self._nobody or await self.hash(secrets.token_urlsafe(), whose)
        return self._nobody

    def outdated(self, hashed: str) -> bool:
        """Whether the hash was made with parameters that are no longer ours."""
        return self.hasher.check_needs_rehash(hashed)

    async def hash(self, text: str, whose: Whose) -> str:
        """Hash a password. Raises `Refused` if it is empty or too long, or if too many wait."""
        if not 1 <= len(text) <= LONGEST_PASSWORD:
            raise Refused(422, "bad_password", most=LONGEST_PASSWORD, field="password")
        return await self._work.do(whose, lambda: self.hasher.hash(text))

    async def verify(self, hashed: str, text: str, whose: Whose) -> bool:
        """Whether the text is the hashed password. Raises `Refused` if too many wait."""
        if not 1 <= len(text) <= LONGEST_PASSWORD:
            return False

        def matches() -> bool:
            try:
                return self.hasher.verify(hashed, text)
            except (VerificationError, InvalidHashError):
                return False

        return await self._work.do(whose, matches)
