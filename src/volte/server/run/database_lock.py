"""Lock file beside a SQLite file: one server at a time uses it, and the file names that one."""

from __future__ import annotations

from contextlib import suppress
from typing import Self

import msgspec

from volte.files import lock
from volte.store.backing import check_links, make_file
from volte.store.backup import sqlite_file


class Holder(msgspec.Struct, frozen=True):
    """The server that has the lock."""

    process: int = 0  # its process id; 0 if the file cannot be read
    address: str = ""  # of its playroom; empty before it listens


class DatabaseLock:
    """The lock of a database, held while this is open; the system frees it when a process dies.

    The lock file is never removed, as that could let two servers in. With PostgreSQL there is no
    file, and the lock can always be taken.

    Args:
        url: URL of the database. Raises `StoreFault`.
    """

    def __init__(self, url: str) -> None:
        self.database = sqlite_file(url)
        self._file = None
        if self.database is not None:
            make_file(self.database)
            check_links(self.database)
            path = self.database.resolve()  # so that all links to the database have one lock
            path = path.with_name(f"{path.name}.lock")
            make_file(path)
            self._file = path.open("r+b", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def take(self) -> bool:
        """Take the lock; False if another server has it.

        Raises `OSError` if the file system has no locks.
        """
        if self._file is None:
            return True
        return lock(self._file)

    def note(self, holder: Holder) -> None:
        """Write the holder of the lock into its file, for other processes to read."""
        if self._file is not None:
            with suppress(OSError):  # one can play on a full disk
                self._file.seek(0)
                self._file.truncate()
                self._file.write(msgspec.json.encode(holder))

    def holder(self) -> Holder:
        """The holder of the lock, as its file says."""
        assert self._file is not None
        self._file.seek(0)
        try:
            return msgspec.json.decode(self._file.read(), type=Holder)
        except msgspec.DecodeError:  # it is being written
            return Holder()
