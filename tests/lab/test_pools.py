"""Processes and clusters that share the work: the same result, whatever becomes of them."""

from __future__ import annotations

import logging
import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

import distributed
import pytest
from kit import because
from kit.terminals import end_group

from volte.cards import VolteError
from volte.lab import arena
from volte.lab.arena.pools import MOST_LOSSES
from volte.rules import make_ruleset

RULES = make_ruleset("salon", {})
REQUEST = arena.Request(RULES, ("beginner", "random", "beginner", "beginner"), 21, deals=240)


@pytest.fixture(scope="module")
def alone() -> arena.SimulationResult:
    """The result of `REQUEST` in one process."""
    return arena.simulate(REQUEST, processes=1)


def workers() -> list[int]:
    """The numbers of the processes that this one has started."""
    return [child.pid for child in multiprocessing.active_children() if child.pid is not None]


def blocks_ctrl_c(worker: int) -> bool | None:
    """Whether that process blocks Ctrl-C; None if it is gone, or the system does not tell."""
    try:
        status = Path(f"/proc/{worker}/status").read_text()
    except OSError:
        return None
    mask = re.search(r"^SigBlk:\s*(\w+)$", status, re.M)
    return bool(int(mask[1], 16) >> signal.SIGINT - 1 & 1) if mask else None


@pytest.mark.full
def test_two_processes_find_the_same_in_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    request = arena.Request(RULES, ("random",) * 4, 21, matches=50, engine=arena.EngineKind.KERNEL)
    whole = arena.simulate(request, processes=1)
    monkeypatch.setattr(sys.modules["volte.lab.arena.simulate"], "RANDOM_DEALS", 200)
    seen: set[int] = set()
    assert arena.simulate(request, processes=2, progress=lambda *_: seen.update(workers())) == whole
    assert len(seen) == 2


def test_one_chunk_needs_no_process() -> None:
    seen: list[int] = []
    arena.simulate(
        replace(REQUEST, deals=20), processes=2, progress=lambda *_: seen.extend(workers())
    )
    assert not seen


@pytest.mark.parametrize(
    "kills",  # never so many without a chunk done in between
    [pytest.param(kills, marks=pytest.mark.full) for kills in (0, MOST_LOSSES + 1)] + [1],
)
def test_two_processes_find_the_same_though_some_are_killed(
    alone: arena.SimulationResult, kills: int
) -> None:
    """Ctrl-C is not for them, not even while they start, when Python would answer it with a
    traceback."""
    killed: set[int] = set()
    seen: set[int] = set()
    done_before: list[int] = []
    parts: list[int] = []

    def progress(done: int, whole: int) -> None:
        alive = [worker for worker in workers() if worker not in killed]
        parts.append(done)
        seen.update(alive)
        assert whole == 240
        assert all(blocks_ctrl_c(worker) in (True, None) for worker in alive)
        if alive and len(killed) < kills:
            os.kill(alive[0], signal.SIGKILL)
            killed.add(alive[0])
            done_before.append(done)

    assert arena.simulate(REQUEST, processes=2, progress=progress) == alone
    assert parts == list(range(20, 241, 20))
    assert len(killed) == kills
    assert len(seen) >= 2
    assert all(done < 240 for done in done_before)
    assert not workers()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_workers_that_are_always_killed_are_given_up() -> None:
    over = Event()

    def kill_all() -> None:
        """Kill both, once both have begun: a pool that loses one while starting others is noisy."""
        seen: set[int] = set()
        while not over.wait(0.02):
            known, seen = seen, set(workers())
            if len(seen & known) == 2:
                for worker in seen:
                    os.kill(worker, signal.SIGKILL)

    killer = Thread(target=kill_all)
    killer.start()
    try:
        with pytest.raises(VolteError) as caught:
            arena.simulate(REQUEST, processes=2)
    finally:
        over.set()
        killer.join()
    assert caught.value.reason == "processes_lost"
    assert not workers()


