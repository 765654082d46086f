"""Measured and assumed figures of a large playroom; see `scale.py`, and docs/scale.md."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from benchmarks.simulated import Deployment, Measured

FOURS: Final = Deployment(people=4, bots=0, pace=(4 * 3.0 + 1.5) / 4)
"""Tables of four people, who think for three seconds; a full trick lies for one and a half."""

ALONE: Final = Deployment(people=1, bots=3, pace=(3.0 + 3 * 0.8 + 1.5) / 4)
"""Tables of one person and three bots, who wait 0.8 s each."""

COMFORT: Final = 0.6
"""Load of a core at the peak: leaves room for a neighbour's people, and keeps waits short."""

ON_A_MACHINE: Final = 26
"""Nodes on 32 cores: the others are for the system, the proxy with TLS, and bots that search."""

SHARD: Final = 4 * ON_A_MACHINE
"""Nodes on one PostgreSQL: four machines, and 728 connections."""


class Figure(msgspec.Struct, frozen=True):
    """A figure of `Measured`, and its source."""

    value: float
    source: str


class Latency(msgspec.Struct, frozen=True):
    """Times of plays on a real server with so many tables, a play a second at each."""

    tables: int
    pages: bool
    median_ms: float
    late_ms: float
    processor: float


class Known(msgspec.Struct, frozen=True):
    """The content of measured.json."""

    figures: dict[str, Figure]
    latencies: list[Latency]
    # median and longest, for ten tables of a killed node, one of two
    takeover_s: tuple[float, float]

    @property
    def measured(self) -> Measured:
        """The figures by themselves. Raises `msgspec.ValidationError` if one is missing."""
        values = {name: figure.value for name, figure in self.figures.items()}
        return msgspec.convert(values, Measured)


def play_us(plan: Deployment, measured: Measured) -> float:
    """Cost of a play for the node that has its table, in microseconds."""
    bots = plan.bots / (plan.bots + plan.people) * measured.casual_us
    told = measured.tell_us(plan.pages) * plan.people
    return measured.alone_us + measured.write_us + told + bots


def comfortable(plan: Deployment, measured: Measured) -> Deployment:
    """The deployment with as many tables as keep its cores as busy as `COMFORT` allows."""
    return replace(plan, tables=int(COMFORT * plan.pace / play_us(plan, measured) * 1e6))


def gib(plan: Deployment, measured: Measured) -> float:
    """Memory of all nodes, in GiB."""
    tables = plan.nodes * plan.tables
    kib = tables * (measured.table_kib + plan.people * measured.connection_kib)
    return plan.nodes * measured.server_mib / 1024 + kib / 2**20
