"""Work shared chunk by chunk among processes or the workers of a Dask cluster.

Ctrl-C is raised in the main thread, at any point. If that thread had just taken a lock of a pool,
the lock would stay taken, and the program would hang instead of ending. So pools are used in a
thread, and the main thread waits at a queue, where it holds no lock.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, Generic, Protocol, TypeVar

from volte.cards import VolteError
from volte.extras import missing

Chunk = TypeVar("Chunk")
Part = TypeVar("Part")


@dataclass(frozen=True)
class Work(Generic[Chunk, Part]):
    """Work that is cut into chunks, to be shared."""

    do: Callable[[Chunk], Part]  # does one chunk, in another process or on another machine
    chunks: Sequence[Chunk]  # without repeats
    # whether a chunk is still to be done, asked when its turn has come
    wanted: Callable[[Chunk], bool] = lambda _: True
    # chunks given out before their turn, for each one being worked on; None for all
    ahead: int | None = None


class Submitted(Protocol):
    """A chunk that is being done: a future of `concurrent.futures`, or of Dask."""

    def add_done_callback(self, tell: Callable[[Any], None], /) -> object:
        """Have a function called as soon as the chunk is done, has failed or is cancelled."""

    def result(self) -> Any: ...


Submit = Callable[[Callable[[Chunk], Any], Chunk], Submitted]

Finished = SimpleQueue[Submitted | None]
"""Futures that are done; None once the rest is no longer wanted."""

GLANCE: Final = 0.2
"""Seconds of one wait at the queue: in an endless one, Windows does not notice Ctrl-C."""


class Unwanted(Exception):
    """The rest of the work is no longer wanted."""


def from_a_thread(play: Callable[[Finished], Iterator[Part]]) -> Generator[Part]:
    """Run `play` in a thread of its own, and yield its parts; its exceptions are raised here.

    If the generator is closed or interrupted, `play` finds None among its futures; the end of the
    thread is waited for.
    """
    finished: Finished = SimpleQueue()
    parts: SimpleQueue[Part | BaseException | None] = SimpleQueue()

    def run() -> None:
        try:
            for part in play(finished):
                parts.put(part)
            parts.put(None)
        except BaseException as error:
            parts.put(error)

    thread = Thread(target=run, daemon=True)
    try:
        thread.start()
        while (part := _next(parts)) is not None:
            if isinstance(part, BaseException):
                raise part
            yield part
    finally:
        finished.put(None)
        thread.join()


def _next(parts: SimpleQueue[Part | BaseException | None]) -> Part | BaseException | None:
    while True:
        try:
            return parts.get(timeout=GLANCE)
        except Empty:
            continue


def done_by(
    submit: Submit[Chunk],
    work: Work[Chunk, Part],
    left: Sequence[Chunk],
    at_a_time: int,
    finished: Finished,
) -> Iterator[tuple[Chunk, Part]]:
    """Yield each chunk left and its result, in the order of completion. Raises `Unwanted`.

    Args:
        at_a_time: number of chunks worked on together.
    """
    most = len(left) if work.ahead is None else at_a_time * (1 + work.ahead)
    running: dict[Submitted, Chunk] = {}
    waiting = iter(left)

    def submit_next() -> None:
        for chunk in waiting:
            if work.wanted(chunk):
                future = submit(work.do, chunk)
                running[future] = chunk
                future.add_done_callback(finished.put)
                return

    for _ in range(most):
        submit_next()
    while running:
        done = finished.get()
        if done is None:
            raise Unwanted
        if done in running:  # not a future of a pool that was given up
            yield running.pop(done), done.result()
            submit_next()


def shared(
    work: Work[Chunk, Part], processes: int, cluster: str | None
) -> Iterator[tuple[Chunk, Part]]:
    """Yield each chunk and its result as they are done: on a cluster, in processes, or here."""
    if cluster is not None:
        yield from from_a_thread(partial(on_cluster, work, cluster))
    elif processes > 1 and len(work.chunks) > 1:
        yield from from_a_thread(partial(in_processes, work, processes))
    else:
        yield from ((chunk, work.do(chunk)) for chunk in work.chunks if work.wanted(chunk))


MOST_LOSSES: Final = 3
"""Pools that may break in a row without a single chunk done."""

MOST_ON_WINDOWS: Final = 61
"""Most processes that a pool can wait for on Windows."""


def cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_processes(
    work: Work[Chunk, Part], processes: int, finished: Finished
) -> Iterator[tuple[Chunk, Part]]:
    """Yield each chunk and its result as they are done; for `from_a_thread`.

    If a process is lost (killed, or out of memory), the unfinished chunks are done again in fresh
    ones. Raises `VolteError` `processes_lost` if that does not help. Anything that ends the
    iteration early ends the processes as well.
    """
    left, losses = list(work.chunks), 0
    while left:
        try:
            count = min(processes, len(left))
            with _pool(count) as pool:
                submit = partial(_submit, pool)
                for chunk, part in done_by(submit, work, tuple(left), count, finished):
                    left.remove(chunk)
                    losses = 0
                    yield chunk, part
            return
        except BrokenProcessPool:
            losses += 1
            if losses == MOST_LOSSES:
                raise VolteError("processes_lost", times=losses) from None


def _submit(pool: ProcessPoolExecutor, *call: Any) -> Submitted:
    """Submit a call. Raises `BrokenProcessPool` for any error of a process lost as it begins."""
    try:
        return pool.submit(*call)
    except Exception as error:
        raise BrokenProcessPool from error


class _Process(SpawnProcess):
    """A process that begins with Ctrl-C blocked, and never gets it: Ctrl-C is for the parent."""

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
    """Starts processes afresh, which is safe beside threads, and lists them."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[_Process] = []

    def Process(self, *args: Any, **kwargs: Any) -> _Process:  # type: ignore[override]  # noqa: N802
        process = _Process(*args, **kwargs)
        self.started.append(process)
        return process


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """A pool that is shut down at the end; its processes are killed if the end comes early."""
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # in case it could not be blocked
    logging.getLogger("volte.kernel").setLevel(logging.ERROR)  # its parent has logged it
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End the process when its parent was killed, instead of waiting for work for ever."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


