"""Memory for the latest values alone, where all of them would fill the process."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(OrderedDict[K, V]):
    """The values that were set last, by key: at most `most`; the others are forgotten.

    >>> seen = Recent[str, int](2)
    >>> seen["anne"], seen["paul"] = 1, 2
    >>> seen["anne"] = 3
    >>> seen["zoé"] = 4
    >>> list(seen)
    ['anne', 'zoé']
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)
