"""Many deals and matches at once: NumPy in, NumPy out.

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

from volte.cards import Card, cards_in
from volte.fair import SplitMix64
from volte.fair.chance import GAMMA
from volte.kernel import layout
from volte.kernel.encoding import (
    RANDOM_POLICY,
    Policy,
    check_deals,
    check_policies,
    check_range,
    encode,
    seated,
)
from volte.kernel.startup import code
from volte.rules import AtLimit, EndKind, Kitty, MoonRule, Ruleset, Settlement, SlamRule, Ties

SLICE: Final = 4096
"""Most deals that a thread takes at a time."""

TURNS: Final = 8
"""Slices for each thread, roughly, or more: so that all end at about the same time."""

MANY: Final = 16_384
"""Matches played side by side."""


def play_deals(
    rules: Ruleset,
    seed: int,
    deals: int,
    policies: Sequence[Policy] = (),
    *,
    first: int = 0,
    threads: int = 1,
) -> layout.Records:
    """Deal and play independent deals.

    Args:
        seed: 0 to 2**64 - 1.
        deals: number of deals.
        policies: one per seat; without, everybody plays at random.
        first: number of the first deal, from 0. Deal number `i` is dealt by seat `i % players`, and
            is passed as deal `i + 1` of a match.
        threads: number of threads that share the work without the interpreter's lock.

    A moon is put on the others where the rules leave that open: only a match can decide (W7).
    Returns `deals` rows of `OUTCOME`. Raises `KernelFault`.
    """
    seed = check_range("seed", seed, 0, 2**64 - 1)
    deals = check_range("deals", deals, 0, 2**40)
    first = check_range("first", first, 0, 2**62)
    threads = check_range("threads", threads, 1, 1024)
    check_policies(rules, policies)
    table = encode(rules)
    outcomes = np.zeros(deals, layout.OUTCOME)
    if all(policy.code == layout.RANDOM for policy in policies):
        random_deals, word = code("random.random_deals"), np.uint64(seed)

        def play(start: int, stop: int) -> None:
            random_deals(table, word, first + start, outcomes[start:stop])
    else:
        deals_to_end, seats = code("playing.deals_to_end"), seated(policies)

        def play(start: int, stop: int) -> None:
            rows = undealt(rules, seed, range(first + start, first + stop))
            deals_to_end(table, seats, rows, outcomes[start:stop])

    _share(play, deals, threads)
    return outcomes


def undealt(rules: Ruleset, seed: int, indices: range) -> layout.Records:
    """Deals of a seed, counted from 0, as rows of `DEAL` that `play_on` deals and plays."""
    rows = np.zeros(len(indices), layout.DEAL)
    index = np.array(indices, np.int64)
    rows["phase"] = layout.UNDEALT
    rows["number"] = index + 1
    rows["dealer"] = index % rules.players
    rows["chance"] = streams(np.full(len(index), seed, np.uint64), index.astype(np.uint64))
    return rows


def play_on(
    rules: Ruleset, deals: layout.Records, policies: Sequence[Policy] = (), *, threads: int = 1
) -> layout.Records:
    """Play deals to their end from wherever they stand.

    Args:
        deals: rows of `DEAL`, as `volte.kernel.position` makes them; they are left as they are.
        policies: one per seat; without, everybody plays at random.

    Returns a row of `OUTCOME` for each. Raises `KernelFault` where a position breaks the rules.
    """
    threads = check_range("threads", threads, 1, 1024)
    check_policies(rules, policies)
    return _play_on(rules, check_deals(rules, deals), policies, threads)


def _play_on(
    rules: Ruleset, deals: layout.Records, policies: Sequence[Policy], threads: int
) -> layout.Records:
    table = encode(rules)
    outcomes = np.zeros(len(deals), layout.OUTCOME)
    deals_to_end = code("playing.deals_to_end")
    seats = seated(policies or [RANDOM_POLICY] * rules.players)

    def play(start: int, stop: int) -> None:
        deals_to_end(table, seats, deals[start:stop], outcomes[start:stop])

    _share(play, len(deals), threads)
    return outcomes


def choices(
    rules: Ruleset, deals: layout.Records, policies: Sequence[Policy] = ()
) -> NDArray[np.uint64]:
    """The choice of the seat on turn in each of the positions.

    Args:
        deals: rows of `DEAL`, as `volte.kernel.position` makes them; they are left as they are.
        policies: one per seat; without, everybody plays at random.

    Returns `uint64[len(deals)]`: mask of the card to play, or of all the cards to pass, with those
    picked already; 0 where there is nothing to do. Raises `KernelFault` where a
    position breaks the rules.
    """
    check_policies(rules, policies)
    rows = check_deals(rules, deals)
    chosen = np.zeros(len(rows), np.uint64)
    seats = seated(policies or [RANDOM_POLICY] * rules.players)
    code("playing.choose")(encode(rules), seats, rows, chosen)
    return chosen


def solve(rules: Ruleset, deals: layout.Records) -> NDArray[np.int64]:
    """The points of each deal, if from here on every seat plays for the lowest margin.

    `volte.kernel.endgame` explains the margin, and which of equally good cards is played.

    Args:
        deals: rows of `DEAL` that are in play or over, with few cards left.

    A moon counts plus where the rules leave that open (W7). Returns `int64[len(deals), players]`.
    Raises `KernelFault` where a position breaks the rules, or more than `MOST_LEFT`
    cards are still to be played, or for rules that the search does not know.
    """
    rows = _check_endings(rules, deals)
    points = np.zeros((len(rows), rules.players), np.int64)
    code("endgame.solve_many")(encode(rules), rows, points)
    return points


def solve_cards(rules: Ruleset, deal: layout.Records) -> dict[Card, tuple[int, ...]]:
    """The points of a deal as in `solve`, behind each card that may be played now.

    Args:
        deal: one row; where it is over there is no card. Raises `KernelFault` as `solve` does.
    """
    rows = _check_endings(rules, deal)
    if len(rows) != 1:
        raise layout.KernelFault("kernel_range", name="len(deal)", value=len(rows), least=1, most=1)
    if rows["phase"][0] == layout.OVER:
        return {}
    points = np.zeros((layout.MOST_CARDS, rules.players), np.int64)
    legal = code("endgame.solve_cards")(encode(rules), rows, points)
    return {card: tuple(points[card.index].tolist()) for card in cards_in(int(legal))}


def _check_endings(rules: Ruleset, deals: layout.Records) -> layout.Records:
    """A copy of the rows, each of them a position with few enough cards."""
    rows = check_deals(rules, deals)
    _check_known(rules)
    left = np.bitwise_count(rows["hands"][:, : rules.players]).sum(axis=1, dtype=np.int64)
    for row in np.flatnonzero((rows["phase"] != layout.PLAYING) & (rows["phase"] != layout.OVER)):
        raise layout.KernelFault("kernel_not_playing", row=int(row))
    for row in np.flatnonzero(left > layout.MOST_LEFT):
        raise layout.KernelFault(
            "kernel_too_early", row=int(row), left=int(left[row]), most=layout.MOST_LEFT
        )
    return rows


def _check_known(rules: Ruleset) -> None:
    """Raise `KernelFault` for rules that the search does not know: `endgame.can_solve`."""
    kitty = rules.deck.kitty if rules.kitty_size else Kitty.FIRST_TRICK
    if rules.sides.partners > 1:
        raise layout.KernelFault("kernel_option", option="partners", value=rules.sides.partners)
    if rules.points.no_tricks:
        raise layout.KernelFault("kernel_option", option="no_tricks", value=rules.points.no_tricks)
    if kitty is not Kitty.FIRST_TRICK:
        raise layout.KernelFault("kernel_option", option="kitty", value=str(kitty))


def _share(play: Callable[[int, int], None], count: int, threads: int) -> None:
    """Call `play` on slices of the whole, from as many threads."""
    size = min(SLICE, count // (threads * TURNS) + 1)
    slices = [(start, min(start + size, count)) for start in range(0, count, size)]
    if threads == 1 or len(slices) < 2:
        for start, stop in slices:
            play(start, stop)
        return
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(play, *each) for each in slices]:
            done.result()


_SHIFTS: Final = (np.uint64(30), np.uint64(27), np.uint64(31))
_FACTORS: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def streams(seeds: NDArray[np.uint64], indices: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The seed of each stream: `split(seed, index)`, number by number.

    >>> from volte.fair import split
    >>> words = np.array([7, 8], np.uint64)
    >>> streams(words, words).tolist() == [split(7, 7), split(8, 8)]
    True
    """
    z: NDArray[np.uint64] = seeds + (indices + np.uint64(1)) * np.uint64(GAMMA)
    z = (z ^ (z >> _SHIFTS[0])) * _FACTORS[0]
    z = (z ^ (z >> _SHIFTS[1])) * _FACTORS[1]
    return z ^ (z >> _SHIFTS[2])


