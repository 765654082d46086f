"""The one loop that runs a match, whether persons, bots or programs own the seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from volte.cards import CopiedWhole, VolteError
from volte.cards.fault import shown
from volte.cards.public import explain
from volte.game.actions import Refusal
from volte.game.chance import Chance
from volte.game.decide import decide, still_to_consent
from volte.game.evolve import evolve, fold
from volte.game.legal import to_act
from volte.game.state import MatchState
from volte.game.visible import visible

Listener = Callable[[MatchState, Sequence[Any]], None]


class Engine(NamedTuple):
    """Functions that run a match; each knows its own types of actions and events."""

    # Returns the events that an action causes, or a refusal
    decide: Callable[[MatchState, Any], tuple[Any, ...] | Refusal]
    evolve: Callable[[MatchState | None, Any], MatchState]  # folds an event into the state
    visible: Callable[[Any, int], Any]  # returns the event as a seat may see it
    to_act: Callable[[MatchState], tuple[int, ...]]  # returns the seats that have to act

    def replay(self, log: Iterable[Any]) -> MatchState:
        """The state that a whole log leads to. The log must not be empty."""
        return fold(self.evolve, log)


LAWFUL: Final = Engine(decide, evolve, visible, to_act)
"""The engine of `volte.game`, which refuses every unlawful action."""


class OfSeat(Protocol):
    """Action of a seat, in any engine."""

    @property
    def seat(self) -> int: ...


class Owner(Protocol):
    """Owner of a seat: a person at a terminal, a bot, a program."""

    def tell(self, events: Sequence[Any]) -> None:
        """Receive events, as the seat may see them."""

    def ask(self) -> OfSeat:
        """Return the seat's next action; called again after a refusal."""
        ...

    def refused(self, refusal: Refusal) -> None:
        """Receive the refusal of the last action."""


class Driver(CopiedWhole):
    """Loop of a match: asks for an action, decides, folds the events, tells every owner.

    Args:
        log: the events so far, at least `MatchStarted`; all owners are told of them first.
        owners: one per seat.
        chance: acts for the house.
        listener: called after every action that was accepted, with the state and its events,
            before any owner is told: a recorder saves here, so nothing told is ever lost.
            engine: functions that run the match.
    """

    def __init__(
        self,
        log: Sequence[Any],
        owners: Sequence[Owner],
        chance: Chance,
        listener: Listener | None = None,
        engine: Engine = LAWFUL,
    ) -> None:
        self.log = list(log)
        self.state = engine.replay(log)
        self._engine = engine
        self._owners = owners
        self._chance = chance
        self._listener = listener
        self._tell(self.log)

    def run(self) -> MatchState:
        """Play to the end of the match. Exceptions of an owner pass through."""
        while self.step():
            pass
        return self.state

    def step(self) -> bool:
        """Take one action of the house or of a seat; False when the match is over."""
        seats = still_to_consent(self.state) or self._engine.to_act(self.state)
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

    def submit(self, action: object) -> Refusal | None:
        """Judge an action; fold its events and tell every owner, or return the refusal."""
        try:
            outcome = self._engine.decide(self.state, action)
        except Exception as error:
            explain(error, decide, self.state, action)
            raise
        if isinstance(outcome, Refusal):
            return outcome
        for event in outcome:
            self.state = self._engine.evolve(self.state, event)
        self.log += outcome
        if self._listener is not None:
            self._listener(self.state, outcome)
        self._tell(outcome)
        return None

    def _ask(self, seat: int) -> None:
        owner = self._owners[seat]
        action = owner.ask()
        other = getattr(action, "seat", None)
        if other is None:
            raise VolteError("no_action", text=shown(action))
        if other != seat:
            raise VolteError("other_seat", seat=seat, other=other)
        refusal = self.submit(action)
        if refusal is not None:
            owner.refused(refusal)

    def _tell(self, events: Sequence[Any]) -> None:
        for seat, owner in enumerate(self._owners):
            owner.tell([self._engine.visible(event, seat) for event in events])
