"""The one loop that runs a match, for whoever owns the seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from volte.game.actions import Action, Refusal, SeatAction
from volte.game.chance import Chance
from volte.game.decide import decide, still_to_consent
from volte.game.events import Event
from volte.game.evolve import evolve, replay
from volte.game.legal import to_act
from volte.game.state import MatchState
from volte.game.visible import visible

Listener = Callable[[MatchState, Sequence[Event]], None]


class Owner(Protocol):
    """Whoever owns a seat: a person at a terminal, a bot, a program."""

    def tell(self, events: Sequence[Event]) -> None:
        """What has happened, as the seat may see it."""

    def ask(self) -> SeatAction:
        """The seat's next action; asked again after a refusal."""
        ...

    def refused(self, refusal: Refusal) -> None:
        """Why the last action was refused."""


class Driver:
    """Asks, decides, folds, tells.

    Args:
        log: the events so far, at least `MatchStarted`; the owners are told them first.
        owners: one per seat.
        chance: the house.
        listener: called after every action that was accepted, with the state and its events,
            before anybody else is told: a recorder saves here, so nothing told is ever lost.
    """

    def __init__(
        self,
        log: Sequence[Event],
        owners: Sequence[Owner],
        chance: Chance,
        listener: Listener | None = None,
    ) -> None:
        self.log = list(log)
        self.state = replay(log)
        self._owners = owners
        self._chance = chance
        self._listener = listener
        self._tell(self.log)

    def run(self) -> MatchState:
        """Plays to the end of the match. Whatever an owner raises passes through."""
        while self.step():
            pass
        return self.state

    def step(self) -> bool:
        """One action of the house or of a seat; False when the match is over."""
        seats = still_to_consent(self.state) or to_act(self.state)
        if seats:
            self._ask(seats[0])
            return True
        action = self._chance.act(self.state)
        if action is None:
            return False
        refusal = self.submit(action)
        if refusal is not None:
            raise RuntimeError(f"the house was refused: {refusal}")
        return True

    def submit(self, action: Action) -> Refusal | None:
        """Judges an action and tells everybody what came of it, or returns why it is refused."""
        outcome = decide(self.state, action)
        if isinstance(outcome, Refusal):
            return outcome
        for event in outcome:
            self.state = evolve(self.state, event)
        self.log += outcome
        if self._listener is not None:
            self._listener(self.state, outcome)
        self._tell(outcome)
        return None

    def _ask(self, seat: int) -> None:
        owner = self._owners[seat]
        action = owner.ask()
        if action.seat != seat:
            raise ValueError(f"seat {seat} answered for seat {action.seat}")
        refusal = self.submit(action)
        if refusal is not None:
            owner.refused(refusal)

    def _tell(self, events: Sequence[Event]) -> None:
        for seat, owner in enumerate(self._owners):
            owner.tell([visible(event, seat) for event in events])
