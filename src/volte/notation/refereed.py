"""Records of every match, refereed or not: what there is in `game` for the lawful ones."""

from __future__ import annotations

from typing import ClassVar

from volte.notation import recorder
from volte.notation.refereed_read import (
    FORMS,
    Record,
    Report,
    check_record,
    load_record,
    parse_record,
)
from volte.notation.refereed_write import RecordWriter, format_record
from volte.referee.events import Event

__all__ = [
    "FORMS",
    "Record",
    "RecordWriter",
    "Recorder",
    "Report",
    "check_record",
    "format_record",
    "load_record",
    "parse_record",
    "resume",
]


class Recorder(recorder.Recorder):
    """As in `game`, for every match."""

    writer: ClassVar[type[RecordWriter]] = RecordWriter


def resume(text: str | bytes) -> tuple[tuple[Event, ...], bytes | None]:
    """As in `game`, for every match."""
    record = parse_record(text)
    return record.log, recorder.master_of(record)