PATIENCE: Final = 5
"""Seconds until a scheduler that does not answer counts as out of reach."""


def on_cluster(
    work: Work[Chunk, Part], address: str, finished: Finished
) -> Iterator[tuple[Chunk, Part]]:
    """Yield each chunk and its result as they are done; for `from_a_thread`.

    The scheduler gives the chunks of a lost worker to the others, and waits while there is none.

    Args:
        address: of the scheduler, as `tcp://192.0.2.1:8786`.

    Raises `VolteError` `needs_extra` where Dask is not installed, `cluster_unreachable`,
    `cluster_differs` where the scheduler or a worker has another version of Volte, and
    `cluster_lost` if the scheduler goes, or one worker after another is lost with a chunk.
    """
    try:
        dask: Any = import_module("distributed")
    except ImportError:
        raise missing("cluster") from None
    with _quiet(), _client(dask, address) as client:
        _check_versions(client, address)
        lost = (CancelledError, dask.comm.CommClosedError, dask.KilledWorker)
        try:
            submit = partial(client.submit, pure=False)
            yield from done_by(submit, work, work.chunks, sum(client.ncores().values()), finished)
        except lost:
            raise VolteError("cluster_lost", address=address) from None


def _client(dask: Any, address: str) -> Any:
    try:
        asyncio.run(asyncio.wait_for(_greet(dask, address), PATIENCE + 1))
        return dask.Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # errors of any kind, for an invalid address
        why = str(error) or "it does not answer"
        raise VolteError("cluster_unreachable", address=address, why=why) from None


async def _greet(dask: Any, address: str) -> None:
    """Connect once; unlike a client that cannot connect, this leaves nothing behind to complain."""
    secured = dask.Security().get_connection_args("client")
    connection = await dask.comm.connect(address, timeout=PATIENCE, **secured)
    await connection.close()


def _check_versions(client: Any, address: str) -> None:
    """Check all versions: workers without Volte would die one by one at their first chunk."""
    mine = version("volte")
    try:
        theirs = {client.run_on_scheduler(version, "volte")}
        theirs.update(client.run(version, "volte").values())
    except PackageNotFoundError:
        theirs = set()
    if theirs != {mine}:
        raise VolteError("cluster_differs", address=address, version=mine)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask, which reports lost connections at length; our `VolteError` does so too."""
    log = logging.getLogger("distributed.client")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)
