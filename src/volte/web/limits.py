"""Limits on requests and work: by address, by person and by connection."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from time import monotonic
from typing import Final

from volte.store.recent import Recent
from volte.web.refused import Refused
from volte.web.settings import Settings
from volte.web.tally import LIMITED, SLOWED

BURST: Final = 10  # seconds' worth of messages, or of work, that may come at once

LONGEST_DEBT: Final = 2
"""Seconds' worth that may be owed beyond the burst, and so the longest delay of anybody."""

REMEMBERED: Final = 10_000  # people, or addresses, whose use of the server is remembered

REFUSALS: Final = 20  # refusals a second that one address gets before they are delayed

REFUSED_HANDSHAKES: Final = 60
"""Tries a minute to connect to a table from the page of another site, from one address."""

MINUTE: Final = 60.0
HOUR: Final = 3600.0


class Window:
    """Limit on requests in a span of time; when it has passed, all counts begin anew.

    It goes by the monotonic clock, so setting the time of day locks nobody out.
    """

    reason = "too_many"

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._ends = monotonic() + seconds
        self._spent: Counter[str] = Counter()

    def left(self, who: str) -> float:
        """Seconds until they may ask again; 0 if they may now."""
        now = monotonic()
        if now >= self._ends:
            self._ends = now + self._seconds
            self._spent = Counter()
        return 0.0 if self._spent[who] < self._most else self._ends - now

    def take(self, who: str) -> None:
        """Count one more request of somebody."""
        self._spent[who] += 1

    def passed(self, who: str) -> None:
        """Take back one request, of somebody whose try was right."""
        self._spent[who] = max(0, self._spent[who] - 1)


EXPORTS: Final = 12  # times an hour that somebody may take their data away

REVIEWS: Final = 12  # matches an hour that somebody may have reviewed
WHYS: Final = 60  # cards a minute that one person may have explained, or played on from

DEVICE_TRIES: Final = 10
"""Passwords that may be tried in an hour at one known device, and as many recovery codes."""

FREE_TRIES: Final = 3  # wrong tries without a wait; each one after them doubles it
LONGEST_WAIT: Final = 900  # seconds

MOST_WAITING: Final = 100_000


class Waits:
    """Waits after wrong tries: how often somebody was wrong, and when they may try again.

    A try counts as wrong from its beginning, so that many at once are no way around; a right one
    ends the wait.
    """

    reason = "wait_for"

    def __init__(self) -> None:
        self._wrong = Recent[str, tuple[int, float]](MOST_WAITING)

    def left(self, who: str) -> float:
        """Seconds until they may try again; 0 if they may now."""
        _, until = self._wrong.get(who, (0, 0.0))
        return max(0.0, until - monotonic())

    def take(self, who: str) -> None:
        """Count one more try; it counts as wrong until `passed`."""
        times = self._wrong.get(who, (0, 0.0))[0] + 1
        self._wrong[who] = (times, monotonic() + wait_after(times))

    def passed(self, who: str) -> None:
        """Forget the wrong tries of somebody who was right."""
        self._wrong.pop(who, None)


def wait_after(times: int) -> int:
    """Seconds to wait after so many wrong tries.

    >>> [wait_after(times) for times in (1, 3, 4, 5, 8, 100)]
    [0, 0, 2, 4, 32, 900]
    """
    return 0 if times <= FREE_TRIES else min(2 ** min(times - FREE_TRIES, 10), LONGEST_WAIT)


