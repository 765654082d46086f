"""Chunks that executors play, and a thread that waits for them.

Ctrl-C is raised in the main thread, wherever that happens to be. Had it just taken a lock of an
executor, the lock would stay taken, and the program would wait for ever where it should end. So
executors are used in a thread, and the main thread waits at a queue, where nothing can be caught.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

from volte.arena.chunks import play_chunk
from volte.arena.request import Request
from volte.arena.statistics import Statistics

Part = tuple[range, Statistics]
"""A chunk, and what came of it."""

News = SimpleQueue[Future[Statistics] | None]
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
    executor: Executor, request: Request, chunks: Sequence[range], news: News
) -> Iterator[Part]:
    """Each chunk with what came of it there, as they are done. Raises `Unwanted`."""
    asked: dict[Future[Statistics], range] = {}
    for chunk in chunks:
        future = executor.submit(play_chunk, request, chunk)
        asked[future] = chunk
        future.add_done_callback(news.put)
    while asked:
        done = news.get()
        if done is None:
            raise Unwanted
        if done in asked:  # not of an executor that was given up
            yield asked.pop(done), done.result()
