"""Writing records: every event becomes a line, or part of one, or follows by itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from volte.cards import Card, CardSet
from volte.game import events as ev
from volte.game.driver import LAWFUL, Engine
from volte.game.state import MatchState
from volte.notation.record import TITLE, VERSION
from volte.rules import Direction, Draw, Ruleset, Settlement, described


def format_record(log: Sequence[ev.Event], master: bytes | None = None) -> str:
    """The text of a match, from its first event to wherever the log stops.

    Args:
        log: it may end after any action; it must not be empty.
        master: the house's 32 bytes, where the match is to be resumed from the text. Whoever
            reads them knows every card to come.
    """
    writer = RecordWriter()
    writer.add(log)
    return writer.text(master)


class RecordWriter:
    """The text of a match that grows with it."""

    engine: ClassVar[Engine] = LAWFUL

    def __init__(self) -> None:
        self._lines = [f"{TITLE} {VERSION}"]
        self._state: MatchState | None = None
        self._trick_open = False
        self._claimed = False

    def add(self, events: Iterable[Any]) -> None:
        """Writes what has happened since."""
        for event in events:
            before, self._state = self._state, self.engine.evolve(self._state, event)
            self._write(event, before, self._state)

    def text(self, master: bytes | None = None) -> str:
        """All of it so far."""
        secret = [f"Master: {master.hex()}"] if master is not None else []
        return "\n".join([self._lines[0], *secret, *self._lines[1:], ""])

    def _write(self, event: Any, before: MatchState | None, state: MatchState) -> None:
        if isinstance(event, ev.MoonShot | ev.DealScored):
            self._claimed = False
        if self._claimed:  # the rest is played by itself
            return
        match event:
            case ev.Played() if self._trick_open:
                self._lines[-1] += f" {event.card}"
            case ev.Played():
                deal = before.deal if before is not None else None
                assert deal is not None
                verb = "plays" if deal.trick else "leads"
                play = f"Trick {deal.trick_number}: {seat_text(event.seat)} {verb} {event.card}"
                self._lines.append(play)
            case ev.TrickTaken():
                self._lines[-1] += f", {seat_text(event.seat)} takes"
            case ev.TrickHeld():
                self._lines[-1] += f", {NOBODY} takes"
            case _:
                if isinstance(event, ev.DealScored) and before is not None:
                    self._lines += choice_lines(before, minus=event.minus)
                self._lines += _lines(event)
                self._lines += [f"{name}: {said}" for name, said in told(event, state)]
        self._trick_open = isinstance(event, ev.Played)
        self._claimed = isinstance(event, ev.Claimed)


PASSED_ON: Final = ", passed on"
"""Said of a first dealer to whom the deal has come from the match before (D2)."""

NOBODY: Final = "nobody"
"""Who takes a trick whose cards all cancel (W11)."""

MINUS: Final = "minus"
PLUS: Final = "plus"
"""How a moon counts (W7)."""


def choice_lines(before: MatchState, *, minus: bool) -> list[str]:
    """How a moon counts, where its shooter had to say so (W7)."""
    if before.shooter is None:
        return []
    return [f"Moon: {seat_text(before.shooter)} {MINUS if minus else PLUS}"]


def told(event: ev.Event, state: MatchState) -> list[tuple[str, str]]:
    """What a record tells of an event that follows by itself, for people to read.

    A reader holds it against what the rules give, and may do without.

    Args:
        state: just after the event.
    """
    match event:
        case ev.DealerDrawn():
            return [("Dealer", seat_text(event.dealer))]
        case ev.PlayTakenBack():
            return [(f"Undo {seat_text(event.seat)}", f"{event.card} taken back")]
        case ev.DealScored():
            points = points_text(event.points, event.moon, event.slam)
            return [("Points", points), ("Totals", numbers_text(state.totals))]
        case ev.Settled():
            net = (drawn - paid for paid, drawn in zip(event.paid, event.drawn, strict=True))
            on_pot = state.rules.stakes.settlement is Settlement.POT
            pot = f", pot {event.pot}" if on_pot else ""
            return [("Stakes", " ".join(f"{stakes:+}" if stakes else "0" for stakes in net) + pot)]
        case ev.MatchEnded():
            return [("Winners", seats_text(event.winners))]
    return []


def points_text(points: Iterable[int], moon: int | None, slam: int | None) -> str:
    """What a deal counted, and whose the moon and the slam were."""
    shot = f", moon {seat_text(moon)}" if moon is not None else ""
    slammed = f", slam {seat_text(slam)}" if slam is not None else ""
    return numbers_text(points) + shot + slammed


def _lines(event: ev.Event) -> list[str]:
    """The lines of an event that somebody brought about."""
    match event:
        case ev.MatchStarted():
            carried = [f"Pot: {event.pot}"] if event.pot else []
            if event.dealer is not None:
                carried.append(f"Dealer: {seat_text(event.dealer)}{PASSED_ON}")
            seats = [
                f"Seat {seat_text(seat)}: {quoted(player.name)} {_kind(player)}"
                for seat, player in enumerate(event.players)
            ]
            return [f"Rules: {_rules(event.rules)}", *seats, *carried]
        case ev.Committed():
            covered = f", for {seats_text(event.house)}" if event.house else ""
            return ["", f"Commitment {event.number}: {event.digest.hex()}{covered}"]
        case ev.Promised():
            digest = "absent" if event.digest is None else event.digest.hex()
            return [f"Promise {seat_text(event.seat)}: {digest}"]
        case ev.Contributed():
            data = "absent" if event.data is None else event.data.hex() or "empty"
            return [f"Share {seat_text(event.seat)}: {data}"]
        case ev.Revealed():
            return [f"Secret {event.number}: {event.secret.hex()}"]
        case ev.DealerDrawn() | ev.LotsDrawn() if event.rounds:
            return [f"Lots: {' / '.join(map(_draw, event.rounds))}"]
        case ev.Dealt():
            return _deal(event)
        case ev.Passed():
            return [f"Pass {seat_text(event.seat)}: {cards_text(event.cards or ())}"]
        case ev.PassTakenBack():
            return [f"Pass {seat_text(event.seat)}: taken back"]
        case ev.Claimed():
            return [f"Claim: {seat_text(event.seat)}"]
        case ev.UndoAsked():
            return [f"Undo {seat_text(event.seat)}: asked"]
        case ev.UndoAnswered():
            return [f"Undo {seat_text(event.seat)}: {'allowed' if event.allow else 'refused'}"]
    return []


def deal_text(number: int, dealer: int, direction: Direction) -> str:
    """How a deal begins."""
    whither = "hold" if direction is Direction.HOLD else f"pass {direction}"
    return f"Deal {number}: dealer {seat_text(dealer)}, {whither}"


def _deal(event: ev.Dealt) -> list[str]:
    hands = [
        f"Hand {seat_text(seat)}: {CardSet(hand or ())}" for seat, hand in enumerate(event.hands)
    ]
    kitty = [f"Kitty: {CardSet(event.kitty)}"] if event.kitty else []
    return ["", deal_text(event.number, event.dealer, event.direction), *hands, *kitty]


def _rules(rules: Ruleset) -> str:
    preset, differences = described(rules)
    return " ".join(
        [preset, *(f"{name}={written_value(value)}" for name, value in differences.items())]
    )


def written_value(value: object) -> str:
    """An option as a record writes it, without spaces."""
    if isinstance(value, list):
        return f"[{','.join(value)}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _kind(player: ev.Player) -> str:
    kind = "person" if player.person else "bot"
    if not player.level:
        return kind
    plain = re.fullmatch(r"[a-z][a-z0-9-]*", player.level)
    return f"{kind} {player.level if plain else quoted(player.level)}"


def quoted(name: str) -> str:
    r"""The name in quotes, on one line: `\"`, `\\`, and `\u0009` for what cannot be seen."""
    plain = (c if c.isprintable() and c not in '"\\' else json.dumps(c)[1:-1] for c in name)
    return f'"{"".join(plain)}"'


def _draw(drawn: Draw) -> str:
    return ", ".join(f"{seat_text(seat)} {card}" for seat, card in drawn)


def cards_text(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


def numbers_text(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def seat_text(seat: int) -> str:
    """Seats are counted from 1, as people do."""
    return str(seat + 1)


def seats_text(seats: Iterable[int]) -> str:
    return " ".join(map(seat_text, seats))
