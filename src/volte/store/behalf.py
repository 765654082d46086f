"""The person on whose behalf a task writes to a store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

ACTING: Final[ContextVar[str]] = ContextVar("acting", default="")
"""Id of the person for whom a task writes: once they are gone, its jobs are refused."""


@contextmanager
def acting(person: str) -> Iterator[None]:
    """Write for a person while the context lasts; an empty id stands for nobody."""
    token = ACTING.set(person)
    try:
        yield
    finally:
        ACTING.reset(token)
