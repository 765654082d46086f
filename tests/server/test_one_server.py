"""A SQLite file is one server's: a second one is refused, waits for a restart, or leads there."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from kit.sites import PATIENCE, Process, environment

from volte.cli import volte
from volte.console import command
from volte.server.run import database_lock, serving
from volte.server.run.database_lock import DatabaseLock, Holder

Serve = Callable[..., tuple[int, str]]


@pytest.fixture
def serve(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Runs a command in this process, with less patience: its exit status, and all it says."""
    monkeypatch.setattr(serving, "RESTARTING", 0.2)

    def call(*args: str) -> tuple[int, str]:
        status = command.run(volte, [*args, "--lang", "en"])
        told = capfd.readouterr()
        return status, told.out + told.err

    return call


def test_what_a_second_server_is_told(tmp_path: Path, serve: Serve) -> None:
    file, link = tmp_path / ".local/share/volte/playroom.sqlite", tmp_path / "link.sqlite"
    link.symlink_to(file)
    with Process("", tmp_path) as process:
        for name in (file, link, Path(os.path.relpath(file))):
            told = serve("serve", "--no-open", "--port", "0", "--database", f"sqlite:///{name}")
            assert told == (
                1,
                f"The playroom at {process.address}/ (process {process.pid}) has {name} open:"
                " go there, stop it, or name another database with --database.\n",
            )
        assert plain_volte(tmp_path) == f"{process.address}/\n"
        database = ("--database", f"sqlite:///{file}")
        assert serve("people", "list", *database)[0] == 0
        assert serve("backup", str(tmp_path / "copy.sqlite"), *database)[0] == 0
        with DatabaseLock(f"sqlite:///{file}") as lock:
            assert not lock.take()
            process.kill()
            assert lock.take()


def plain_volte(folder: Path) -> str:
    """Where the browser is led by `volte` alone, which says the same."""
    browser, went = folder / "browser", folder / "went"
    browser.write_text(f'#!/bin/sh\necho "$1" > {went}\n')
    browser.chmod(0o700)
    told = subprocess.run(
        [sys.executable, "-m", "volte", "--lang", "en"],
        env=environment(folder) | {"DISPLAY": ":0", "BROWSER": f"{browser} %s"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    address = went.read_text()
    assert (told.stdout, told.stderr) == (f"The playroom is open already: {address}", "")
    return address


@pytest.mark.skipif(sys.platform != "linux", reason="looks at what a process has open")
def test_a_restart_waits_for_the_server_before_it(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'p.sqlite'}"
    with DatabaseLock(database) as lock:
        assert lock.take()
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "volte", "serve", "--no-open", "--port", "0"),
                *("--database", database, "--lang", "en"),
            ],
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        try:
            while not holds_open(server.pid, tmp_path / "p.sqlite.lock"):
                assert server.poll() is None
                time.sleep(0.01)
            lock.__exit__()
            assert server.stdout.readline().startswith("The playroom is open: ")
        finally:
            server.terminate()
            assert server.wait(PATIENCE) == 0
            server.stdout.close()


def holds_open(pid: int, file: Path) -> bool:
    """Whether a process has that file open."""
    try:
        return any(each.samefile(file) for each in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:  # one has just been closed
        return False


def test_a_server_that_does_not_listen_yet(tmp_path: Path, serve: Serve) -> None:
    database = f"sqlite:///{tmp_path / 'p.sqlite'}"
    with DatabaseLock(database) as lock:
        assert lock.take()
        lock.note(Holder(4711))
        told = serve("serve", "--no-open", "--port", "0", "--database", database)
    assert told == (
        1,
        f"Another server (process 4711) has {tmp_path / 'p.sqlite'} open: wait for it, stop it, or"
        " name another database with --database.\n",
    )


def test_a_folder_in_which_no_lock_can_be_made(tmp_path: Path, serve: Serve) -> None:
    (tmp_path / "p.sqlite.lock").mkdir()
    told = serve("serve", "--port", "0", "--database", f"sqlite:///{tmp_path / 'p.sqlite'}")
    assert told == (1, f"{tmp_path / 'p.sqlite.lock'} cannot hold the data: Is a directory.\n")


def test_a_disk_without_locks_keeps_nobody_from_serving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serve: Serve
) -> None:
    def refuse(_: object) -> bool:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(database_lock, "lock", refuse)
    told = serve(
        "serve", "--host", "203.0.113.77", "--database", f"sqlite:///{tmp_path / 'p.sqlite'}"
    )
    assert told == (
        1,
        f"The disk of {tmp_path / 'p.sqlite'} knows no locks: see that only one server at a time"
        " has that database.\n"
        "This machine has no address 203.0.113.77: leave --host out, or say 0.0.0.0.\n",
    )
