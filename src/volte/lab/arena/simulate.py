"""A simulation: cut into chunks, played here or elsewhere, and added up."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from time import monotonic
from typing import Final

from volte.kernel import unavailable, warm_up
from volte.lab.arena.chunks import chunks_of, code_needed, play_chunk, small_chunks
from volte.lab.arena.cluster import on_cluster
from volte.lab.arena.elsewhere import Work, from_a_thread
from volte.lab.arena.processes import cores, in_processes
from volte.lab.arena.request import Engine, Request, chosen_engine
from volte.lab.arena.statistics import Statistics

Progress = Callable[[int, int], None]

Part = tuple[range, Statistics]
"""A chunk, and what came of it."""

MEANWHILE: Final = 2.0
"""Seconds that the readable engine plays before the kernel is waited for."""


def simulate(
    request: Request,
    *,
    processes: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Statistics:
    """Plays what is asked for, and says what came of it: the same however the work is shared.

    Where either engine may serve, the readable one plays while the kernel is being compiled, so
    that nobody waits for it who wants little, and all where it cannot be compiled.

    Args:
        processes: how many share the work; without, one for each core.
        cluster: the address of a Dask scheduler, whose workers share it instead.
        progress: told, after each part, how many deals or matches are done, out of how many.

    Raises `Fault`: see `chosen_engine`, `in_processes` and `on_cluster`.
    """
    engine, _ = chosen_engine(request)
    meanwhile = request.engine is Engine.AUTO and engine is Engine.KERNEL and cluster is None
    request = request.served_by(engine)
    total, done = None, 0
    with closing(_parts(request, meanwhile, processes or cores(), cluster)) as parts:
        for chunk, part in parts:
            total = part if total is None else total + part
            done += len(chunk)
            if progress is not None:
                progress(done, request.games)
    assert total is not None
    return total


def _parts(
    request: Request, meanwhile: bool, processes: int, cluster: str | None
) -> Generator[Part]:
    played = 0
    if meanwhile:
        for part in _until_compiled(request):
            yield part
            played = part[0].stop
        if unavailable(code_needed(request)):
            request = request.served_by(Engine.READABLE)
    chunks = chunks_of(request, played)
    if cluster is not None:
        work = Work(partial(play_chunk, request), chunks)
        yield from from_a_thread(partial(on_cluster, work, cluster))
        return
    if processes > 1 and len(chunks) > 1 and request.engine is Engine.KERNEL:
        # Leaves compiled code in the cache, or every process would compile it for itself.
        first = chunks.pop(0)
        yield first, play_chunk(request, first)
    if processes > 1 and len(chunks) > 1:
        work = Work(partial(play_chunk, request), chunks)
        yield from from_a_thread(partial(in_processes, work, processes))
        return
    for chunk in chunks:
        yield chunk, play_chunk(request, chunk)


def _until_compiled(request: Request) -> Generator[Part]:
    """What the readable engine plays while the kernel is being fetched, if that takes long.

    For a short while only: the two slow each other down.
    """
    readable, begun = request.served_by(Engine.READABLE), monotonic()
    fetching = warm_up(code_needed(request))
    for chunk in small_chunks(request):
        if not fetching.is_alive() or monotonic() - begun > MEANWHILE:
            break
        yield chunk, play_chunk(readable, chunk)
    else:
        return
    fetching.join()
