"""Many deals at once: NumPy in, NumPy out.

The same seed gives the same deals, whatever the number of threads and however they are cut into
calls: deal number `i` (from 0) has a generator of its own, `SplitMix64(split(seed, i))`. It
shuffles the deck as `PlainChance` does, and then serves the random policies in the order of play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.fair import SplitMix64
from volte.kernel.check import check_deals, check_policies, check_range
from volte.kernel.layout import DEAL, OUTCOME, RANDOM, UNDEALT, Records
from volte.kernel.policy import RANDOM_POLICY, Policy, seated
from volte.kernel.standings import count_moons, standings
from volte.kernel.startup import code
from volte.kernel.streams import streams
from volte.kernel.table import encode
from volte.rules import Ruleset

SLICE: Final = 4096
"""Deals that a thread takes at a time, at most."""

TURNS: Final = 8
"""Times that each thread comes back for more, at least, so that all end at about the same time."""

MANY: Final = 16_384
"""Matches that are played side by side."""


def play_deals(
    rules: Ruleset,
    seed: int,
    deals: int,
    policies: Sequence[Policy] = (),
    *,
    first: int = 0,
    threads: int = 1,
) -> Records:
    """Deals and plays; deals are independent of each other.

    Args:
        seed: 0 to 2**64 - 1.
        deals: how many.
        policies: one per seat; without, everybody plays at random.
        first: number of the first deal, from 0. Deal number `i` is dealt by seat `i % players`, and
            is passed as deal `i + 1` of a match.
        threads: how many share the work, none of them holding the interpreter's lock.

    A moon is put on the others where the rules leave that open: it is for a match to tell (W7).
    Returns `deals` rows of `OUTCOME`. Raises `KernelFault`.
    """
    seed = check_range("seed", seed, 0, 2**64 - 1)
    deals = check_range("deals", deals, 0, 2**40)
    first = check_range("first", first, 0, 2**62)
    threads = check_range("threads", threads, 1, 1024)
    check_policies(rules, policies)
    table = encode(rules)
    outcomes = np.zeros(deals, OUTCOME)
    if all(policy.code == RANDOM for policy in policies):
        random_deals, word = code("random").random_deals, np.uint64(seed)

        def play(start: int, stop: int) -> None:
            random_deals(table, word, first + start, outcomes[start:stop])
    else:
        deals_to_end, seats = code("playing").deals_to_end, seated(policies)

        def play(start: int, stop: int) -> None:
            rows = undealt(rules, seed, range(first + start, first + stop))
            deals_to_end(table, seats, rows, outcomes[start:stop])

    _share(play, deals, threads)
    return outcomes


def undealt(rules: Ruleset, seed: int, indices: range) -> Records:
    """Those deals of a seed, counted from 0, as rows of `DEAL` that `play_on` deals and plays."""
    rows = np.zeros(len(indices), DEAL)
    index = np.array(indices, np.int64)
    rows["phase"] = UNDEALT
    rows["number"] = index + 1
    rows["dealer"] = index % rules.players
    rows["chance"] = streams(np.full(len(index), seed, np.uint64), index.astype(np.uint64))
    return rows


def play_on(
    rules: Ruleset, deals: Records, policies: Sequence[Policy] = (), *, threads: int = 1
) -> Records:
    """Plays deals to their end from wherever they stand.

    Args:
        deals: rows of `DEAL`, which are left as they are. `volte.kernel.position` makes them.
        policies: one per seat; without, everybody plays at random.

    Returns a row of `OUTCOME` for each. Raises `KernelFault` where a position breaks the rules.
    """
    threads = check_range("threads", threads, 1, 1024)
    check_policies(rules, policies)
    return _play_on(rules, check_deals(rules, deals), policies, threads)


def _play_on(rules: Ruleset, deals: Records, policies: Sequence[Policy], threads: int) -> Records:
    table = encode(rules)
    outcomes = np.zeros(len(deals), OUTCOME)
    deals_to_end = code("playing").deals_to_end
    seats = seated(policies or [RANDOM_POLICY] * rules.players)

    def play(start: int, stop: int) -> None:
        deals_to_end(table, seats, deals[start:stop], outcomes[start:stop])

    _share(play, len(deals), threads)
    return outcomes


class Matches(NamedTuple):
    """Matches that have been played.

    Attributes:
        outcomes: rows of `OUTCOME`, match after match, deal after deal.
        lengths: `int64[matches]`, deals of each match.
        totals: `int64[matches, players]`; sums of points, where nothing has fallen back (W9).
    """

    outcomes: Records
    lengths: NDArray[np.int64]
    totals: NDArray[np.int64]


def play_matches(
    rules: Ruleset,
    seed: int,
    matches: int,
    policies: Sequence[Policy] = (),
    *,
    first: int = 0,
    threads: int = 1,
) -> Matches:
    """Plays whole matches (E1, E2, W9); the deal goes to the left (D2).

    A moon that its shooter may count in either way is counted as bots do it (W7), see
    `volte.kernel.standings`.

    Match number `m` has the seed `split(seed, m)`: its stream 0 draws the first dealer, its stream
    `d` is the generator of deal `d`, from 1. The other arguments are those of `play_deals`, with
    matches for deals.
    """
    seed = check_range("seed", seed, 0, 2**64 - 1)
    matches = check_range("matches", matches, 0, 2**32)
    first = check_range("first", first, 0, 2**62)
    threads = check_range("threads", threads, 1, 1024)
    check_policies(rules, policies)

    def play(deals: Records) -> Records:
        return _play_on(rules, deals, policies, threads)

    parts = [
        _some_matches(rules, seed, range(start, min(start + MANY, first + matches)), play)
        for start in range(first, first + matches, MANY)
    ]
    parts.append(_some_matches(rules, seed, range(0), play))
    return Matches(*(np.concatenate(fields) for fields in zip(*parts, strict=True)))


def _some_matches(
    rules: Ruleset, seed: int, numbers: range, play: Callable[[Records], Records]
) -> Matches:
    """Those matches, side by side: one deal of each, then the next of those that go on."""
    seeds = streams(np.full(len(numbers), seed, np.uint64), np.array(numbers, np.uint64))
    draws = streams(seeds, np.zeros_like(seeds))
    dealers = np.array([SplitMix64(int(word)).below(rules.players) for word in draws], np.int64)
    totals = np.zeros((len(numbers), rules.players), np.int64)
    lengths = np.zeros(len(numbers), np.int64)
    played, whose = [np.zeros(0, OUTCOME)], [np.zeros(0, np.int64)]
    playing = np.arange(len(numbers))
    while len(playing):
        number = len(played)
        deals = np.zeros(len(playing), DEAL)
        deals["phase"] = UNDEALT
        deals["number"] = number
        deals["dealer"] = (dealers[playing] + number - 1) % rules.players
        deals["chance"] = streams(seeds[playing], np.full(len(playing), number, np.uint64))
        outcomes = play(deals)
        count_moons(rules, number, totals[playing], outcomes)
        played.append(outcomes)
        whose.append(playing)
        stand = standings(rules, number, totals[playing], outcomes)
        totals[playing] = stand.totals
        lengths[playing] = number
        playing = playing[~stand.over]
    order = np.argsort(np.concatenate(whose), kind="stable")
    return Matches(np.concatenate(played)[order], lengths, totals)


def _share(play: Callable[[int, int], None], count: int, threads: int) -> None:
    """Calls `play` on slices of the whole, from as many threads."""
    size = min(SLICE, count // (threads * TURNS) + 1)
    slices = [(start, min(start + size, count)) for start in range(0, count, size)]
    if threads == 1 or len(slices) < 2:
        for start, stop in slices:
            play(start, stop)
        return
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(play, *each) for each in slices]:
            done.result()
