"""Going on with a match that was left, also where its file was cut short or damaged."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from volte.console.shelf import Shelf, free_place
from volte.console.terminal import TerminalFault
from volte.fair import House
from volte.notation import Record, RecordFault, load_record, parse_record
from volte.notation.record import content_of
from volte.notation.recorder import master_of
from volte.referee import Event, replay
from volte.rules.file import replace_file
from volte.terminal.table import Match, Table

ASIDE: Final = ".broken"
"""Added to the name of a record: what of it cannot be read."""


def resumed_match(file: Path | None, table: Table, record: Path | None = None) -> Match:
    """The match of a record that is not over, or the latest one that was left.

    The broken end of a record is put aside beside it, and the match goes on from the rest.

    Raises `RecordFault` for a file that cannot be opened, and `TerminalFault` for one that nothing
    can go on from.
    """
    path, left = _latest(table) if file is None else (file, _named(file, table))
    log, house = left.log, House(left.master) if left.master else None
    last = replay(log).proof
    kept = _kept_at(path, log, house, table.shelf)
    files = tuple(dict.fromkeys(each for each in (kept, path, record) if each is not None))
    match = Match(log, house, False, files)
    if last is not None and match.me in last.house:
        return replace(match, repeatable=True)
    return match


def _named(file: Path, table: Table) -> Record:
    """The record that the person has named."""
    try:
        record = _mended(file, table)
    except RecordFault as fault:
        if not fault.line:  # it names the file
            raise
        raise TerminalFault("not_resumed", path=file, fault=fault) from None
    if record.finished:
        raise TerminalFault("match_over", path=file)
    return record


def _latest(table: Table) -> tuple[Path, Record]:
    """The match that was left last. One that ended just when the program did is put away."""
    for path in table.shelf.latest_first():
        try:
            record = _mended(path, table)
        except RecordFault as fault:
            if fault.line:
                aside = _aside(path)
                path.rename(aside)
                table.say_fault(TerminalFault("match_aside", path=path, fault=fault, aside=aside))
            else:
                table.say_fault(fault)
            continue
        if not record.finished:
            return path, record
        table.shelf.put_away(path)
    raise TerminalFault("nothing_to_resume")


def _mended(path: Path, table: Table) -> Record:
    """The record of a file, of which the end is put aside if it cannot be read.

    Raises `RecordFault` where nothing could be gone on from.
    """
    content = content_of(path)
    lines = content.split(b"\n")
    whole, first = len(lines), None
    while True:
        try:
            record = parse_record(content)
            break
        except RecordFault as fault:
            first = first or fault
            whole = min(whole, fault.line) - 1
            if whole < 1:
                raise first from None
            content = b"".join(line + b"\n" for line in lines[:whole])
    master_of(record)  # without it nobody could deal
    if first is not None:
        aside = _aside(path)
        replace_file(aside, b"\n".join(lines[whole:]))
        replace_file(path, content)
        table.say_fault(TerminalFault("end_aside", path=path, fault=first, aside=aside))
    return record


def _aside(path: Path) -> Path:
    return free_place(path.with_name(path.name + ASIDE))


def _kept_at(path: Path, log: Sequence[Event], house: House | None, shelf: Shelf) -> Path:
    """Where on the shelf a match from that file goes on, over nothing that is ahead of it."""
    if house is None or path.resolve().parent == shelf.under_way.resolve():
        return path
    for place in shelf.places_of(house):
        with suppress(RecordFault):
            kept = load_record(place).log
            if kept == tuple(log[: len(kept)]):
                return place
    return shelf.new_place(house)