class Limits:
    """All limits of this process, by name."""

    def __init__(self, settings: Settings) -> None:
        self._limits: dict[str, Window | Waits] = {
            "page": Window(settings.requests_per_minute, MINUTE),
            "foreign": Window(REFUSED_HANDSHAKES, MINUTE),
            "guest": Window(settings.guests_per_hour, HOUR),
            "table": Window(settings.tables_per_hour, HOUR),
            "password": Window(settings.tries_per_hour, HOUR),
            "sign_in": Window(settings.sign_ins_per_hour, HOUR),
            "login": Window(settings.tries_per_login, HOUR),
            "code": Window(settings.sign_ins_per_hour, HOUR),
            "device": Window(DEVICE_TRIES, HOUR),
            "wrong": Waits(),
            "export": Window(EXPORTS, HOUR),
            "review": Window(REVIEWS, HOUR),
            "why": Window(WHYS, MINUTE),
            "saying": Window(settings.sayings_per_minute, MINUTE),
            "report": Window(settings.reports_per_hour, HOUR),
            "passkey": Window(settings.passkeys_per_hour, HOUR),
        }
        self._sockets: Counter[tuple[str, str]] = Counter()
        self._most_sockets = {
            "socket": (settings.sockets_per_address, "too_many_sockets"),
            "person": (settings.sockets_per_person, "too_many_tables"),
        }
        self._messages_per_second = settings.messages_per_second
        self._people = Buckets(settings.work_per_person)
        self._addresses = Buckets(settings.work_per_address)
        self._refusals = Buckets(REFUSALS, seconds=0.5)

    async def spend(self, what: str, who: str, **also: str) -> None:
        """Count one more request towards every limit named.

        Raises `Refused` 429, with the seconds until all of them allow it, if one does not; then
        nothing is counted.
        """
        counted = {what: who, **also}
        left = {name: self._limits[name].left(whose) for name, whose in counted.items()}
        longest = max(left, key=left.__getitem__)
        if left[longest]:
            LIMITED[longest] += 1
            reason = self._limits[longest].reason
            # Of two floats a minute apart the difference can be more than a minute
            raise Refused(429, reason, seconds=ceil(round(left[longest], 6)))
        for name, whose in counted.items():
            self._limits[name].take(whose)

    def refused(self, address: str) -> float:
        """Count a refusal to an address; return the seconds by which to delay it."""
        return self._refusals.of(address).spend(1)

    def passed(self, what: str, who: str) -> None:
        """Take back a try that proved to be right."""
        self._limits[what].passed(who)

    @contextmanager
    def connected(self, limit: str, who: str) -> Iterator[None]:
        """Count a connection while it lasts: `socket` is the limit of an address, `person` that of
        a person. Raises `Refused` 429."""
        most, reason = self._most_sockets[limit]
        if self._sockets[limit, who] >= most:
            LIMITED[limit] += 1
            raise Refused(429, reason, most=most)
        self._sockets[limit, who] += 1
        try:
            yield
        finally:
            self._sockets[limit, who] -= 1
            if not self._sockets[limit, who]:
                del self._sockets[limit, who]

    def budget(self, address: str) -> Allowance:
        """Allowance of a new connection from that address."""
        return Allowance(
            Bucket(self._messages_per_second), self._people, self._addresses.of(address)
        )


class Bucket:
    """Token bucket: a rate per second, with a reserve for bursts.

    Args:
        seconds: the size of the reserve, in seconds of that rate.
    """

    def __init__(self, per_second: float, seconds: float = BURST) -> None:
        self._per_second = per_second
        self._left = self._most = per_second * seconds
        self._at = monotonic()

    def take(self) -> bool:
        """Take one message; whether there was enough for it."""
        self._fill()
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def spend(self, cost: float) -> float:
        """Take that much, even if it is not there; return the seconds until it would be.

        >>> bucket = Bucket(2.0, seconds=1.0)
        >>> [round(bucket.spend(1.0), 1) for _ in range(4)]
        [0.0, 0.0, 0.5, 1.0]
        """
        self._fill()
        self._left = max(self._left - cost, -LONGEST_DEBT * self._per_second)
        return max(-self._left / self._per_second, 0.0)

    def _fill(self) -> None:
        now = monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._per_second)
        self._at = now


class Buckets:
    """A bucket for each person or address; the most recently used ones are remembered."""

    def __init__(self, per_second: float, seconds: float = BURST) -> None:
        self._per_second = per_second
        self._seconds = seconds
        self._known = Recent[str, Bucket](REMEMBERED)

    def of(self, who: str) -> Bucket:
        bucket = self._known.get(who) or Bucket(self._per_second, self._seconds)
        self._known[who] = bucket
        return bucket


class Allowance:
    """Budget of one connection: its own, and those it shares with its person and its address.

    A client that asks for more is not cut off, but answered later; its next message is read
    later too, so nothing piles up here.

    Args:
        connection: counts messages; the others count work (`volte.server.live.costs`).
    """

    def __init__(self, connection: Bucket, people: Buckets, address: Bucket) -> None:
        self._connection = connection
        self._people = people
        self._work = {"address": address}

    def belongs_to(self, person: str) -> None:
        """Charge that person's budget too, from now on."""
        self._work["person"] = self._people.of(person)

    async def afford(self, cost: float) -> None:
        """Take one message and that much work, and wait until there is enough of both."""
        waits = {name: bucket.spend(cost) for name, bucket in self._work.items()}
        waits["connection"] = self._connection.spend(1)
        name = max(waits, key=waits.__getitem__)
        if waits[name]:
            SLOWED[name] += 1
            await asyncio.sleep(waits[name])

    def charge(self, cost: float) -> None:
        """Take that much work for something sent to the client; its next message may wait."""
        for bucket in self._work.values():
            bucket.spend(cost)
