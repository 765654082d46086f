"""A bot at a seat of a driven match; at a refereed one, every bot is honest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from volte.bots.protocol import Bot, Clock, chosen_moon
from volte.cards import CopiedWhole
from volte.game import AnswerUndo, Phase, Refusal, still_to_consent
from volte.referee import (
    ClaimRevoke,
    Event,
    RefereedMatch,
    SeatAction,
    legal_actions,
    shown_revokes,
)
from volte.view import View


def revokes_to_claim(view: View) -> Iterator[ClaimRevoke]:
    """Claims of revokes that the seat has seen proved, and that nobody has won yet (I5, I6, I9)."""
    match = view.state
    if view.seat is None or not isinstance(match, RefereedMatch):
        return
    if match.phase is not Phase.PLAYING or not match.lying.tricks:
        return
    paid = {view.seat, *match.lying.offenders}
    for shown in shown_revokes(match.lying):
        if shown.seat not in paid:
            paid.add(shown.seat)
            yield ClaimRevoke(view.seat, shown.seat, shown.trick)


def in_order(view: View) -> SeatAction | None:
    """What else the table waits for: it turns down, cuts or accepts (I4, I6), chooses (W7)."""
    match = view.state
    if view.seat is None or not isinstance(match, RefereedMatch):
        return None
    over = match.phase is Phase.PLAYING and (match.reckoned is not None or match.lying.full)
    actions = legal_actions(match, view.seat) if over else ()
    return chosen_moon(view) or (actions[0] if actions else None)


class BotOwner(CopiedWhole):
    """Owns a seat for `volte.game.Driver`: keeps the view, and asks the bot."""

    def __init__(self, bot: Bot, seat: int, clock: Clock | None = None) -> None:
        self.seat = seat
        self.view: View | None = None  # before the match has begun
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
