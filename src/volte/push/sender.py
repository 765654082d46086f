"""Sending of messages to browsers, beside everything else that a server does."""

from __future__ import annotations

import asyncio
import time
from asyncio import Task
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from volte.extras import missing
from volte.push.door import DoorFault, PushDoor, TooManyLookups
from volte.push.store import SubscribedBrowser, Subscriptions
from volte.store import Unavailable
from volte.store.recent import Recent
from volte.store.store import Store
from volte.web.logs import get_logger
from volte.web.metrics import PUSHES
from volte.web.settings import Settings

if TYPE_CHECKING:
    from volte.push.keys import ServerKeys

Condition = Callable[[], Awaitable[bool]]
"""Whether a message is worth sending yet, asked when it is to go."""

TOPIC: Final = "volte"
"""The topic of usual messages, of which a person has one at most."""

PAUSE: Final = 3.0  # seconds before a message goes, as much is over at once
MOST_WAITING: Final = 1000  # messages; beyond these the oldest is lost
AT_ONCE: Final = 8  # people who are sent something at the same time
LONGEST: Final = 3000  # bytes of a message

QUIET: Final = 60.0  # seconds without requests after one that failed
MOST_QUIET: Final = 10_000  # addresses, and services, that are remembered

GONE: Final = (404, 410)  # statuses of a subscription that is over

log = get_logger("volte.server")


class _Message(NamedTuple):
    person: str
    text: bytes
    due: float  # when it may go, by the clock of the loop
    until: float  # when it is worth nothing any more
    topic: str
    condition: Condition | None


