"""Who is next: of those that wait, every table has its turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Line(Generic[Item]):
    """What waits, by whom it belongs to; owners take turns, and each one's own come in order.

    >>> line = Line[str]()
    >>> for owner, item in ("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"):
    ...     line.put(owner, item)
    >>> [line.take() for _ in range(len(line))]
    ['a1', 'b1', 'a2', 'a3']
    """

    def __init__(self) -> None:
        self._waiting: dict[Hashable, deque[Item]] = {}
        self._count = 0

    def put(self, owner: Hashable, item: Item) -> None:
        """One more, behind all others of that owner."""
        self._waiting.setdefault(owner, deque()).append(item)
        self._count += 1

    def take(self) -> Item:
        """The next one. Only where there is one."""
        owner = next(iter(self._waiting))
        items = self._waiting.pop(owner)
        if len(items) > 1:
            self._waiting[owner] = items  # behind everybody else
        self._count -= 1
        return items.popleft()

    def drop(self, owner: Hashable, item: Item) -> bool:
        """Takes one out of its turn; whether it was there."""
        items = self._waiting.get(owner)
        if items is None or item not in items:
            return False
        items.remove(item)
        if not items:
            del self._waiting[owner]
        self._count -= 1
        return True

    def __len__(self) -> int:
        return self._count