# Matches


class Matches(NamedTuple):
    """Matches that have been played."""

    outcomes: layout.Records  # rows of `OUTCOME`, match after match, deal after deal
    lengths: NDArray[np.int64]  # `[matches]`, deals of each match
    totals: NDArray[np.int64]  # `[matches, players]`, sums of points unless halved (W9)


def play_matches(
    rules: Ruleset,
    seed: int,
    matches: int,
    policies: Sequence[Policy] = (),
    *,
    first: int = 0,
    threads: int = 1,
) -> Matches:
    """Play whole matches (E1, E2, W9); the deal goes to the left (D2).

    A moon that its shooter may count in either way is counted as bots do it (W7); see
    `count_moons`.

    Match number `m` has the seed `split(seed, m)`: its stream 0 draws the first dealer, its stream
    `d` is the generator of deal `d`, from 1. The other arguments are those of `play_deals`, with
    matches for deals.
    """
    seed = check_range("seed", seed, 0, 2**64 - 1)
    matches = check_range("matches", matches, 0, 2**32)
    first = check_range("first", first, 0, 2**62)
    threads = check_range("threads", threads, 1, 1024)
    check_policies(rules, policies)

    def play(deals: layout.Records) -> layout.Records:
        return _play_on(rules, deals, policies, threads)

    parts = [
        _some_matches(rules, seed, range(start, min(start + MANY, first + matches)), play)
        for start in range(first, first + matches, MANY)
    ]
    parts.append(_some_matches(rules, seed, range(0), play))
    return Matches(*(np.concatenate(fields) for fields in zip(*parts, strict=True)))


