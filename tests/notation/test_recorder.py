"""The record on disk is whole, and no event that was reported is lost."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from kit import few, short
from kit.deals import some_players
from kit.owners import seated
from kit.records import resume

from volte.fair import House
from volte.game import Driver, MatchStarted, ProvedChance
from volte.notation import Recorder, RecordFault, load_record
from volte.referee import Event, replay
from volte.rules import Ruleset

HOUSE = House.from_seed("recorder")


def driver(log: Sequence[Event], recorder: Recorder | None = None) -> Driver:
    return Driver(log, seated(replay(log).rules.players), ProvedChance(HOUSE), recorder)


def start(rules: Ruleset) -> list[Event]:
    return [MatchStarted(rules, some_players(rules.players))]


def test_after_every_action_the_file_holds_the_whole_log(tmp_path: Path) -> None:
    path = tmp_path / "match.volte"
    log = start(short("coeurs", 5))
    recorder = Recorder(path, log, HOUSE.master)
    match = driver(log, recorder)
    assert list(load_record(path).log) == log
    going = True
    while going:
        going = match.step()
        assert list(load_record(path).log) == match.log
    assert list(tmp_path.iterdir()) == [path]


def test_a_match_that_is_resumed_ends_as_it_would_have(tmp_path: Path) -> None:
    path = tmp_path / "match.volte"
    log = start(short("coeurs-moyenne", 4, deals=2))
    whole = driver(log)
    whole.run()
    for steps in (0, 3, 40, 75):
        cut = driver(log, Recorder(path, log, HOUSE.master))
        for _ in range(steps):
            assert cut.step()
        saved, master = resume(path.read_bytes())
        assert master == HOUSE.master
        resumed = driver(saved, Recorder(path, saved, master))
        resumed.run()
        assert resumed.log == whole.log
        assert list(load_record(path).log) == whole.log


def test_the_master_is_kept_until_the_match_is_over(tmp_path: Path) -> None:
    path = tmp_path / "match.volte"
    log = start(short("coeurs", 3))
    match = driver(log, Recorder(path, log, HOUSE.master))
    masters = []
    while match.step():
        masters.append(load_record(path).master)
    assert set(masters[:-1]) == {HOUSE.master}
    assert masters[-1] is None
    assert HOUSE.master.hex() not in path.read_text(encoding="utf-8")


# When it cannot be written


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """A disk with hardly any room: writing past `size` bytes fails in the middle."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_told_once_and_the_match_goes_on(tmp_path: Path) -> None:
    path, faults = tmp_path / "match.volte", list[RecordFault]()
    log = start(short("coeurs", 4))
    match = driver(log, Recorder(path, log, failed=faults.append))
    with no_file_longer_than(500):
        for _ in range(20):
            match.step()
    assert [fault.reason for fault in faults] == ["record_not_saved"]
    assert faults[0].params["path"] == str(path)
    assert os.listdir(tmp_path) == [path.name]
    saved = load_record(path).log
    assert 1 < len(saved) < len(match.log)
    assert list(saved) == match.log[: len(saved)]
    match.step()
    assert list(load_record(path).log) == match.log
    with no_file_longer_than(500):
        match.step()
    assert len(faults) == 2


def test_a_folder_that_goes_and_comes_back(tmp_path: Path) -> None:
    folder, faults = tmp_path / "folder", list[RecordFault]()
    log = start(short("coeurs", 4))
    match = driver(log, Recorder(folder / "match.volte", log, failed=faults.append))
    match.step()
    assert len(faults) == 1
    folder.mkdir()
    match.step()
    assert list(load_record(folder / "match.volte").log) == match.log


def test_what_is_no_file_is_never_replaced(tmp_path: Path) -> None:
    pipe, folder, faults = tmp_path / "pipe", tmp_path / "folder", list[RecordFault]()
    os.mkfifo(pipe)
    folder.mkdir()
    for path in (pipe, folder):
        Recorder(path, start(short("coeurs", 4)), failed=faults.append)
    assert pipe.is_fifo()
    assert folder.is_dir()
    assert [fault.params["path"] for fault in faults] == [str(pipe), str(folder)]


# When it is killed

PLAYS_ON = """
import sys
from pathlib import Path
from kit.presets import short
from notation.test_recorder import driver, start
from volte.notation import Recorder
log = start(short("coeurs-cinq-coups", 4, deals=200))
recorder = Recorder(Path(sys.argv[1]), log)
match = driver(log, recorder)
while match.step():
    print(len(match.log), flush=True)
"""


@pytest.mark.parametrize("kill", range(few(2, 8)))
def test_killed_in_the_middle_of_a_write_nothing_is_lost(kill: int, tmp_path: Path) -> None:
    path = tmp_path / "match.volte"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", PLAYS_ON, str(path)], env=env, stdout=subprocess.PIPE, text=True
    ) as playing:
        assert playing.stdout is not None
        printed = int(playing.stdout.readline())
        time.sleep(0.02 + 0.0137 * kill)
        playing.send_signal(signal.SIGKILL)
        printed = max([printed, *map(int, playing.stdout.read().split("\n")[:-1])])
    assert playing.returncode == -signal.SIGKILL
    record = load_record(path)
    assert len(record.log) >= printed > 1
    assert not record.finished
