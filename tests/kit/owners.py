"""Owners of seats at a `Driver` that play by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from volte.game import AnswerUndo, MatchState, Refusal, still_to_consent
from volte.referee import Event, SeatAction, evolve, legal_actions


class Obliging:
    """Does the first legal action, allows every undo, and keeps events and refusals."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.events: list[Event] = []
        self.refusals: list[Refusal] = []
        self._state: MatchState | None = None

    @property
    def state(self) -> MatchState:
        """The state folded from the events that the seat was told."""
        assert self._state is not None
        return self._state

    def tell(self, events: Sequence[Event]) -> None:
        self.events += events
        for event in events:
            self._state = evolve(self._state, event)

    def ask(self) -> SeatAction:
        if self.seat in still_to_consent(self.state):
            return AnswerUndo(self.seat, allow=True)
        return legal_actions(self.state, self.seat)[0]

    def refused(self, refusal: Refusal) -> None:
        self.refusals.append(refusal)


def seated(players: int) -> list[Obliging]:
    """An owner for each seat."""
    return [Obliging(seat) for seat in range(players)]