def _some_matches(
    rules: Ruleset, seed: int, numbers: range, play: Callable[[layout.Records], layout.Records]
) -> Matches:
    """Matches side by side: one deal of each, then the next deal of the unfinished ones."""
    seeds = streams(np.full(len(numbers), seed, np.uint64), np.array(numbers, np.uint64))
    draws = streams(seeds, np.zeros_like(seeds))
    dealers = np.array([SplitMix64(int(word)).below(rules.players) for word in draws], np.int64)
    totals = np.zeros((len(numbers), rules.players), np.int64)
    lengths = np.zeros(len(numbers), np.int64)
    played, whose = [np.zeros(0, layout.OUTCOME)], [np.zeros(0, np.int64)]
    playing = np.arange(len(numbers))
    while len(playing):
        number = len(played)
        deals = np.zeros(len(playing), layout.DEAL)
        deals["phase"] = layout.UNDEALT
        deals["number"] = number
        deals["dealer"] = (dealers[playing] + number - 1) % rules.players
        deals["totals"][:, : rules.players] = totals[playing]
        deals["ending_total"] = rules.ending_total
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


Totals = NDArray[np.int64]
"""Totals of each seat in each match: `int64[matches, players]`."""

_OPEN: Final = (MoonRule.SHOOTER_CHOOSES, MoonRule.PLUS_UNLESS_LOST)


class Standings(NamedTuple):
    """Matches, each after the same number of deals."""

    totals: Totals  # with the fall back to half (W9)
    over: NDArray[np.bool_]  # `[matches]` (E1, E2, W9)
    won: NDArray[np.bool_]  # `[matches, players]`, whether the seat is in front, or has won


