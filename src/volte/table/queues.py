"""Queues in which nobody gets more turns by asking for more."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")

Path = tuple[Hashable, ...]
"""Owner of something that waits: `(table,)`, or `(address, person)`."""


class FairQueue(Generic[Item]):
    """A queue in which owners take turns, and so do owners within an owner; the items of one owner
    come out in order.

    >>> line = FairQueue[str]()
    >>> for item in "aa1", "aa2", "aa3", "ab1", "ba1":
    ...     line.put(tuple(item[:2]), item)  # a path such as `("a", "b")`
    >>> [line.take() for _ in range(len(line))]
    ['aa1', 'ba1', 'ab1', 'aa2', 'aa3']
    """

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._owners: dict[Hashable, FairQueue[Item]] = {}
        self._count = 0

    def put(self, path: Path, item: Item) -> None:
        """Adds an item behind all others of that path."""
        self._count += 1
        if path:
            self._owners.setdefault(path[0], FairQueue()).put(path[1:], item)
        else:
            self._items.append(item)

    def take(self, owner: Hashable = None) -> Item:
        """Removes and returns the next item, of that owner if named. There must be an item."""
        self._count -= 1
        if self._items:
            return self._items.popleft()
        owner = next(iter(self._owners)) if owner is None else owner
        queue = self._owners.pop(owner)
        item = queue.take()
        if queue:
            self._owners[owner] = queue  # behind everybody else
        return item

    def drop(self, path: Path, item: Item) -> bool:
        """Removes an item out of turn. True if it was there."""
        if path:
            queue = self._owners.get(path[0])
            if queue is None or not queue.drop(path[1:], item):
                return False
            if not queue:
                del self._owners[path[0]]
        elif item in self._items:
            self._items.remove(item)
        else:
            return False
        self._count -= 1
        return True

    @property
    def longest(self) -> Path:
        """The path of the owner with most items, at every level of the queue."""
        if not self._owners:
            return ()
        owner = max(self._owners, key=lambda each: len(self._owners[each]))
        return owner, *self._owners[owner].longest

    def last(self, path: Path) -> Item:
        """The last item of a path. There must be an item."""
        return self._owners[path[0]].last(path[1:]) if path else self._items[-1]

    def waiting(self, path: Path) -> int:
        """The number of items of a path, and of all paths below it."""
        queue = self._owners.get(path[0]) if path else self
        return 0 if queue is None else queue.waiting(path[1:]) if path else self._count

    def __iter__(self) -> Iterator[Hashable]:
        """The owners, in the order of their turns."""
        return iter(self._owners)

    def __len__(self) -> int:
        return self._count
