"""Sheets in files: one line for each entry, saved before anything else happens.

Each line is a JSON object: `number` from 1, `check` (CRC-32 over the number and the entry, eight
hexadecimal digits) and `entry`, the first of which is the `Header`. A program or a machine that
stops while it writes leaves part of a line behind: that part is ignored when the file is opened
again, and the next entry overwrites it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from errno import ENOENT
from pathlib import Path
from typing import BinaryIO, Final, Self
from zlib import crc32

import msgspec

from volte.cards import NeverCopied
from volte.fair import SECRET_BYTES, House
from volte.files import append, free_place, lock, open_file, read_file, sync
from volte.game.codec import decoded, encode
from volte.names import NameFault, clean_name
from volte.rules import Ruleset, has_options
from volte.scorekeeper.model.decide import decide, judged, next_act
from volte.scorekeeper.model.entries import (
    Act,
    Entry,
    Header,
    Open,
    SheetFault,
    Unseal,
    decode_entry,
    decode_header,
)
from volte.scorekeeper.model.read import is_sheet, parse_sheet
from volte.scorekeeper.model.sheet import Sheet, SheetSummary, evolve, summary

SUFFIX: Final = ".volte-sheet"
MOST_BYTES: Final = 16 * 2**20
VERSION: Final = 1


class _Line(msgspec.Struct, frozen=True):
    number: int
    check: str
    entry: msgspec.Raw


_LINE: Final[msgspec.json.Decoder[_Line]] = msgspec.json.Decoder(_Line)


class Recovered(msgspec.Struct, frozen=True):
    """The result of opening a file whose end was cut off or spoilt."""

    entries: int  # number of whole entries, which stand
    lost: int  # bytes after them, which are ignored


class _Content(msgspec.Struct, frozen=True):
    """The content of a file, read and judged."""

    header: Header
    sheet: Sheet
    size: int  # bytes of the whole lines


class SheetFile(NeverCopied):
    """A sheet in a file that is open for entries. Use `create` or `open`."""

    def __init__(
        self, path: Path, file: BinaryIO, content: _Content, recovered: Recovered | None = None
    ) -> None:
        self.path = path
        self.sheet = content.sheet  # the present sheet, all of it saved
        self.house = House(content.header.master)  # draws its lots
        self.recovered = recovered  # None unless the end of the file was missing or spoilt
        self._file = file
        self._size = content.size

    @classmethod
    def create(cls, path: Path, act: Open, house: House | None = None) -> Self:
        """Begin a sheet in a new file. Raises `SheetFault`, also if the file exists already."""
        opened = decide(None, act)
        if isinstance(opened, SheetFault):
            raise opened
        header = Header((house or House.fresh()).master)
        lines = _line(1, header) + _line(2, opened)
        try:
            file = open_file(path, os.O_CREAT | os.O_EXCL)
        except OSError as error:
            raise _failed("sheet_not_saved", path, error) from None
        try:
            _held(path, file)
            size = append(file, 0, lines)
        except OSError as error:
            file.close()
            with suppress(OSError):
                path.unlink()
            raise _failed("sheet_not_saved", path, error) from None
        with suppress(OSError):  # some systems cannot open folders
            sync(path.parent)
        return cls(path, file, _Content(header, evolve(None, opened), size))

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the sheet of a file to go on with it; an incomplete end is ignored.

        Raises `SheetFault`.
        """
        try:
            file = open_file(path)
        except OSError as error:
            raise _failed("sheet_not_read", path, error) from None
        try:
            _held(path, file)
            data = _read(path)
            content = _content(str(path), data)
        except SheetFault:
            file.close()
            raise
        lost = len(data) - content.size  # the next entry is written over it
        recovered = Recovered(len(content.sheet.entries), lost) if lost else None
        return cls(path, file, content, recovered)

    def do(self, act: Act) -> Entry:
        """Do an act; its entry is on the disk before the sheet changes.

        Raises `SheetFault` if it is refused or cannot be saved; then nothing has changed.
        """
        entry = decide(self.sheet, act)
        if isinstance(entry, SheetFault):
            raise entry
        line = _line(len(self.sheet.entries) + 2, entry)  # the header is line 1
        try:
            if not os.fstat(self._file.fileno()).st_nlink:
                raise OSError(ENOENT, os.strerror(ENOENT))  # somebody has deleted the file
            self._size = append(self._file, self._size, line)
        except OSError as error:
            raise _failed("sheet_not_saved", self.path, error) from None
        self.sheet = evolve(self.sheet, entry)
        return entry

    def draw_lots(self) -> tuple[Entry, ...]:
        """Draw the lots that are due first: the steps left of sealing, drawing and revealing."""
        entries: list[Entry] = []
        while (act := next_act(self.sheet, self.house)) is not None:
            entries.append(self.do(act))
            if isinstance(entries[-1], Unseal):
                break
        return tuple(entries)

    def close(self) -> None:
        """Close the file, which frees its lock."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_sheet(path: Path) -> Sheet:
    """Read the sheet of a file, or of a record, without locking or changing it.

    Raises `SheetFault`, and `RecordFault` for a record.
    """
    data = _read(path)
    return parse_sheet(data) if is_sheet(data) else _content(str(path), data).sheet


def sheet_in(data: bytes, called: str) -> tuple[Sheet, bytes]:
    """Read and judge a sheet that anybody may have made: a file of this module, or a record.

    Returns the secret from which its lots are drawn, too; empty for a record, which has none.
    Raises `SheetFault`, and `RecordFault` for a record.

    Args:
        called: name of the file, for the faults.
    """
    if is_sheet(data):
        return parse_sheet(data), b""
    content = _content(called, data)
    if not rules_can_be(content.sheet.rules):
        raise SheetFault("sheet_damaged", path=called, number=2)
    return content.sheet, content.header.master


def judged_all(made: Iterable[Entry]) -> Sheet:
    """The sheet of entries that anybody may have made. Raises `SheetFault`."""
    sheet = None
    for entry in made:
        after = judged(sheet, entry)
        if isinstance(after, SheetFault):
            raise after
        sheet = after
    if sheet is None or not rules_can_be(sheet.rules):
        raise SheetFault("entry_not_lawful")
    return sheet


def rules_can_be(rules: Ruleset) -> bool:
    """Whether rules that came as data are some that people can choose."""
    with suppress(NameFault):
        return has_options(rules) and rules.name in ("", clean_name(rules.name or rules.preset))
    return False


def _content(path: str, data: bytes) -> _Content:
    """Read and judge the whole lines of a file. Raises `SheetFault` for a file that is no sheet."""
    lines = data.split(b"\n")  # the part after the last end of line was cut off, or is empty
    whole = [_read_line(line) for line in lines[:-1]]
    while whole and whole[-1] is None:  # garbage at the end, left by a full disk or a crash
        whole.pop()
    if len(whole) < 2:
        raise SheetFault("not_a_sheet", path=path)
    header: Header | None = None
    sheet: Sheet | None = None
    for number, line in enumerate(whole, start=1):
        try:
            if line is None or line.number != number:
                raise SheetFault("entry_not_lawful")
            if header is None:
                header = _header(path, bytes(line.entry))
            else:
                after = judged(sheet, decode_entry(bytes(line.entry)))
                if isinstance(after, SheetFault):
                    raise after
                sheet = after
        except SheetFault as fault:
            if fault.reason == "sheet_newer":
                raise
            raise SheetFault("sheet_damaged", path=path, number=number) from None
    assert header is not None
    assert sheet is not None
    return _Content(header, sheet, sum(len(line) + 1 for line in lines[: len(whole)]))


def _header(path: str, data: bytes) -> Header:
    header = decode_header(data)
    if header.volte_sheet > VERSION:
        raise SheetFault("sheet_newer", path=path)
    if len(header.master) != SECRET_BYTES:
        raise SheetFault("entry_not_lawful")
    return header


# Lines


def _line(number: int, entry: Header | Entry) -> bytes:
    data = encode(entry)
    line = _Line(number, _check(number, data), msgspec.Raw(data))
    return msgspec.json.encode(line) + b"\n"


def _read_line(data: bytes) -> _Line | None:
    """Read a line of the file; None if it is damaged."""
    try:
        line = decoded(_LINE, data)
    except msgspec.ValidationError:
        return None
    return line if line.check == _check(line.number, bytes(line.entry)) else None


def _check(number: int, entry: bytes) -> str:
    return f"{crc32(entry, crc32(str(number).encode())):08x}"


# The disk


def _held(path: Path, file: BinaryIO) -> None:
    """Lock the file. Raises `SheetFault` if another program has the sheet open."""
    with suppress(OSError):  # there are disks without locks
        if not lock(file):
            raise SheetFault("sheet_open_elsewhere", path=str(path))


def _read(path: Path) -> bytes:
    try:
        data = read_file(path, MOST_BYTES + 1)
    except OSError as error:
        raise _failed("sheet_not_read", path, error) from None
    if len(data) > MOST_BYTES:
        raise SheetFault("not_a_sheet", path=str(path))
    return data


def _failed(reason: str, path: Path, error: OSError) -> SheetFault:
    return SheetFault(reason, path=str(path), why=error.strerror or str(error))


# All sheets on this machine


class ShelvedSheet(msgspec.Struct, frozen=True):
    """An item in the list of the sheets on this machine."""

    path: Path
    summary: SheetSummary | None  # None if the file cannot be read
    fault: SheetFault | None  # the reason why it cannot be read
    updated: float  # time of the last change to the file, in seconds since 1970


class SheetShelf:
    """The sheets of this person on this machine.

    Args:
        folder: the folder of the sheets; by default `sheets` in the data folder of Volte.

    Raises `SheetFault` if the person has no home folder for that default.
    """

    def __init__(self, folder: Path | None = None) -> None:
        import platformdirs  # here, as sheets without files need none

        try:
            self.folder = folder or platformdirs.user_data_path("volte", appauthor=False) / "sheets"
        except RuntimeError:
            raise SheetFault("no_home") from None

    def new(self, act: Open, house: House | None = None) -> SheetFile:
        """Begin a sheet in a file named after the time. Raises `SheetFault`."""
        with suppress(OSError):  # `SheetFile.create` reports it
            self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{datetime.now():%Y-%m-%d-%H%M%S}{SUFFIX}"
        return SheetFile.create(free_place(path), act, house)

    def listed(self) -> tuple[ShelvedSheet, ...]:
        """List all sheets, the latest first; damaged ones with their fault."""
        found = []
        for path in self.folder.glob(f"*{SUFFIX}"):
            with suppress(OSError):  # it has just been deleted
                found.append(_listed(path))
        return tuple(sorted(found, key=lambda each: (each.updated, each.path.name), reverse=True))


def _listed(path: Path) -> ShelvedSheet:
    updated = path.stat().st_mtime
    try:
        content = _content(str(path), _read(path))
        return ShelvedSheet(path, summary(content.sheet), None, updated)
    except SheetFault as fault:
        return ShelvedSheet(path, None, fault, updated)
