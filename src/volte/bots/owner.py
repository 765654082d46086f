"""A bot at a seat of a driven match."""

from __future__ import annotations

from collections.abc import Sequence

from volte.bots.honest import in_order, revokes_to_claim
from volte.bots.protocol import Bot, Clock
from volte.cards import CopiedWhole
from volte.game import AnswerUndo, Refusal, still_to_consent
from volte.referee import Event, SeatAction
from volte.view import View


class BotOwner(CopiedWhole):
    """Owns a seat for `volte.game.Driver`: keeps the view, and asks the bot.

    Attributes:
        seat: which one.
        view: folded from what the seat has been told; None before the match has begun.
    """

    def __init__(self, bot: Bot, seat: int, clock: Clock | None = None) -> None:
        self.seat = seat
        self.view: View | None = None
        self._bot = bot
        self._clock = clock or Clock()
        self._claimed: set[tuple[int, int]] = set()

    def tell(self, events: Sequence[Event]) -> None:
        if self.view is None:
            self.view = View.of(self.seat, events)
        else:
            self.view = self.view.see(*events)

    def ask(self) -> SeatAction:
        """The bot's choice. A bot that sits in for a person lets others take back their plays.

        At a refereed table it claims first what it has seen proved, once for each seat and deal.
        """
        assert self.view is not None
        if self.seat in still_to_consent(self.view.state):
            return AnswerUndo(self.seat, allow=True)
        for claim in revokes_to_claim(self.view):
            about = (self.view.deal.number, claim.against)
            if about not in self._claimed:
                self._claimed.add(about)
                return claim
        return in_order(self.view) or self._bot.choose(self.view, self._clock)

    def refused(self, refusal: Refusal) -> None:
        """A bot that is refused is at fault: raises `RuntimeError`, or it would ask for ever."""
        raise RuntimeError(f"the bot at seat {self.seat} was refused: {refusal}")
