"""Reading records: every line becomes an action, judged by the rules as it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from volte import game
from volte.cards import Card, CardSet, cards_in, mask_of
from volte.fair import House
from volte.game import CardsOrigin, DealState, MatchState, Phase, Refusal, deck_of
from volte.game.events import Committed, MatchStarted, Player
from volte.notation.grammar import FORMS, MISTAKEN, STATEMENTS_OF_WORD
from volte.notation.lines import NOBODY, PASSED_ON, LineReader, cards_text
from volte.notation.record import (
    TITLE,
    VERSION,
    Record,
    RecordFault,
    all_revealed,
    content_of,
    plain_text,
)
from volte.notation.writer import consequences
from volte.referee import actions as act
from volte.referee.decide import decide, tricks_mixed
from volte.referee.engine import ENGINE, to_act
from volte.referee.events import Event
from volte.referee.state import RefereedDeal, RefereedMatch

_HEADERS: Final = ("Rules", "Master", "Seat", "Pot", "Cards")
_DEALT: Final = ("Missing", "Hand", "Kitty")
"""Words of the lines that show the cards dealt."""

_MISSING: Final = -1
"""Key for the cards missing from the pack, in the place of a seat."""

_AFTER_THE_DEAL: Final = frozenset(
    ("Totals", "Stakes", "Winners", "Lots", "Commitment", "Promise", "Share", "Secret", "Deal")
)
_AFTER_THE_TRICKS: Final = _AFTER_THE_DEAL | {"Points", "Moon", "Cut", "Accept"}

_SEAT: Final = re.compile(r'("(?:[^"\\]++|\\.)*+")\s++(person|bot)(?:\s++([a-z][a-z0-9-]*+|".*"))?')
_POT: Final = re.compile("[0-9]{1,15}")
_CARDS: Final = re.compile(r"(?:given|of ([\w-]{1,64}))(?:, turned ([0-9]{1,4}))?")
_SECRET: Final = re.compile(r"[0-9a-f]{64}", re.I)
_DEAL: Final = re.compile(r"(?:dealer ([0-9]+))?,? ?((?:pass )?[a-z_]+)?")
_TRICK: Final = re.compile(r"(?:([0-9]+ (?:leads|plays)) )?([^,]+)(?:, ([0-9]+|nobody) takes)?")
_TAKES: Final = re.compile(r"([0-9]+|nobody) takes")


def parse_record(text: str | bytes) -> Record:
    """The match in a text, every line of it judged by the rules.

    Raises `RecordFault` for the first fault.
    """
    return _Reader().read(plain_text(text))


def load_record(path: Path) -> Record:
    """The match in a file. Raises `RecordFault`, also when the file cannot be read."""
    return parse_record(content_of(path))


def master_of(record: Record) -> bytes | None:
    """The master of the house that deals the rest of a match; None without commitments.

    Raises `RecordFault` when the master is needed to go on and is missing, or is not the one that
    this match has been dealt by.
    """
    if record.state.proof is not None and not all_revealed(record.state):
        if record.master is None:
            raise RecordFault("no_master", line=1)
        if not _dealt_by(House(record.master), record.log):
            raise RecordFault("wrong_master", line=1)
    return record.master


def _dealt_by(house: House, log: Sequence[Event]) -> bool:
    """Whether every commitment on the log is that house's."""
    digest = b""
    for event in log:
        if isinstance(event, Committed):
            expected = house.commitment(event.number, event.house, digest)
            digest = event.digest
            if expected.digest != digest:
                return False
    return True


