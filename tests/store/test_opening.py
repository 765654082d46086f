"""Opening: tables are brought up to date, or one sentence says why not."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from kit.ports import free_port
from kit.postgres import on_both, on_sqlite, run_sql
from kit.rights import within_permissions
from sqlalchemy import Connection

from volte.evenings.store import Club, Clubs
from volte.people.store import Account, Accounts, device_known
from volte.say import Words
from volte.server.run.room import PARTS
from volte.server.tables.languages import TableLanguages
from volte.server.trials import Trial, Trials
from volte.store import Listing, Person, StoreFault, migrations
from volte.store.backing import backing, opened
from volte.store.migrations import VERSIONS
from volte.store.nodes import Nodes
from volte.store.part import Part
from volte.store.schema import METADATA
from volte.store.second_look import SecondLook
from volte.store.store import Store


async def refused(url: str) -> tuple[str, str]:
    """The fault of a store that cannot be opened: reason and sentence."""
    with pytest.raises(StoreFault) as caught:
        await Store.open(url)
    return caught.value.reason, Words("en").fault(caught.value)


async def opens(url: str, entries: int = 0) -> None:
    """Open a store, check its number of entries, and append one more."""
    async with await Store.open(url) as store:
        assert len(await store.read("t")) == entries
        await store.append("t", entries, [b"y"])


def asking(query: str) -> Callable[[Connection], object]:
    """Work for a writer: the first value of a query."""
    return lambda connection: connection.exec_driver_sql(query).scalar()


async def in_postgresql(url: str, *statements: str) -> None:
    await asyncio.to_thread(run_sql, url, *statements)


def in_sqlite(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


async def test_a_new_file_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "share" / "volte" / "volte.db"
    async with await Store.open(f"sqlite:///{path}") as store:
        await store.append("t", 0, [b"x"])
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["volte.db"]


@on_sqlite
async def test_sqlite_keeps_what_it_has_said(store: Store) -> None:
    settings = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}
    for pragma, value in settings.items():
        assert await store._database.writers.run(asking(f"PRAGMA {pragma}")) == value


async def test_postgresql_keeps_what_it_has_said_however_careless_it_is(postgres_url: str) -> None:
    name = urlsplit(postgres_url).path[1:]
    await in_postgresql(postgres_url, f"ALTER DATABASE {name} SET synchronous_commit = off")
    async with await Store.open(postgres_url) as store:
        asked = await store._database.writers.run(asking("SHOW synchronous_commit"))
        assert asked == "on"
    await in_postgresql(postgres_url, f"ALTER DATABASE {name} RESET synchronous_commit")


@on_both
async def test_the_steps_lead_to_the_schema(database: str) -> None:
    def differences(connection: Connection) -> list[object]:
        options = {"version_table": VERSIONS, "compare_type": True}
        context = MigrationContext.configure(connection, opts=options)
        assert PARTS  # they declare the tables of the features
        return list(compare_metadata(context, METADATA))

    assert migrations._steps().get_current_head() == migrations.LATEST
    there = backing(database)
    try:
        await opened(there)
        assert await there.writers.run(differences) == []
    finally:
        await there.close()


@on_both
async def test_several_programs_may_open_a_new_database_at_once(database: str) -> None:
    stores = await asyncio.gather(*(Store.open(database) for _ in range(5)))
    for number, store in enumerate(stores):
        await store.append("t", number, [b"x"])
        await store.close()


async def test_a_newer_database_is_left_alone(sqlite_url: str, postgres_url: str) -> None:
    step = f"UPDATE {VERSIONS} SET version_num = 'of_the_future'"
    await opens(sqlite_url)
    in_sqlite(Path(sqlite_url.removeprefix("sqlite:///")), step)
    await opens(postgres_url)
    await in_postgresql(postgres_url, step)
    for url in (sqlite_url, postgres_url):
        reason, sentence = await refused(url)
        assert reason == "store_newer"
        assert "was made by a newer version of Volte" in sentence


def copied(folder: Path) -> Callable[[], ScriptDirectory]:
    """Copy the steps into a folder where a test can change them."""
    shutil.copytree(Path(migrations.__file__).parent / "versions", folder)
    return lambda: ScriptDirectory(str(folder), version_locations=[str(folder)])


@pytest.fixture
def future(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the steps of a later Volte; a test can write a second one there."""
    folder = tmp_path / "versions"
    steps = copied(folder)
    present = steps().get_current_head()
    (folder / "to_come.py").write_text(
        f"revision = 'to_come'\ndown_revision = {present!r}\n"
        "def upgrade(op):\n"
        "    op.execute('CREATE TABLE to_come (a TEXT)')\n"
        "    op.execute('DROP TABLE admitted')\n"
    )
    monkeypatch.setattr(migrations, "_steps", steps)
    monkeypatch.setattr(migrations, "LATEST", "of these steps")  # which come and go
    return folder / "to_come.py"