class Sender:
    """Sends messages to the browsers of people, from a queue of its own.

    Nothing is written down: a message that a server has not sent when it stops is lost, as are
    those that no push service takes.

    Args:
        keys: the keys of the server; without any it sends nothing.
        pause: seconds before a message goes.
    """

    def __init__(
        self, store: Store, keys: ServerKeys | None, door: PushDoor, *, pause: float = PAUSE
    ) -> None:
        self._subscriptions = store[Subscriptions]
        self._keys = keys
        self._door = door
        self._pause = pause
        self._waiting: OrderedDict[tuple[str, str], _Message] = OrderedDict()
        self._more = asyncio.Event()
        self._free = asyncio.Semaphore(AT_ONCE)
        self._sending: set[Task[None]] = set()
        self._task: Task[None] | None = None
        self._quiet = Recent[str, float](MOST_QUIET)  # until when, by endpoint or service

    @classmethod
    def of(cls, store: Store, settings: Settings) -> Self:
        """The sender of a server with these settings. Raises `VolteError` for keys that are none,
        or without the extra `server`."""
        return cls(store, keys_of(settings), PushDoor(settings.push_test_hosts))

    @property
    def key(self) -> str:
        """The public key with which a browser subscribes, in base64url; empty without keys."""
        return "" if self._keys is None else self._keys.public

    @property
    def door(self) -> PushDoor:
        """The door through which this sender asks push services."""
        return self._door

    def begin(self) -> None:
        """Start the task, within a running loop."""
        if self._keys is not None:
            self._task = asyncio.create_task(self._run(self._keys), name="sender")

    async def close(self) -> None:
        """End the task at once; what has not gone is lost."""
        tasks = {*self._sending, *({self._task} if self._task else ())}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def send(
        self,
        person: str,
        payload: bytes,
        ttl: float,
        topic: str = TOPIC,
        condition: Condition | None = None,
    ) -> None:
        """Sends a message to every browser of a person that wants some, soon.

        It replaces the one before it of the same topic, if that has not gone yet.

        Args:
            payload: up to `LONGEST` bytes.
            ttl: seconds for which the message is worth something, here and at the push service.
            topic: up to 32 letters of base64url, which the push service reads; there too, the next
                message replaces one that waits.
            condition: whether it goes, asked at that moment: any node may have ended what it tells.
                May raise `Unavailable`.
        """
        if len(payload) > LONGEST:
            raise ValueError(f"a message of {len(payload)} bytes")
        if self._keys is None:
            return
        now, key = asyncio.get_running_loop().time(), (person, topic)
        before = self._waiting.get(key)
        due = now + self._pause if before is None else before.due
        self._waiting[key] = _Message(person, payload, due, now + ttl, topic, condition)
        if len(self._waiting) > MOST_WAITING:
            self._waiting.popitem(last=False)
            PUSHES.labels("lost").inc()
        self._more.set()

    async def _run(self, keys: ServerKeys) -> None:
        while True:
            await self._free.acquire()
            message = await self._next()
            task = asyncio.create_task(self._deliver(keys, message))
            self._sending.add(task)
            task.add_done_callback(self._delivered)

    async def _next(self) -> _Message:
        """The next message, taken out of the queue once it is due."""
        loop = asyncio.get_running_loop()
        while True:
            while not self._waiting:
                self._more.clear()
                await self._more.wait()
            key, message = next(iter(self._waiting.items()))
            now = loop.time()
            if message.due > now:
                await asyncio.sleep(message.due - now)
                continue  # it may have been replaced meanwhile
            del self._waiting[key]
            if message.until > now:
                return message

    def _delivered(self, task: Task[None]) -> None:
        self._sending.discard(task)
        self._free.release()
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("push_failed", exc_info=error)

    async def _deliver(self, keys: ServerKeys, message: _Message) -> None:
        """Send a message to all browsers of its person."""
        try:
            subscriptions = await self._subscriptions.of(message.person)
            if message.condition is not None and subscriptions and not await message.condition():
                return
            await asyncio.gather(*(self._post(keys, message, each) for each in subscriptions))
        except Unavailable:
            PUSHES.labels("lost").inc()

    async def _post(self, keys: ServerKeys, message: _Message, to: SubscribedBrowser) -> None:
        """Send a message to one browser. Raises `Unavailable`."""
        from volte.push.encryption import encrypted

        now = asyncio.get_running_loop().time()
        try:
            endpoint = self._door.endpoint(to.endpoint)
        except DoorFault:  # an exception of the settings is there no longer
            PUSHES.labels("closed").inc()
            return
        service = endpoint.place
        if max(self._quiet.get(to.endpoint, now), self._quiet.get(service, now)) > now:
            PUSHES.labels("quiet").inc()
            return
        headers = [
            ("Authorization", keys.authorization(endpoint.origin, time.time())),
            ("Content-Encoding", "aes128gcm"),
            ("Content-Type", "application/octet-stream"),
            ("TTL", str(ceil(message.until - now))),
            ("Topic", message.topic),
        ]
        body = encrypted(message.text, to.p256dh, to.auth)
        try:
            answer = await self._door.post(endpoint, headers, body)
        except DoorFault:
            outcome = "closed"
        except TooManyLookups:
            outcome = "lost"
        except OSError as error:
            outcome = "unreached"
            self._quiet[service] = now + QUIET
            log.info("push_unreached", service=service, error=str(error))
        else:
            outcome = _outcome(answer.status)
            if outcome == "gone":
                await self._subscriptions.gone(to.endpoint)
            elif outcome == "refused":
                self._quiet[to.endpoint] = now + (answer.wait or QUIET)
                log.info("push_refused", service=service, status=answer.status)
        PUSHES.labels(outcome).inc()


def keys_of(settings: Settings) -> ServerKeys | None:
    """The keys in the settings of a server; None where there are none. Raises `VolteError` for
    keys that are none, or without the extra `server`."""
    if not settings.push_private_key:
        return None
    try:
        from volte.push.keys import ServerKeys
    except ImportError:
        raise missing("server") from None
    return ServerKeys.read(settings.push_private_key, settings.push_contact or _site(settings))


def _outcome(status: int) -> str:
    if status in GONE:
        return "gone"
    return "sent" if 200 <= status < 300 else "refused"


def _site(settings: Settings) -> str:
    """The address by which browsers know the server, where that is one for push services."""
    return next((each for each in settings.origins if each.startswith("https:")), "")
