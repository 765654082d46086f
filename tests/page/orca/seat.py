"""What the server knows of a seat: when it is its turn, and which cards it may play."""

from __future__ import annotations

from typing import Final

from kit.sites import House
from page.orca.ear import Ear

from volte.cards import Card
from volte.say import Words
from volte.table.live import LiveTable
from volte.table.turns import TurnKind, turn_of
from volte.view import View

MINE: Final = 0


class Seat:
    """The first seat of a table: of the only one of a playroom, unless its id is given."""

    def __init__(self, house: House, lang: str = "en", table: str = "") -> None:
        self._house = house
        self._words = Words(lang)
        self._id = table

    @property
    def _table(self) -> LiveTable | None:
        tables = self._house.site.room.lobby.tables
        return next((each for each in tables if self._id in ("", each.id)), None)

    @property
    def what(self) -> TurnKind | None:
        """What is asked of whoever sits there."""
        return None if self._table is None else turn_of(self._table.state, MINE)

    @property
    def view(self) -> View:
        """The match as they see it."""
        assert self._table is not None
        return self._table.view(MINE)

    def holds(self, cards: int) -> bool:
        """Whether it is their turn with so many cards in hand; with none, whether all is over."""
        if cards == 0:
            return self._table is not None and not self._table.state.under_way
        return self.what is TurnKind.PLAY and len(self.view.hand) == cards

    @property
    def cards(self) -> int:
        """How many they hold."""
        return len(self.view.hand)

    @property
    def trick(self) -> tuple[Card, ...]:
        """What lies on the table."""
        return self.view.deal.trick

    @property
    def legal(self) -> list[Card]:
        """What they may play, from left to right."""
        return [card for card in self._words.hand_order(self.view) if card in self.view.legal]

    @property
    def barred(self) -> list[Card]:
        """What they may not."""
        return [card for card in self._words.hand_order(self.view) if card not in self.view.legal]

    def go_to(self, ear: Ear, cards: list[Card]) -> None:
        """Goes to the nearest of those cards, from the one that was heard last."""
        order = list(self._words.hand_order(self.view))
        names = [self._words.card(each) for each in order]
        heard = [text for text in ear.heard if text in names]
        assert heard, "no card of this hand was heard yet"
        here = names.index(heard[-1])
        steps = min((order.index(card) - here for card in cards), key=abs)
        ear.press(*["Right" if steps > 0 else "Left"] * abs(steps))
