"""Writing records of every match: at a refereed table, what was ruled on as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from volte.game import Engine, MatchState, Phase, Played, TrickHeld, TrickTaken
from volte.game import events as lawful
from volte.notation import write as record_write
from volte.notation.write import (
    NOBODY,
    cards_text,
    choice_lines,
    deal_text,
    numbers_text,
    points_text,
    seat_text,
    seats_text,
)
from volte.referee import events as ev
from volte.referee.engine import ENGINE
from volte.referee.legal import choice_follows
from volte.referee.state import RefereedMatch


def format_record(log: Sequence[ev.Event], master: bytes | None = None) -> str:
    """As in `game`, for every match."""
    writer = RecordWriter()
    writer.add(log)
    return writer.text(master)


MISTAKEN: Final = "mistaken"
"""What an objection or a claim was where nothing was wrong (I9)."""


class RecordWriter(record_write.RecordWriter):
    """The text of a match that grows with it, refereed or not."""

    engine: ClassVar[Engine] = ENGINE

    def _write(self, event: Any, before: MatchState | None, state: MatchState) -> None:
        if not isinstance(before, RefereedMatch) or self._as_at_any_table(event, before):
            super()._write(event, before, state)
            return
        self._trick_open = False
        if isinstance(event, ev.HandsShort):  # said before the hands that are short
            deal = max(n for n, line in enumerate(self._lines) if line.startswith("Deal "))
            self._lines.insert(deal + 1, f"Missing: {cards_text(event.missing)}")
            return
        if isinstance(event, ev.Accepted) and self._lines[-1].startswith("Accept: "):
            self._lines[-1] += f" {seat_text(event.seat)}"
            return
        self._lines += _lines(event, before)
        if isinstance(event, ev.Reckoned) and choice_follows(before, event):
            return  # what the deal counts is written after the choice
        self._lines += [f"{name}: {said}" for name, said in told(event, state)]

    def _as_at_any_table(self, event: ev.Event, before: RefereedMatch) -> bool:
        match event:
            case Played():
                return event.seat == before.lying.turn
            case TrickTaken() | TrickHeld():
                return self._trick_open
            case lawful.DealScored():
                return False
            case _:
                return isinstance(event, lawful.Event)


def told(event: ev.Event, state: MatchState) -> list[tuple[str, str]]:
    """As in `game`, for every match."""
    match event:
        case ev.TakenBack():
            cards = cards_text(each.card for each in event.cards)
            return [(f"Back {seat_text(event.seat)}", cards)]
        case ev.Reckoned():
            points = points_text(event.points, event.moon, event.slam)
            stopped = f", stopped by {seats_text(event.offenders)}" if event.offenders else ""
            return [("Points", points + stopped)]
        case lawful.DealScored() if isinstance(state, RefereedMatch):  # its points were reckoned
            return [("Totals", numbers_text(state.totals))]
    return record_write.told(event, state) if isinstance(event, lawful.Event) else []


def _lines(event: ev.Event, before: RefereedMatch) -> list[str]:
    """The lines of an event that somebody brought about, at a refereed table alone."""
    match event:
        case Played():
            return [f"Early {seat_text(event.seat)}: {event.card}"]
        case TrickTaken():
            return [f"Trick {before.lying.trick_number}: {seat_text(event.seat)} takes"]
        case TrickHeld():
            return [f"Trick {before.lying.trick_number}: {NOBODY} takes"]
        case ev.Reckoned() if not event.offenders:
            return choice_lines(before, minus=event.minus)
        case ev.Objected():
            return [f"Object {_against(event)}, {event.clause or MISTAKEN}"]
        case ev.RevokeClaimed():
            ruling = event.clause or MISTAKEN
            return [f"Revoke {_against(event)} in trick {event.trick}, {ruling}"]
        case ev.TricksMixed():
            return [f"Mixed: {seat_text(event.seat)}"]
        case ev.DealCut():
            return [f"Cut: {seat_text(event.seat)}"]
        case ev.Accepted():
            return [f"Accept: {seat_text(event.seat)}"]
        case ev.Misdealt():
            misdeal = f"Misdeal: {event.why}"
            if before.phase is not Phase.DEALING:
                return [misdeal]
            number = len(before.deals) + 1
            return ["", deal_text(number, event.dealer, before.rules.direction(number)), misdeal]
    return []


def _against(event: ev.Objected | ev.RevokeClaimed) -> str:
    """Who says so, and of whom."""
    return f"{seat_text(event.seat)}: {seat_text(event.against)}"
