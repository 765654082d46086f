"""Writing sheets as text, in the manner of records: every entry is a line (docs/score.md)."""

from __future__ import annotations

from collections.abc import Iterable

from volte.cards import JACK, QUEEN
from volte.notation.lines import PASSED_ON, quoted, written_value
from volte.referee.scores import Purpose, Table
from volte.rules import Draw as Round
from volte.rules import Ruleset, Settlement, described
from volte.scorekeeper.model import entries as en
from volte.scorekeeper.model.evolve import evolve
from volte.scorekeeper.model.reckoning import next_number
from volte.scorekeeper.model.sheet import Sheet
from volte.scorekeeper.model.told import Counted, Misdealt, Stopped, Taken, Told

TITLE = "Volte sheet"
VERSION = 1


def to_record(sheet: Sheet) -> str:
    """The text of a sheet, all that stands on record in it; `parse_sheet` reads it back."""
    lines, state = [f"{TITLE} {VERSION}"], None
    for entry in sheet.entries:
        before, state = state, evolve(state, entry)
        lines += _lines(entry, before)
        lines += [f"{word}: {rest}" for word, rest in told(entry, state)]
    return "\n".join([*lines, ""])


def told(entry: en.Entry, sheet: Sheet) -> list[tuple[str, str]]:
    """What a text tells of an entry that follows by itself, for people to read.

    A reader holds it against what the rules give, and may do without.

    Args:
        sheet: just after the entry.
    """
    match entry:
        case en.Drawn(purpose=Purpose.DEALER):
            return [("Deals", str(entry.order[-1] + 1))]
        case en.Entered():
            return [*_points(sheet.table, len(sheet.lines)), *_standing(sheet)]
        case en.Corrected():
            return [*_points(sheet.table, entry.line), *_standing(sheet)]
        case en.Undone() | en.Drawn():
            return _standing(sheet)
    return []


def _points(table: Table, line: int) -> list[tuple[str, str]]:
    row = table.rows[line - 1]
    if row.number is None:
        return []
    moon = f", moon {row.moon + 1}" if row.moon is not None else ""
    slam = f", slam {row.slam + 1}" if row.slam is not None else ""
    minus = ", minus" if row.minus else ""
    trickless = f", trickless {_seats(row.trickless)}" if row.trickless else ""
    return [("Points", _numbers(row.points) + moon + slam + minus + trickless)]


def _standing(sheet: Sheet) -> list[tuple[str, str]]:
    table, by_pot = sheet.table, sheet.rules.stakes.settlement is Settlement.POT
    found = [("Totals", _numbers(table.totals))]
    if table.over:
        found.append(("Winners", _seats(table.winners)))
    if table.net is not None and (by_pot or table.payment is not None):
        pot = f", pot {table.pot}" if by_pot else ""
        net = " ".join(f"{stakes:+}" if stakes else "0" for stakes in table.net)
        found.append(("Stakes", net + pot))
    return found


def _lines(entry: en.Entry, before: Sheet | None) -> list[str]:
    match entry:
        case en.Opened():
            return _head(entry)
        case en.Amended():
            return [f"Amend: {', '.join(_amended(entry))}"]
        case en.DealerNamed():
            return [f"Dealer: {entry.dealer + 1}"]
        case en.Entered(told=Misdealt() as misdeal):
            return ["", f"Misdeal: {misdeal.cause}"]
        case en.Entered():
            assert before is not None
            return ["", f"Deal {next_number(before.table)}: {deal_text(entry.told)}"]
        case en.Corrected():
            what = "struck" if entry.told is None else deal_text(entry.told)
            return ["", f"Correct {entry.line}: {what}{_remark(entry.by, entry.why)}"]
        case en.Undone():
            return [f"Undo: {entry.number}"]
        case en.Sealed():
            return ["", f"Seal {entry.number}: {entry.digest.hex()}"]
        case en.Shared():
            return [f"Share {entry.seat + 1}: {entry.data.hex()}"]
        case en.Drawn():
            rounds = " / ".join(map(_draw, entry.rounds))
            return [f"Lots {entry.seal}: {rounds}"] if entry.seal else ["", f"Lots: {rounds}"]
        case en.Revealed():
            return [f"Secret {entry.number}: {entry.secret.hex()}"]
        case en.Accepted():
            return ["", "Settlement: accepted"]
        case en.Reopened():
            return [f"Settlement: reopened{_remark(entry.by, entry.why)}"]


