"""Parts of one search on several threads: compiled code does without the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

Part = TypeVar("Part")


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "volte-search")


def spread(threads: int, work: Callable[[Part], None], parts: Iterable[Part]) -> None:
    """Does the work on every part, on so many threads. What it raises passes through."""
    if threads == 1:
        for part in parts:
            work(part)
    else:
        for _ in _pool(threads).map(work, parts):
            pass
