"""One deal or one match, played card by card from outside, on the readable engine.

Whoever learns sees a `View`, folded from the events that its seat is told, and nothing else.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from volte import game
from volte.bots import LEVELS, Bot, BotOwner, Drifter, chosen_moon, make_bot
from volte.cards import CARDS, Card, CardSet, Fault, mask_of
from volte.fair import read_seed
from volte.lab.env.observation import Observation, observe
from volte.lab.seeded import RANDOM, table_of
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

    @property
    def picked(self) -> int:
        """Mask of the cards that the seat on turn has picked so far for a pass."""
        return self._learners[self.turn].picked if self.turn >= 0 else 0

    def view(self, seat: int) -> View:
        view = self._learners[seat].view
        assert view is not None
        return view

    def observe(self, seat: int) -> Observation:
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
    """The reward of each seat: minus its own points."""
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


class Series:
    """The episodes of a table, one after the other.

    Deal number `i` of a seed, from 0, is that of `volte.kernel.play_deals`: dealt by seat
    `i % players`, and passed as deal `i + 1` of a match would be. Match number `m` is that of
    `play_matches`.

    Args:
        match: whether an episode is a whole match, rather than one deal.
        bots: a level, or a bot, by seat. Raises `Fault` `no_such_level`.
    """

    def __init__(self, rules: Ruleset, match: bool, bots: Mapping[int, str | Bot]) -> None:
        self._rules = rules
        self._match = match
        self._bots = bots
        for bot in bots.values():
            made(bot, 0)
        self._seed = secrets.randbits(64)
        self._index = -1

    def next(self, seed: int | None = None, deck: Sequence[int] = ()) -> Episode:
        """The next episode; the first one of the seed, where one is given.

        Args:
            seed: 0 to 2**64 - 1.
            deck: the cards of its first deal, in the order in which they are dealt.

        Raises `EnvFault` `env_deck`, and `Fault` `not_a_seed`.
        """
        seed, index = (self._seed, self._index + 1) if seed is None else (read_seed(seed), 0)
        table = table_of(self._rules, seed, index, self._match, read_deck(self._rules, deck))
        bots = {seat: made(bot, table.seed_of(seat)) for seat, bot in self._bots.items()}
        self._seed, self._index = seed, index
        return Episode(table.rules, table.house, bots)


def read_deck(rules: Ruleset, deck: Sequence[int]) -> tuple[Card, ...]:
    """The cards of those indices. Raises `EnvFault` `env_deck`."""
    if len(deck) and sorted(deck) != [card.index for card in rules.cards]:
        raise EnvFault("env_deck", count=len(rules.cards))
    return tuple(CARDS[index] for index in deck)


def made(bot: str | Bot, seed: int) -> Bot:
    """The bot itself, or one of that level. Raises `Fault` `no_such_level`."""
    if not isinstance(bot, str):
        return bot
    if bot == RANDOM:
        return Drifter(seed)
    if bot not in LEVELS:
        raise Fault("no_such_level", level=bot, levels=(RANDOM, *LEVELS))
    return make_bot(bot, seed)
