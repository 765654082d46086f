"""Common parts of the sentences about a match: the people meant, and lists of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Final

from volte.cards import CARDS, Card, Suit
from volte.game import MatchState, Player, Transfer
from volte.rules import Draw
from volte.say.language import N_, Language
from volte.view import View

Lines = tuple[str, ...]


def spoken_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards as hands are read out: clubs, diamonds, spades, hearts, high to low, then jokers."""
    return tuple(sorted(cards, key=_PLACES.__getitem__))


def scattered(seat: int, cards: Sequence[Card], players: int) -> list[Transfer]:
    """Transfers of a scatter: each card that the seat gives, with its taker (W1)."""
    takers = ((seat + 1 + place) % players for place in range(players - 1))
    return [Transfer(seat, taker, (card,)) for taker, card in zip(takers, cards, strict=False)]


def received(language: Language, players: Sequence[Player], gifts: Iterable[Transfer]) -> str:
    """Cards of a scatter and takers: "the 2 of clubs to Anne and the ace of hearts to Luc" (W1)."""
    message = N_("{cards:the} {player:to}")
    return language.listed(
        [
            language.t(message, cards=spoken_order(gift.cards), player=players[gift.taker])
            for gift in gifts
            if gift.cards is not None
        ]
    )


def _hand_place(card: Card) -> tuple[int, int, int]:
    suit = len(Suit) if card.suit is None else int(card.suit)
    return suit, -(card.rank or 0), card.index


_PLACES: Final = {card: place for place, card in enumerate(sorted(CARDS, key=_hand_place))}


class SeatTelling(ABC):
    """Sentences about seats, in one language.

    Args:
        me: the seat of the listener, who is called "you"; None for somebody who watches.
    """

    def __init__(self, language: Language, me: int | None) -> None:
        self.t = language.t
        self.n = language.n
        self.points = language.points
        self.series = language.series
        self.language = language
        self.me = me

    @abstractmethod
    def player(self, seat: int) -> Player | str:
        """The player at a seat, or the name that is written there."""

    def mine(self, seat: int) -> bool:
        return seat == self.me

    def by(self, seat: int, own: str, other: str, **params: Any) -> str:
        """Sentence about a seat: `own` to that seat itself, else `other` with its `{player}`."""
        if self.mine(seat):
            return self.t(own, **params)
        return self.t(other, player=self.player(seat), **params)


class Telling(SeatTelling):
    """One person's view of a match, to be told in one language."""

    def __init__(self, language: Language, view: View) -> None:
        super().__init__(language, view.seat)
        self.stakes = language.stakes
        self.view = view

    @property
    def state(self) -> MatchState:
        return self.view.state

    @property
    def seats(self) -> Sequence[int]:
        """All seats clockwise, from the view's own seat on."""
        players = self.state.rules.players
        first = self.view.seat or 0
        return [(first + step) % players for step in range(players)]

    def player(self, seat: int) -> Player:
        """The player who sits at a seat."""
        return self.state.players[seat]

    def who(self, seat: int) -> str:
        """A name inside a sentence, or "you" for the listener."""
        return (
            self.t("you") if self.mine(seat) else self.language.format_field(self.player(seat), "")
        )

    def names(self, seats: Iterable[int]) -> str:
        """Several people, the listener first."""
        order = sorted(seats, key=self.seats.index)
        return self.language.listed([self.who(seat) for seat in order])

    def sides(self) -> list[Sequence[int]]:
        """Every side, the listener's own first; each seat alone where nobody has partners."""
        rules = self.state.rules
        first = [seat for seat in self.seats if seat == min(rules.side(seat), key=self.seats.index)]
        return [sorted(rules.side(seat), key=self.seats.index) for seat in first]

    def counts(self, counts: Sequence[int]) -> str:
        """A number for each seat: "you 3; Anne 12"."""
        return self.series(
            self.t("{name} {count}", name=self.who(seat), count=counts[seat]) for seat in self.seats
        )

    def scores(self, points: Sequence[int]) -> str:
        """Points or totals, once for each side: "you and Luc 12; Anne and Yves 14" (W10)."""
        return self.series(
            self.t("{name} {count}", name=self.names(side), count=points[side[0]])
            for side in self.sides()
        )

    def draws(self, drawn: Draw) -> str:
        """Cards that the seats drew: "you, the king of hearts; Anne, the 5 of clubs"."""
        cards = dict(drawn)
        return self.series(
            self.t("{name}, {card:the}", name=self.who(seat), card=cards[seat])
            for seat in self.seats
            if seat in cards
        )

    def played(self, seat: int, card: Card) -> str:
        """A card with its player: "Anne: the queen of spades"."""
        return self.by(seat, N_("You: {card:the}"), N_("{player}: {card:the}"), card=card)