async def test_an_older_database_is_brought_up_to_date(database: str, future: Path) -> None:
    step = future.read_text()
    future.unlink()
    await opens(database)
    future.write_text(step)
    await opens(database, 1)
    future.unlink()
    assert (await refused(database))[0] == "store_newer"


def test_no_part_is_forgotten_where_a_person_is() -> None:
    """The others hold nothing about a person that is not theirs, or only read."""
    assert {*PARTS, Store, Nodes, SecondLook, TableLanguages} == set(Part.__subclasses__())


LEFT = (
    "admitted VALUES ('t', 'gone')",
    "members VALUES ('c', 'gone', 'organiser', 1.0)",
    "comers VALUES ('e', 'gone')",
)
LISTED = "INSERT INTO listings VALUES ('t', 'T', 'ann', 'public', 'playing', {summary}, '', 0.0)"


async def test_what_is_in_a_database_of_before_is_kept(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps are made in a database with accounts, and with a match under way."""
    steps = copied(tmp_path / "before")
    for step in (tmp_path / "before").glob("*.py"):
        if step.stem not in ("__init__", "first", "people"):
            step.unlink()
    ann, hers = Person("ann", "Anne", "fr", {}, 1.0), Account("ann", "anne", "$argon2id$", 1.0, 1.0)
    club = Club("c", "Club", "ann", "", True, 5.0, "key")
    trial = Trial("t", 2.0, "fr", "Windows 11", "NVDA", "keys", "failed", "« Échap »")

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "_steps", steps)
        async with await Store.open(database) as store:
            await store.put_person(ann)
            await store[Accounts].make(hers, [b"code"])
            await store.put_session(b"session", "ann", time.time() + 60)
            await store.append("t", 0, [b"x"])
            await store.admit("t", "ann")
            await store[Clubs].put(club)
    left = [f"INSERT INTO {row}" for row in LEFT]  # by somebody who was deleted meanwhile
    if database.startswith("postgresql"):
        left.append("INSERT INTO owners VALUES ('t', '00000000deadbeef')")
        left.append(LISTED.format(summary="'{}'"))
        await in_postgresql(database, *left)
    else:
        in_sqlite(
            Path(database.removeprefix("sqlite:///")), *left, LISTED.format(summary="x'7b7d'")
        )
    async with await Store.open(database) as store:
        assert await store[Clubs].role("c", "gone") == ""
        assert not await store.admitted("t", "gone")
        assert await store.listing("t") == Listing("t", "T", "ann", "public", "playing")
        if not store.nodes.alone:
            assert await store.nodes.orphans(2) == ["t"]
        assert await store.session(b"session") == ann
        assert await store[Accounts].by_login("anne") == hers
        assert await store[Accounts].has_code(b"code")
        await store.write(*device_known(b"device", "ann", time.time() + 60))
        assert await store[Accounts].devices_of([b"device"], "ann") == [b"device"]
        await store[Trials].add(trial)
        assert await store[Trials].latest() == [trial]
        assert await store.admitted("t", "ann")
        assert await store[Clubs].role("c", "ann") == "organiser"
        await store.forget("ann")
        assert not await store.admitted("t", "ann")


@on_both
async def test_a_step_that_fails_changes_nothing(database: str, future: Path) -> None:
    step = future.read_text()
    future.unlink()
    await opens(database)
    future.write_text(step + "    raise OSError('the lights went out')\n")
    assert (await refused(database))[0] == "store_unreachable"
    future.unlink()
    await opens(database, 1)
    future.write_text(step)
    await opens(database, 2)


async def test_a_database_of_something_else_is_left_alone(
    tmp_path: Path, postgres_url: str
) -> None:
    path = tmp_path / "other.db"
    in_sqlite(path, "CREATE TABLE recipes (name TEXT)")
    await in_postgresql(postgres_url, "CREATE TABLE recipes (name TEXT)")
    (tmp_path / "soup.txt").write_text("Leeks, potatoes, cream. " * 100)
    for url in (f"sqlite:///{path}", postgres_url, f"sqlite:///{tmp_path / 'soup.txt'}"):
        assert (await refused(url))[0] == "store_foreign"
    assert (tmp_path / "soup.txt").read_text().startswith("Leeks")


@pytest.mark.parametrize(
    "url",
    ["", "volte.db", "mysql://here/volte", "sqlite://", "sqlite:///:memory:", "postgresql://a:b:c"],
)
async def test_a_url_that_names_no_store(url: str) -> None:
    reason, sentence = await refused(url)
    assert reason == "store_url"
    assert "postgresql://USER@HOST/NAME" in sentence


async def test_no_sentence_tells_a_password(tmp_path: Path) -> None:
    for url in (
        "mysql://ann:s3cret@here/volte",
        "postgresql://ann:s3cret@here:port/volte",
        f"postgresql://ann:s3cret@/volte?host={tmp_path}",
    ):
        assert "s3cret" not in (await refused(url))[1]


async def test_a_folder_or_a_file_that_may_not_be_written(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys\n"
        "from volte.store import StoreFault\n"
        "from volte.store.store import Store\n"
        "for path in sys.argv[1:]:\n"
        "    try: asyncio.run(Store.open(f'sqlite:///{path}'))\n"
        "    except StoreFault as fault: print(fault.reason, fault.params['why'])\n"
    )
    locked, loose = tmp_path / "locked.db", tmp_path / "loose.db"
    for path, mode in {locked: 0o444, loose: 0o666}.items():
        await opens(f"sqlite:///{path}")
        path.chmod(mode)
    tmp_path.chmod(0o555)
    paths = [locked, loose, tmp_path / "new.db", tmp_path / "new" / "volte.db"]
    command = [*within_permissions(), sys.executable, "-c", program, *map(str, paths)]
    tried = subprocess.run(command, capture_output=True, text=True, cwd="/", check=True)
    assert tried.stdout == "store_not_opened Permission denied\n" * len(paths)


async def test_a_folder_is_no_file(tmp_path: Path) -> None:
    reason, sentence = await refused(f"sqlite:///{tmp_path}")
    assert reason == "store_not_opened"
    assert sentence == f"Cannot use {tmp_path} as a database: Is a directory."


async def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert (await refused(f"sqlite:///{tmp_path / 'pipe'}"))[1].endswith("Not a file.")


async def test_a_file_holds_no_other(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    reason, sentence = await refused(f"sqlite:///{tmp_path / 'file' / 'volte.db'}")
    assert reason == "store_not_opened"
    assert sentence.endswith("Not a directory.")


async def test_a_damaged_file_is_told(sqlite_url: str) -> None:
    await opens(sqlite_url)
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 4000)
    reason, sentence = await refused(sqlite_url)
    assert reason == "store_damaged"
    assert sentence == f"{path} is damaged: put a copy in its place with “volte restore”."


async def test_a_postgresql_that_is_not_there(tmp_path: Path) -> None:
    reason, sentence = await refused(f"postgresql://ann@/volte?host={tmp_path}")
    assert reason == "store_unreachable"
    assert "No such file or directory" in sentence
    port = free_port()
    for host in ("127.0.0.1", "localhost"):
        reason, sentence = await refused(f"postgresql://ann@{host}:{port}/volte")
        assert reason == "store_unreachable"
        assert "(Connection refused)" in sentence


async def test_a_database_that_the_server_lacks(postgres_url: str) -> None:
    missing = urlunsplit(urlsplit(postgres_url)._replace(path="/volte_none"))
    assert (await refused(missing))[0] == "store_missing"


async def test_a_name_that_the_server_does_not_know(postgres_url: str) -> None:
    stranger = postgres_url.replace("//volte@", "//nobody_of_that_name@")
    if stranger == postgres_url:
        pytest.skip("VOLTE_TEST_DATABASE has another user")
    assert (await refused(stranger))[0] == "store_denied"
