"""`decide`: an act judged, and the entry that it puts on the sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any, Final, TypeVar

from msgspec.structs import asdict, replace

from volte.fair import DIGEST_BYTES, LONGEST_CONTRIBUTION, House, Verdict
from volte.names import LONGEST_NAME, NameFault, clean_name, clean_text, looks, on_one_line
from volte.rules import LOTS, Score, Settlement, draws_left, lawful_draw, order_of
from volte.rules import Draw as Round
from volte.scorekeeper.model import entries
from volte.scorekeeper.model.counting import check_seat
from volte.scorekeeper.model.entries import Act, DealReport, Entry, SheetFault
from volte.scorekeeper.model.lots import digest_before, given_to, lots_due, open_seal, proved
from volte.scorekeeper.model.pack import countable
from volte.scorekeeper.model.points import reckon
from volte.scorekeeper.model.sheet import Sheet, evolve

MOST_LINES: Final = 500
MOST_ENTRIES: Final = 3000
LARGEST_POT: Final = 10**9
LONGEST_TITLE: Final = 80
LONGEST_CURRENCY: Final = 12
LONGEST_REMARK: Final = 200

_STAKE: Final = re.compile(r"[0-9]{1,6}(?:[.,][0-9]{1,4})?")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

Head = TypeVar("Head", entries.Open, entries.Amend)


def decide(sheet: Sheet | None, act: Act) -> Entry | SheetFault:
    """The entry that the act puts on the sheet, or why it is refused.

    Without a sheet it can only be opened.
    """
    try:
        if isinstance(act, entries.Open):
            return _open(sheet, act)
        if sheet is None:
            raise SheetFault("sheet_not_open")
        if len(sheet.entries) >= MOST_ENTRIES:
            raise SheetFault("sheet_full", most=MOST_ENTRIES)
        if sheet.accepted and not isinstance(act, entries.Reopen | entries.Unseal):
            raise SheetFault("sheet_accepted")
        return _JUDGES[type(act)](sheet, act)
    except SheetFault as fault:
        return fault.with_traceback(None)


def trial(sheet: Sheet, deal: DealReport) -> Score | SheetFault | None:
    """Score a deal without entering it; None for a misdeal."""
    try:
        return reckon(sheet.rules, deal).score
    except SheetFault as fault:
        return fault.with_traceback(None)


def judged(sheet: Sheet | None, entry: Entry) -> Sheet | SheetFault:
    """The sheet after an entry from a file; a fault unless `decide` would write the same entry."""
    match entry:
        case entries.Undone():
            outcome = decide(sheet, entries.Undo())
        case entries.Drawn():
            outcome = decide(sheet, entries.Draw(entry.rounds, entry.seal))
        case _:
            outcome = decide(sheet, entry)
    if isinstance(outcome, SheetFault):
        return outcome
    return evolve(sheet, entry) if outcome == entry else SheetFault("entry_not_lawful")


# The head


def _open(sheet: Sheet | None, act: entries.Open) -> Entry:
    if sheet is not None:
        raise SheetFault("sheet_open_already")
    if not countable(act.rules):
        raise SheetFault("sheet_cannot_count").at("preset")
    if not 0 <= act.pot <= LARGEST_POT:
        raise SheetFault("pot_out_of_range", pot=act.pot, most=LARGEST_POT)
    if act.pot and act.rules.stakes.settlement is not Settlement.POT:
        raise SheetFault("pot_not_played_for")
    if act.dealer is not None:
        check_seat(act.rules, act.dealer)
    return _with_tidy_head(act, act.rules.players)


def _amend(sheet: Sheet, act: entries.Amend) -> Entry:
    amended = _with_tidy_head(act, sheet.rules.players)
    if all(value in (None, getattr(sheet, name)) for name, value in asdict(amended).items()):
        raise SheetFault("nothing_changed")
    return amended


def _name_dealer(sheet: Sheet, act: entries.NameFirstDealer) -> Entry:
    check_seat(sheet.rules, act.dealer)
    if act.dealer == sheet.first_dealer:
        raise SheetFault("nothing_changed")
    return act


def names_typed(names: Sequence[str], before: Sequence[str] = ()) -> tuple[str, ...]:
    """The names that somebody has just typed, cleaned; no two may look alike.

    Args:
        before: names already on the sheet; they may stay as they are.

    Raises `SheetFault`, with the field `seat0` for the first name, and so on.
    """
    typed = [name if name in before else _typed(name, place) for place, name in enumerate(names)]
    for place, name in enumerate(typed):
        later = [other for other in typed[place + 1 :] if other in before]
        others = [*typed[:place], *later]
        if name not in before and any(looks(name) & looks(other) for other in others):
            raise SheetFault("name_twice", number=place + 1, name=name).at(f"seat{place}")
    return tuple(typed)


def _with_tidy_head(act: Head, players: int) -> Head:
    """The act with its head tidied; fields that an `Amend` does not change stay None.

    Raises `SheetFault`.
    """
    head: dict[str, Any] = {} if act.names is None else {"names": _names(act.names, players)}
    for name, tidied in _TIDIED.items():
        if getattr(act, name) is not None:
            try:
                head[name] = tidied(getattr(act, name))
            except SheetFault as fault:
                raise fault.at(name) from None
    return replace(act, **head)


def _names(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """The names of a sheet, perhaps an old one, tidied. Raises `SheetFault`."""
    if len(names) != players:
        raise SheetFault("names_given", given=len(names), due=players)
    tidied = tuple(_tidied(name, LONGEST_NAME) for name in names)
    for place, name in enumerate(tidied):
        if not name:
            raise SheetFault("name_empty", number=place + 1)
        if name.casefold() in map(str.casefold, tidied[:place]):
            raise SheetFault("name_twice", name=name).at(f"seat{tidied.index(name)}")
    return tidied


def _typed(name: str, place: int) -> str:
    if not name.strip():
        raise SheetFault("name_empty", number=place + 1).at(f"seat{place}")
    try:
        return clean_name(name)
    except NameFault as fault:
        raise SheetFault("name_unfit", number=place + 1, fault=fault).at(f"seat{place}") from None


def _stake(text: str) -> str:
    """The worth of a stake: digits with a point, or empty. Raises `SheetFault`."""
    plain = text.strip()
    if not plain:
        return ""
    if not _STAKE.fullmatch(plain) or not (stake := Decimal(plain.replace(",", "."))):
        raise SheetFault("not_a_stake", text=text)
    return str(stake)


def _date(text: str) -> str:
    """A day as `2026-11-21`, or empty. Raises `SheetFault`."""
    plain = text.strip()
    if not plain:
        return ""
    try:
        if not _DATE.fullmatch(plain):
            raise ValueError(plain)
        return date.fromisoformat(plain).isoformat()
    except ValueError:
        raise SheetFault("not_a_date", text=text) from None


def _tidied(text: str, most: int) -> str:
    """The text on one line, without invisible characters. Raises `SheetFault` if it is too long."""
    plain = on_one_line(text)
    if len(plain) > most:
        raise SheetFault("too_long_here", text=plain, most=most)
    return plain


def _title(text: str) -> str:
    try:
        return clean_text(_tidied(text, LONGEST_TITLE))
    except NameFault as fault:
        raise SheetFault(fault.reason, **fault.params) from None


_TIDIED: Final[dict[str, Callable[[str], str]]] = {
    "title": _title,
    "stake": _stake,
    "currency": partial(_tidied, most=LONGEST_CURRENCY),
    "date": _date,
}

# The lines


def _enter(sheet: Sheet, act: entries.Enter) -> Entry:
    if sheet.table.over:
        raise SheetFault("sheet_over")
    if len(sheet.lines) >= MOST_LINES:
        raise SheetFault("sheet_full", most=MOST_LINES)
    return entries.Enter(reckon(sheet.rules, act.report).report)


def _correct(sheet: Sheet, act: entries.Correct) -> Entry:
    if not 1 <= act.line <= len(sheet.lines):
        raise SheetFault("no_such_line", number=act.line, lines=len(sheet.lines))
    deal = None if act.report is None else reckon(sheet.rules, act.report).report
    if deal == sheet.lines[act.line - 1].report:
        raise SheetFault("nothing_changed")
    return replace(
        act, report=deal, by=_tidied(act.by, LONGEST_REMARK), why=_tidied(act.why, LONGEST_REMARK)
    )


def _undo(sheet: Sheet, _: entries.Undo) -> Entry:
    """Take back the last entry made by people, skipping a seal that has no lots yet."""
    unused = open_seal(sheet)
    gone = set(sheet.undone)
    for number, entry in reversed(list(enumerate(sheet.entries, start=1))):
        if number in gone or isinstance(entry, entries.Undone):
            continue
        match entry:
            case entries.Enter() | entries.Correct() | entries.NameFirstDealer() | entries.Amend():
                return entries.Undone(number)
            case entries.Seal() | entries.Share() if unused is not None:
                continue
            case entries.Open() | entries.Reopen():
                break
            case _:
                raise SheetFault("lots_stand")
    raise SheetFault("nothing_to_take_back")


# Lots


def _seal(sheet: Sheet, act: entries.Seal) -> Entry:
    if not lots_due(sheet):
        raise SheetFault("no_lots_are_due")
    if act.number != len(sheet.seals) + 1 or (sheet.seals and not sheet.seals[-1].secret):
        raise SheetFault("seal_not_due")
    if len(act.digest) != DIGEST_BYTES:
        raise SheetFault("not_a_seal", count=DIGEST_BYTES)
    return act


def _share(sheet: Sheet, act: entries.Share) -> Entry:
    check_seat(sheet.rules, act.seat)
    seal = open_seal(sheet)
    if seal is None or seal.shares[act.seat] is not None:
        raise SheetFault("no_share_due")
    if not 1 <= len(act.data) <= LONGEST_CONTRIBUTION:
        raise SheetFault("share_length", most=LONGEST_CONTRIBUTION)
    return act


def _draw(sheet: Sheet, act: entries.Draw) -> Entry:
    lots = lots_due(sheet)
    if not lots:
        raise SheetFault("no_lots_are_due")
    seal = open_seal(sheet)
    if act.seal and (seal is None or seal.number != act.seal):
        raise SheetFault("seal_not_due")
    first = lots[0]
    if not lawful_draw(first.seats, first.wanted, act.rounds):
        raise SheetFault("lots_against_the_rules")
    order = order_of(first.seats, act.rounds)
    return entries.Drawn(act.seal, first.purpose, first.line, act.rounds, order)


def _reveal(sheet: Sheet, act: entries.Unseal) -> Entry:
    seal = sheet.seals[-1] if sheet.seals else None
    if seal is None or seal.number != act.number or seal.drawn is None or seal.secret:
        raise SheetFault("secret_not_due")
    if proved(sheet, seal, act.secret) is not Verdict.PROVED:
        raise SheetFault("secret_is_wrong")
    return act


# The end


def _accept(sheet: Sheet, act: entries.Settle) -> Entry:
    if not sheet.table.over:
        raise SheetFault("sheet_not_over")
    if sheet.table.due:
        raise SheetFault("lots_are_due")
    return act


def _reopen(sheet: Sheet, act: entries.Reopen) -> Entry:
    if not sheet.accepted:
        raise SheetFault("sheet_not_accepted")
    return entries.Reopen(_tidied(act.by, LONGEST_REMARK), _tidied(act.why, LONGEST_REMARK))


_JUDGES: Final[dict[type, Callable[[Any, Any], Entry]]] = {
    entries.Amend: _amend,
    entries.NameFirstDealer: _name_dealer,
    entries.Enter: _enter,
    entries.Correct: _correct,
    entries.Undo: _undo,
    entries.Seal: _seal,
    entries.Share: _share,
    entries.Draw: _draw,
    entries.Unseal: _reveal,
    entries.Settle: _accept,
    entries.Reopen: _reopen,
}

# Acts of the house: chance enters a sheet here, and nowhere else


def seal(sheet: Sheet, house: House) -> entries.Seal:
    """The seal that the house publishes before lots are drawn."""
    number = len(sheet.seals) + 1
    return entries.Seal(number, _digest(sheet, house, number))


def draws_here(sheet: Sheet, house: House) -> bool:
    """Whether the house has made the last seal, if anything is left to do by it."""
    last = sheet.seals[-1] if sheet.seals else None
    return last is None or bool(last.secret) or last.digest == _digest(sheet, house, last.number)


def _digest(sheet: Sheet, house: House, number: int) -> bytes:
    return house.commitment(number, (), digest_before(sheet, number)).digest


def draw(sheet: Sheet, house: House) -> entries.Draw:
    """Draw the lots that are due first, by the open seal; each round from a full pack."""
    sealed, lots = open_seal(sheet), lots_due(sheet)[0]
    assert sealed is not None
    given = given_to(sealed)
    rounds: list[Round] = []
    while left := draws_left(lots.seats, lots.wanted, rounds):
        order = house.lot(sealed.number, len(rounds) + 1, given, len(LOTS))
        rounds.append(tuple((seat, LOTS[order[place]]) for place, seat in enumerate(left)))
    return entries.Draw(tuple(rounds), sealed.number)


def reveal(sheet: Sheet, house: House) -> entries.Unseal:
    """The secret of the last seal."""
    number = len(sheet.seals)
    return entries.Unseal(number, house.secret(number))


def next_act(sheet: Sheet, house: House) -> Act | None:
    """The next act of the house for the lots that are due; None where none is left."""
    if sheet.seals and sheet.seals[-1].drawn is not None and not sheet.seals[-1].secret:
        return reveal(sheet, house)
    if not lots_due(sheet):
        return None
    return draw(sheet, house) if open_seal(sheet) else seal(sheet, house)


def draw_all(sheet: Sheet, house: House) -> tuple[Act, ...]:
    """The remaining acts of the house for the lots that are due first, in order."""
    acts: list[Act] = []
    while (act := next_act(sheet, house)) is not None:
        acts.append(act)
        if isinstance(act, entries.Unseal):
            break
        entry = decide(sheet, act)
        assert not isinstance(entry, SheetFault)
        sheet = evolve(sheet, entry)
    return tuple(acts)
