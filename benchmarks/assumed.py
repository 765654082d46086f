"""What is known and what is assumed of a large playroom; see `scale.py`, and docs/scale.md."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from benchmarks.simulated import ON_A_MACHINE, Deployment, Measured

FOURS: Final = Deployment(people=4, bots=0, pace=(4 * 3.0 + 1.5) / 4)
"""Four people, who think for three seconds; a full trick lies for one and a half."""

ALONE: Final = Deployment(people=1, bots=3, pace=(3.0 + 3 * 0.8 + 1.5) / 4)
"""One person and three bots, who wait 0.8 s each."""

COMFORT: Final = 0.6
"""How busy a core may be at the peak: so a neighbour's people find room, and waits stay short."""

SHARD: Final = 104
"""Processes on one PostgreSQL: four machines, and 1,040 connections."""


class Figure(msgspec.Struct, frozen=True):
    """A figure of `Measured`, and where it comes from."""

    value: float
    source: str


class Latency(msgspec.Struct, frozen=True):
    """What was measured on a real server with so many tables, a play a second at each."""

    tables: int
    pages: bool
    median_ms: float
    late_ms: float
    processor: float


class Known(msgspec.Struct, frozen=True):
    """All of measured.json.

    Attributes:
        takeover_s: median and longest, of a process of two with ten tables that was killed.
    """

    figures: dict[str, Figure]
    latencies: list[Latency]
    takeover_s: tuple[float, float]

    @property
    def measured(self) -> Measured:
        """The figures by themselves. Raises `msgspec.ValidationError` where one lacks."""
        values = {name: figure.value for name, figure in self.figures.items()}
        return msgspec.convert(values, Measured)


def play_us(plan: Deployment, measured: Measured) -> float:
    """What a play costs all processes together."""
    bots = plan.bots / (plan.bots + plan.people) * measured.casual_us
    passed = max(0.0, 1 - ON_A_MACHINE / plan.processes) * measured.pass_on_us * plan.people / 4
    told = measured.tell_us(plan.pages) * plan.people
    return measured.alone_us + measured.write_us + told + bots + passed


def comfortable(plan: Deployment, measured: Measured) -> Deployment:
    """The same with as many tables as keep cores as busy as they may be."""
    return replace(plan, tables=int(COMFORT * plan.pace / play_us(plan, measured) * 1e6))


def gib(plan: Deployment, measured: Measured) -> float:
    """Memory of all processes."""
    tables = plan.processes * plan.tables
    lines = tables * plan.people * (2 - 1 / plan.processes)
    kib = tables * measured.table_kib + lines * measured.connection_kib
    return plan.processes * measured.server_mib / 1024 + kib / 2**20
