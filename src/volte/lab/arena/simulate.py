"""A simulation: cut into chunks that are played, by one process or many, and added up."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from functools import partial
from time import monotonic
from typing import Final

from volte.kernel import play_deals, play_matches, unavailable, warm_up
from volte.kernel.startup import NOTICE
from volte.lab.arena import readable
from volte.lab.arena.pools import Work, cores, shared
from volte.lab.arena.request import EngineKind, Request, chosen_engine, policies
from volte.lab.arena.statistics import SimulationResult, deals_counted, matches_counted
from volte.lab.seeded import RANDOM
from volte.rules import EndKind, Ruleset

Progress = Callable[[int, int], None]

Part = tuple[range, SimulationResult]
"""A chunk and its results."""

MEANWHILE: Final = 2.0
"""Seconds that the readable engine plays before the simulation waits for the kernel."""


def simulate(
    request: Request,
    *,
    processes: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> SimulationResult:
    """Play the request; the results are the same however the work is shared.

    Where either engine may serve, the readable one plays while the kernel is being compiled, so
    that small requests need not wait; it plays everything if the kernel cannot be compiled.

    Args:
        processes: number of processes that share the work; without, one for each core.
        cluster: the address of a Dask scheduler, whose workers share it instead.
        progress: called after each part, with the deals or matches done, and their number in all.

    Raises `VolteError`: see `chosen_engine`, `in_processes` and `on_cluster`.
    """
    engine, _ = chosen_engine(request)
    meanwhile = (
        request.engine is EngineKind.AUTO and engine is EngineKind.KERNEL and cluster is None
    )
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
            request = request.served_by(EngineKind.READABLE)
    chunks, compiled = chunks_of(request, played), request.engine is EngineKind.KERNEL
    if compiled and processes > 1 and len(chunks) > 1 and cluster is None:
        # Leaves compiled code in the cache, or every process would compile it for itself.
        first = chunks.pop(0)
        yield first, play_chunk(request, first)
    yield from shared(Work(partial(play_chunk, request), chunks), processes, cluster)


def _until_compiled(request: Request) -> Generator[Part]:
    """The parts that the readable engine plays while the kernel is fetched, if that takes long.

    It does so for a short while only: the two slow each other down.
    """
    readable, begun = request.served_by(EngineKind.READABLE), monotonic()
    fetching = warm_up(code_needed(request))
    for chunk in _cut(range(request.games), _games_in_a_chunk(readable)):
        if not fetching.is_alive() or monotonic() - begun > MEANWHILE:
            break
        yield chunk, play_chunk(readable, chunk)
    else:
        return
    with NOTICE.awaited():
        fetching.join()


RANDOM_DEALS: Final = 400_000

KERNEL_DEALS: Final = 10_000

READABLE_DEALS: Final = 20
"""Deals of a chunk that takes a fraction of a second: at random in the kernel, with other players
in the kernel, and in the readable engine."""

MOST_CHUNKS: Final = 10_000
"""Most chunks of a simulation."""


def chunks_of(request: Request, first: int = 0) -> list[range]:
    """The numbers of the deals or matches of each chunk, in order.

    Args:
        request: with its engine chosen.
        first: number of the first that is still to be played.
    """
    size = max(_games_in_a_chunk(request), -(-request.games // MOST_CHUNKS))
    return list(_cut(range(first, request.games), size))


def _cut(numbers: range, size: int) -> Iterator[range]:
    return (numbers[start : start + size] for start in range(0, len(numbers), size))


def _games_in_a_chunk(request: Request) -> int:
    if request.engine is EngineKind.READABLE:
        deals = READABLE_DEALS
    else:
        deals = RANDOM_DEALS if set(request.seats) == {RANDOM} else KERNEL_DEALS
    return max(1, deals // deals_in_a_match(request.rules)) if request.whole_matches else deals


def deals_in_a_match(rules: Ruleset) -> int:
    """Deals in a match, an estimate on the high side: as if all seats got the same points."""
    end = rules.ending.match_end
    if end.kind is EndKind.DEALS:
        return end.number
    return end.number * rules.players // sum(rules.values.values()) + 1


def code_needed(request: Request) -> str:
    """The compiled code that plays the request; see `volte.kernel.startup.code`."""
    return (
        "playing.deals_to_end"
        if request.whole_matches or set(request.seats) != {RANDOM}
        else "random.random_deals"
    )


def play_chunk(request: Request, numbers: range) -> SimulationResult:
    """The results of those deals or matches. This function runs in other processes.

    Args:
        request: with its engine chosen.
    """
    first, count = numbers.start, len(numbers)
    if request.whole_matches:
        if request.engine is EngineKind.KERNEL:
            played = play_matches(
                request.rules, request.seed, count, policies(request), first=first
            )
        else:
            played = readable.matches(request, numbers)
        return matches_counted(request, first, played)
    if request.engine is EngineKind.KERNEL:
        outcomes = play_deals(request.rules, request.seed, count, policies(request), first=first)
    else:
        outcomes = readable.deals(request, numbers)
    return deals_counted(request, first, outcomes)
