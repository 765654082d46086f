"""A day of a million accounts, and a million people at tables, line by line; see `scale.py`."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, exp
from typing import Final

import msgspec
import numpy as np
from msgspec.structs import replace

from benchmarks.assumed import ALONE, COMFORT, FOURS, SHARD, Known, play_us
from benchmarks.simulated import ON_A_MACHINE, Measured

SEARCHING: Final = 0.1
"""Of the bots, those that search."""

COMING: Final = 0.2
"""Of all accounts, those that come on a day."""

VISITS: Final = 1.5
"""Of each of them."""

STAYING: Final = 25.0
SPREAD: Final = 0.8
"""Minutes that half of the visits last at most, and how widely their logarithm spreads."""

LOOKED_UP: Final = 20
"""Rows of people, sessions and the like for a visit: two for each of some ten requests; assumed."""

PLAYS: Final = 52 * 8.5
"""Of a match of four: eight deals or nine to a hundred points."""

NIGHT: Final = (4, 2, 1, 1, 1, 2)
MORNING: Final = (4, 6, 8, 10, 12, 13)
AFTERNOON: Final = (15, 14, 13, 14, 16, 20)
EVENING: Final = (26, 32, 34, 30, 20, 10)
HOURS: Final = (*NIGHT, *MORNING, *AFTERNOON, *EVENING)
"""How many come in each hour of a day, in proportion: of one country, with its evening."""

DAY: Final = 86_400


class Today(msgspec.Struct, frozen=True):
    """A day of a million accounts.

    Attributes:
        peak: most people online.
        share: of that, the mean of the day.
        coming: people a second, in the busiest minute.
    """

    peak: int
    share: float
    coming: float
    visits: int


def today(seed: int, accounts: int = 1_000_000) -> Today:
    """Who is there, minute by minute; of the second of two days, so that it begins as it ends."""
    chance = np.random.default_rng(seed)
    hours = np.array(HOURS) / sum(HOURS)
    rates = np.tile(np.repeat(hours / 60, 60), 2) * accounts * COMING * VISITS
    coming = chance.poisson(rates)
    begins = np.repeat(np.arange(len(coming)), coming)
    stays = chance.lognormal(np.log(STAYING), SPREAD, len(begins))
    ends = np.minimum(begins + np.ceil(stays).astype(int), len(coming))
    online = np.cumsum(coming - np.bincount(ends, minlength=len(coming) + 1)[: len(coming)])
    online, coming = online[1440:], coming[1440:]
    peak = int(online.max())
    return Today(peak, float(online.mean()) / peak, coming.max() / 60, int(coming.sum()))


def day(known: Known, seed: int) -> Iterable[str]:
    found = today(seed)
    yield "| a million accounts, on an ordinary day | |"
    yield "|---|---|"
    yield f"| visits ({COMING:.0%} of them come, {VISITS} times) | {found.visits:,} |"
    yield f"| online at the peak | {found.peak:,}, {found.peak / 1e4:.1f} % of all |"
    yield f"| on average | {found.share:.0%} of that |"
    yield f"| who come in a second of the busiest minute | {found.coming:.1f} |"
    work = found.coming * (known.measured.visit_us + known.measured.connect_us) * 1e-6
    yield f"| cores that their coming takes | {work:.2f} |"


class Mix(msgspec.Struct, frozen=True):
    """Who is at tables at the peak."""

    name: str
    online: int
    fours: int
    alone: int


MIXES: Final = (
    Mix("a million accounts, 5 % online", 50_000, 5_000, 20_000),
    Mix("a million at tables, all in fours", 1_000_000, 250_000, 0),
    Mix("a million at tables, each with three bots", 1_000_000, 0, 1_000_000),
)
"""Of those 50,000, a fifth only read; half of the others play in fours, half alone with bots."""


def worked_out(mix: Mix, measured: Measured, seed: int) -> dict[str, str]:
    """Line by line, each from those above it."""
    one, other = (replace(plan, processes=SHARD) for plan in (FOURS, ALONE))
    plays = mix.fours / one.pace, mix.alone / other.pace
    seated = mix.fours * 4 + mix.alone
    told = plays[0] * 4 + plays[1]
    happenings = sum(plays) * measured.happenings
    coming = seated / (60 * STAYING * exp(SPREAD**2 / 2))
    come = coming * (measured.visit_us + measured.dial_us + measured.connect_us)
    played = plays[0] * play_us(one, measured) + plays[1] * play_us(other, measured)
    work = (played + come) * 1e-6
    processes = ceil(work / COMFORT)
    lines = seated * (2 - 1 / SHARD)
    memory = (
        processes * measured.server_mib * 2**20
        + ((mix.fours + mix.alone) * measured.table_kib + lines * measured.connection_kib) * 1024
    )
    shards = ceil(processes / SHARD)
    database = sum(plays) * (measured.group_us + measured.job_us) * 1e-6
    share = today(seed).share
    daily = happenings * share * DAY
    kept, packed = daily * measured.entry_bytes, daily * measured.packed_bytes
    bytes_out = told * measured.page_bytes
    archived = daily * measured.wal_bytes
    return {
        "people at tables": f"{seated:,}",
        "tables": f"{mix.fours + mix.alone:,}",
        f"plays a second (one in {FOURS.pace:.1f} s in fours, in {ALONE.pace:.1f} s with bots)": (
            f"{sum(plays):,.0f}"
        ),
        f"happenings a second (× {measured.happenings:g})": f"{happenings:,.0f}",
        "times a second that somebody is told of a play": f"{told:,.0f}",
        f"bytes a second to people (× {measured.page_bytes:,.0f})": f"{bytes_out / 1e6:,.0f} MB",
        f"to people in a month (× {share:.0%} × 30 × 86,400)": (
            f"{bytes_out * share * 30 * DAY / 1e12:,.0f} TB"
        ),
        "processor seconds a second, passing on and coming included": f"{work:,.0f}",
        f"processes, {COMFORT:.0%} busy": f"{processes:,}",
        f"machines of 32 cores ({ON_A_MACHINE} processes)": f"{ceil(processes / ON_A_MACHINE):,}",
        "memory": f"{memory / 2**30:,.0f} GiB",
        f"cores for bots, where {SEARCHING:.0%} of them search": (
            f"{plays[1] * 0.75 * SEARCHING * measured.expert_ms / 1000:,.0f}"
        ),
        f"PostgreSQLs, {SHARD} processes each": f"{shards:,}",
        "of each: appends a second": f"{sum(plays) / shards:,.0f}",
        "of each: cores busy": f"{database / shards:.1f}",
        "of each: MB of log a second": f"{happenings * measured.wal_bytes / shards / 1e6:.1f}",
        "log to be archived a day, all together": f"{archived / 1e9:,.0f} GB",
        f"disk a day, all together (× {share:.0%} × 86,400 × {measured.entry_bytes:.0f} bytes)": (
            f"{kept / 1e9:,.0f} GB"
        ),
        "disk a year, as it is kept now": f"{kept * 365 / 1e12:,.0f} TB",
        "disk a year, matches packed": f"{packed * 365 / 1e12:,.1f} TB",
        f"who come in a second (people / {STAYING * exp(SPREAD**2 / 2):.0f} min)": f"{coming:,.0f}",
        f"rows looked up about people a second (× {LOOKED_UP})": f"{coming * LOOKED_UP:,.0f}",
        f"matches that end in a second (plays / {PLAYS:.0f})": f"{sum(plays) / PLAYS:,.0f}",
    }


def million(known: Known, seed: int) -> Iterable[str]:
    columns = [worked_out(mix, known.measured, seed) for mix in MIXES]
    yield f"| at the peak | {' | '.join(mix.name for mix in MIXES)} |"
    yield "|---|---|---|---|"
    for line in columns[0]:
        yield f"| {line} | {' | '.join(column[line] for column in columns)} |"
