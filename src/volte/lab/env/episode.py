"""One deal or one match, played card by card from outside, on the readable engine.

Whoever learns sees a `View`, folded from the events that its seat is told, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from volte import game
from volte.bots import Bot, BotOwner, chosen_moon
from volte.cards import Card, CardSet, Fault, mask_of
from volte.lab.env.observation import Observation, observe
from volte.rules import Ruleset, Score
from volte.view import View


class Learner:
    """Owns a seat for `volte.game.Driver`; its cards are put down from outside.

    How its moon counts, where the rules ask (W7), it says as every bot does.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        # folded from what the seat has been told; None before the match has begun
        self.view: View | None = None
        self._picked: tuple[Card, ...] = ()
        self._action: game.SeatAction | None = None

    @property
    def picked(self) -> int:
        """Mask of the cards picked so far for a pass."""
        return mask_of(self._picked)

    def tell(self, events: Sequence[game.Event]) -> None:
        if self.view is None:
            self.view = View.of(self.seat, events)
        else:
            self.view = self.view.see(*events)

    def choices(self) -> CardSet:
        """The cards that may be put down, by a seat that has to act."""
        assert self.view is not None
        if self.view.state.phase is game.Phase.PASSING:
            return CardSet(self.view.hand.mask & ~self.picked)
        return self.view.legal

    def put(self, card: Card) -> bool:
        """Takes one of these cards; whether it makes an action, as the last of a pass does."""
        assert self.view is not None
        if self.view.state.phase is game.Phase.PLAYING:
            self._action = game.Play(self.seat, card)
            return True
        self._picked = (*self._picked, card)
        if len(self._picked) < self.view.deal.pass_size:
            return False
        self._action = game.Pass(self.seat, self._picked)
        self._picked = ()
        return True

    def ask(self) -> game.SeatAction:
        assert self.view is not None
        moon = chosen_moon(self.view)
        if moon is not None:
            return moon
        assert self._action is not None
        return self._action

    def refused(self, refusal: game.Refusal) -> None:
        """Never: whatever is not among the choices is refused before it is put down."""
        raise RuntimeError(f"seat {self.seat} was refused: {refusal}")


class Episode:
    """A match among learners and bots, which waits whenever a learner has to act.

    Args:
        bots: who plays, by seat; every other seat is a learner's.
    """

    def __init__(self, rules: Ruleset, chance: game.Chance, bots: Mapping[int, Bot]) -> None:
        seats = range(rules.players)
        self._learners = {seat: Learner(seat) for seat in seats if seat not in bots}
        owners = [
            self._learners[seat] if seat not in bots else BotOwner(bots[seat], seat)
            for seat in seats
        ]
        players = tuple(game.Player(f"seat {seat}") for seat in seats)
        self._driver = game.Driver([game.MatchStarted(rules, players)], owners, chance)
        self._go_on()

    @property
    def state(self) -> game.MatchState:
        """The match with nothing hidden: for scores and onlookers, never for a learner."""
        return self._driver.state

    @property
    def turn(self) -> int:
        """The seat that has to put down a card; -1 once all is over."""
        seats = game.to_act(self.state) if self.state.phase is not game.Phase.CHOOSING else ()
        return seats[0] if seats else -1

    def view(self, seat: int) -> View:
        """What a learner knows."""
        view = self._learners[seat].view
        assert view is not None
        return view

    def observe(self, seat: int) -> Observation:
        """What a learner sees."""
        return observe(self.view(seat), self._learners[seat].picked)

    def allows(self, action: int) -> bool:
        """Whether the seat on turn may put down the card of that index."""
        return self._choice(action) is not None

    def put(self, action: int) -> tuple[Score, ...]:
        """Puts down that card for the seat on turn; bots and the house go on.

        Returns the scores of the deals that have ended by it: one, or none. Raises `EnvFault`
        `env_reset_first` once all is over, and `env_not_legal`.
        """
        card = self._choice(action)
        learner = self._learners[self.turn]
        if card is None:
            raise EnvFault("env_not_legal", action=action, legal=str(learner.choices()))
        before = len(self.state.deals)
        if learner.put(card):
            self._driver.step()
            self._go_on()
        return self.state.deals[before:]

    def _choice(self, action: int) -> Card | None:
        if self.turn < 0:
            raise EnvFault("env_reset_first")
        choices = {card.index: card for card in self._learners[self.turn].choices()}
        return choices.get(action)

    def _go_on(self) -> None:
        while self.turn not in self._learners and self._driver.step():
            pass


class EnvFault(Fault):
    """Something a learner's program asked for that cannot be; nothing has changed."""


Reward = Callable[[Sequence[int]], list[float]]
"""From the points of a deal, per seat, to the rewards of the seats."""


def points(deal: Sequence[int]) -> list[float]:
    """Minus one's own points."""
    return [-float(own) for own in deal]


def difference(deal: Sequence[int]) -> list[float]:
    """How far one is below the mean of the others; the rewards of a deal add up to 0."""
    return [(sum(deal) - own) / (len(deal) - 1) - own for own in deal]


REWARDS: Final[Mapping[str, Reward]] = MappingProxyType(
    {"points": points, "difference": difference}
)


def reward_named(name: str) -> Reward:
    """The reward of that name. Raises `EnvFault` `env_reward`."""
    if name not in REWARDS:
        raise EnvFault("env_reward", reward=name, rewards=tuple(REWARDS))
    return REWARDS[name]
