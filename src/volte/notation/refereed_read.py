"""Reading records of every match: each line is an act, judged by the referee as it is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Final

from volte.cards import Card, CardSet, cards_in, mask_of
from volte.game import Engine, Phase, Play, Refusal
from volte.notation import read as record_read
from volte.notation.record import RecordFault, RecordOf, ReportOf, content_of, plain_text
from volte.notation.refereed_write import MISTAKEN, told
from volte.notation.write import NOBODY, cards_text
from volte.referee import actions as act
from volte.referee import events as ev
from volte.referee.decide import decide, tricks_mixed
from volte.referee.engine import ENGINE
from volte.referee.legal import to_act
from volte.referee.state import RefereedDeal, RefereedMatch

Record = RecordOf[ev.Event]
Report = ReportOf[ev.Event]

FORMS: Final = {
    **record_read.FORMS,
    "Early": "Early 3: QS",
    "Object": "Object 2: 3",
    "Back": "Back 3: 5C",
    "Revoke": "Revoke 2: 3 in trick 4",
    "Mixed": "Mixed: 3",
    "Cut": "Cut: 1",
    "Accept": "Accept: 1 2 3 4",
    "Misdeal": "Misdeal: exposed",
    "Missing": "Missing: 5H",
}
"""Every word that a line may begin with, and how such a line looks."""

_MISSING: Final = -1
"""Whose pile those cards are that are missing from the pack."""

_TAKES: Final = re.compile(r"([0-9]+|nobody) takes")
_OBJECT: Final = re.compile(r"([0-9]+)(?:, (\w+))?")
_REVOKE: Final = re.compile(r"([0-9]+) in trick ([0-9]{1,6})(?:, (\w+))?")
_AFTER_THE_DEAL: Final = frozenset(
    ("Totals", "Stakes", "Winners", "Lots", "Commitment", "Promise", "Share", "Secret", "Deal")
)
_AFTER_THE_TRICKS: Final = _AFTER_THE_DEAL | {"Points", "Moon", "Cut", "Accept"}


def parse_record(text: str | bytes) -> Record:
    """As in `game`, for every match."""
    return _Reader().read(plain_text(text))


def load_record(path: Path) -> Record:
    """As in `game`, for every match."""
    return parse_record(content_of(path))


def check_record(text: str | bytes) -> Report:
    """As in `game`, for every match."""
    try:
        return ReportOf(parse_record(text))
    except RecordFault as fault:
        return ReportOf(None, fault)


class _Reader(record_read.Reader):
    """As in `game`; what only a referee allows is read as well."""

    engine: ClassVar[Engine] = ENGINE
    forms: ClassVar[dict[str, str]] = FORMS
    dealt: ClassVar[tuple[str, ...]] = ("Missing", *record_read.Reader.dealt)

    @property
    def _lies(self) -> RefereedDeal | None:
        """The deal whose tricks are being played at a refereed table."""
        match = self.match
        if not isinstance(match, RefereedMatch) or match.phase is not Phase.PLAYING:
            return None
        return match.lying if match.reckoned is None else None

    def _told_by(self, word: str, number: int | None, rest: str) -> None:
        told = cards_text(self._cards(rest)) if word == "Back" and rest else rest
        super()._told_by(word, number, told)

    def _ready(self, word: str) -> None:
        if word == "Misdeal" and not self.piles:  # hands that nobody knows
            self.piles = None
        super()._ready(word)
        if word in _AFTER_THE_TRICKS:
            self._turn_down()
        if word in _AFTER_THE_DEAL:
            self._close()

    def _close(self) -> None:
        """Cuts, or has everybody accept, for a line that can only come after that."""
        match = self.match
        if isinstance(match, RefereedMatch) and match.reckoned is not None:
            for seat in to_act(match):
                if match.shooter is not None:
                    self._out_of_place()
                self._act(act.Accept(seat) if match.last else act.Cut(seat))

    def _turn_down(self) -> None:
        """Gathers a full trick, for a line that can only come after that."""
        deal = self._lies
        if deal is not None and deal.full:
            self._act(act.TurnDown(deal.turner))

    def _read(self, word: str, number: int | None, rest: str) -> None:
        if word in _READ:
            _READ[word](self, number, rest)
        else:
            super()._read(word, number, rest)

    def _told(self, event: Any) -> list[tuple[str, str]]:
        return told(event, self.state)

    def _expected(self) -> tuple[str, ...]:
        match = self.match
        if not isinstance(match, RefereedMatch) or self.piles is not None:
            return super()._expected()
        if match.phase in (Phase.DEALING, Phase.PASSING):
            return (*super()._expected(), "Misdeal")
        if match.phase is not Phase.PLAYING:
            return super()._expected()
        if match.reckoned is not None:
            closing = "Accept" if match.last else "Cut"
            if match.shooter is not None:
                closing = "Moon"
            return (*self.due, "Revoke", "Mixed", closing)
        untouched = not match.lying.laid and not match.lying.tricks
        misdeal = ("Misdeal",) if untouched else ()
        return (*self.due, "Trick", "Early", "Object", "Back", "Revoke", "Mixed", *misdeal)

    # The trick

    def _trick(self, number: int | None, rest: str) -> None:
        gathered = _TAKES.fullmatch(rest)
        if gathered is None:
            self._turn_down()
        deal = self._lies
        if deal is None and isinstance(self.match, RefereedMatch):
            self._out_of_place()
        if gathered is None or deal is None:
            super()._trick(number, rest)
            return
        self._agree("Trick", number or deal.trick_number, deal.trick_number)
        self._taken(gathered[1])

    def _lying(self) -> int:
        deal = self._lies
        return super()._lying() if deal is None else len(deal.laid)

    def _taken(self, taker: str) -> None:
        deal = self._lies
        if deal is None:
            super()._taken(taker)
            return
        if not deal.full:
            self._act(act.TurnDown(self._seat(taker)))  # which is refused, as too soon
        self._agree("takes", taker, NOBODY if deal.taker is None else deal.taker + 1)
        self._act(act.TurnDown(deal.turner))

    def _early(self, number: int | None, rest: str) -> None:
        seat, (card, *more) = self._seat(number), self._cards(rest)
        if more:
            self._malformed("Early")
        if to_act(self.state) == (seat,):  # then it is no early one
            self._out_of_place()
        self._act(Play(seat, card))

    def _object(self, number: int | None, rest: str) -> None:
        found = _OBJECT.fullmatch(rest)
        if found is None:
            self._malformed("Object")
        self._act(act.Object(self._seat(number), self._seat(found[1])))
        self._ruled(ev.Objected, found[2])

    def _back(self, number: int | None, rest: str) -> None:
        self._act(act.TakeBack(self._seat(number)))
        self._agree("Back", rest, self.due.pop(f"Back {number}"))

    # The deal

    def _missing(self, _: int | None, rest: str) -> None:
        if not isinstance(self.match, RefereedMatch):
            self._out_of_place()
        self._pile(_MISSING, rest, len(self._cards(rest)))

    def _pile(self, owner: int | None, text: str, size: int) -> None:
        short = _MISSING in (self.piles or ())
        super()._pile(owner, text, min(size, len(self._cards(text))) if short else size)

    def _deal_out(self, piles: dict[int | None, tuple[Card, ...]]) -> None:
        if _MISSING not in piles:
            super()._deal_out(piles)
            return
        rules = self.state.rules
        hands = tuple(piles[seat] for seat in range(rules.players))
        gone = mask_of(card for pile in (*hands, piles[_MISSING]) for card in pile)
        kitty = cards_in(rules.deck_mask & ~gone)
        self._agree("Kitty", CardSet(piles.get(None, kitty)), CardSet(kitty))
        self.text = f"Missing: {cards_text(piles[_MISSING])}"
        self._act(act.DealByHand(hands, kitty))

    def _revoke(self, number: int | None, rest: str) -> None:
        found = _REVOKE.fullmatch(rest)
        if found is None:
            self._malformed("Revoke")
        claim = act.ClaimRevoke(self._seat(number), self._seat(found[1]), int(found[2]))
        self._act(claim)
        self._ruled(ev.RevokeClaimed, found[3])

    def _ruled(self, kind: type[ev.Objected | ev.RevokeClaimed], written: str | None) -> None:
        """What the referee has ruled, against what is written of it."""
        clause = next(each.clause for each in reversed(self.log) if isinstance(each, kind))
        ruling = clause or MISTAKEN
        self._agree("ruling", written or ruling, ruling)

    def _mixed(self, _: int | None, rest: str) -> None:
        match, seat = self.match, self._seat(rest)
        mixing = act.MixTricks(seat)
        outcome = decide(self.state, mixing)
        early = isinstance(outcome, Refusal) and outcome.reason == "too_few_tricks"
        if early and isinstance(match, RefereedMatch):  # older records have it
            self._fold(tricks_mixed(match, seat))
        else:
            self._act(mixing)

    def _cut(self, _: int | None, rest: str) -> None:
        self._act(act.Cut(self._seat(rest)))

    def _accept(self, _: int | None, rest: str) -> None:
        for seat in rest.split() or [""]:
            self._act(act.Accept(self._seat(seat)))

    def _misdeal(self, _: int | None, rest: str) -> None:
        if rest not in list(act.Misdeal):
            self._malformed("Misdeal")
        self._act(act.DeclareMisdeal(act.Misdeal(rest)))


_READ: Final[dict[str, Callable[[Any, int | None, str], None]]] = {
    "Trick": _Reader._trick,
    "Early": _Reader._early,
    "Object": _Reader._object,
    "Back": _Reader._back,
    "Revoke": _Reader._revoke,
    "Mixed": _Reader._mixed,
    "Cut": _Reader._cut,
    "Accept": _Reader._accept,
    "Misdeal": _Reader._misdeal,
    "Missing": _Reader._missing,
}
