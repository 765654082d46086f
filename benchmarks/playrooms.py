"""Servers to be measured: one node or two, on SQLite or on a temporary PostgreSQL."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from kit.postgres import Cluster, new_schema
from kit.sites import Process

from benchmarks.machine import family, processor, resident

LIMITS: Final = {"VOLTE_SOCKETS_PER_ADDRESS": "100000", "VOLTE_PROMISE_WITHIN": "3600"}
"""Settings with which the clients of a benchmark meet no limit."""

NAMES: Final = "abcdefgh"
"""Letters that name the nodes of a playroom, in the order in which they start."""


class Playroom(NamedTuple):
    """A configuration of servers to be measured."""

    name: str  # the database, and how many nodes
    postgres: bool
    nodes: int = 1
    folder: str | None = None  # of SQLite's file; by default a temporary one


class Running:
    """A playroom that runs, and its use of the machine."""

    def __init__(self, processes: Sequence[Process], cluster: Cluster | None) -> None:
        self.addresses = [process.address for process in processes]  # of its nodes
        self._processes = processes
        self._cluster = cluster

    def address(self, place: int) -> str:
        """Address of the node for the people at that table; nodes take turns."""
        return self.addresses[place % len(self.addresses)]

    @property
    def server(self) -> float:
        """Seconds of processor time that all nodes have used."""
        return sum(map(processor, self._families()))

    @property
    def database(self) -> float:
        """Seconds that PostgreSQL's processes have used; SQLite is a part of the server."""
        return sum(map(processor, family(self._cluster.pid))) if self._cluster else 0.0

    @property
    def resident(self) -> int:
        """Bytes of memory of all nodes."""
        return sum(map(resident, self._families()))

    def _families(self) -> list[int]:
        return [pid for process in self._processes for pid in family(process.pid)]


@contextmanager
def running(playroom: Playroom, cluster: Cluster | None, database: str) -> Iterator[Running]:
    """Run the servers, and kill them at the end, also after an error."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        processes = []
        for name in NAMES[: playroom.nodes]:
            environ = dict(LIMITS)
            if playroom.nodes > 1:
                environ["VOLTE_NODE"] = name
            process = Process(database, folder, **environ)
            stack.callback(process.kill)
            process.start(0)
            processes.append(process)
        yield Running(processes, cluster if playroom.postgres else None)


@contextmanager
def database_of(playroom: Playroom, cluster: Cluster) -> Iterator[str]:
    """Make an empty database; yields its address."""
    if playroom.postgres:
        yield new_schema(cluster.url())
    else:
        with tempfile.TemporaryDirectory(dir=playroom.folder) as folder:
            yield f"sqlite:///{folder}/p.sqlite"
