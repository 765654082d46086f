"""Backups of SQLite's file: copies made while others write in it, and restored in its place.

These functions wait for the disk, so they must not run on the event loop of a playroom.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from volte.files import sync
from volte.store.backing import BUSY, NO_ROOM, alone, check_links, location, sqlite_why
from volte.store.errors import StoreFault
from volte.store.migrations import VERSIONS, known_steps
from volte.store.trouble import SQLITE_DAMAGED

try:
    import fcntl
except ImportError:  # Windows lets nobody else remove a file that is being written
    fcntl = None  # type: ignore[assignment]

CHUNK: Final = 2**20  # bytes of a copy that are read at a time
PAGES: Final = 1024  # pages that are copied at a time; Ctrl-C works only between two times

SEAL: Final = b"\nvolte copy 1 sha256 %s\n"
"""The end of a copy, behind its last page, where SQLite does not look: the digest of all pages."""

NOT_WRITTEN: Final = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
)
"""SQLite's extended error codes for a copy that cannot be written."""

LEAST_PAGE: Final = 512  # bytes; the size of every file of SQLite is a multiple

PART: Final = re.compile(r"\..+\.[a-z0-9_]{8}\.part(-journal|-wal|-shm)?")
"""Names of copies that are being made."""


class Counts(NamedTuple):
    """Numbers of tables, matches and people in a copy of the database."""

    tables: int
    matches: int
    people: int


class Restored(NamedTuple):
    """The result of restoring a copy."""

    counts: Counts
    sealed: bool  # whether a seal has proved every byte of the copy; else only its tables are
    aside: Path | None  # new path of the file that was there before; None where there was none


def sqlite_file(url: str) -> Path | None:
    """The file of a database; None where it is one of PostgreSQL. Raises `StoreFault`."""
    where = location(url)
    return where if isinstance(where, Path) else None


def check_unused(url: str) -> None:
    """Raise `StoreFault` while a server has SQLite's file open. Does nothing for PostgreSQL."""
    database = sqlite_file(url)
    if database is not None and database.exists():
        with _trouble(database), alone(database):
            pass


def check_whole(url: str) -> None:
    """Look through SQLite's file for damage; PostgreSQL does so itself. Raises `StoreFault`."""
    database = sqlite_file(url)
    if database is not None and database.is_file() and database.stat().st_size:
        with _trouble(database), closing(_open(database)) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise StoreFault("store_damaged", path=str(database))


def back_up(database: Path, copy: Path, *, force: bool = False) -> Counts:
    """Copy the database as it is at this moment, check the copy, and put it at the path `copy`.

    Later writes to the database are not in the copy. Where the path is a link, the file that it
    leads to is written.

    Raises `StoreFault`, and leaves a file that was there unchanged.

    Args:
        force: whether a file that is there already may be replaced.
    """
    _two_files(copy, database)
    with _writing(copy):
        target = Path(os.path.realpath(copy))
        there = os.path.lexists(target)
        if there and not target.is_file():  # such as a device, which must stay
            raise OSError(0, "Not a file")
    if there and not force:
        raise StoreFault("copy_exists", path=str(copy))
    try:
        with (
            _trouble(database),
            closing(_open(database)) as source,
            _copied(source, target) as written,
        ):
            return _checked(written, database, "store_damaged")
    except StoreFault as fault:  # even reading a database needs some room on its disk
        if fault.params.get("why") != NO_ROOM or not _on_one_disk(target, database):
            raise
        raise StoreFault("file_not_written", path=str(copy), why=NO_ROOM) from None


def _on_one_disk(copy: Path, database: Path) -> bool:
    with suppress(OSError):
        return copy.parent.stat().st_dev == database.stat().st_dev
    return False


def restore(copy: Path, database: Path) -> Restored:
    """Put a copy in the place of the database, whose file stays beside it under another name.

    Raises `StoreFault` for a file that is no copy, and while a server runs; then nothing changes.
    """
    _two_files(copy, database)
    with _trouble(copy, "copy_damaged", "file_not_read"), closing(_open(copy)) as source:
        sealed = _sealed(copy)
        counts = _checked(source, copy, "copy_damaged")
        with _trouble(database):
            database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            aside = _put_aside(database)
            with alone(database) as replaced, _as_it_is(source):
                try:
                    _copy(source, replaced)
                except BaseException:
                    if aside is None:  # nothing was there
                        with suppress(OSError):
                            database.unlink()
                    raise
    return Restored(counts, sealed, aside)


def _two_files(copy: Path, database: Path) -> None:
    with suppress(OSError):
        if copy.samefile(database):
            raise StoreFault("copy_of_itself", path=str(copy))


def _open(path: Path) -> sqlite3.Connection:
    """A connection to a file that must be there.

    Only SQLite may open it: any other close of the file would free all locks that a server has on
    it in the same process, and the next program to leave would take the server's log away.
    """
    check_links(path)
    address = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(address, BUSY, isolation_level=None, uri=True)


@contextmanager
def _as_it_is(source: sqlite3.Connection) -> Iterator[None]:
    """Keep the database in one read transaction, so later writes do not restart a copy of it."""
    source.execute("BEGIN")
    source.execute("SELECT count(*) FROM sqlite_master").fetchone()
    yield
    source.rollback()


