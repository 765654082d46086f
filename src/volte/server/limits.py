"""How much anybody may ask for: by address, by person and by connection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from time import monotonic
from typing import Final

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter
from starlette.requests import Request

from volte.server.refused import Refused
from volte.server.settings import Settings

BURST: Final = 10
"""Seconds' worth of messages that a connection may say at once."""


class Limits:
    """Counts what is asked, in this process."""

    def __init__(self, settings: Settings) -> None:
        self._most: dict[str, RateLimitItem] = {
            "page": RateLimitItemPerMinute(settings.requests_per_minute),
            "guest": RateLimitItemPerHour(settings.guests_per_hour),
            "table": RateLimitItemPerHour(settings.tables_per_hour),
            "password": RateLimitItemPerHour(settings.tries_per_hour),
        }
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        self._sockets: Counter[str] = Counter()
        self._most_sockets = settings.sockets_per_address

    async def spend(self, what: str, who: str) -> None:
        """Counts one more. Raises `Refused` 429 where that is too much."""
        if not await self._limiter.hit(self._most[what], what, who):
            raise Refused(429, "too_many")

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
        """While a connection lasts. Raises `Refused` 429."""
        if self._sockets[address] >= self._most_sockets:
            raise Refused(429, "too_many_sockets")
        self._sockets[address] += 1
        try:
            yield
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]


async def allow(request: Request, what: str) -> None:
    """Counts a request against its address, or its person. Raises `Refused` 429."""
    person = request.state.person
    who = person.id if what == "table" and person is not None else request.state.address
    await request.app.state.room.limits.spend(what, who)


class Bucket:
    """How fast one connection may talk: so much a second, and a store of it for a moment."""

    def __init__(self, per_second: float) -> None:
        self._per_second = per_second
        self._left = self._most = per_second * BURST
        self._at = monotonic()

    def take(self) -> bool:
        """Whether there is enough for one more message."""
        now = monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._per_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def counted_address(host: str | None) -> str:
    """What an address is counted by: one IPv6 household has 2⁶⁴ of them."""
    try:
        address = ip_address(host or "")
    except ValueError:
        return host or ""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
