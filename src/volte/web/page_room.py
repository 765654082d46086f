"""A room as pages find it, at a server or in a browser without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from volte.say import Words
from volte.store import Person
from volte.web.work import WorkQueue

Service = TypeVar("Service")


class SpendingLimits(Protocol):
    """Limits on what somebody may ask for; see `volte.web.limits`."""

    async def spend(self, what: str, who: str, **also: str) -> None:
        """Counts one more request towards every limit named. Raises `Refused` 429."""


class PageRoom:
    """A room with the services of its features.

    A service is found by its class, or by a protocol: `room[Sessions]`.
    """

    base_path: str  # under which browsers find it; empty where it has its host to itself
    origins: tuple[str, ...]  # as browsers see them; empty: the address that they asked for
    host: str  # the address at which it listens, empty for none
    limits: SpendingLimits
    work: WorkQueue
    _services: dict[object, Any]

    def facts(self, words: Words) -> dict[str, Any]:
        """Names for the templates of all pages, beside those that they have at a server."""
        return {}

    def called(self, person: Person) -> str:
        """The name that somebody has given; empty while they have given none."""
        return person.name

    def add(self, service: Service, kind: object = None) -> Service:
        """Register a service under its class, or under the class or protocol that it fulfils."""
        self._services[kind or type(service)] = service
        return service

    def __getitem__(self, kind: Callable[..., Service]) -> Service:
        found: Service = self._services[kind]
        return found
