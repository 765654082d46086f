"""Writing records: every event becomes a line, or part of one, or follows from the others.

A `Recorder` keeps one in a file while the match is played.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from volte.cards import CardSet, NeverCopied
from volte.files import replace_file
from volte.game import ChooseMoon, MatchState, Phase
from volte.game import events as ev
from volte.notation.grammar import STATEMENT_OF_EVENT, STATEMENTS_OF_WORD
from volte.notation.lines import (
    NOBODY,
    PASSED_ON,
    cards_text,
    numbers_text,
    quoted,
    rounds_text,
    rules_statement,
    score_parts,
    seat_text,
    seats_text,
    stakes_text,
)
from volte.notation.record import TITLE, VERSION, RecordFault, all_revealed
from volte.referee import events as refereed
from volte.referee.engine import ENGINE, choice_follows
from volte.referee.state import RefereedDeal, RefereedMatch
from volte.rules import Direction, Score, Settlement


def format_record(log: Sequence[refereed.Event], master: bytes | None = None) -> str:
    """The text of a match, from its first event to the end of the log.

    Args:
        log: it may end after any action; it must not be empty.
        master: the house's 32 bytes, where the match is to be resumed from the text. Anybody who
            reads them knows every card to come.
    """
    writer = RecordWriter()
    writer.add(log)
    return writer.text(master)


class RecordWriter:
    """Writer of a record that grows with its match."""

    def __init__(self) -> None:
        self._lines = [f"{TITLE} {VERSION}"]
        self._state: MatchState | None = None
        self._trick_open = False
        self._claimed = False

    def add(self, events: Iterable[refereed.Event]) -> None:
        """Write the events that have happened since."""
        for event in events:
            before, self._state = self._state, ENGINE.evolve(self._state, event)
            self._write(event, before, self._state)

    def text(self, master: bytes | None = None) -> str:
        """The text of the match so far."""
        secret = [f"Master: {master.hex()}"] if master is not None else []
        return "\n".join([self._lines[0], *secret, *self._lines[1:], ""])

    def _write(self, event: refereed.Event, before: MatchState | None, state: MatchState) -> None:
        if isinstance(event, ev.MoonShot | ev.DealScored):
            self._claimed = False
        if self._claimed:  # the rest is played by itself
            return
        trick_open, self._trick_open = self._trick_open, False
        self._claimed = isinstance(event, ev.Claimed)
        deal = None if before is None else before.deal
        table = deal if isinstance(deal, RefereedDeal) else None
        match event:
            case ev.Played() if table is None or event.seat == table.turn:
                self._trick_open = True
                if trick_open:
                    self._lines[-1] += f" {event.card}"
                    return
                assert deal is not None
                play = f"{seat_text(event.seat)} {'plays' if deal.trick else 'leads'} {event.card}"
                self._lines.append(f"Trick {deal.trick_number}: {play}")
            case ev.TrickTaken() | ev.TrickHeld() if table is None or trick_open:
                self._lines[-1] += f", {_takes(event)}"
            case refereed.HandsShort():  # stands before the hands that are short
                deals = (n for n, line in enumerate(self._lines) if line.startswith("Deal "))
                self._lines.insert(max(deals) + 1, f"Missing: {cards_text(event.missing)}")
            case refereed.Accepted() if self._lines[-1].startswith("Accept: "):
                self._lines[-1] += f" {seat_text(event.seat)}"
            case _:
                self._lines += _lines(event, before)
                # Where a choice follows, the points of the deal are written after it.
                if not (
                    isinstance(before, RefereedMatch)
                    and isinstance(event, refereed.Reckoned)
                    and choice_follows(before, event)
                ):
                    self._lines += [f"{name}: {text}" for name, text in consequences(event, state)]


class Recorder(NeverCopied):
    """A listener of `Driver` that saves the match after every action.

    The file is replaced whole: whenever the program or the machine stops, it holds a complete
    record up to some action. When it cannot be written the match goes on, and the next action
    tries again.

    Args:
        path: of the file; beside it stands a `.part` file while it is written.
        log: the events so far, from `MatchStarted` on; they are saved at once.
        master: of the house; it stays in the file until the match is over, to resume it.
        failed: called with the first failure, and with the first after each success.
    """

    def __init__(
        self,
        path: Path,
        log: Sequence[refereed.Event],
        master: bytes | None = None,
        failed: Callable[[RecordFault], None] | None = None,
    ) -> None:
        self._path = path
        self._master = master
        self._failed = failed
        self.why = ""  # why the match could not be saved the last time; empty where it was
        self._writer = RecordWriter()
        self._writer.add(log)
        self._save()

    def __call__(self, state: MatchState, events: Sequence[refereed.Event]) -> None:
        """Write the events, and save."""
        self._writer.add(events)
        if all_revealed(state):
            self._master = None
        self._save()

    def _save(self) -> None:
        failing, self.why = self.why, ""
        try:
            replace_file(self._path, self._writer.text(self._master).encode())
        except OSError as error:
            self.why = error.strerror or str(error)
            if self._failed is not None and not failing:
                path = str(self._path)
                self._failed(RecordFault("record_not_saved", path=path, why=self.why))


def consequences(event: refereed.Event, state: MatchState) -> list[tuple[str, str]]:
    """Statements about an event that follows from others, for people to read: label and text.

    A reader compares them with the outcome of the rules, and does without missing ones.

    Args:
        state: just after the event.
    """
    match event:
        case ev.DealerDrawn():
            return [("Dealer", seat_text(event.dealer))]
        case ev.PlayTakenBack():
            return [(f"Undo {seat_text(event.seat)}", f"{event.card} taken back")]
        case refereed.TakenBack():
            cards = cards_text(each.card for each in event.cards)
            return [(f"Back {seat_text(event.seat)}", cards)]
        case refereed.Reckoned():
            stopped = f", stopped by {seats_text(event.offenders)}" if event.offenders else ""
            return [("Points", _points(event) + stopped)]
        case ev.DealScored():
            totals = ("Totals", numbers_text(state.totals))
            # At a refereed table the points have been reckoned before.
            return (
                [totals]
                if isinstance(state, RefereedMatch)
                else [("Points", _points(event)), totals]
            )
        case ev.Settled():
            net = (drawn - paid for paid, drawn in zip(event.paid, event.drawn, strict=True))
            on_pot = state.rules.stakes.settlement is Settlement.POT
            return [("Stakes", stakes_text(net, event.pot if on_pot else None))]
        case ev.MatchEnded():
            return [("Winners", seats_text(event.winners))]
    return []


def _points(event: ev.DealScored | refereed.Reckoned) -> str:
    """Points of a deal, with the seats of the moon and the slam."""
    return ", ".join(score_parts(Score(event.points, event.moon, event.slam)))


def _lines(event: refereed.Event, before: MatchState | None) -> list[str]:
    """The lines of an event that somebody brought about."""
    match event:
        case ev.MatchStarted():
            return _head(event)
        case ev.Committed():
            return ["", STATEMENT_OF_EVENT[ev.Committed].text(event)]
        case ev.DealerDrawn() | ev.LotsDrawn() if event.rounds:
            return [f"Lots: {rounds_text(event.rounds)}"]
        case ev.Dealt():
            hands = [
                f"Hand {seat_text(seat)}: {CardSet(hand or ())}"
                for seat, hand in enumerate(event.hands)
            ]
            kitty = [f"Kitty: {CardSet(event.kitty)}"] if event.kitty else []
            return ["", _deal(event.number, event.dealer, event.direction), *hands, *kitty]
        case ev.DealScored() if not isinstance(before, RefereedMatch):
            return _choice(before, minus=event.minus)
        case refereed.Reckoned() if not event.offenders:
            return _choice(before, minus=event.minus)
        case refereed.TricksMixed():
            return [f"Mixed: {seat_text(event.seat)}"]
        case refereed.Accepted():
            return [f"Accept: {seat_text(event.seat)}"]
    if isinstance(before, RefereedMatch):
        match event:
            case ev.Played():
                return [f"Early {seat_text(event.seat)}: {event.card}"]
            case ev.TrickTaken() | ev.TrickHeld():
                return [f"Trick {before.lying.trick_number}: {_takes(event)}"]
            case refereed.Misdealt():
                misdeal = f"Misdeal: {event.why}"
                if before.phase is not Phase.DEALING:
                    return [misdeal]
                number = len(before.deals) + 1
                return ["", _deal(number, event.dealer, before.rules.direction(number)), misdeal]
    declared = STATEMENT_OF_EVENT.get(type(event))
    return [declared.text(event)] if declared is not None else []


def _head(event: ev.MatchStarted) -> list[str]:
    seats = [
        f"Seat {seat_text(seat)}: {quoted(player.name)} {_kind(player)}"
        for seat, player in enumerate(event.players)
    ]
    carried = [f"Pot: {event.pot}"] if event.pot else []
    if event.cards is not None:
        origin = f"of {event.cards.match}" if event.cards.match else "given"
        turned = f", turned {event.cards.turned}" if event.cards.turned else ""
        carried.append(f"Cards: {origin}{turned}")
    if event.dealer is not None:
        carried.append(f"Dealer: {seat_text(event.dealer)}{PASSED_ON}")
    return [rules_statement(event.rules), *seats, *carried]


def _kind(player: ev.Player) -> str:
    kind = "person" if player.person else "bot"
    if not player.level:
        return kind
    plain = re.fullmatch(r"[a-z][a-z0-9-]*", player.level)
    return f"{kind} {player.level if plain else quoted(player.level)}"


def _deal(number: int, dealer: int, direction: Direction) -> str:
    passing = "hold" if direction is Direction.HOLD else f"pass {direction}"
    return f"Deal {number}: dealer {seat_text(dealer)}, {passing}"


def _takes(event: ev.TrickTaken | ev.TrickHeld) -> str:
    return f"{seat_text(event.seat) if isinstance(event, ev.TrickTaken) else NOBODY} takes"


def _choice(before: MatchState | None, *, minus: bool) -> list[str]:
    """The line of a shooter's choice how the moon counts, if there was one to make (W7)."""
    if before is None or before.shooter is None:
        return []
    return [STATEMENTS_OF_WORD["Moon"][0].text(ChooseMoon(before.shooter, minus))]
