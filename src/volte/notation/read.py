"""Reading records: every line becomes an action, judged by the rules as it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from volte.cards import Card, cards_in, mask_of
from volte.game import actions as act
from volte.game import events as ev
from volte.game.actions import Refusal
from volte.game.driver import LAWFUL, Engine
from volte.game.state import DealState, MatchState, Phase
from volte.notation.lines import LineReader
from volte.notation.record import (
    TITLE,
    VERSION,
    Record,
    RecordFault,
    RecordOf,
    Report,
    content_of,
    plain_text,
)
from volte.notation.write import MINUS, NOBODY, PASSED_ON, told
from volte.rules import Draw

FORMS: Final = {
    "Rules": "Rules: coeurs players=5 queen_discard=free",
    "Master": "Master: 64 hexadecimal digits",
    "Seat": 'Seat 1: "Anne" person',
    "Pot": "Pot: 25",
    "Commitment": "Commitment 1: 64 hexadecimal digits, for 2 3 4",
    "Promise": "Promise 1: 64 hexadecimal digits",
    "Share": "Share 1: hexadecimal digits",
    "Secret": "Secret 1: 64 hexadecimal digits",
    "Lots": "Lots: 1 KS, 2 4D, 3 4H / 2 7C, 3 JD",
    "Dealer": "Dealer: 3",
    "Deal": "Deal 1: dealer 3, pass left",
    "Hand": "Hand 1: S: AQ2 H: K5 D: T98 C: 765",
    "Kitty": "Kitty: H: 2 C: 4",
    "Pass": "Pass 1: QS AS KH",
    "Trick": "Trick 1: 2 leads 2C 5C KC AC, 1 takes",
    "Claim": "Claim: 1",
    "Moon": "Moon: 1 minus",
    "Undo": "Undo 1: asked",
    "Points": "Points: 0 25 25 25, moon 1",
    "Totals": "Totals: 0 25 25 25",
    "Stakes": "Stakes: +75 -25 -25 -25",
    "Winners": "Winners: 1",
}
"""Every word that a line may begin with, and how such a line looks."""

_HEADERS: Final = ("Rules", "Master", "Seat", "Pot")
_SEAT: Final = re.compile(r'("(?:[^"\\]++|\\.)*+")\s++(person|bot)(?:\s++([a-z][a-z0-9-]*+|".*"))?')
_COMMITMENT: Final = re.compile(r"([0-9a-f]{64})(?:, for ([0-9 ]+))?", re.I)
_SECRET: Final = re.compile(r"[0-9a-f]{64}", re.I)
_PROMISE: Final = re.compile(r"absent|[0-9a-f]{64}", re.I)
_SHARE: Final = re.compile(r"absent|empty|(?:[0-9a-f]{2})+", re.I)
_DEAL: Final = re.compile(r"(?:dealer ([0-9]+))?,? ?((?:pass )?[a-z_]+)?")
_DRAWN: Final = re.compile(r"([0-9]+) (\S+)")
_TRICK: Final = re.compile(r"(?:([0-9]+ (?:leads|plays)) )?([^,]+)(?:, ([0-9]+|nobody) takes)?")
_MOON: Final = re.compile(r"([0-9]+) (minus|plus)")
_UNDO: Final = {"asked": None, "allowed": True, "refused": False}


def parse_record(text: str | bytes) -> Record:
    """The match that a text tells, every line of it judged by the rules.

    Raises `RecordFault` for the first fault.
    """
    return Reader().read(plain_text(text))


def load_record(path: Path) -> Record:
    """The match that a file tells. Raises `RecordFault`, also when the file cannot be read."""
    return parse_record(content_of(path))


def check_record(text: str | bytes) -> Report:
    """The record, or its first fault."""
    try:
        return Report(parse_record(text))
    except RecordFault as fault:
        return Report(None, fault)


class Reader(LineReader):
    """One text on its way to a log.

    Attributes:
        engine: what judges its lines.
        dealt: the words of a deal that is not complete yet.
    """

    title: ClassVar[str] = TITLE
    version: ClassVar[int] = VERSION
    engine: ClassVar[Engine] = LAWFUL
    forms: ClassVar[dict[str, str]] = FORMS
    dealt: ClassVar[tuple[str, ...]] = ("Hand", "Kitty")

    def __init__(self) -> None:
        super().__init__()
        self.master: bytes | None = None
        self.players: list[ev.Player] = []
        self.pot: int | None = None
        self.dealer: int | None = None  # whom the match before has passed the deal to
        self.log: list[Any] = []
        self.match: MatchState | None = None
        self.piles: dict[int | None, tuple[Card, ...]] | None = None  # a deal not yet complete

    @property
    def state(self) -> MatchState:
        assert self.match is not None
        return self.match

    @property
    def deal(self) -> DealState:
        assert self.state.deal is not None
        return self.state.deal

    def read(self, text: str) -> RecordOf[Any]:
        """The match that the text tells. Raises `RecordFault`."""
        self.read_lines(text)
        self._begin()
        self._complete()
        return RecordOf(tuple(self.log), self.state, self.master)

    def _told_by(self, word: str, number: int | None, rest: str) -> None:
        rest = rest if word == "Seat" else " ".join(rest.replace("−", "-").split())
        if word == "Dealer" and rest.endswith(PASSED_ON) and self.match is None:
            self._passed_on(rest.removesuffix(PASSED_ON))
            return
        self._ready(word)
        label = word if number is None else f"{word} {number}"
        if label in self.due:
            self._agree(label, rest, self.due.pop(label))
        else:
            self._read(word, number, rest)

    def _ready(self, word: str) -> None:
        """What has to be so before such a line, and follows from the lines before it."""
        if word not in _HEADERS:
            self._begin()
        elif self.match is not None:
            self._out_of_place()
        if word not in self.dealt:
            self._complete()

    def _read(self, word: str, number: int | None, rest: str) -> None:
        if word not in _READ:
            self._out_of_place()
        _READ[word](self, number, rest)

    def _expected(self) -> tuple[str, ...]:
        """The words that the next line may begin with."""
        if self.match is None:
            return _HEADERS
        if self.piles is not None:
            return self.dealt
        after = {
            Phase.DRAWING: ("Commitment", "Promise", "Share", "Lots", "Dealer", "Deal"),
            Phase.DEALING: ("Commitment", "Promise", "Share", "Secret", "Deal"),
            Phase.PASSING: ("Pass",),
            Phase.PLAYING: ("Trick", "Claim", "Undo"),
            Phase.CHOOSING: ("Moon",),
            Phase.ENDED: ("Secret",),
        }
        return (*self.due, *after.get(self.match.phase, ("Lots",)))

    # Headers

    def _master(self, _: int | None, rest: str) -> None:
        if self.master is not None:
            self._out_of_place()
        if not _SECRET.fullmatch(rest):
            self._malformed("Master")
        self.master = bytes.fromhex(rest)

    def _sits(self, number: int | None, rest: str) -> None:
        found = _SEAT.fullmatch(rest)
        if found is None:
            self._malformed("Seat")
        self._agree("Seat", number, len(self.players) + 1)
        name, kind, level = found.groups("")
        if level.startswith('"'):
            level = self._unquoted(level)
        self.players.append(ev.Player(self._unquoted(name), kind == "person", level))

    def _unquoted(self, name: str) -> str:
        try:
            return str(json.loads(name))
        except ValueError:
            self._malformed("Seat")

    def _pot(self, _: int | None, rest: str) -> None:
        if self.pot is not None:
            self._out_of_place()
        if not re.fullmatch("[0-9]{1,15}", rest):
            self._malformed("Pot")
        self.pot = int(rest)

    def _passed_on(self, dealer: str) -> None:
        if self.dealer is not None:
            self._out_of_place()
        self.dealer = self._seat(dealer)

    # What the house does

    def _commitment(self, number: int | None, rest: str) -> None:
        found = _COMMITMENT.fullmatch(rest)
        if found is None or number is None:
            self._malformed("Commitment")
        seats = tuple(self._seat(word) for word in (found[2] or "").split())
        if len(set(seats)) < len(seats):
            self._malformed("Commitment")
        self._act(act.Commit(number, bytes.fromhex(found[1]), seats))

    def _promise(self, number: int | None, rest: str) -> None:
        if not _PROMISE.fullmatch(rest):
            self._malformed("Promise")
        digest = None if rest.lower() == "absent" else bytes.fromhex(rest)
        self._act(act.Promise(self._seat(number), digest))

    def _share(self, number: int | None, rest: str) -> None:
        if not _SHARE.fullmatch(rest):
            self._malformed("Share")
        word = rest.lower()
        data = None if word == "absent" else bytes.fromhex(word.replace("empty", ""))
        self._act(act.Contribute(self._seat(number), data))

    def _secret(self, number: int | None, rest: str) -> None:
        if number is None or not _SECRET.fullmatch(rest):
            self._malformed("Secret")
        self._act(act.Reveal(number, bytes.fromhex(rest)))

    def _lots(self, _: int | None, rest: str) -> None:
        rounds = tuple(self._draw(part) for part in rest.split("/"))
        drawing = self.state.phase is Phase.DRAWING
        self._act(act.DrawDealer(rounds) if drawing else act.DrawLots(rounds))

    def _draw(self, text: str) -> Draw:
        drawn = []
        for part in text.split(","):
            found = _DRAWN.fullmatch(part.strip())
            if found is None:
                self._malformed("Lots")
            card, *more = self._cards(found[2])
            if more:
                self._malformed("Lots")
            drawn.append((self._seat(found[1]), card))
        return tuple(drawn)

    def _dealer(self, _: int | None, rest: str) -> None:
        if self.state.phase is not Phase.DRAWING:
            self._out_of_place()
        self._act(act.NameDealer(self._seat(rest)))
        self.due = {}

    # The deal

    def _deals(self, number: int | None, rest: str) -> None:
        found = _DEAL.fullmatch(rest)
        if found is None:
            self._malformed("Deal")
        dealer, direction = found.groups()
        if self.state.phase is Phase.DRAWING and dealer is not None:
            self._dealer(None, dealer)
        state = self.state
        if state.phase is not Phase.DEALING:
            self._out_of_place()
        due = len(state.deals) + 1
        self._agree("Deal", number or due, due)
        self._agree("dealer", dealer or state.dealer + 1, state.dealer + 1)
        whither = state.rules.direction(due)
        word = (direction or whither).removeprefix("pass ")
        self._agree("pass", word, whither)
        self.piles, self.due = {}, {}

    def _hand(self, number: int | None, rest: str) -> None:
        self._pile(self._seat(number), rest, self.state.rules.hand_size)

    def _kitty(self, _: int | None, rest: str) -> None:
        self._pile(None, rest, self.state.rules.kitty_size)

    def _pile(self, owner: int | None, text: str, size: int) -> None:
        if self.piles is None or owner in self.piles:
            self._out_of_place()
        cards = self._cards(text)
        dealt = mask_of(card for pile in self.piles.values() for card in pile)
        for card in cards:
            if not self.state.rules.deck_mask & card.bit:
                raise RecordFault("not_in_deck", line=self.line, card=card)
            if dealt & card.bit:
                raise RecordFault("card_twice", line=self.line, card=card)
        if len(cards) != size:
            raise RecordFault("wrong_number", line=self.line, given=len(cards), expected=size)
        self.piles[owner] = cards

    def _complete(self) -> None:
        """Deals, once the hands have been told."""
        if self.piles is None:
            return
        state, piles = self.state, self.piles
        missing = tuple(seat + 1 for seat in range(state.rules.players) if seat not in piles)
        if missing:
            raise RecordFault(
                "hands_missing", line=self.line, deal=len(state.deals) + 1, seats=missing
            )
        self.piles = None
        self._deal_out(piles)

    def _deal_out(self, piles: dict[int | None, tuple[Card, ...]]) -> None:
        state, players = self.state, self.state.rules.players
        from_left = [piles[(state.dealer + 1 + place) % players] for place in range(players)]
        deck = tuple(card for turn in zip(*from_left, strict=True) for card in turn)
        self._act(act.DealCards(deck + cards_in(state.rules.deck_mask & ~mask_of(deck))))

    def _begin(self) -> None:
        """Starts the match, once the headers have been told."""
        if self.match is not None:
            return
        if self.rules is None:
            raise RecordFault("header_missing", line=self.line, expected=FORMS["Rules"])
        if len(self.players) < self.rules.players:
            expected = f"Seat {len(self.players) + 1}"
            raise RecordFault("header_missing", line=self.line, expected=expected)
        self._agree("players", len(self.players), self.rules.players)
        players, pot = tuple(self.players), self.pot or 0
        self._fold([ev.MatchStarted(self.rules, players, pot, self.dealer)])

    # What the seats do

    def _pass(self, number: int | None, rest: str) -> None:
        seat = self._seat(number)
        if rest == "taken back":
            self._act(act.TakeBackPass(seat))
        else:
            self._act(act.Pass(seat, self._cards(rest)))

    def _trick(self, number: int | None, rest: str) -> None:
        found = _TRICK.fullmatch(rest)
        if found is None:
            self._malformed("Trick")
        if self.state.phase is not Phase.PLAYING:
            self._out_of_place()
        begins, cards, taker = found.groups()
        deal, size, lying = self.deal, self.state.rules.players, self._lying()
        self._agree("Trick", number or deal.trick_number, deal.trick_number)
        turn = f"{deal.turn + 1} {'plays' if lying else 'leads'}"
        self._agree("turn", begins or turn, turn)
        plays = self._cards(cards)
        whole = lying + len(plays)
        if whole > size or (whole < size and taker is not None):
            raise RecordFault("wrong_number", line=self.line, given=whole, expected=size)
        for card in plays:
            self._play(card)
        if taker is not None:
            self._taken(taker)

    def _lying(self) -> int:
        """How many cards lie on the table."""
        return len(self.deal.trick)

    def _taken(self, taker: str) -> None:
        """The trick that is gathered, against who is said to take it."""
        taken = self.deal.tricks[-1].winner
        self._agree("takes", taker, NOBODY if taken is None else taken + 1)

    def _play(self, card: Card) -> None:
        if not any(hand & card.bit for hand in self.deal.hands):
            raise RecordFault("nobody_holds", line=self.line, card=card)
        self.text = card.text  # the line may hold a whole trick
        self._act(act.Play(self.deal.turn, card))

    def _claim(self, _: int | None, rest: str) -> None:
        self._act(act.Claim(self._seat(rest)))

    def _moon(self, _: int | None, rest: str) -> None:
        found = _MOON.fullmatch(rest)
        if found is None:
            self._malformed("Moon")
        self._act(act.ChooseMoon(self._seat(found[1]), minus=found[2] == MINUS))

    def _undo(self, number: int | None, rest: str) -> None:
        seat = self._seat(number)
        if rest not in _UNDO:
            self._malformed("Undo")
        allow = _UNDO[rest]
        self._act(act.AskUndo(seat) if allow is None else act.AnswerUndo(seat, allow))

    # Words of a line, and what comes of it

    def _act(self, action: object) -> None:
        outcome = self.engine.decide(self.state, action)
        if isinstance(outcome, Refusal):
            raise RecordFault("refused", line=self.line, text=self.text, refusal=outcome)
        self._fold(outcome)

    def _fold(self, events: Sequence[Any]) -> None:
        self.due = {}
        for event in events:
            self.match = self.engine.evolve(self.match, event)
            self.due.update(self._told(event))
        self.log += events

    def _told(self, event: Any) -> list[tuple[str, str]]:
        """What a record tells of an event that follows by itself."""
        return told(event, self.state)


_READ: Final[dict[str, Callable[[Any, int | None, str], None]]] = {
    "Rules": LineReader._rules,
    "Master": Reader._master,
    "Seat": Reader._sits,
    "Pot": Reader._pot,
    "Commitment": Reader._commitment,
    "Promise": Reader._promise,
    "Share": Reader._share,
    "Secret": Reader._secret,
    "Lots": Reader._lots,
    "Dealer": Reader._dealer,
    "Deal": Reader._deals,
    "Hand": Reader._hand,
    "Kitty": Reader._kitty,
    "Pass": Reader._pass,
    "Trick": Reader._trick,
    "Claim": Reader._claim,
    "Moon": Reader._moon,
    "Undo": Reader._undo,
}
