"""`volte serve`: with nothing set up, with options, beside another server, when it cannot be."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from kit import Player, request
from kit.filling import small_filesystem
from kit.sites import PATIENCE, Process, environment
from kit.stores import lay_out
from starlette.datastructures import URL

from volte.cli import volte
from volte.console import command
from volte.server.run import database_lock, listening, serving
from volte.server.run.database_lock import DatabaseLock, Holder
from volte.web.addresses import addresses, house_address, named

Serve = Callable[..., tuple[int, str]]


@pytest.fixture
def serve(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Serve:
    """Run a command in this process, with less patience; return its exit status and its output."""
    monkeypatch.setattr(serving, "RESTARTING", 0.2)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def call(*args: str) -> tuple[int, str]:
        status = command.run(volte, [*args, "--lang", "en"])
        printed = capfd.readouterr()
        return status, printed.out + printed.err

    return call


async def test_volte_alone_opens_the_playroom(tmp_path: Path) -> None:
    with Process("", tmp_path, XDG_DATA_HOME=str(tmp_path / "data")) as process:
        page = await request(process.address, "GET", "/")
        assert page.status == 200
        assert (await request(process.address, "GET", "/healthz")).body == b"ok\n"
        player = await Player.begun(process.address)
        await player.play()
        await player.leave()
        assert process.stop() == 0
    assert process.output == [
        f"The playroom is open: {process.address}/",
        "Ctrl-C closes the playroom; nothing is lost.",
        "The playroom is closed. Everything is saved.",
    ]
    assert (tmp_path / "data" / "volte" / "playroom.sqlite").exists()


@pytest.mark.full
def test_others_in_the_house_are_told_an_address_that_works(tmp_path: Path) -> None:
    with Process(f"sqlite:///{tmp_path / 'p.sqlite'}", tmp_path, VOLTE_HOST="0.0.0.0") as process:
        port = process.address.rpartition(":")[2]
        assert process.stop() == 0
    assert process.output[0] == f"The playroom is open: http://localhost:{port}/"
    assert re.fullmatch(r"Others in your home can join here: (http://.+:\d+/)", process.output[1])


def test_a_port_that_is_taken(serve: Serve) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        told = serve("serve", "--no-open", "--port", str(port))
    assert told == (1, f"Port {port} is in use: choose another one with --port, or 0 for any.\n")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--port", "99999"], "A port must be a number from 0 to 65,535, not 99999."),
        (["--host", "nowhere.invalid"], "This machine has no address nowhere.invalid"),
        (["--host", "203.0.113.77"], "This machine has no address 203.0.113.77"),
        (["--origin", "volte.example"], "“volte.example” is not an origin"),
        (["--database", "mysql://x"], "mysql"),
        (["--database", "sqlite:////dev/null/p.sqlite"], "/dev/null"),
        (["--port", "x"], "--port"),
        (["--sing"], "--sing"),
    ],
)
def test_one_sentence_says_what_to_do(serve: Serve, args: list[str], said: str) -> None:
    status, told = serve("serve", "--no-open", "--port", "0", *args)
    assert status in (1, 2)
    assert said in told
    assert told.endswith(".\n")
    assert told.count("\n") == 1


def test_a_setting_of_the_environment_that_cannot_be(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOLTE_GRACE", "long")
    assert serve("serve", "--no-open") == (1, "VOLTE_GRACE cannot be “long”.\n")


# Addresses, and the people who see them


@pytest.mark.parametrize(
    ("host", "own", "house"),
    [
        ("127.0.0.1", "http://127.0.0.1:8150/", ""),
        ("::1", "http://[::1]:8150/", ""),
        ("192.0.2.7", "http://192.0.2.7:8150/", "http://192.0.2.7:8150/"),
    ],
)
def test_addresses_as_they_are_told(host: str, own: str, house: str) -> None:
    assert addresses(host, 8150) == (own, house)


@pytest.mark.parametrize(
    ("known", "host", "passed_on"),
    [
        ("http://localhost:8150/", "0.0.0.0", f"http://{house_address()}:8150"),
        ("http://[::1]:8150/", "::", f"http://{house_address()}:8150"),
        ("http://localhost:8150/", "127.0.0.1", "http://localhost:8150"),
        ("https://volte.example/tables/1", "0.0.0.0", "https://volte.example"),
    ],
)
def test_a_link_for_friends_is_one_that_they_can_follow(
    known: str, host: str, passed_on: str
) -> None:
    assert named(URL(known), host) == passed_on


class Screen(StringIO):
    """A terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_a_code_for_telephones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ACCESSIBLE", raising=False)
    assert listening.qr_code("http://192.0.2.7:8150/") == ""
    monkeypatch.setattr(sys, "stdout", Screen())
    assert "█" in listening.qr_code("http://192.0.2.7:8150/")
    monkeypatch.setenv("ACCESSIBLE", "1")
    assert listening.qr_code("http://192.0.2.7:8150/") == ""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
def test_without_a_screen_no_browser_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not listening.can_open_browser()
    monkeypatch.setenv("DISPLAY", ":0")
    assert listening.can_open_browser()


def browser(folder: Path) -> tuple[dict[str, str], Path]:
    """Variables for a program whose browser does nothing but write its address into a file."""
    program, went = folder / "browser", folder / "went"
    program.write_text(f'#!/bin/sh\necho "$1" > "{went}.part" && mv "{went}.part" "{went}"\n')
    program.chmod(0o700)
    return environment(folder) | {"DISPLAY": ":0", "BROWSER": f"{program} %s"}, went


