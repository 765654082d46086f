"""Refereed tables with cards from short text, played act by act."""

from __future__ import annotations

from typing import Final

from kit.strategies import PACK
from table.acting import ANNE, BRUNO, Table, table_of

from volte import game, referee, table
from volte.cards import Card, read_cards
from volte.game import Refusal
from volte.referee import RefereedMatch, SeatAction
from volte.rules import Value, make_ruleset
from volte.table import Happening, Someone
from volte.table import commands as cmd
from volte.table.viewpoints import MatchLog
from volte.view import project

HANDS: Final = ("C: A4 H: 2", "C: K5 H: 3", "C: Q6 D: 3", "C: J7 D: 4")
"""Anne leads; everybody can follow clubs twice."""


class Refereed(Table):
    """A table where the referee rules; Anne has the first seat, Bruno the second."""

    @property
    def match(self) -> RefereedMatch:
        match = self.state.match
        assert isinstance(match, RefereedMatch)
        return match

    def play(self, seat: int, cards: str) -> tuple[Happening, ...]:
        """Cards from that seat on, `4C KC`, clockwise."""
        happened: tuple[Happening, ...] = ()
        for place, card in enumerate(cards.split()):
            happened += self.act(game.Play((seat + place) % len(self.state.seats), Card(card)))
        return happened

    def honest(self) -> None:
        """The first lawful act that the match waits for; the house where it waits for nobody."""
        seats = referee.to_act(self.match)
        if seats:
            self.act(referee.legal_actions(self.match, seats[0])[0])
        else:
            self.take(self.cut() or table.decide_house(self.state, self.chance()))

    def honestly_until(self, *kinds: type) -> None:
        """The same, until something of the kind has happened."""
        since = len(self.log)
        while not any(isinstance(each, kinds) for each in self.log[since:]):
            self.honest()

    def refusal(self, who: Someone, action: SeatAction, seen: int | None = None) -> Refusal:
        """Why somebody may not."""
        outcome = self.decide(who, cmd.Act(action), seen)
        assert isinstance(outcome, Refusal), outcome
        return outcome

    def nobody_sees_more_than_they_may(self) -> None:
        """What every seat has been told folds into what it may know, and nothing else."""
        sights = MatchLog()
        sights.add(self.log)
        for seat in (*range(len(self.state.seats)), None):
            assert sights.fold(seat).match == project(self.match, seat)


def dealt(*hands: str, preset: str = "coeurs-table", **options: Value) -> Refereed:
    """Anne at seat 0 leads, Bruno sits at seat 1, bots sit at the others."""
    hands = hands or HANDS
    deck = {card for hand in hands for card in read_cards(hand)}
    usual: dict[str, Value] = {
        "players": len(hands),
        "removed": [str(card) for card in PACK if card not in deck],
        "kitty": "none",
        "pass_count": 0,
        "match_end": "deals:2",
        "irregularities": "refereed",
        "settlement": "none",
    }
    at = Refereed(table_of(make_ruleset(preset, {**usual, **options})))
    for seat, who in enumerate((ANNE, BRUNO)):
        at.do(who, cmd.Sit(seat))
    at.do(ANNE, cmd.Start())
    at.take(table.decide_house(at.state, game.NameDealer(len(hands) - 1)))
    rows = zip(*(read_cards(hand) for hand in hands), strict=True)
    at.take(table.decide_house(at.state, game.DealCards(tuple(c for row in rows for c in row))))
    return at
