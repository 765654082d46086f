"""`decide`: an act judged, and the entries that it puts on the sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from volte.fair import DIGEST_BYTES, LONGEST_CONTRIBUTION, Verdict
from volte.rules import Score, Settlement, lawful_draw, order_of
from volte.scorekeeper.model import acts
from volte.scorekeeper.model import entries as en
from volte.scorekeeper.model.evolve import evolve
from volte.scorekeeper.model.fault import SheetFault
from volte.scorekeeper.model.head import (
    currency_read,
    date_read,
    names_read,
    remark_read,
    stake_read,
    title_read,
)
from volte.scorekeeper.model.lots import lots_due, open_seal, proved
from volte.scorekeeper.model.pack import countable
from volte.scorekeeper.model.reckon import reckon
from volte.scorekeeper.model.sheet import SealState, Sheet
from volte.scorekeeper.model.told import Told

MOST_LINES: Final = 500
MOST_ENTRIES: Final = 3000
LARGEST_POT: Final = 10**9

Outcome = tuple[en.Entry, ...] | SheetFault


def decide(sheet: Sheet | None, act: acts.Act) -> Outcome:
    """The entries that the act puts on the sheet, or why it is refused.

    Without a sheet it can only be opened.
    """
    try:
        if isinstance(act, acts.Open):
            return _open(sheet, act)
        if sheet is None:
            raise SheetFault("sheet_not_open")
        if len(sheet.entries) >= MOST_ENTRIES:
            raise SheetFault("sheet_full", most=MOST_ENTRIES)
        if sheet.accepted and not isinstance(act, acts.Reopen | acts.Reveal):
            raise SheetFault("sheet_accepted")
        entry: en.Entry = _JUDGES[type(act)](sheet, act)
        return (entry,)
    except SheetFault as fault:
        return fault.with_traceback(None)


def trial(sheet: Sheet, told: Told) -> Score | SheetFault | None:
    """What a deal would score, without entering it; None for a misdeal."""
    try:
        return reckon(sheet.rules, told).score
    except SheetFault as fault:
        return fault.with_traceback(None)


def judged(sheet: Sheet | None, entry: en.Entry) -> Sheet | SheetFault:
    """The sheet after an entry from outside, which must be one that `decide` could have written."""
    act = _act_of(entry)
    outcome = decide(sheet, act)
    if isinstance(outcome, SheetFault):
        return outcome
    if outcome != (entry,):
        return SheetFault("entry_not_lawful")
    return evolve(sheet, entry)


def _act_of(entry: en.Entry) -> acts.Act:
    fields = {name: getattr(entry, name) for name in entry.__struct_fields__}
    match entry:
        case en.Undone():
            return acts.Undo()
        case en.Drawn():
            return acts.Draw(entry.rounds, entry.seal)
    act: acts.Act = _ACTS[type(entry)](**fields)
    return act


# The head


def _open(sheet: Sheet | None, act: acts.Open) -> Outcome:
    if sheet is not None:
        raise SheetFault("sheet_open_already")
    if not countable(act.rules):
        raise SheetFault("sheet_cannot_count")
    if not 0 <= act.pot <= LARGEST_POT:
        raise SheetFault("pot_out_of_range", pot=act.pot, most=LARGEST_POT)
    if act.pot and act.rules.stakes.settlement is not Settlement.POT:
        raise SheetFault("pot_not_played_for")
    if act.dealer is not None:
        _check_seat(act.dealer, act.rules.players)
    return (
        en.Opened(
            act.rules,
            names_read(act.names, act.rules.players),
            title_read(act.title),
            stake_read(act.stake),
            currency_read(act.currency),
            act.pot,
            date_read(act.date),
            act.dealer,
        ),
    )


def _amend(sheet: Sheet, act: acts.Amend) -> en.Entry:
    amended = en.Amended(
        None if act.names is None else names_read(act.names, sheet.rules.players),
        None if act.title is None else title_read(act.title),
        None if act.stake is None else stake_read(act.stake),
        None if act.currency is None else currency_read(act.currency),
        None if act.date is None else date_read(act.date),
    )
    told = msgspec.structs.asdict(amended)
    if all(value in (None, getattr(sheet, name)) for name, value in told.items()):
        raise SheetFault("nothing_changed")
    return amended


def _name_dealer(sheet: Sheet, act: acts.NameDealer) -> en.Entry:
    _check_seat(act.dealer, len(sheet.names))
    if act.dealer == sheet.first_dealer:
        raise SheetFault("nothing_changed")
    return en.DealerNamed(act.dealer)


# The lines


def _enter(sheet: Sheet, act: acts.Enter) -> en.Entry:
    if sheet.table.over:
        raise SheetFault("sheet_over")
    if len(sheet.lines) >= MOST_LINES:
        raise SheetFault("sheet_full", most=MOST_LINES)
    return en.Entered(reckon(sheet.rules, act.told).told)


def _correct(sheet: Sheet, act: acts.Correct) -> en.Entry:
    if not 1 <= act.line <= len(sheet.lines):
        raise SheetFault("no_such_line", number=act.line, lines=len(sheet.lines))
    told = None if act.told is None else reckon(sheet.rules, act.told).told
    if told == sheet.lines[act.line - 1].told:
        raise SheetFault("nothing_changed")
    return en.Corrected(act.line, told, remark_read(act.by), remark_read(act.why))


def _undo(sheet: Sheet, _: acts.Undo) -> en.Entry:
    """The last entry that people made; a seal that nothing was drawn by does not stand above it."""
    unused = open_seal(sheet)
    gone = set(sheet.undone)
    for number, entry in reversed(list(enumerate(sheet.entries, start=1))):
        if number in gone or isinstance(entry, en.Undone):
            continue
        match entry:
            case en.Entered() | en.Corrected() | en.DealerNamed() | en.Amended():
                return en.Undone(number)
            case en.Sealed() | en.Shared() if unused is not None:
                continue
            case en.Opened() | en.Reopened():
                break
            case _:
                raise SheetFault("lots_stand")
    raise SheetFault("nothing_to_take_back")


# Lots


def _seal(sheet: Sheet, act: acts.Seal) -> en.Entry:
    if not lots_due(sheet):
        raise SheetFault("no_lots_are_due")
    if act.number != len(sheet.seals) + 1 or (sheet.seals and not sheet.seals[-1].secret):
        raise SheetFault("seal_not_due")
    if len(act.digest) != DIGEST_BYTES:
        raise SheetFault("not_a_seal", count=DIGEST_BYTES)
    return en.Sealed(act.number, act.digest)


def _share(sheet: Sheet, act: acts.Share) -> en.Entry:
    _check_seat(act.seat, len(sheet.names))
    seal = open_seal(sheet)
    if seal is None or seal.shares[act.seat] is not None:
        raise SheetFault("no_share_due")
    if not 1 <= len(act.data) <= LONGEST_CONTRIBUTION:
        raise SheetFault("share_length", most=LONGEST_CONTRIBUTION)
    return en.Shared(act.seat, act.data)


def _draw(sheet: Sheet, act: acts.Draw) -> en.Entry:
    due = lots_due(sheet)
    if not due:
        raise SheetFault("no_lots_are_due")
    seal = open_seal(sheet)
    if act.seal and (seal is None or seal.number != act.seal):
        raise SheetFault("seal_not_due")
    first = due[0]
    if not lawful_draw(first.seats, first.wanted, act.rounds):
        raise SheetFault("lots_against_the_rules")
    order = order_of(first.seats, act.rounds)
    return en.Drawn(act.seal, first.purpose, first.line, act.rounds, order)


def _reveal(sheet: Sheet, act: acts.Reveal) -> en.Entry:
    seal = sheet.seals[-1] if sheet.seals else None
    if seal is None or seal.number != act.number or seal.purpose is None or seal.secret:
        raise SheetFault("secret_not_due")
    if not _keeps_its_promise(sheet, seal, act.secret):
        raise SheetFault("secret_is_wrong")
    return en.Revealed(act.number, act.secret)


def _keeps_its_promise(sheet: Sheet, seal: SealState, secret: bytes) -> bool:
    return proved(sheet, seal, secret) is Verdict.PROVED


# The end


def _accept(sheet: Sheet, _: acts.Accept) -> en.Entry:
    if not sheet.table.over:
        raise SheetFault("sheet_not_over")
    if sheet.table.due:
        raise SheetFault("lots_are_due")
    return en.Accepted()


def _reopen(sheet: Sheet, act: acts.Reopen) -> en.Entry:
    if not sheet.accepted:
        raise SheetFault("sheet_not_accepted")
    return en.Reopened(remark_read(act.by), remark_read(act.why))


def _check_seat(seat: int, players: int) -> None:
    if not 0 <= seat < players:
        raise SheetFault("no_player_there", number=seat + 1, players=players)


_JUDGES: Final[dict[type, Callable[[Any, Any], en.Entry]]] = {
    acts.Amend: _amend,
    acts.NameDealer: _name_dealer,
    acts.Enter: _enter,
    acts.Correct: _correct,
    acts.Undo: _undo,
    acts.Seal: _seal,
    acts.Share: _share,
    acts.Draw: _draw,
    acts.Reveal: _reveal,
    acts.Accept: _accept,
    acts.Reopen: _reopen,
}

_ACTS: Final[dict[type, Callable[..., Any]]] = {
    en.Opened: acts.Open,
    en.Amended: acts.Amend,
    en.DealerNamed: acts.NameDealer,
    en.Entered: acts.Enter,
    en.Corrected: acts.Correct,
    en.Sealed: acts.Seal,
    en.Shared: acts.Share,
    en.Revealed: acts.Reveal,
    en.Accepted: acts.Accept,
    en.Reopened: acts.Reopen,
}
