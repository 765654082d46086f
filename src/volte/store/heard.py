"""Who hears how the store is doing: nobody, unless somebody asks to."""

from __future__ import annotations

from typing import Protocol


class Observer(Protocol):
    """Told of everything the store does with its database. None of it may raise anything."""

    def written(self, jobs: int, seconds: float) -> None:
        """So many jobs have been kept, in one transaction that took so long."""

    def failed(self, doing: str) -> None:
        """The database could not be used, to `read` or to `write`."""


class Nobody:
    """Does not listen."""

    def written(self, jobs: int, seconds: float) -> None:
        """Nothing."""

    def failed(self, doing: str) -> None:
        """Nothing."""
