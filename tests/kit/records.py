"""Records for the tests: the goldens, and checks that every record must pass."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from volte.notation import Record, RecordFault, format_record, parse_record
from volte.notation.reader import master_of
from volte.referee import Event, replay

TESTS: Final = Path(__file__).parents[1]


def _texts(room: str) -> dict[str, str]:
    goldens = sorted((TESTS / room / "goldens").glob("*.volte"))
    return {path.stem: path.read_text(encoding="utf-8") for path in goldens}


LAWFUL: Final = _texts("notation")
REFEREED: Final = _texts("referee")
TEXTS: Final = LAWFUL | REFEREED
"""Records typed by hand, name → text: without a referee, with one, and all."""


def read_back(log: Sequence[Event], master: bytes | None = None) -> Record:
    """The record of a log, after a check that it is read back as it was written."""
    text = format_record(log, master)
    record = parse_record(text)
    assert record.log == tuple(log)
    assert record.state == replay(log)
    assert record.master == master
    assert format_record(record.log, record.master) == text
    return record


def fault_of(text: str | bytes) -> RecordFault:
    """The fault of a text that is no lawful record."""
    with pytest.raises(RecordFault) as found:
        parse_record(text)
    assert found.value.line > 0
    return found.value


def line_of(text: str, start: str) -> int:
    """The number of the first line that begins with `start`, from 1."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(start))


class CheckResult(NamedTuple):
    """A lawful record, or the first fault of a text."""

    record: Record | None
    fault: RecordFault | None = None


def check_record(text: str | bytes) -> CheckResult:
    """Read a record, without raising its fault."""
    try:
        return CheckResult(parse_record(text))
    except RecordFault as fault:
        return CheckResult(None, fault)


def resume(text: str | bytes) -> tuple[tuple[Event, ...], bytes | None]:
    """The log of a match to go on with, and the master secret of its house."""
    record = parse_record(text)
    return record.log, master_of(record)
