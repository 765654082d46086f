"""Chunks that are played elsewhere, and the thread that waits for them.

Ctrl-C is raised in the main thread, wherever that happens to be. Had it just taken a lock of a
pool, the lock would stay taken, and the program would wait for ever where it should end. So pools
are used in a thread, and the main thread waits at a queue, where it holds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, Protocol

from volte.arena.chunks import play_chunk
from volte.arena.request import Request
from volte.arena.statistics import Statistics

Part = tuple[range, Statistics]
"""A chunk, and what came of it."""


class Asked(Protocol):
    """A chunk that is being played: a future of `concurrent.futures`, or of Dask."""

    def add_done_callback(self, tell: Callable[[Any], None], /) -> object:
        """Tells when it is done, or never will be."""

    def result(self) -> Statistics: ...


Submit = Callable[[Callable[[Request, range], Statistics], Request, range], Asked]

News = SimpleQueue[Asked | None]
"""What is done; None when nobody wants the rest."""

GLANCE: Final = 0.2
"""Seconds after which a wait begins anew: where it has no end, Windows tells of no Ctrl-C."""


class Unwanted(Exception):
    """Nobody wants the rest."""


def from_a_thread(play: Callable[[News], Iterator[Part]]) -> Generator[Part]:
    """What `play` yields, in a thread of its own. Whatever it raises is raised here.

    Whoever closes the generator, or is interrupted, has it told on its news, and waits for its end.
    """
    news: News = SimpleQueue()
    parts: SimpleQueue[Part | BaseException | None] = SimpleQueue()

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


def _next(parts: SimpleQueue[Part | BaseException | None]) -> Part | BaseException | None:
    while True:
        try:
            return parts.get(timeout=GLANCE)
        except Empty:
            continue


def played_by(
    submit: Submit, request: Request, chunks: Sequence[range], news: News
) -> Iterator[Part]:
    """Each chunk with what came of it there, as they are done. Raises `Unwanted`."""
    asked: dict[Asked, range] = {}
    for chunk in chunks:
        future = submit(play_chunk, request, chunk)
        asked[future] = chunk
        future.add_done_callback(news.put)
    while asked:
        done = news.get()
        if done is None:
            raise Unwanted
        if done in asked:  # not of a pool that was given up
            yield asked.pop(done), done.result()
