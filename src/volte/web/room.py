"""The playroom that a server runs, as handlers have it at hand."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, TypeVar

from volte.store import Store
from volte.table.lobby import Lobby
from volte.web.connections import Connections
from volte.web.limits import Limits
from volte.web.security import Passwords
from volte.web.settings import Settings

Service = TypeVar("Service")


@dataclass
class Room:
    """The playroom: what every page needs, and the services of its features.

    A service is found by its class: `room[Sessions]`.
    """

    settings: Settings
    store: Store
    lobby: Lobby
    limits: Limits
    passwords: Passwords = field(default_factory=Passwords)
    live: Connections = field(default_factory=Connections)  # to tables
    recording: asyncio.Lock = field(default_factory=asyncio.Lock)  # one record is made at a time
    stopping: bool = False  # whether the server is about to stop, and should be sent nobody new
    _services: dict[type, Any] = field(default_factory=dict)

    def add(self, service: Service) -> Service:
        """Registers a service under its class."""
        self._services[type(service)] = service
        return service

    def __getitem__(self, kind: type[Service]) -> Service:
        found: Service = self._services[kind]
        return found
