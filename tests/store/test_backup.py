"""Copies of a database in SQLite: made while it is used, whole or not at all, and put back."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from time import monotonic

import pytest
from kit.appending import acknowledged, appending, judge
from kit.filling import small_filesystem
from kit.stores import damage, lay_out

from volte.say import Words
from volte.store import Listing, MatchRow, Person, StoreFault
from volte.store.backup import Counts, back_up, check_whole, restore, sqlite_file
from volte.store.store import Store

ONE: Counts = Counts(tables=1, matches=2, people=3)


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    """The file of a store with one table, two matches and three people; nobody has it open."""
    path = tmp_path / "playroom.sqlite"
    lay_out(url_of(path))
    async with await Store.open(url_of(path)) as store:
        listing = Listing("t", "Table", "ann", "public", "playing", b"")
        matches = [MatchRow(f"m{each}", "t", 1, b"m" * 32, 0.0, ("ann", "")) for each in (1, 2)]
        await store.append("t", 0, [b"first"], listing=listing, matches=matches)
        for name in ("ann", "ben", "cyd"):
            await store.put_person(Person(name, name.title(), "en", {}, 0.0))
    return path


@pytest.fixture
def copy(database: Path, tmp_path: Path) -> Path:
    """A copy of the database."""
    back_up(database, tmp_path / "copy.sqlite")
    return tmp_path / "copy.sqlite"


def url_of(path: Path) -> str:
    return f"sqlite:///{path}"


async def last_of(path: Path, stream: str = "t") -> int:
    """The last version of a stream in a database file."""
    async with await Store.open(url_of(path)) as store:
        return len(await store.read(stream))


async def append(path: Path, stream: str, expected: int, *entries: bytes) -> None:
    async with await Store.open(url_of(path)) as store:
        await store.append(stream, expected, entries)


def refused(act: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(StoreFault) as caught:
        act()
    return caught.value.reason, Words("en").fault(caught.value)


# Copying


async def test_a_copy_is_one_file_of_its_owner_alone_and_says_what_is_in_it(
    database: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copies" / "one.sqlite"
    copy.parent.mkdir()
    assert back_up(database, copy) == ONE
    assert os.listdir(copy.parent) == [copy.name]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert await last_of(copy) == 1


async def test_a_copy_is_made_while_others_write_and_has_all_that_was_kept_before(
    tmp_path: Path,
) -> None:
    database, copy = tmp_path / "playroom.sqlite", tmp_path / "copy.sqlite"
    with appending(url_of(database), "w") as program:
        before = acknowledged(program, 200)
        counts = back_up(database, copy)
        after = acknowledged(program, 200)
    assert counts.tables == len(before)
    assert all(after[stream] > before[stream] for stream in before)  # they went on
    await judge(url_of(copy), before)
    assert min([await last_of(copy, stream) - after[stream] for stream in before]) < 0


async def test_a_server_that_looks_its_file_through_loses_nothing_to_whoever_copies_it(
    database: Path,
) -> None:
    looking = (
        "import sqlite3; it = sqlite3.connect({!r}); it.execute('PRAGMA user_version'); it.close()"
    )
    async with await Store.open(url_of(database)) as store:
        await asyncio.to_thread(check_whole, url_of(database))
        subprocess.run([sys.executable, "-c", looking.format(str(database))], check=True)
        await store.append("t", 1, [b"second"])
        assert database.with_name(f"{database.name}-wal").exists()
    assert await last_of(database) == 2


@pytest.mark.full
async def test_a_copy_is_made_after_a_program_was_killed(tmp_path: Path) -> None:
    database, copy = tmp_path / "playroom.sqlite", tmp_path / "copy.sqlite"
    with appending(url_of(database), "w") as program:
        before = acknowledged(program, 50)
    back_up(database, copy)
    await judge(url_of(copy), before)


async def test_what_is_there_already_is_replaced_by_force_alone(
    database: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(b"dear")
    assert refused(lambda: back_up(database, copy))[0] == "copy_exists"
    assert copy.read_bytes() == b"dear"
    assert back_up(database, copy, force=True) == ONE
    assert await last_of(copy) == 1


async def test_the_database_is_no_copy_of_itself(database: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(database)
    assert refused(lambda: back_up(database, database, force=True))[0] == "copy_of_itself"
    assert refused(lambda: back_up(database, link, force=True))[0] == "copy_of_itself"
    assert refused(lambda: restore(link, database))[0] == "copy_of_itself"
    assert await last_of(database) == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "store_not_opened"), (b"", "store_foreign"), (b"x" * 5000, "store_foreign")],
)
def test_what_is_no_playroom_is_not_copied(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path, copy = tmp_path / "x.sqlite", tmp_path / "copy.sqlite"
    if content is not None:
        path.write_bytes(content)
    said, sentence = refused(lambda: back_up(path, copy))
    assert said == reason
    assert str(path) in sentence
    assert sorted(os.listdir(tmp_path)) == (["x.sqlite"] if content is not None else [])


async def test_a_damaged_database_is_not_taken_for_a_copy(database: Path, tmp_path: Path) -> None:
    damage(database)
    assert refused(lambda: back_up(database, tmp_path / "copy.sqlite"))[0] in DAMAGED
    assert os.listdir(tmp_path) == [database.name]


async def test_a_disk_that_is_full_leaves_no_half_of_a_copy(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "small"
    with small_filesystem(folder, 900_000):
        copy, beside = folder / "copy.sqlite", folder / database.name
        said = f"Cannot write {copy}: No space left on device."
        shutil.copy(database, beside)
        there = {beside.name, "full"}
        for room in (0, 100_000):  # not even enough to read the database; enough for a part
            left = os.statvfs(folder).f_bavail * os.statvfs(folder).f_bsize
            (folder / "full").write_bytes(bytes(left - room))
            for each in (database, beside):
                assert refused(partial(back_up, each, copy))[1] == said
            assert {*os.listdir(folder)} - there <= {f"{beside.name}-wal", f"{beside.name}-shm"}
            (folder / "full").unlink()


async def test_a_disk_that_is_full_leaves_no_half_of_a_database(copy: Path, tmp_path: Path) -> None:
    folder = tmp_path / "small"
    with small_filesystem(folder, 100_000):
        told = f"Cannot use {folder / 'playroom.sqlite'} as a database: No space left on device."
        assert refused(lambda: restore(copy, folder / "playroom.sqlite"))[1] == told
        assert os.listdir(folder) == []


async def test_a_link_stays_and_what_is_no_file_is_never_replaced(
    database: Path, copy: Path, tmp_path: Path
) -> None:
    """Not even by force: a replaced device would be gone for the whole machine."""
    link, pipe = tmp_path / "link.sqlite", tmp_path / "pipe"
    link.symlink_to(tmp_path / "real.sqlite")
    assert back_up(database, link) == back_up(database, link, force=True) == ONE
    assert link.is_symlink()
    os.mkfifo(pipe)
    for there in (pipe, tmp_path):
        told = f"Cannot write {there}: Not a file."
        assert refused(partial(back_up, database, there, force=True))[1] == told
        told = f"Cannot use {there} as a database: Not a file."
        assert refused(partial(restore, copy, there))[1] == told
        told = f"Cannot read {there}: Not a file."
        assert refused(partial(restore, there, tmp_path / "new.sqlite"))[1] == told
    assert pipe.is_fifo()
    told = refused(partial(back_up, database, tmp_path / ("x" * 300)))[1]
    assert told.endswith(": File name too long.")


async def test_a_folder_that_is_not_there(database: Path, tmp_path: Path) -> None:
    said = refused(lambda: back_up(database, tmp_path / "nowhere" / "copy.sqlite"))
    assert os.strerror(errno.ENOENT) in said[1]


async def test_what_a_killed_program_has_left_goes_with_the_next_copy(
    database: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / ".mine.part").touch()
    program = (
        "import sys, time; from pathlib import Path; from volte.store import backup;"
        "backup._seal = lambda _: (print(flush=True), time.sleep(600));"
        "backup.back_up(*map(Path, sys.argv[1:]))"
    )
    monday, tuesday = folder / "monday.sqlite", folder / "tuesday.sqlite"
    command = [sys.executable, "-c", program, str(database), str(monday)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as copying:
        assert copying.stdout is not None
        copying.stdout.readline()
        back_up(database, tuesday)  # leaves alone what another program is making
        assert len(list(folder.glob(".monday*.part"))) == 1
        copying.kill()
    assert back_up(database, tuesday, force=True) == ONE
    assert sorted(os.listdir(folder)) == [".mine.part", tuesday.name]


# Putting back

DAMAGED = ("copy_damaged", "store_damaged")


async def test_a_copy_is_put_back_and_what_was_there_is_kept_beside_it(
    database: Path, copy: Path
) -> None:
    await append(database, "t", 1, b"second")
    counts, sealed, aside = restore(copy, database)
    assert (counts, sealed) == (ONE, True)
    assert aside is not None
    assert (await last_of(database), await last_of(aside), await last_of(copy)) == (1, 2, 1)
    assert stat.S_IMODE(database.stat().st_mode) == 0o600


async def test_a_copy_is_put_where_nothing_is(copy: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "new" / "playroom.sqlite"
    assert restore(copy, elsewhere) == (ONE, True, None)
    assert await last_of(elsewhere) == 1
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o600


async def test_a_copy_takes_the_place_of_a_damaged_database(database: Path, copy: Path) -> None:
    database.write_bytes(b"nothing that can be read " * 1000)
    counts, _, aside = restore(copy, database)
    assert counts == ONE
    assert aside is not None
    assert aside.read_bytes().startswith(b"nothing")
    assert await last_of(database) == 1


async def test_nothing_is_put_back_while_a_server_has_the_database(
    database: Path, copy: Path, tmp_path: Path
) -> None:
    async with await Store.open(url_of(database)) as store:
        await store.read("t")  # and does nothing more
        restored = asyncio.to_thread(refused, lambda: restore(copy, database))
        assert (await restored)[0] == "store_in_use"
        await store.append("t", 1, [b"second"])
    assert await last_of(database) == 2
    assert sorted(os.listdir(tmp_path)) == ["copy.sqlite", "playroom.sqlite"]


@pytest.mark.full
async def test_nor_while_another_program_has_it(database: Path, copy: Path) -> None:
    with appending(url_of(database), "w") as program:
        reached = acknowledged(program, 20)
        assert refused(lambda: restore(copy, database))[0] == "store_in_use"
        acknowledged(program, 20)
    await judge(url_of(database), reached)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE volte_version SET version_num = 'of tomorrow'", "store_newer"),
        ("DROP TABLE volte_version", "store_foreign"),
    ],
)
async def test_what_is_no_copy_of_ours_is_not_put_back(
    database: Path, copy: Path, statement: str, reason: str
) -> None:
    with sqlite3.connect(copy) as connection:
        connection.execute(statement)
    connection.close()
    unseal(copy)
    assert refused(lambda: restore(copy, database))[0] == reason
    assert await last_of(database) == 1


def unseal(copy: Path) -> None:
    """Remove the seal of a copy, as older versions made none: a file of SQLite alone."""
    os.truncate(copy, copy.stat().st_size // 4096 * 4096)


async def test_a_copy_with_any_byte_turned_is_not_put_back(database: Path, copy: Path) -> None:
    """SQLite sees nothing wrong in some of them: in a text, in free space, or behind all pages."""
    whole = copy.read_bytes()
    pages = len(whole) // 4096 * 4096
    assert pages < len(whole)
    places = [*range(0, 100, 9), *range(100, pages, 9973), *range(pages, len(whole), 5)]
    unseen = 0
    for place in places:
        turned = bytearray(whole)
        turned[place] ^= 0x20
        copy.write_bytes(turned)
        assert refused(lambda: restore(copy, database))[0] == "copy_damaged", place
        unseal(copy)
        with closing(sqlite3.connect(copy)) as connection, suppress(sqlite3.DatabaseError):
            unseen += connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert unseen > len(places) / 2
    for length in (pages - 4096, pages + 1, len(whole) - 1):
        copy.write_bytes(whole[:length])
        assert refused(lambda: restore(copy, database))[0] in DAMAGED
    copy.write_bytes(whole)
    assert restore(copy, database)[:2] == (ONE, True)


async def test_a_copy_of_an_older_version_is_put_back_as_far_as_sqlite_can_judge_it(
    database: Path, copy: Path
) -> None:
    unseal(copy)
    assert restore(copy, database)[:2] == (ONE, False)
    damage(copy)
    assert refused(lambda: restore(copy, database))[0] in DAMAGED


async def test_what_was_put_aside_is_a_copy_itself(database: Path, copy: Path) -> None:
    await append(database, "t", 1, b"second")
    aside = restore(copy, database).aside
    assert aside is not None
    assert restore(aside, database).sealed
    assert await last_of(database) == 2


async def test_a_damaged_copy_is_not_put_back(database: Path, copy: Path) -> None:
    damage(copy)
    assert refused(lambda: restore(copy, database))[0] in DAMAGED
    assert await last_of(database) == 1


@pytest.mark.full
async def test_whoever_is_killed_while_they_put_back_has_lost_nothing(
    database: Path, copy: Path, tmp_path: Path
) -> None:
    """At any moment the database is the old or the new one, and whole."""
    await append(database, "big", 0, *(os.urandom(4000) for _ in range(3000)))
    program = (
        "import sys; from pathlib import Path; from volte.store.backup import restore;"
        "print(flush=True); restore(*map(Path, sys.argv[1:]))"
    )
    back = tmp_path / "back.sqlite"
    back_up(database, back)

    async def killed_after(seconds: float | None) -> tuple[int, float]:
        """Restore, killed after some seconds (None: never): the version then, and the duration."""
        command = [sys.executable, "-c", program, str(copy), str(database)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as restoring:
            assert restoring.stdout is not None
            restoring.stdout.readline()
            begun = monotonic()
            try:
                restoring.wait(seconds)
            except subprocess.TimeoutExpired:
                restoring.send_signal(signal.SIGKILL)
            lasted = monotonic() - begun
        grown = await last_of(database, "big")
        if not grown:
            restore(back, database)
        return grown, lasted

    whole, lasted = await killed_after(None)
    assert whole == 0
    moments = [(await killed_after(lasted * step / 10))[0] for step in range(15)]
    assert set(moments) <= {0, 3000}
    assert 3000 in moments  # killed at once


# Arguments


def test_where_the_data_is_in_sqlite() -> None:
    assert sqlite_file("sqlite:////srv/p.sqlite") == Path("/srv/p.sqlite")
    assert sqlite_file("sqlite:///p.sqlite") == Path("p.sqlite")
    assert sqlite_file("postgresql://volte@db/volte") is None
    assert refused(lambda: sqlite_file("sqlite://"))[0] == "store_url"
    assert refused(lambda: sqlite_file("://"))[0] == "store_url"
