"""Many deals at once: NumPy in, NumPy out.

The same seed gives the same deals, whatever the number of threads and however they are cut into
calls: deal number `i` (from 0) has a generator of its own, `SplitMix64(split(seed, i))`. It shuffles
the deck as `PlainChance` does, and then serves the random policies in the order of play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.fair import SplitMix64, split
from volte.kernel.check import check_deals, check_policies, check_range
from volte.kernel.layout import DEAL, OUTCOME, RANDOM, UNDEALT, Records
from volte.kernel.policy import RANDOM_POLICY, Policy, seated
from volte.kernel.startup import code
from volte.kernel.table import encode
from volte.rules import Ruleset

SLICE: Final = 4096
"""Deals that a thread takes at a time."""


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

    Returns `deals` rows of `OUTCOME`. Raises `KernelFault`.
    """
    check_range("seed", seed, 0, 2**64 - 1)
    check_range("deals", deals, 0, 2**40)
    check_range("first", first, 0, 2**62)
    check_range("threads", threads, 1, 1024)
    check_policies(rules, policies)
    table = encode(rules)
    outcomes = np.zeros(deals, OUTCOME)
    word = np.uint64(seed)
    if all(policy.code == RANDOM for policy in policies):
        random_deals = code("random").random_deals

        def play(start: int, stop: int) -> None:
            random_deals(table, word, first + start, np.zeros(1, DEAL), outcomes[start:stop])
    else:
        deals_from_seed, seats = code("playing").deals_from_seed, seated(policies)

        def play(start: int, stop: int) -> None:
            scratch = np.zeros(1, DEAL)
            deals_from_seed(table, seats, word, first + start, scratch, outcomes[start:stop])

    _share(play, deals, threads)
    return outcomes


def play_on(
    rules: Ruleset, deals: Records, policies: Sequence[Policy] = (), *, threads: int = 1
) -> Records:
    """Plays deals to their end from wherever they stand.

    Args:
        deals: rows of `DEAL`, which are left as they are. `volte.kernel.position` makes them.
        policies: one per seat; without, everybody plays at random.

    Returns a row of `OUTCOME` for each. Raises `KernelFault` where a position breaks the rules.
    """
    check_range("threads", threads, 1, 1024)
    check_policies(rules, policies)
    check_deals(rules, deals)
    return _play_on(rules, deals.copy(), policies, threads)


def _play_on(
    rules: Ruleset, deals: Records, policies: Sequence[Policy], threads: int
) -> Records:
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
        totals: `int64[matches, players]`.
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
    """Plays whole matches (E1, E2); the deal goes to the left (D2).

    Match number `m` has the seed `split(seed, m)`: its stream 0 draws the first dealer, its stream
    `d` is the generator of deal `d`, from 1. The other arguments are those of `play_deals`, with
    matches for deals.
    """
    check_range("seed", seed, 0, 2**64 - 1)
    check_range("matches", matches, 0, 2**32)
    check_range("first", first, 0, 2**62)
    check_range("threads", threads, 1, 1024)
    check_policies(rules, policies)
    table = encode(rules)[0]
    seeds = [split(seed, first + match) for match in range(matches)]
    dealers = np.array([SplitMix64(split(word, 0)).below(rules.players) for word in seeds], int)
    totals = np.zeros((matches, rules.players), np.int64)
    lengths = np.zeros(matches, np.int64)
    playing = np.arange(matches)
    played: list[Records] = []
    whose: list[NDArray[np.int64]] = []
    number = 0
    while len(playing):
        number += 1
        deals = np.zeros(len(playing), DEAL)
        deals["phase"] = UNDEALT
        deals["number"] = number
        deals["dealer"] = (dealers[playing] + number - 1) % rules.players
        deals["chance"] = [split(seeds[match], number) for match in playing]
        outcomes = _play_on(rules, deals, policies, threads)
        played.append(outcomes)
        whose.append(playing)
        totals[playing] += outcomes["points"][:, : rules.players]
        lengths[playing] = number
        if table["end_deals"]:
            over = np.full(len(playing), number >= table["end_deals"])
        else:
            over = totals[playing].max(axis=1) >= table["end_limit"]
        playing = playing[~over]
    if not played:
        return Matches(np.zeros(0, OUTCOME), lengths, totals)
    order = np.argsort(np.concatenate(whose), kind="stable")
    return Matches(np.concatenate(played)[order], lengths, totals)


def _share(play: Callable[[int, int], None], count: int, threads: int) -> None:
    """Calls `play` on slices of the whole, from as many threads."""
    slices = [(start, min(start + SLICE, count)) for start in range(0, count, SLICE)]
    if threads == 1 or len(slices) < 2:
        for start, stop in slices:
            play(start, stop)
        return
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(play, *each) for each in slices]:
            done.result()