def _copy(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    source.backup(target, pages=PAGES, sleep=0)
    target.execute("PRAGMA journal_mode=DELETE")  # one file; a server changes that again


def _checked(connection: sqlite3.Connection, path: Path, damaged: str) -> Counts:
    """The counts of a database. Raises `StoreFault` for one that is damaged, newer than this
    version of Volte, or another program's."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if VERSIONS not in names:
        raise StoreFault("store_foreign", path=str(path))
    steps = {step for (step,) in connection.execute(f"SELECT version_num FROM {VERSIONS}")}
    if steps - known_steps():
        raise StoreFault("store_newer", path=str(path))
    if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        raise StoreFault(damaged, path=str(path))
    counted = (f"SELECT count(*) FROM {table}" for table in ("listings", "matches", "people"))
    return Counts(*(connection.execute(query).fetchone()[0] for query in counted))


@contextmanager
def _copied(source: sqlite3.Connection, copy: Path) -> Iterator[sqlite3.Connection]:
    """A copy in a file that its owner alone may read, named `copy` once it is whole and on disk."""
    with _as_it_is(source), _writing(copy), _cleared(copy.parent):
        handle, name = tempfile.mkstemp(prefix=f".{copy.name}.", suffix=".part", dir=copy.parent)
        os.close(handle)
        try:
            with closing(sqlite3.connect(name, isolation_level=None)) as written:
                _copy(source, written)
                yield written
            _seal(Path(name))
            sync(Path(name))
            os.replace(name, copy)
            sync(copy.parent)
        finally:
            for ending in ("", "-journal", "-wal", "-shm"):
                with suppress(OSError):
                    os.unlink(name + ending)


@contextmanager
def _writing(copy: Path) -> Iterator[None]:
    """Turn errors in writing a copy into a `StoreFault` about that file.

    Errors of the database that is copied pass through, to the function that has opened it.
    """
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) not in NOT_WRITTEN:
            raise
        raise StoreFault("file_not_written", path=str(copy), why=sqlite_why(error)) from None
    except OSError as error:
        why = error.strerror or str(error)
        raise StoreFault("file_not_written", path=str(copy), why=why) from None


@contextmanager
def _cleared(folder: Path) -> Iterator[None]:
    """Clear a folder of unfinished copies that killed programs have left there.

    Programs that make a copy share the folder's lock; one that gets it alone may clear the folder.
    """
    handle = os.open(folder, os.O_RDONLY) if fcntl is not None else None
    try:
        with suppress(OSError):  # others make a copy here, or the disk knows no locks
            if handle is not None:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for path in folder.iterdir():
                if PART.fullmatch(path.name):
                    path.unlink()
        if handle is not None:
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_SH)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _seal(copy: Path) -> None:
    """Write its digest behind a copy that is whole."""
    with copy.open("r+b") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest().encode()
        file.seek(0, os.SEEK_END)
        file.write(SEAL % digest)


def _sealed(copy: Path) -> bool:
    """Whether a copy has a seal; copies of older versions have none. Raises `StoreFault` where the
    seal, or any byte before it, is not as it was written."""
    with copy.open("rb") as file:
        pages = os.fstat(file.fileno()).st_size // LEAST_PAGE * LEAST_PAGE
        digest, left = hashlib.sha256(), pages
        while left and (some := file.read(min(left, CHUNK))):
            digest.update(some)
            left -= len(some)
        seal = file.read()
    if seal and seal != SEAL % digest.hexdigest().encode():
        raise StoreFault("copy_damaged", path=str(copy))
    return bool(seal)


def _put_aside(database: Path) -> Path | None:
    """Keep the database under another name, as a copy; if it cannot even be read, move its file.
    Returns the new path; None where there was no database. An empty file stays in its place."""
    if not database.exists():
        os.close(os.open(database, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        return None
    check_links(database)
    aside = _unused(database)
    try:
        with alone(database) as connection, _copied(connection, aside):
            pass
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in SQLITE_DAMAGED:
            raise
        os.replace(database, aside)
        for ending in ("-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                os.replace(f"{database}{ending}", f"{aside}{ending}")
        os.close(os.open(database, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    return aside


def _unused(database: Path) -> Path:
    """An unused path beside the database."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    name = f"{database.name}.before-{stamp}"
    names = (name, *(f"{name}-{number}" for number in range(2, 100)))
    return next(path for path in map(database.with_name, names) if not path.exists())


@contextmanager
def _trouble(
    path: Path, damaged: str = "store_damaged", not_opened: str = "store_not_opened"
) -> Iterator[None]:
    """Turn errors of SQLite or the system into a `StoreFault` about that file."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            raise StoreFault("store_foreign", path=str(path)) from None
        if code == sqlite3.SQLITE_CORRUPT:
            raise StoreFault(damaged, path=str(path)) from None
        why = sqlite_why(error)
        if why is None:
            raise
        raise StoreFault(not_opened, path=str(path), why=why) from None
    except OSError as error:
        why = error.strerror or str(error)
        name = str(error.filename or path)
        raise StoreFault(not_opened, path=name, why=why) from None
