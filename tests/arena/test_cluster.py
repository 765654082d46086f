"""The same simulation over a Dask cluster: a scheduler and two workers, in three processes."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import distributed
import pytest

from volte.cards import Fault
from volte.lab.arena import Request, simulate
from volte.rules import make_ruleset

Client: Any = distributed.Client
DASK = [sys.executable, "-m", "dask"]
REQUEST = Request(make_ruleset("salon", {}), ("beginner", "random") * 2, 31, deals=800)


class Worker(NamedTuple):
    """What a worker says of itself.

    Attributes:
        process: its number.
        done: tasks that it has begun and finished.
        playing: tasks that it works on now.
    """

    process: int
    done: int
    playing: int


def told(dask_worker: Any) -> Worker:
    state = dask_worker.state
    return Worker(os.getpid(), state.executed_count, len(state.executing))


class Cluster:
    """A scheduler and two workers.

    Attributes:
        address: of the scheduler.
    """

    def __init__(self, folder: Path) -> None:
        self._card = str(folder / "scheduler.json")
        self._folder = str(folder)
        self._local = ["--host", "127.0.0.1", "--scheduler-file", self._card, "--no-dashboard"]
        self._running: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start([*DASK, "scheduler", "--port", "0", *self._local])
        self.add_worker(DASK)
        self.add_worker(DASK)
        with Client(scheduler_file=self._card, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=30)
            self.address: str = client.scheduler.address

    def add_worker(self, dask: list[str]) -> None:
        alone = ["--nthreads", "1", "--no-nanny", "--local-directory", self._folder]
        self._start([*dask, "worker", *self._local, *alone])

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        nowhere = subprocess.DEVNULL
        self._running.append(subprocess.Popen(command, stdout=nowhere, stderr=nowhere))
        return self._running[-1]

    def end(self) -> None:
        for process in self._running:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.end()


@pytest.mark.full
def test_a_worker_is_killed_in_the_middle_and_nothing_changes(cluster: Cluster) -> None:
    alone = simulate(REQUEST, processes=1)
    killed: list[Worker] = []

    with Client(cluster.address, set_as_default=False) as observer:

        def progress(done: int, whole: int) -> None:
            workers = list(observer.run(told).values()) if not killed else []
            if workers and all(worker.done > 2 and worker.playing for worker in workers):
                os.kill(workers[0].process, signal.SIGKILL)
                killed.append(workers[0])
                assert len(workers) == 2
                assert done < whole

        assert simulate(REQUEST, cluster=cluster.address, progress=progress) == alone
        (left,) = observer.run(told).values()
    assert killed
    assert left.process != killed[0].process


OLDER = """
from importlib import metadata

def older(name, version=metadata.version):
    return "0.0.1" if name == "volte" else version(name)

metadata.version = older
from dask.__main__ import main
main()
"""


def test_a_scheduler_that_goes_is_one_complaint(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    def progress(done: int, whole: int) -> None:
        cluster.scheduler.kill()

    log = logging.getLogger("distributed.client")
    log.addHandler(caplog.handler)
    with pytest.raises(Fault) as caught:
        simulate(REQUEST, cluster=cluster.address, progress=progress)
    log.removeHandler(caplog.handler)
    assert caught.value.reason == "cluster_lost"
    assert not caplog.records


def test_a_worker_with_another_volte_is_refused(cluster: Cluster) -> None:
    cluster.add_worker([sys.executable, "-c", OLDER])
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(3, timeout=30)
    with pytest.raises(Fault) as caught:
        simulate(REQUEST, cluster=cluster.address)
    assert caught.value.reason == "cluster_differs"


@pytest.mark.parametrize("address", ["nonsense", "", "ftp://127.0.0.1:1", "tls://127.0.0.1:1"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(Fault) as caught:
        simulate(REQUEST, cluster=address)
    assert caught.value.reason == "cluster_unreachable"
    assert caught.value.params["address"] == address
    assert caught.value.params["why"]


def test_a_scheduler_that_does_not_answer_is_out_of_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("volte.lab.arena.pools.PATIENCE", 0.5)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        with pytest.raises(Fault) as caught:
            simulate(REQUEST, cluster=f"tcp://127.0.0.1:{deaf.getsockname()[1]}")
    assert caught.value.reason == "cluster_unreachable"


def test_without_dask_there_is_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Fault) as caught:
        simulate(REQUEST, cluster="tcp://127.0.0.1:8786")
    assert caught.value.reason == "no_cluster_extra"
