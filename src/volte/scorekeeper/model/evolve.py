"""`evolve`: entries folded into a sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from volte.referee.scores import Purpose
from volte.scorekeeper.model import entries as en
from volte.scorekeeper.model.reckon import reckon
from volte.scorekeeper.model.reckoning import Dealings, empty_table, table_of, with_line
from volte.scorekeeper.model.sheet import Correction, Line, SealState, Sheet


def evolve(sheet: Sheet | None, entry: en.Entry) -> Sheet:
    """The sheet after the entry, which is trusted; the first one opens it."""
    if sheet is None:
        assert isinstance(entry, en.Opened)
        return _opened(entry)
    after: Sheet = _FOLDS[type(entry)](sheet, entry)
    return _changed(after, entries=(*sheet.entries, entry))


def fold(entries: Iterable[en.Entry]) -> Sheet:
    """The sheet that those entries make; there must be a first one."""
    sheet = None
    for entry in entries:
        sheet = evolve(sheet, entry)
    assert sheet is not None
    return sheet


def _opened(entry: en.Opened) -> Sheet:
    return Sheet(
        rules=entry.rules,
        names=entry.names,
        title=entry.title,
        stake=entry.stake,
        currency=entry.currency,
        date=entry.date,
        opening_pot=entry.pot,
        entries=(entry,),
        table=empty_table(Dealings(entry.rules, entry.dealer, entry.pot, ())),
        first_dealer=entry.dealer,
    )


def _amended(sheet: Sheet, entry: en.Amended) -> Sheet:
    told = msgspec.structs.asdict(entry)
    return _changed(sheet, **{name: value for name, value in told.items() if value is not None})


def _dealer_named(sheet: Sheet, entry: en.DealerNamed) -> Sheet:
    return _reckoned(_changed(sheet, first_dealer=entry.dealer))


def _entered(sheet: Sheet, entry: en.Entered) -> Sheet:
    reckoned = reckon(sheet.rules, entry.told)
    table = with_line(sheet.dealings, sheet.table, reckoned)
    return _changed(sheet, lines=(*sheet.lines, Line(reckoned)), table=table)


def _corrected(sheet: Sheet, entry: en.Corrected) -> Sheet:
    lines = list(sheet.lines)
    before = lines[entry.line - 1]
    correction = Correction(before.told, entry.by, entry.why)
    reckoned = None if entry.told is None else reckon(sheet.rules, entry.told)
    lines[entry.line - 1] = Line(reckoned, (*before.corrections, correction))
    return _reckoned(_changed(sheet, lines=tuple(lines)))


def _undone(sheet: Sheet, entry: en.Undone) -> Sheet:
    undone = (*sheet.undone, entry.number)
    standing = _changed(sheet, undone=undone).standing_entries
    kept = [each for each in standing if not isinstance(each, en.Undone)]
    return _changed(fold(kept), entries=sheet.entries, undone=undone)


def _sealed(sheet: Sheet, entry: en.Sealed) -> Sheet:
    seal = SealState(entry.number, entry.digest, (None,) * len(sheet.names))
    return _changed(sheet, seals=(*sheet.seals, seal))


def _shared(sheet: Sheet, entry: en.Shared) -> Sheet:
    shares = list(sheet.seals[-1].shares)
    shares[entry.seat] = entry.data
    return _seal_changed(sheet, len(sheet.seals), shares=tuple(shares))


def _drawn(sheet: Sheet, entry: en.Drawn) -> Sheet:
    if entry.seal:
        drawn = {"purpose": entry.purpose, "line": entry.line, "rounds": entry.rounds}
        sheet = _seal_changed(sheet, entry.seal, **drawn)
    sheet = _changed(sheet, draws=(*sheet.draws, entry))
    if entry.purpose is Purpose.DEALER:
        sheet = _changed(sheet, first_dealer=entry.order[-1])
    return _reckoned(sheet)


def _revealed(sheet: Sheet, entry: en.Revealed) -> Sheet:
    return _seal_changed(sheet, entry.number, secret=entry.secret)


def _accepted(sheet: Sheet, _: en.Accepted) -> Sheet:
    return _changed(sheet, accepted=True)


def _reopened(sheet: Sheet, _: en.Reopened) -> Sheet:
    return _changed(sheet, accepted=False)


def _seal_changed(sheet: Sheet, number: int, **fields: Any) -> Sheet:
    seals = list(sheet.seals)
    seals[number - 1] = msgspec.structs.replace(seals[number - 1], **fields)
    return _changed(sheet, seals=tuple(seals))


def _reckoned(sheet: Sheet) -> Sheet:
    lines = [(line.reckoned, len(line.corrections)) for line in sheet.lines]
    return _changed(sheet, table=table_of(sheet.dealings, lines))


def _changed(sheet: Sheet, **fields: Any) -> Sheet:
    return msgspec.structs.replace(sheet, **fields)


_FOLDS: Final[dict[type, Callable[[Any, Any], Sheet]]] = {
    en.Amended: _amended,
    en.DealerNamed: _dealer_named,
    en.Entered: _entered,
    en.Corrected: _corrected,
    en.Undone: _undone,
    en.Sealed: _sealed,
    en.Shared: _shared,
    en.Drawn: _drawn,
    en.Revealed: _revealed,
    en.Accepted: _accepted,
    en.Reopened: _reopened,
}
