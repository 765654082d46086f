"""One search on several threads: compiled code does without the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise, starmap


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "volte-search")


def spread(threads: int, work: Callable[[slice], None], count: int, step: int = 1) -> None:
    """Does the work on so many rows, in one slice for each thread; what it raises passes through.

    The first slice is done here, since to wake a thread takes as long as to play ten deals out.

    Args:
        step: all slices begin at a multiple of it.
    """
    blocks = -(-count // step)
    shares = max(1, min(threads, blocks))
    ends = [min(blocks * share // shares * step, count) for share in range(shares + 1)]
    own, *others = starmap(slice, pairwise(ends))
    promised = [_pool(threads - 1).submit(work, other) for other in others]
    try:
        work(own)
    finally:
        wait(promised)
    for each in promised:
        each.result()
