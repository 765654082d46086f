"""A simulation: cut into chunks, played here or elsewhere, and added up."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial

from volte.arena.chunks import chunks_of, play_chunk
from volte.arena.cluster import play_on_cluster
from volte.arena.elsewhere import Part, from_a_thread
from volte.arena.processes import cores, play_in_processes
from volte.arena.request import Engine, Request, chosen_engine
from volte.arena.statistics import Statistics

Progress = Callable[[int, int], None]


def simulate(
    request: Request,
    *,
    processes: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Statistics:
    """Plays what is asked for, and says what came of it: the same however the work is shared.

    Args:
        processes: how many share the work; without, one for each core.
        cluster: the address of a Dask scheduler, whose workers share it instead.
        progress: told, after each part, how many deals or matches are done, out of how many.

    Raises `Fault`: see `chosen_engine`, `play_in_processes` and `play_on_cluster`.
    """
    engine, _ = chosen_engine(request)
    request = request.served_by(engine)
    total, done = None, 0
    with closing(_parts(request, processes or cores(), cluster)) as parts:
        for chunk, part in parts:
            total = part if total is None else total + part
            done += len(chunk)
            if progress is not None:
                progress(done, request.games)
    assert total is not None
    return total


def _parts(request: Request, processes: int, cluster: str | None) -> Generator[Part]:
    chunks = chunks_of(request)
    if cluster is not None:
        yield from from_a_thread(partial(play_on_cluster, request, chunks, cluster))
        return
    if processes > 1 and len(chunks) > 1 and request.engine is Engine.KERNEL:
        # Leaves compiled code in the cache, or every process would compile it for itself.
        first = chunks.pop(0)
        yield first, play_chunk(request, first)
    if processes > 1 and len(chunks) > 1:
        yield from from_a_thread(partial(play_in_processes, request, chunks, processes))
        return
    for chunk in chunks:
        yield chunk, play_chunk(request, chunk)
