"""How much anybody may ask for: by address, by person and by connection."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import monotonic
from typing import Final

from volte.server.metrics import LIMITED
from volte.server.refused import Refused
from volte.server.settings import Settings

BURST: Final = 10
"""Seconds' worth of messages that a connection may say at once."""


MINUTE: Final = 60.0
HOUR: Final = 3600.0


class Window:
    """How much each may have in a while; then all of them begin anew.

    The time of day has no part in it: whoever sets the clock locks nobody out.
    """

    reason = "too_many"

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._ends = monotonic() + seconds
        self._spent: Counter[str] = Counter()

    def left(self, who: str) -> float:
        """Seconds until there is one more for them; 0 where there is one now."""
        now = monotonic()
        if now >= self._ends:
            self._ends = now + self._seconds
            self._spent = Counter()
        return 0.0 if self._spent[who] < self._most else self._ends - now

    def take(self, who: str) -> None:
        """Counts one more."""
        self._spent[who] += 1

    def passed(self, who: str) -> None:
        """Gives one back to somebody who was right."""
        self._spent[who] = max(0, self._spent[who] - 1)


EXPORTS: Final = 12
"""Times an hour that somebody may take their data away."""

DEVICE_TRIES: Final = 10
"""Passwords that may be tried in an hour at one known device, and as many recovery codes."""

FREE_TRIES: Final = 3
"""Wrong tries after which one has to wait, longer every time."""

LONGEST_WAIT: Final = 900
"""Seconds."""

MOST_WAITING: Final = 100_000


class Waits:
    """Who has been wrong how often, and when they may try again.

    A try counts as wrong from its beginning, so that many at once are no way around; whoever is
    right is free at once.
    """

    reason = "wait_for"

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def left(self, who: str) -> float:
        """Seconds until they may try again; 0 where they may now."""
        _, until = self._wrong.get(who, (0, 0.0))
        return max(0.0, until - monotonic())

    def take(self, who: str) -> None:
        """Counts one more try, which is wrong unless they pass."""
        times = self._wrong.get(who, (0, 0.0))[0] + 1
        self._wrong[who] = (times, monotonic() + wait_after(times))
        self._wrong.move_to_end(who)
        if len(self._wrong) > MOST_WAITING:
            self._wrong.popitem(last=False)

    def passed(self, who: str) -> None:
        """Forgets the wrong tries of somebody who was right."""
        self._wrong.pop(who, None)


def wait_after(times: int) -> int:
    """Seconds to wait after so many wrong tries.

    >>> [wait_after(times) for times in (1, 3, 4, 5, 8, 100)]
    [0, 0, 2, 4, 32, 900]
    """
    return 0 if times <= FREE_TRIES else min(2 ** min(times - FREE_TRIES, 10), LONGEST_WAIT)


class Limits:
    """Counts what is asked, in this process."""

    def __init__(self, settings: Settings) -> None:
        self._limits: dict[str, Window | Waits] = {
            "page": Window(settings.requests_per_minute, MINUTE),
            "guest": Window(settings.guests_per_hour, HOUR),
            "table": Window(settings.tables_per_hour, HOUR),
            "password": Window(settings.tries_per_hour, HOUR),
            "sign_in": Window(settings.sign_ins_per_hour, HOUR),
            "login": Window(settings.tries_per_login, HOUR),
            "code": Window(settings.sign_ins_per_hour, HOUR),
            "device": Window(DEVICE_TRIES, HOUR),
            "wrong": Waits(),
            "export": Window(EXPORTS, HOUR),
            "saying": Window(settings.sayings_per_minute, MINUTE),
            "report": Window(settings.reports_per_hour, HOUR),
            "passkey": Window(settings.passkeys_per_hour, HOUR),
        }
        self._sockets: Counter[str] = Counter()
        self._most_sockets = settings.sockets_per_address

    async def spend(self, what: str, who: str, **also: str) -> None:
        """Counts one more for every limit that is named.

        Raises `Refused` 429, with the seconds until all of them allow it, where one of them does
        not; nothing is counted then.
        """
        asked = {what: who, **also}
        left = {name: self._limits[name].left(whose) for name, whose in asked.items()}
        longest = max(left, key=left.__getitem__)
        if left[longest]:
            LIMITED.labels(longest).inc()
            reason = self._limits[longest].reason
            raise Refused(429, reason, seconds=ceil(left[longest]))
        for name, whose in asked.items():
            self._limits[name].take(whose)

    def passed(self, what: str, who: str) -> None:
        """Takes back a try that proved to be right."""
        self._limits[what].passed(who)

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
        """While a connection lasts. Raises `Refused` 429."""
        if self._sockets[address] >= self._most_sockets:
            LIMITED.labels("socket").inc()
            raise Refused(429, "too_many_sockets")
        self._sockets[address] += 1
        try:
            yield
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]


class Bucket:
    """How fast one connection may talk: so much a second, and a store of it for a moment.

    Args:
        seconds: the moment.
    """

    def __init__(self, per_second: float, seconds: float = BURST) -> None:
        self._per_second = per_second
        self._left = self._most = per_second * seconds
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