class _Reader(LineReader):
    """Reader of a record, which turns the text into the log of its match."""

    title: ClassVar[str] = TITLE
    version: ClassVar[int] = VERSION
    forms: ClassVar[dict[str, str]] = FORMS

    def __init__(self) -> None:
        super().__init__()
        self.master: bytes | None = None
        self.players: list[Player] = []
        self.pot: int | None = None
        self.origin: CardsOrigin | None = None
        self.dealer: int | None = None  # to whom the match before has passed the deal
        self.log: list[Any] = []
        self.match: MatchState | None = None
        # The hands of a deal that is not complete yet, with the kitty under None
        self.piles: dict[int | None, tuple[Card, ...]] | None = None

    @property
    def state(self) -> MatchState:
        assert self.match is not None
        return self.match

    @property
    def deal(self) -> DealState:
        return self.state.current_deal

    @property
    def lying(self) -> RefereedDeal | None:
        """The deal whose tricks are being played at a refereed table."""
        match = self.match
        if not isinstance(match, RefereedMatch) or match.phase is not Phase.PLAYING:
            return None
        return match.lying if match.reckoned is None else None

    def read(self, text: str) -> Record:
        """The match in a text. Raises `RecordFault`."""
        self.read_lines(text)
        self._begin()
        self._complete()
        return Record(tuple(self.log), self.state, self.master)

    def _statement(self, word: str, number: int | None, rest: str) -> None:
        if word == "Back" and rest:
            rest = cards_text(self.cards(rest))
        rest = rest if word == "Seat" else " ".join(rest.replace("−", "-").split())
        if word == "Dealer" and rest.endswith(PASSED_ON) and self.match is None:
            if self.dealer is not None:
                self._out_of_place()
            self.dealer = self.seat(rest.removesuffix(PASSED_ON))
            return
        self._get_ready(word)
        label = word if number is None else f"{word} {number}"
        if label in self.consequences:
            self._agree(label, rest, self.consequences.pop(label))
        elif word in _READ:
            _READ[word](self, number, rest)
        elif word in STATEMENTS_OF_WORD:
            self._declared(word, number, rest)
        else:
            self._out_of_place()

    def _get_ready(self, word: str) -> None:
        """Take the steps that follow from earlier lines, before a line with that word is read."""
        if word == "Misdeal" and not self.piles:  # hands that nobody knows
            self.piles = None
        if word not in _HEADERS:
            self._begin()
        elif self.match is not None:
            self._out_of_place()
        if word not in _DEALT:
            self._complete()
        if word in _AFTER_THE_TRICKS:
            self._turn_down()
        if word in _AFTER_THE_DEAL:
            self._close()

    def _declared(self, word: str, number: int | None, rest: str) -> None:
        """Read a line that is one action and its event."""
        tried = ((each, each.body.fullmatch(rest)) for each in STATEMENTS_OF_WORD[word])
        statement, values = next((each for each in tried if each[1]), (None, None))
        if not statement or not values or (statement.label == "number" and number is None):
            self._malformed(word)
        texts = {statement.label: str(number)} if statement.label else {}
        texts |= {name: text for name, text in values.groupdict().items() if text is not None}
        try:
            action = statement.action(self, texts)
        except RecordFault:
            raise
        except ValueError:
            self._malformed(word)
        self._act(action)
        if "clause" in values.groupdict():  # by which the referee has ruled
            clause = next(
                each.clause for each in reversed(self.log) if type(each) is statement.event
            )
            ruling = clause or MISTAKEN
            self._agree("ruling", texts.get("clause", ruling), ruling)

    def _expected(self) -> tuple[str, ...]:
        """The words that the next line may begin with."""
        match = self.match
        if match is None:
            return _HEADERS
        if self.piles is not None:
            return _DEALT
        refereed = isinstance(match, RefereedMatch)
        if isinstance(match, RefereedMatch) and match.phase is Phase.PLAYING:
            return (*self.consequences, *_expected_while_playing(match))
        after = {
            Phase.DRAWING: ("Commitment", "Promise", "Share", "Lots", "Dealer", "Deal"),
            Phase.DEALING: ("Commitment", "Promise", "Share", "Secret", "Deal"),
            Phase.PASSING: ("Pass",),
            Phase.PLAYING: ("Trick", "Claim", "Undo"),
            Phase.CHOOSING: ("Moon",),
            Phase.ENDED: ("Secret",),
        }
        dealt_wrong = refereed and match.phase in (Phase.DEALING, Phase.PASSING)
        words = after.get(match.phase, ("Lots",))
        return (*self.consequences, *words, *(("Misdeal",) if dealt_wrong else ()))

    # Headers

    def _master(self, _: int | None, rest: str) -> None:
        if self.master is not None:
            self._out_of_place()
        self.master = bytes.fromhex(self._matched(_SECRET, "Master", rest)[0])

    def _sits(self, number: int | None, rest: str) -> None:
        name, kind, level = self._matched(_SEAT, "Seat", rest).groups("")
        self._agree("Seat", number, len(self.players) + 1)
        if level.startswith('"'):
            level = self._unquoted("Seat", level)
        self.players.append(Player(self._unquoted("Seat", name), kind == "person", level))

    def _pot(self, _: int | None, rest: str) -> None:
        if self.pot is not None:
            self._out_of_place()
        self.pot = int(self._matched(_POT, "Pot", rest)[0])

    def _given(self, _: int | None, rest: str) -> None:
        if self.origin is not None:
            self._out_of_place()
        match, turned = self._matched(_CARDS, "Cards", rest).groups("")
        self.origin = CardsOrigin(match, int(turned or 0))

    def _begin(self) -> None:
        """Start the match, once the headers have been read."""
        if self.match is not None:
            return
        self._check_seated(len(self.players))
        assert self.rules is not None
        players, pot = tuple(self.players), self.pot or 0
        self._fold([MatchStarted(self.rules, players, pot, self.dealer, self.origin)])

    # The deal

    def _lots(self, _: int | None, rest: str) -> None:
        rounds = self.rounds(rest)
        drawing = self.state.phase is Phase.DRAWING
        self._act(game.DrawDealer(rounds) if drawing else game.DrawLots(rounds))

    def _dealer(self, _: int | None, rest: str) -> None:
        if self.state.phase is not Phase.DRAWING:
            self._out_of_place()
        self._act(game.NameDealer(self.seat(rest)))
        self.consequences = {}

    def _deals(self, number: int | None, rest: str) -> None:
        dealer, direction = self._matched(_DEAL, "Deal", rest).groups()
        if self.state.phase is Phase.DRAWING and dealer is not None:
            self._dealer(None, dealer)
        state = self.state
        if state.phase is not Phase.DEALING:
            self._out_of_place()
        expected = len(state.deals) + 1
        self._agree("Deal", number or expected, expected)
        self._agree("dealer", dealer or state.dealer + 1, state.dealer + 1)
        passed = state.rules.direction(expected)
        self._agree("pass", (direction or passed).removeprefix("pass "), passed)
        self.piles, self.consequences = {}, {}

    def _hand(self, number: int | None, rest: str) -> None:
        self._pile(self.seat(number), rest, self.state.rules.hand_size)

    def _kitty(self, _: int | None, rest: str) -> None:
        self._pile(None, rest, self.state.rules.kitty_size)

    def _missing(self, _: int | None, rest: str) -> None:
        if not isinstance(self.match, RefereedMatch):
            self._out_of_place()
        self._pile(_MISSING, rest, len(self.cards(rest)))

    def _pile(self, owner: int | None, text: str, size: int) -> None:
        if self.piles is None or owner in self.piles:
            self._out_of_place()
        cards = self.cards(text)
        dealt = mask_of(card for pile in self.piles.values() for card in pile)
        for card in cards:
            if not self.state.rules.deck_mask & card.bit:
                raise RecordFault("not_in_deck", line=self.line, card=card)
            if dealt & card.bit:
                raise RecordFault("card_twice", line=self.line, card=card)
        if len(cards) > size or (len(cards) < size and _MISSING not in self.piles):
            raise RecordFault("wrong_number", line=self.line, given=len(cards), expected=size)
        self.piles[owner] = cards

    def _complete(self) -> None:
        """Deal, once all hands have been read."""
        if self.piles is None:
            return
        piles, players = self.piles, self.state.rules.players
        missing = tuple(seat + 1 for seat in range(players) if seat not in piles)
        if missing:
            deal = len(self.state.deals) + 1
            raise RecordFault("hands_missing", line=self.line, deal=deal, seats=missing)
        self.piles = None
        deck_mask = self.state.rules.deck_mask
        if _MISSING not in piles:
            hands = tuple(piles[seat] for seat in range(players))
            dealt = mask_of(card for hand in hands for card in hand)
            kitty = cards_in(deck_mask & ~dealt)
            self._act(game.DealCards(deck_of(hands, kitty, self.state.dealer)))
            return
        hands = tuple(piles[seat] for seat in range(players))
        gone = mask_of(card for pile in (*hands, piles[_MISSING]) for card in pile)
        kitty = cards_in(deck_mask & ~gone)
        self._agree("Kitty", CardSet(piles.get(None, kitty)), CardSet(kitty))
        self.text = f"Missing: {cards_text(piles[_MISSING])}"
        self._act(act.DealByHand(hands, kitty))

    def _misdeal(self, _: int | None, rest: str) -> None:
        if rest not in list(act.Misdeal):
            self._malformed("Misdeal")
        self._act(act.DeclareMisdeal(act.Misdeal(rest)))

    # The tricks

    def _trick(self, number: int | None, rest: str) -> None:
        """Read a trick, or a part of it that was played without a break, or its taker."""
        gathered = _TAKES.fullmatch(rest)
        if gathered is None:
            self._turn_down()
        table = self.lying
        if table is None and isinstance(self.match, RefereedMatch):
            self._out_of_place()
        if gathered is not None and table is not None:
            self._agree("Trick", number or table.trick_number, table.trick_number)
            self._taken(gathered[1])
            return
        begins, cards, taker = self._matched(_TRICK, "Trick", rest).groups()
        if self.state.phase is not Phase.PLAYING:
            self._out_of_place()
        deal, size = self.deal, self.state.rules.players
        lying = len(deal.trick) if table is None else len(table.laid)
        self._agree("Trick", number or deal.trick_number, deal.trick_number)
        turn = f"{deal.turn + 1} {'plays' if lying else 'leads'}"
        self._agree("turn", begins or turn, turn)
        plays = self.cards(cards)
        whole = lying + len(plays)
        if whole > size or (whole < size and taker is not None):
            raise RecordFault("wrong_number", line=self.line, given=whole, expected=size)
        for card in plays:
            self._play(card)
        if taker is not None:
            self._taken(taker)

    def _play(self, card: Card) -> None:
        if not any(hand & card.bit for hand in self.deal.hands):
            raise RecordFault("nobody_holds", line=self.line, card=card)
        self.text = card.text  # the line may hold a whole trick
        self._act(game.Play(self.deal.turn, card))

    def _taken(self, taker: str) -> None:
        """Compare the taker on record with the one by the rules, and turn the trick down."""
        table = self.lying
        if table is None:
            winner = self.deal.tricks[-1].winner
        else:
            if not table.full:
                self._act(act.TurnDown(self.seat(taker)))  # which is refused, as too soon
            winner = table.taker
        self._agree("takes", taker, NOBODY if winner is None else winner + 1)
        self._turn_down()

    def _turn_down(self) -> None:
        """Gather a full trick at a refereed table, for a line that can only come after that."""
        table = self.lying
        if table is not None and table.full:
            self._act(act.TurnDown(table.turner))

    def _early(self, number: int | None, rest: str) -> None:
        seat, (card, *more) = self.seat(number), self.cards(rest)
        if more:
            self._malformed("Early")
        if to_act(self.state) == (seat,):  # then it is not early
            self._out_of_place()
        self._act(game.Play(seat, card))

    def _back(self, number: int | None, rest: str) -> None:
        self._act(act.TakeBack(self.seat(number)))
        self._agree("Back", rest, self.consequences.pop(f"Back {number}"))

    # After the tricks

    def _mixed(self, _: int | None, rest: str) -> None:
        match, seat = self.match, self.seat(rest)
        mixing = act.MixTricks(seat)
        outcome = decide(self.state, mixing)
        early = isinstance(outcome, Refusal) and outcome.reason == "too_few_tricks"
        if early and isinstance(match, RefereedMatch):  # older records have it
            self._fold(tricks_mixed(match, seat))
        else:
            self._act(mixing)

    def _accept(self, _: int | None, rest: str) -> None:
        for seat in rest.split() or [""]:
            self._act(act.Accept(self.seat(seat)))

    def _close(self) -> None:
        """Cut, or have everybody accept, for a line that can only come after that."""
        match = self.match
        if isinstance(match, RefereedMatch) and match.reckoned is not None:
            for seat in to_act(match):
                if match.shooter is not None:
                    self._out_of_place()
                self._act(act.Accept(seat) if match.last else act.Cut(seat))

    # Actions and events of a line

    def _act(self, action: object) -> None:
        outcome = ENGINE.decide(self.state, action)
        if isinstance(outcome, Refusal):
            raise RecordFault("refused", line=self.line, text=self.text, refusal=outcome)
        self._fold(outcome)

    def _fold(self, events: Sequence[Any]) -> None:
        self.consequences = {}
        for event in events:
            self.match = ENGINE.evolve(self.match, event)
            self.consequences.update(consequences(event, self.state))
        self.log += events