@pytest.mark.full
def test_the_browser_is_opened_where_there_is_one(tmp_path: Path) -> None:
    environ, went = browser(tmp_path)
    environ |= {"VOLTE_PORT": "0", "VOLTE_DATABASE": f"sqlite:///{tmp_path / 'p.sqlite'}"}
    with subprocess.Popen(
        [sys.executable, "-m", "volte"], env=environ, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            said = process.stdout.readline()
            for _ in range(600):
                if went.exists():
                    break
                time.sleep(0.1)
            assert said.rstrip().endswith(went.read_text().strip())
        finally:
            process.terminate()
            process.stdout.read()
    assert process.returncode == 0


# A SQLite file is one server's: a second one is refused, waits for a restart, or leads there


def test_what_a_second_server_is_told(tmp_path: Path, serve: Serve) -> None:
    file, link = tmp_path / ".local/share/volte/playroom.sqlite", tmp_path / "link.sqlite"
    link.symlink_to(file)
    with Process("", tmp_path) as process:
        for name in (file, link, Path(os.path.relpath(file))):
            told = serve("serve", "--no-open", "--port", "0", "--database", f"sqlite:///{name}")
            assert told == (
                1,
                f"The playroom at {process.address}/ (process {process.pid}) has {name} open:"
                " use it, stop it, or name another database with --database.\n",
            )
        assert plain_volte(tmp_path) == f"{process.address}/\n"
        database = ("--database", f"sqlite:///{file}")
        assert serve("people", "list", *database)[0] == 0
        assert serve("backup", str(tmp_path / "copy.sqlite"), *database)[0] == 0
        with DatabaseLock(f"sqlite:///{file}") as lock:
            assert not lock.take()
            process.kill()
            assert lock.take()


@pytest.mark.full
def test_a_hard_link_to_a_database_leads_to_the_same_file(tmp_path: Path, serve: Serve) -> None:
    """Whether it was made before the server began or since."""
    file, *links = (tmp_path / f"{name}.sqlite" for name in "pqr")
    lay_out(f"sqlite:///{file}")
    links[0].hardlink_to(file)
    with Process(f"sqlite:///{file}", tmp_path) as process:
        links[1].hardlink_to(file)
        for link in links:
            said = f"A server has {link} open: stop it first, then try again.\n"
            database = ("--database", f"sqlite:///{link}")
            assert serve("serve", "--no-open", "--port", "0", *database) == (1, said)
            assert serve("people", "list", *database) == (1, said)
            assert serve("backup", str(tmp_path / "copy.sqlite"), *database) == (1, said)
        named = ("--database", f"sqlite:///{file}")
        assert serve("people", "list", *named)[0] == 0
        assert process.stop() == 0


def test_no_server_starts_on_a_damaged_file(tmp_path: Path, serve: Serve) -> None:
    """Though it could read what it reads first: only the last page is damaged."""
    file = tmp_path / "p.sqlite"
    database = ("--database", f"sqlite:///{file}")
    lay_out(database[1])
    assert serve("serve", "--check", *database)[0] == 0
    with file.open("r+b") as opened:
        opened.seek(-4096, os.SEEK_END)
        opened.write(b"\xff" * 4096)
    said = f"{file} is damaged: put a copy in its place with “volte restore”.\n"
    status, told = serve("serve", "--check", *database)
    assert (status, told.endswith(said)) == (1, True)
    assert serve("serve", "--no-open", "--port", "0", *database) == (1, said)


def plain_volte(folder: Path) -> str:
    """The address that `volte` alone opens in the browser, and prints."""
    environ, went = browser(folder)
    told = subprocess.run(
        [sys.executable, "-m", "volte", "--lang", "en"],
        env=environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    address = went.read_text()
    assert (told.stdout, told.stderr) == (f"The playroom is already open: {address}", "")
    return address


@pytest.mark.skipif(sys.platform != "linux", reason="looks at what a process has open")
def test_a_restart_waits_for_the_server_before_it(tmp_path: Path) -> None:
    process = Process(f"sqlite:///{tmp_path / 'p.sqlite'}", tmp_path)
    with DatabaseLock(process.database) as lock:
        assert lock.take()
        process.begin()
        try:
            while not holds_open(process.pid, tmp_path / "p.sqlite.lock"):
                time.sleep(0.01)
            lock.__exit__()
            process.wait()
        finally:
            assert process.stop() == 0


def holds_open(pid: int, file: Path) -> bool:
    """Whether a process has that file open."""
    try:
        return any(each.samefile(file) for each in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:  # one has just been closed
        return False


def test_a_full_disk_has_room_for_the_lock_of_a_server(tmp_path: Path) -> None:
    """One can play on a full disk; and what else is wrong is told, not this."""
    folder = tmp_path / "small"
    with small_filesystem(folder, 4096):
        (folder / "ballast").write_bytes(bytes(4096))
        with DatabaseLock(f"sqlite:///{folder / 'p.sqlite'}") as lock:
            assert lock.take()
            lock.note(Holder(1))
            assert lock.holder() == Holder()


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
    assert told == (1, f"Cannot use {tmp_path / 'p.sqlite.lock'} as a database: Is a directory.\n")


def test_a_disk_without_locks_keeps_nobody_from_serving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serve: Serve
) -> None:
    def refuse(_: object) -> bool:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(database_lock, "lock", refuse)
    database = f"sqlite:///{tmp_path / 'p.sqlite'}"
    told = serve("serve", "--host", "203.0.113.77", "--database", database)
    assert told == (
        1,
        f"The disk that holds {tmp_path / 'p.sqlite'} has no file locks: make sure that"
        " only one server at a time uses this database.\n"
        "This machine has no address 203.0.113.77: leave out --host, or use 0.0.0.0.\n",
    )
