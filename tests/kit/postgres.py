"""Real databases for tests: SQLite files, and a PostgreSQL server.

`database` runs a test on SQLite, and on both if it is marked so. The server is the one of
VOLTE_TEST_DATABASE if that is set, and otherwise a throw-away cluster made from the system's
packages. Each test gets a schema, which is made in a moment; a database of its own would take a
second.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

if sys.platform != "win32":
    import pwd

PATIENCE: Final = 60
"""Limit for a server to start or to stop, in seconds."""


def programs() -> Path | None:
    """The folder of PostgreSQL's programs; Debian does not put it on the path."""
    found = shutil.which("postgres")
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"),
        key=lambda path: int(path.parts[-3]) if path.parts[-3].isdecimal() else 0,
    )
    if versions:
        return versions[-1].parent
    return Path(found).resolve().parent if found else None


class Cluster:
    """A throw-away PostgreSQL server.

    It listens to a socket in its folder, and ends with the process that made it.

    Args:
        inside: prefix of a command that is to run in another network namespace.
        address: address at which it listens there, too; anybody in the same /24 is trusted.

    Attributes:
        folder: the folder of all its files.
    """

    def __init__(self, inside: Sequence[str] = (), address: str = "") -> None:
        found = programs()
        if found is None or shutil.which("setpriv") is None:
            pytest.skip("PostgreSQL is not installed here; scripts/setup does it on Debian")
        self._programs = found
        self._inside = inside
        self._address = address
        self._running: subprocess.Popen[bytes] | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="volte-postgres-", dir="/tmp"))
        self._log = self.folder / "log"
        self._data = self.folder / "data"
        user = _ordinary_user()
        if user is not None:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        options = ["--username=volte", "--auth=trust", "--encoding=UTF8", "--locale=C"]
        made = subprocess.run(
            [*as_ordinary_user(), self._program("initdb"), *options, "--no-sync", "-D", self._data],
            capture_output=True,
            cwd="/",
        )
        assert made.returncode == 0, made.stderr.decode()
        if address:
            with (self._data / "pg_hba.conf").open("a") as trusted:
                trusted.write(f"host all all {address}/24 trust\n")
        self.start()

    def url(self, database: str = "postgres") -> str:
        """The URL of a database of the cluster, through its socket."""
        return f"postgresql://volte@/{database}?host={self.folder}"

    def url_from_outside(self, database: str = "postgres") -> str:
        """The URL of a database of the cluster, through its address."""
        return f"postgresql://volte@{self._address}/{database}"

    @property
    def running(self) -> bool:
        return self._running is not None and self._running.poll() is None

    @property
    def pid(self) -> int:
        """The id of the first process of the server, the parent of the others."""
        assert self._running is not None
        return self._running.pid

    def start(self) -> None:
        """Start the server, and wait until it accepts connections; see `begin`."""
        self.begin()
        self.wait()

    def begin(self) -> None:
        """Start the server. To be called in the main thread: it ends with the calling thread."""
        settings = {
            "listen_addresses": self._address,
            "unix_socket_directories": self.folder,
            "fsync": "off",  # it is for power cuts alone; tests kill processes
        }
        options = [f"--{name}={value}" for name, value in settings.items()]
        with self._log.open("ab") as log:
            self._running = subprocess.Popen(
                [
                    *self._inside,
                    *as_ordinary_user(),
                    *map(str, (self._program("postgres"), "-D", self._data)),
                    *options,
                ],
                stdout=log,
                stderr=log,
                cwd="/",
            )

    def wait(self) -> None:
        """Wait until the server accepts connections."""
        assert self._running is not None
        end = time.monotonic() + PATIENCE
        while not self._answers():
            assert self._running.poll() is None, self._log.read_text()
            assert time.monotonic() < end, "PostgreSQL does not start"
            time.sleep(0.05)

    def stop(self, how: signal.Signals | None = None) -> None:
        """Stop the server at once, as a crash does; with SIGINT it shuts down in good order."""
        if self._running is not None:
            self._running.send_signal(how or signal.SIGQUIT)
            self._running.wait(PATIENCE)
            self._running = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Freeze all its processes while the context lasts."""
        all_of_it = [self.pid]
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        os.kill(self.pid, signal.SIGSTOP)  # before it makes more of them
        all_of_it += map(int, children.read_text().split())
        for process in all_of_it:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in all_of_it:
                os.kill(process, signal.SIGCONT)

    def remove(self) -> None:
        """Stop the server, and delete its files."""
        self.stop()
        shutil.rmtree(self.folder)

    def _answers(self) -> bool:
        ready: list[str | Path] = [self._program("pg_isready"), "-q", "-h", self.folder]
        return subprocess.run([*ready, "-U", "volte", "-d", "postgres"]).returncode == 0

    def _program(self, name: str) -> Path:
        return self._programs / name


def as_ordinary_user() -> list[str]:
    """Prefix of a command that must not run as root, and that ends with its parent."""
    command = ["setpriv", "--pdeathsig=QUIT"]
    user = _ordinary_user()
    if user is not None:
        command += [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    return [*command, "--"]


def _ordinary_user() -> pwd.struct_passwd | None:
    """The user for programs that refuse root, such as PostgreSQL; None to keep the present one."""
    if os.geteuid() != 0:
        return None
    known = {user.pw_name: user for user in pwd.getpwall()}
    return known.get("postgres") or known["nobody"]


def run_sql(url: str, *statements: str) -> None:
    """Execute statements one by one, outside transactions."""

    async def run() -> None:
        connection = await asyncpg.connect(url)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    asyncio.run(run())


def cut_connections(url: str, query: str = "") -> None:
    """End the other connections to a database, and return once they have ended.

    Args:
        query: a word of the last statement of the connections to end; empty for all.
    """
    run_sql(
        url,
        f"SELECT pg_terminate_backend(pid, {PATIENCE * 1000}) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        f" AND query ILIKE '%{query}%'",
    )


def new_schema(database: str) -> str:
    """The URL of a new, empty schema of a database, with which it goes."""
    name = f"volte_{uuid.uuid4().hex}"
    run_sql(database, f"CREATE SCHEMA {name}")
    parts = urlsplit(database)
    query = f"{parts.query}&" if parts.query else ""
    return urlunsplit(parts._replace(query=f"{query}search_path={name}"))


@pytest.fixture(scope="session")
def postgres_database() -> Iterator[str]:
    """The URL of a database that the tests of this process share."""
    given = os.environ.get("VOLTE_TEST_DATABASE")
    if given is None:
        own = Cluster()
        try:
            yield own.url()
        finally:
            own.remove()
        return
    name = f"volte_test_{uuid.uuid4().hex}"
    run_sql(given, f"CREATE DATABASE {name} TEMPLATE template0")
    yield urlunsplit(urlsplit(given)._replace(path=f"/{name}"))
    run_sql(given, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def postgres_url(postgres_database: str) -> str:
    """The URL of an empty place in PostgreSQL."""
    return new_schema(postgres_database)


@pytest.fixture(scope="session")
def one_cluster() -> Iterator[Cluster]:
    """A server for the tests that stop it, and for no others."""
    own = Cluster()
    try:
        yield own
    finally:
        own.remove()


@pytest.fixture
def cluster(one_cluster: Cluster) -> Cluster:
    """A running server that the test may stop and start."""
    if not one_cluster.running:
        one_cluster.start()
    return one_cluster


@pytest.fixture
def cluster_url(cluster: Cluster) -> str:
    """The URL of an empty place in `cluster`."""
    return new_schema(cluster.url())


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The URL of a file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'data' / 'volte.db'}"


@pytest.fixture(params=["sqlite_url", pytest.param("postgres_url", marks=pytest.mark.full)])
def database(request: pytest.FixtureRequest) -> str:
    """The URL of an empty place: in SQLite, and with `full` or `on_both` in PostgreSQL as well."""
    url: str = request.getfixturevalue(request.param)
    return url


on_both = pytest.mark.parametrize("database", ["sqlite_url", "postgres_url"], indirect=True)
"""Tests in which the databases could differ: those of races, and of each part's queries some."""
on_sqlite = pytest.mark.parametrize("database", ["sqlite_url"], indirect=True)
on_postgresql = pytest.mark.parametrize("database", ["postgres_url"], indirect=True)
on_cluster = pytest.mark.parametrize("database", ["cluster_url"], indirect=True)
"""Tests that run on one kind of database alone."""
