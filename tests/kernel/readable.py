"""The deals of a seed in the readable engine, to hold those of the kernel against."""

from __future__ import annotations

from kernel.lockstep import Result
from kit.deals import after, deal_of, start, take
from msgspec.structs import replace

from volte.cards import Card, CardSet, mask_of
from volte.fair import SplitMix64, split
from volte.game import (
    Action,
    DealCards,
    NameDealer,
    Pass,
    Phase,
    Play,
    replay,
    visible,
)
from volte.lab.env.observation import Observation, observe, turn_of
from volte.rules import Ruleset, Score
from volte.view import View


class Table:
    """Deal number `index` (from 0) of a seed, a card at a time; passes are picked card by card.

    Attributes:
        state: as it lies.
        views: what each seat sees.
        picked: what the seat on turn has picked to pass, in that order.
        chance: the deal's generator, behind the shuffle.
    """

    def __init__(self, rules: Ruleset, seed: int, index: int = 0) -> None:
        players = rules.players
        drawn = after(replay([start(rules)]), NameDealer(index % players))
        self.state = replace(drawn, deals=(Score((0,) * players),) * index)
        self.views = [View(seat, self.state) for seat in range(players)]
        self.picked: tuple[Card, ...] = ()
        self.chance = SplitMix64(split(seed, index))
        order = self.chance.permutation(len(rules.cards))
        self._take(DealCards(tuple(rules.cards[place] for place in order)))

    @property
    def turn(self) -> int:
        """The seat that has to pick or to play; -1 once the deal is over."""
        return turn_of(self.views[0])

    @property
    def is_over(self) -> bool:
        return self.turn < 0

    @property
    def legal(self) -> CardSet:
        """What the seat on turn may pick or play."""
        view = self.views[self.turn]
        if self.state.phase is Phase.PASSING:
            return CardSet(view.hand.mask & ~mask_of(self.picked))
        return view.legal

    @property
    def points(self) -> tuple[int, ...]:
        """Of the deal that is over, by itself."""
        return Result.alone(deal_of(self.state)).points

    def play(self, card: Card) -> None:
        """The seat on turn picks that card to pass, or plays it."""
        if self.state.phase is not Phase.PASSING:
            self._take(Play(self.turn, card))
            return
        self.picked += (card,)
        if len(self.picked) == deal_of(self.state).pass_size:
            cards, self.picked = self.picked, ()
            self._take(Pass(self.turn, cards))

    def play_at_random(self) -> None:
        """The seat on turn does what the compiled random policy does."""
        cards = list(self.legal)
        self.play(cards[self.chance.below(len(cards))])

    def observe(self, seat: int) -> Observation:
        """What that seat sees."""
        return observe(self.views[seat], mask_of(self.picked) if seat == self.turn else 0)

    def _take(self, action: Action) -> None:
        step = take(self.state, action)
        self.state = step.after
        self.views = [
            view.see(*(visible(event, view.seat) for event in step.events)) for view in self.views
        ]
