"""Chunks of work done in several processes of this machine."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread
from typing import Any, Final

from volte.cards import Fault
from volte.lab.arena.elsewhere import Asked, Came, Chunk, News, Work, done_by

MOST_LOSSES: Final = 3
"""Pools that may break one after the other without a single chunk done."""

MOST_ON_WINDOWS: Final = 61
"""Processes that a pool can wait for there."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_processes(
    work: Work[Chunk, Came], processes: int, news: News
) -> Iterator[tuple[Chunk, Came]]:
    """Each chunk with what came of it, as they are done; for `from_a_thread`.

    Where a process is lost (killed, or out of memory), the chunks that were not done are done
    again in fresh ones. Raises `Fault` `processes_lost` when that does not help. Whatever ends the
    iteration early ends the processes as well.
    """
    left, losses = list(work.chunks), 0
    while left:
        try:
            count = min(processes, len(left))
            with _pool(count) as pool:
                submit = partial(_submit, pool)
                for chunk, part in done_by(submit, work, tuple(left), count, news):
                    left.remove(chunk)
                    losses = 0
                    yield chunk, part
            return
        except BrokenProcessPool:
            losses += 1
            if losses == MOST_LOSSES:
                raise Fault("processes_lost", times=losses) from None


def _submit(pool: ProcessPoolExecutor, *call: Any) -> Asked:
    """Raises `BrokenProcessPool` for whatever a process raises that is lost as it begins."""
    try:
        return pool.submit(*call)
    except Exception as error:
        raise BrokenProcessPool from error


class _Process(SpawnProcess):
    """Ctrl-C is for the parent: a process begins with it held back, and never hears of it."""

    def start(self) -> None:
        if sys.platform == "win32":
            super().start()
            return
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


class _Spawning(SpawnContext):
    """Starts processes afresh, which is safe beside threads, and knows them."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[_Process] = []

    def Process(self, *args: Any, **kwargs: Any) -> _Process:  # type: ignore[override]  # noqa: N802
        process = _Process(*args, **kwargs)
        self.started.append(process)
        return process


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """A pool that is gone at the end, at once where it ends early."""
    if sys.platform == "win32":
        processes = min(processes, MOST_ON_WINDOWS)
    context = _Spawning()
    pool = ProcessPoolExecutor(processes, context, initializer=_begin)
    try:
        yield pool
    except BaseException:
        for process in context.started:
            if process.pid is not None:  # else it could not begin
                process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """The first thing that a process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it could not be held back
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Leaves nobody behind who waits for work from a parent that was killed."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
