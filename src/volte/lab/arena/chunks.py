"""The parts that a simulation is cut into, and how each is played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from volte.kernel import play_deals, play_matches
from volte.lab.arena import readable
from volte.lab.arena.counting import deals_counted, matches_counted
from volte.lab.arena.dealing import RANDOM
from volte.lab.arena.request import Engine, Request, policies
from volte.lab.arena.statistics import Statistics
from volte.rules import EndKind, Ruleset

RANDOM_DEALS: Final = 400_000
KERNEL_DEALS: Final = 10_000
READABLE_DEALS: Final = 20
"""Deals of a chunk that takes a fraction of a second: at random in the kernel, with any other
player there, and in the readable engine."""

MOST_CHUNKS: Final = 10_000
"""Into which a simulation is cut."""


def chunks_of(request: Request, first: int = 0) -> list[range]:
    """The numbers of the deals or matches of each chunk, in order.

    Args:
        request: its engine is chosen.
        first: number of the first that is still to be played.
    """
    size = max(_games_in_a_chunk(request), -(-request.games // MOST_CHUNKS))
    return list(_cut(range(first, request.games), size))


def small_chunks(request: Request) -> Iterator[range]:
    """The same, each as short as the readable engine likes them, however many they are."""
    size = _games_in_a_chunk(request.served_by(Engine.READABLE))
    return _cut(range(request.games), size)


def _cut(numbers: range, size: int) -> Iterator[range]:
    return (numbers[start : start + size] for start in range(0, len(numbers), size))


def _games_in_a_chunk(request: Request) -> int:
    deals = _deals_in_a_chunk(request)
    return max(1, deals // deals_in_a_match(request.rules)) if request.whole_matches else deals


def _deals_in_a_chunk(request: Request) -> int:
    if request.engine is Engine.READABLE:
        return READABLE_DEALS
    return RANDOM_DEALS if set(request.seats) == {RANDOM} else KERNEL_DEALS


def deals_in_a_match(rules: Ruleset) -> int:
    """About how many, and rather too many: as if all seats got the same points."""
    end = rules.ending.match_end
    if end.kind is EndKind.DEALS:
        return end.number
    return end.number * rules.players // sum(rules.values.values()) + 1


def code_needed(request: Request) -> str:
    """The compiled code that plays it; see `volte.kernel.startup.code`."""
    return (
        "playing.deals_to_end"
        if request.whole_matches or set(request.seats) != {RANDOM}
        else "random.random_deals"
    )


def play_chunk(request: Request, numbers: range) -> Statistics:
    """What came of those deals or matches. This is what runs in other processes.

    Args:
        request: its engine is chosen.
    """
    first, count = numbers.start, len(numbers)
    if request.whole_matches:
        if request.engine is Engine.KERNEL:
            played = play_matches(
                request.rules, request.seed, count, policies(request), first=first
            )
        else:
            played = readable.matches(request, numbers)
        return matches_counted(request, first, played)
    if request.engine is Engine.KERNEL:
        outcomes = play_deals(request.rules, request.seed, count, policies(request), first=first)
    else:
        outcomes = readable.deals(request, numbers)
    return deals_counted(request, first, outcomes)