def _head(entry: en.Opened) -> list[str]:
    lines = [f"Rules: {_rules(entry.rules)}"]
    lines += [f"Seat {seat}: {quoted(name)}" for seat, name in enumerate(entry.names, start=1)]
    lines += [f"Title: {quoted(entry.title)}"] if entry.title else []
    lines += [f"Date: {entry.date}"] if entry.date else []
    lines += [f"Stake: {entry.stake}"] if entry.stake else []
    lines += [f"Currency: {quoted(entry.currency)}"] if entry.currency else []
    lines += [f"Pot: {entry.pot}"] if entry.pot else []
    lines += [f"Dealer: {entry.dealer + 1}{PASSED_ON}"] if entry.dealer is not None else []
    return lines


def _rules(rules: Ruleset) -> str:
    preset, differences = described(rules)
    settings = [f"{name}={written_value(value)}" for name, value in differences.items()]
    return " ".join([preset, *settings])


def _amended(entry: en.Amended) -> Iterable[str]:
    if entry.names is not None:
        yield f"names {' '.join(map(quoted, entry.names))}"
    for name in ("title", "stake", "currency", "date"):
        value = getattr(entry, name)
        if value is not None:
            yield f"{name} {quoted(value)}"


def deal_text(told: Told) -> str:
    """What was told of a deal, as it stands in the text."""
    match told:
        case Misdealt():
            return f"misdeal {told.cause}"
        case Stopped():
            parts = [("revoked", told.revoked), ("mixed", told.mixed)]
            return ", ".join(f"{word} {_seats(seats)}" for word, seats in parts if seats)
        case Taken():
            hearts = tuple(count or 0 for count in told.hearts)
            takers = [("queen", told.queen), ("jack", told.jack), ("slam", told.all_tricks)]
            return f"hearts {_numbers(hearts)}" + _takers(takers) + _others(told) + _missing(told)
        case Counted():
            points = tuple(count or 0 for count in told.points)
            takers = [("jack", told.jack), ("slam", told.all_tricks)]
            return f"points {_numbers(points)}" + _takers(takers) + _others(told) + _missing(told)


def _takers(takers: Iterable[tuple[str, int | None]]) -> str:
    return "".join(f", {word} {seat + 1}" for word, seat in takers if seat is not None)


def _others(told: Taken | Counted) -> str:
    """Cards without a word of their own, who took no trick, and which way the moon counts."""
    parts = [f"{_OTHERS.get(took.card, took.card)} {_seats(took.seats)}" for took in told.others]
    if told.trickless is not None:
        parts.append(f"trickless {_seats(told.trickless) or NOBODY}")
    if told.minus is not None:
        parts.append("minus" if told.minus else "plus")
    return "".join(f", {part}" for part in parts)


NOBODY = "nobody"
_OTHERS = {QUEEN: "queen", JACK: "jack"}


def _missing(told: Taken | Counted) -> str:
    return f", missing {' '.join(map(str, told.missing))}" if told.missing else ""


def _remark(by: str, why: str) -> str:
    return (f", by {quoted(by)}" if by else "") + (f", because {quoted(why)}" if why else "")


def _draw(drawn: Round) -> str:
    return ", ".join(f"{seat + 1} {card}" for seat, card in drawn)


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _seats(seats: Iterable[int]) -> str:
    return _numbers(seat + 1 for seat in seats)
