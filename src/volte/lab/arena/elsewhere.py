"""Work that is done elsewhere, chunk by chunk, and the thread that waits for it.

Ctrl-C is raised in the main thread, wherever that happens to be. Had it just taken a lock of a
pool, the lock would stay taken, and the program would wait for ever where it should end. So pools
are used in a thread, and the main thread waits at a queue, where it holds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, Generic, Protocol, TypeVar

Chunk = TypeVar("Chunk")
Came = TypeVar("Came")


@dataclass(frozen=True)
class Work(Generic[Chunk, Came]):
    """What is to be done.

    Attributes:
        do: what comes of a chunk; it is called elsewhere.
        chunks: each of them once.
        wanted: whether a chunk is still to be done, asked when its turn has come.
        ahead: how many are given out before their turn, for each that is worked on at a time; None
            for all.
    """

    do: Callable[[Chunk], Came]
    chunks: Sequence[Chunk]
    wanted: Callable[[Chunk], bool] = lambda _: True
    ahead: int | None = None


class Asked(Protocol):
    """A chunk that is being done: a future of `concurrent.futures`, or of Dask."""

    def add_done_callback(self, tell: Callable[[Any], None], /) -> object:
        """Tells when it is done, or never will be."""

    def result(self) -> Any: ...


Submit = Callable[[Callable[[Chunk], Any], Chunk], Asked]

News = SimpleQueue[Asked | None]
"""What is done; None when nobody wants the rest."""

GLANCE: Final = 0.2
"""Seconds after which a wait begins anew: where it has no end, Windows tells of no Ctrl-C."""


class Unwanted(Exception):
    """Nobody wants the rest."""


def from_a_thread(play: Callable[[News], Iterator[Came]]) -> Generator[Came]:
    """What `play` yields, in a thread of its own. Whatever it raises is raised here.

    Whoever closes the generator, or is interrupted, has it told on its news, and waits for its end.
    """
    news: News = SimpleQueue()
    parts: SimpleQueue[Came | BaseException | None] = SimpleQueue()

    def run() -> None:
        try:
            for part in play(news):
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
        news.put(None)
        thread.join()


def _next(parts: SimpleQueue[Came | BaseException | None]) -> Came | BaseException | None:
    while True:
        try:
            return parts.get(timeout=GLANCE)
        except Empty:
            continue


def done_by(
    submit: Submit[Chunk],
    work: Work[Chunk, Came],
    left: Sequence[Chunk],
    at_a_time: int,
    news: News,
) -> Iterator[tuple[Chunk, Came]]:
    """Each chunk that is left with what came of it there, as they are done. Raises `Unwanted`.

    Args:
        at_a_time: how many chunks are worked on together.
    """
    most = len(left) if work.ahead is None else at_a_time * (1 + work.ahead)
    asked: dict[Asked, Chunk] = {}
    waiting = iter(left)

    def ask() -> None:
        for chunk in waiting:
            if work.wanted(chunk):
                future = submit(work.do, chunk)
                asked[future] = chunk
                future.add_done_callback(news.put)
                return

    for _ in range(most):
        ask()
    while asked:
        done = news.get()
        if done is None:
            raise Unwanted
        if done in asked:  # not of a pool that was given up
            yield asked.pop(done), done.result()
            ask()