def _expected_while_playing(match: RefereedMatch) -> tuple[str, ...]:
    """The words that the next line may begin with while a refereed deal is played."""
    if match.reckoned is not None:
        closing = "Accept" if match.last else "Cut"
        return "Revoke", "Mixed", closing if match.shooter is None else "Moon"
    untouched = not match.lying.laid and not match.lying.tricks
    misdeal = ("Misdeal",) if untouched else ()
    return ("Trick", "Early", "Object", "Back", "Revoke", "Mixed", *misdeal)


_READ: Final[dict[str, Callable[[_Reader, int | None, str], None]]] = {
    "Rules": LineReader.read_rules,
    "Master": _Reader._master,
    "Seat": _Reader._sits,
    "Pot": _Reader._pot,
    "Cards": _Reader._given,
    "Lots": _Reader._lots,
    "Dealer": _Reader._dealer,
    "Deal": _Reader._deals,
    "Missing": _Reader._missing,
    "Hand": _Reader._hand,
    "Kitty": _Reader._kitty,
    "Misdeal": _Reader._misdeal,
    "Trick": _Reader._trick,
    "Early": _Reader._early,
    "Back": _Reader._back,
    "Mixed": _Reader._mixed,
    "Accept": _Reader._accept,
}
"""Readers of the lines that `grammar.STATEMENTS` does not declare, by word."""