def standings(rules: Ruleset, deals: int, before: Totals, outcomes: layout.Records) -> Standings:
    """Standings of matches after one more deal: `volte.rules.scoring` in NumPy.

    Args:
        deals: number of deals played, with this one.
        before: the totals without it.
        outcomes: this deal of each match.
    """
    points = outcomes["points"][:, : rules.players].astype(np.int64)
    return _after(rules, deals, before + points, outcomes["moon"])


def count_moons(rules: Ruleset, deals: int, before: Totals, outcomes: layout.Records) -> None:
    """Take moons off their shooters where the rules leave that open and it is wanted (W7).

    With a moon taken off its shooter, every seat has as much less than with the moon put on the
    others. So deals are always played for the latter, and the match corrects them here.
    A shooter who may choose does so by `volte.bots.protocol.takes_off`. The arguments are those of
    `standings`; `outcomes` are changed.
    """
    if rules.moon.moon not in _OPEN:
        return
    doubled = outcomes["slam"] if rules.moon.slam is SlamRule.DOUBLE else np.int8(-1)
    rows = np.flatnonzero((outcomes["moon"] >= 0) | (doubled >= 0))
    some = outcomes[rows]
    slams = some["slam"] >= 0
    seats = np.where(slams, some["slam"], some["moon"]).astype(np.int64)
    less = np.where(slams, 2, 1) * rules.penalty_total
    plus = before[rows] + some["points"][:, : rules.players]
    minus = plus - less[:, np.newaxis]
    on, off = (_after(rules, deals, sums, some["moon"]) for sums in (plus, minus))
    if rules.moon.moon is MoonRule.PLUS_UNLESS_LOST:
        wanted = _outcome(on, seats) == 0
    else:
        wanted = _takes_off(rules, on, off, seats)
    chosen = rows[wanted]
    outcomes["points"][chosen, : rules.players] -= less[wanted, np.newaxis].astype(np.int32)
    outcomes["minus"][chosen] = 1


def _after(rules: Ruleset, deals: int, sums: Totals, moons: NDArray[np.int8]) -> Standings:
    end, ending = rules.ending.match_end, rules.ending
    limited = end.kind is EndKind.LIMIT
    if limited and ending.at_limit is AtLimit.HALVES:
        sums = np.where(sums == end.number, end.number // 2, sums)
    won = sums == sums.min(axis=1, keepdims=True)
    if not limited and end.number == deals == 1:  # the shooter of the moon wins (E1)
        sides = len(rules.all_sides)
        shot = np.arange(rules.players) % sides == moons[:, np.newaxis] % sides
        won = np.where(moons[:, np.newaxis] >= 0, shot, won)
    over = sums.max(axis=1) >= end.number if limited else np.full(len(sums), deals >= end.number)
    if ending.ties is Ties.PLAY_ON:
        over &= won.sum(axis=1) == rules.sides.partners
    return Standings(sums, over, won)


def _outcome(after: Standings, seats: NDArray[np.int64]) -> NDArray[np.int64]:
    """Result for a seat: 2 it has won, 1 the match goes on, 0 it has lost."""
    won = after.won[np.arange(len(seats)), seats]
    return np.where(after.over, np.where(won, 2, 0), 1)


def _takes_off(
    rules: Ruleset, on: Standings, off: Standings, seats: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether each shooter does best to take the moon off: `volte.bots.protocol.takes_off`."""
    rows = np.arange(len(seats))
    ahead_on, ahead_off = (
        each.totals.sum(axis=1) - rules.players * each.totals[rows, seats] for each in (on, off)
    )
    better = np.sign(_outcome(off, seats) - _outcome(on, seats))
    better = np.where(better == 0, np.sign(ahead_off - ahead_on), better)
    behind = on.totals[rows, seats] > on.totals.min(axis=1)
    alike = behind & (rules.stakes.settlement is not Settlement.POT)
    wanted: NDArray[np.bool_] = np.where(better == 0, alike, better > 0)
    return wanted
