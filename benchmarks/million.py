"""Needs of a million accounts, and of a million people at tables, line by line; see `scale.py`."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, exp
from typing import Final

import msgspec
import numpy as np

from benchmarks.assumed import ALONE, COMFORT, FOURS, ON_A_MACHINE, SHARD, Known, play_us
from benchmarks.simulated import Measured

SEARCHING: Final = 0.1
"""Share of the bots that search."""

COMING: Final = 0.2
"""Share of all accounts that come on a day."""

VISITS: Final = 1.5
"""Visits of each of them on that day."""

STAYING: Final = 25.0
SPREAD: Final = 0.8
"""Minutes that half of the visits last at most, and the spread of their logarithm."""

NIGHT: Final = (4, 2, 1, 1, 1, 2)
MORNING: Final = (4, 6, 8, 10, 12, 13)
AFTERNOON: Final = (15, 14, 13, 14, 16, 20)
EVENING: Final = (26, 32, 34, 30, 20, 10)
HOURS: Final = (*NIGHT, *MORNING, *AFTERNOON, *EVENING)
"""Arrivals in each hour of a day, in proportion: of one country, with its evening."""

DAY: Final = 86_400


class Today(msgspec.Struct, frozen=True):
    """A day of a million accounts."""

    peak: int  # most people online
    share: float  # mean of the day, as a part of the peak


def today(seed: int, accounts: int = 1_000_000) -> Today:
    """People online, minute by minute, on the second of two days, so that it begins as it ends."""
    chance = np.random.default_rng(seed)
    hours = np.array(HOURS) / sum(HOURS)
    rates = np.tile(np.repeat(hours / 60, 60), 2) * accounts * COMING * VISITS
    coming = chance.poisson(rates)
    begins = np.repeat(np.arange(len(coming)), coming)
    stays = chance.lognormal(np.log(STAYING), SPREAD, len(begins))
    ends = np.minimum(begins + np.ceil(stays).astype(int), len(coming))
    online = np.cumsum(coming - np.bincount(ends, minlength=len(coming) + 1)[: len(coming)])
    online = online[1440:]
    peak = int(online.max())
    return Today(peak, float(online.mean()) / peak)


class Mix(msgspec.Struct, frozen=True):
    """Tables at the peak: those of four, and those of one person with bots."""

    name: str
    fours: int
    alone: int


MIXES: Final = (
    Mix("a million accounts", 5_000, 20_000),
    Mix("a million in fours", 250_000, 0),
    Mix("a million with bots", 0, 1_000_000),
)
"""Mixes; of 50,000 online a fifth only read, half of the others play in fours, half with bots."""


def worked_out(mix: Mix, measured: Measured, share: float) -> dict[str, str]:
    """Needs line by line, each from the lines above it.

    Args:
        share: mean of a day, as a part of the peak.
    """
    plays = mix.fours / FOURS.pace, mix.alone / ALONE.pace
    seated = mix.fours * 4 + mix.alone
    told = plays[0] * 4 + plays[1]
    happenings = sum(plays) * measured.happenings
    coming = seated / (60 * STAYING * exp(SPREAD**2 / 2))
    come = coming * (measured.visit_us + measured.lead_us + measured.connect_us)
    played = plays[0] * play_us(FOURS, measured) + plays[1] * play_us(ALONE, measured)
    work = (played + come) * 1e-6
    nodes = ceil(work / COMFORT)
    memory = (
        nodes * measured.server_mib * 2**20
        + (mix.fours + mix.alone) * measured.table_kib * 1024
        + seated * measured.connection_kib * 1024
    )
    databases = ceil(nodes / SHARD)
    statements = sum(plays) * (measured.group_us + measured.job_us) * 1e-6
    yearly = happenings * share * DAY * 365
    bytes_out = told * measured.page_bytes
    return {
        "plays a second": f"{sum(plays):,.0f}",
        "MB a second to people": f"{bytes_out / 1e6:,.0f}",
        f"nodes, {COMFORT:.0%} busy": f"{nodes:,}",
        "machines of 32 cores": f"{ceil(nodes / ON_A_MACHINE):,}",
        "memory, GiB": f"{memory / 2**30:,.0f}",
        "cores busy in proxies": f"{told / 4 * measured.proxy_us * 1e-6:,.1f}",
        f"cores for bots, {SEARCHING:.0%} searching": (
            f"{plays[1] * 0.75 * SEARCHING * measured.expert_ms / 1000:,.0f}"
        ),
        "PostgreSQLs": f"{databases:,}",
        "cores busy in each": f"{statements / databases:.1f}",
        "disk a year, TB": f"{yearly * measured.entry_bytes / 1e12:,.0f}",
        "disk, finished matches packed": f"{yearly * measured.packed_bytes / 1e12:,.0f}",
    }


def million(known: Known, seed: int) -> Iterable[str]:
    usual = today(seed)
    columns = [worked_out(mix, known.measured, usual.share) for mix in MIXES]
    yield f"| at the peak | {' | '.join(mix.name for mix in MIXES)} |"
    yield "|---|---|---|---|"
    yield f"| online, ordinary day | {usual.peak:,} | | |"
    for line in columns[0]:
        yield f"| {line} | {' | '.join(column[line] for column in columns)} |"