@pytest.mark.full
def test_a_complaint_on_the_way_ends_the_workers() -> None:
    def progress(done: int, _: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        arena.simulate(REQUEST, processes=2, progress=progress)
    assert not workers()


LONG = """
import multiprocessing, sys, threading, time
from volte.lab.arena import Request, simulate
from volte.rules import make_ruleset

def told_workers():
    while len(multiprocessing.active_children()) < 2:
        time.sleep(0.001)
    print("started", flush=True)

threading.Thread(target=told_workers, daemon=True).start()
request = Request(make_ruleset("salon", {}), ("beginner",) * 4, 1, deals=int(sys.argv[1]))
try:
    simulate(request, processes=2, progress=lambda *_: print("done", flush=True))
except KeyboardInterrupt:
    print("stopped")
"""


MOMENTS = [("started", 2**40), ("done", 40_000)]
"""Moments at which a simulation is stopped, and its number of deals: while its workers begin on
chunks that would take them days, and between chunks that take them no time."""


Long = Callable[[int], "subprocess.Popen[str]"]


@pytest.fixture
def long() -> Iterator[Long]:
    """Return a function that starts a simulation in a group of processes of its own.

    What a test that fails leaves of it is killed.
    """
    started: list[subprocess.Popen[str]] = []

    def start(deals: int) -> subprocess.Popen[str]:
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", LONG, str(deals)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        )
        return started[-1]

    yield start
    for process in started:
        end_group(process)


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    """The rest of the output, once all processes that could write to it are gone."""
    return process.communicate(timeout=60)


def until(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdout is not None
    assert any(line.strip() == word for line in process.stdout)


@pytest.mark.parametrize(
    ("moment", "deals"), [MOMENTS[0], pytest.param(*MOMENTS[1], marks=pytest.mark.full)]
)
def test_ctrl_c_ends_everything_without_a_complaint(moment: str, deals: int, long: Long) -> None:
    process = long(deals)
    until(process, moment)
    os.killpg(process.pid, signal.SIGINT)
    out, err = ended(process)
    assert out.splitlines()[-1] == "stopped"
    assert not err


@pytest.mark.parametrize(
    ("moment", "deals"), [pytest.param(*MOMENTS[0], marks=pytest.mark.full), MOMENTS[1]]
)
def test_nobody_is_left_behind_when_the_parent_is_killed(
    moment: str, deals: int, long: Long
) -> None:
    process = long(deals)
    until(process, moment)
    process.kill()
    try:
        ended(process)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise


Client: Any = distributed.Client
DASK = [sys.executable, "-m", "dask"]
SHARED = arena.Request(make_ruleset("salon", {}), ("beginner", "random") * 2, 31, deals=800)


class Worker(NamedTuple):
    """The state of a worker, by its own account."""

    process: int  # its number
    done: int  # tasks that it has begun and finished
    playing: int  # tasks that it works on now


def told(dask_worker: Any) -> Worker:
    state = dask_worker.state
    return Worker(os.getpid(), state.executed_count, len(state.executing))


class Cluster:
    """A scheduler and its workers, two unless others are asked for."""

    def __init__(self, folder: Path, workers: Sequence[list[str]] = (DASK, DASK)) -> None:
        self._card = str(folder / "scheduler.json")
        self._folder = str(folder)
        self._local = ["--host", "127.0.0.1", "--scheduler-file", self._card, "--no-dashboard"]
        self._running: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start([*DASK, "scheduler", "--port", "0", *self._local])
        for dask in workers:
            self._add_worker(dask)
        with Client(scheduler_file=self._card, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(len(workers), timeout=30)
            self.address: str = client.scheduler.address  # of the scheduler

    def _add_worker(self, dask: list[str]) -> None:
        alone = ["--nthreads", "1", "--no-nanny", "--local-directory", self._folder]
        self._start([*dask, "worker", *self._local, *alone])

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        nowhere = subprocess.DEVNULL
        here = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}  # where `told` is found
        process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere, env=here)
        self._running.append(process)
        return self._running[-1]

    def end(self) -> None:
        for process in self._running:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path, *getattr(request, "param", ()))
    yield cluster
    cluster.end()


@pytest.mark.full
def test_a_worker_is_killed_in_the_middle_and_nothing_changes(cluster: Cluster) -> None:
    alone = arena.simulate(SHARED, processes=1)
    killed: list[Worker] = []

    with Client(cluster.address, set_as_default=False) as observer:

        def progress(done: int, whole: int) -> None:
            workers = list(observer.run(told).values()) if not killed else []
            if workers and all(worker.done > 2 and worker.playing for worker in workers):
                os.kill(workers[0].process, signal.SIGKILL)
                killed.append(workers[0])
                assert len(workers) == 2
                assert done < whole

        assert arena.simulate(SHARED, cluster=cluster.address, progress=progress) == alone
        (left,) = observer.run(told).values()
    assert killed
    assert left.process != killed[0].process


@pytest.mark.full
def test_a_cluster_plays_the_same_duel(cluster: Cluster) -> None:
    sides = arena.Contestant.of("beginner"), arena.Contestant.of("random")
    duel = arena.Duel(RULES, sides, seed=7, decks=36, seatings=2)
    alone = arena.play_piece(duel, arena.Piece(0, 36)).untimed()
    assert arena.play_duel(duel, cluster=cluster.address).standing.untimed() == alone


OLDER = """
from importlib import metadata

def older(name, version=metadata.version):
    return "0.0.1" if name == "volte" else version(name)

metadata.version = older
from dask.__main__ import main
main()
"""


@pytest.mark.parametrize("cluster", [[[DASK]]], indirect=True)
def test_a_scheduler_that_goes_is_one_complaint(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    def progress(done: int, whole: int) -> None:
        cluster.scheduler.kill()

    log = logging.getLogger("distributed.client")
    log.addHandler(caplog.handler)
    with pytest.raises(VolteError) as caught:
        arena.simulate(SHARED, cluster=cluster.address, progress=progress)
    log.removeHandler(caplog.handler)
    assert caught.value.reason == "cluster_lost"
    assert not caplog.records


@pytest.mark.full
@pytest.mark.parametrize("cluster", [[[[sys.executable, "-c", OLDER]]]], indirect=True)
def test_a_worker_with_another_volte_is_refused(cluster: Cluster) -> None:
    with pytest.raises(VolteError, check=because("cluster_differs")):
        arena.simulate(SHARED, cluster=cluster.address)


@pytest.mark.parametrize("address", ["nonsense", "", "ftp://127.0.0.1:1", "tls://127.0.0.1:1"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(VolteError) as caught:
        arena.simulate(SHARED, cluster=address)
    assert caught.value.reason == "cluster_unreachable"
    assert caught.value.params["address"] == address
    assert caught.value.params["why"]


@pytest.mark.full
def test_a_scheduler_that_does_not_answer_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volte.lab.arena.pools.PATIENCE", 0.5)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        with pytest.raises(VolteError) as caught:
            arena.simulate(SHARED, cluster=f"tcp://127.0.0.1:{deaf.getsockname()[1]}")
    assert caught.value.reason == "cluster_unreachable"


def test_without_dask_there_is_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(VolteError, check=because("needs_extra")):
        arena.simulate(SHARED, cluster="tcp://127.0.0.1:8786")
