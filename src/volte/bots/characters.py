"""Characters: opponents with a name and a style, each a level and a few weights over one engine.

A style shows in what is played, so that people can learn to read it; docs/bots.md has the figures.
Characters of `strong` search as that level does; among cards nearly as good they choose by style.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.bots.candidates import cards_to_pass
from volte.bots.casual import CardChoice
from volte.bots.odds import ABOVE, Weights, height, losers, may_shoot
from volte.bots.protocol import Bot, Clock, Thought, chosen_moon, draws_of, think
from volte.bots.rough import RoughSearch
from volte.cards import BY_BIT, HEARTS, QUEENS, SPADES, SUIT_MASKS, Rank, cards_in, mask_of
from volte.extras import strong_installed
from volte.fair import read_seed
from volte.game import Pass, Phase, Play, SeatAction
from volte.names import plain
from volte.rules import MoonRule
from volte.view import View

NEARLY: Final = 1.5
"""Most points of margin that a character who searches gives up for its style."""

MUCH: Final = 100_000
"""More than any card weighs, in 1024ths of a point."""


class Manner(msgspec.Struct, frozen=True):
    """Traits of a style beside the weights of `casual`; worths are in 1024ths of a point."""

    slips: int = 0  # one choice in this many is any legal card; 0 for none
    remembers: int = 0  # last tricks whose cards it knows, without any voids; 0 knows all of both
    daring: int = 0  # likely losers in a whole hand with which it still goes for the moon
    spades: int = 0  # worth of keeping a spade from the pass
    hunts: int = 0  # worth of leading or keeping a spade below a queen in another hand
    short: int = 0  # worth of passing a card of the shortest suit but spades
    hearts: int = 0  # worth of leading a heart; a cost if below zero
    high: int = 0  # worth of each rank of the card played
    # Worth of each point given to the leader of the match; as much is lost by giving it to others
    leader: int = 0
    weighs: bool = False  # whether a search weighs worlds by the plays of the others


class Character(msgspec.Struct, frozen=True):
    """An opponent with a name and a style."""

    name: str
    level: str  # level of about its strength
    weights: Weights = Weights()
    manner: Manner = Manner()


_CHARACTERS: Final = (
    Character("Alice", "casual", Weights(eager=500, greedy=300), Manner(hearts=-9000)),
    Character("Bruno", "casual", manner=Manner(daring=5)),
    Character("Chloé", "casual", Weights(flush=300), Manner(hunts=6000)),
    Character("David", "casual", manner=Manner(spades=20_000)),
    Character("Emma", "strong", manner=Manner(weighs=True)),
    Character("Félix", "beginner", manner=Manner(remembers=1, slips=5)),
    Character("Gaëlle", "casual", Weights(void=700), Manner(short=2500)),
    Character("Hugo", "casual", manner=Manner(leader=1500)),
    Character("Inès", "strong", manner=Manner(high=8000)),
    Character("Jules", "beginner", Weights(lead=-3000), Manner(slips=6)),
    Character("Karim", "strong", manner=Manner(high=-8000)),
    Character("Louise", "beginner", manner=Manner(hearts=12_000, slips=4)),
)


CHARACTERS: Final = {plain(each.name): each for each in _CHARACTERS}
"""Characters by key; a key may stand wherever a level may."""


COMPANY: Final = ("alice", "bruno", "chloe", "david", "gaelle", "hugo", "emma", "ines", "karim")
"""Characters who sit with a newcomer: as many as there are free seats, from the first on."""


def company_of(level: str, count: int) -> tuple[str, ...]:
    """Return `count` characters for a player whom the level suits; other levels come last.

    >>> company_of("strong", 3)
    ('karim', 'ines', 'emma')
    """
    keys = [*reversed(CHARACTERS)]
    return tuple(sorted(keys, key=lambda key: CHARACTERS[key].level != level)[:count])


class StyledChoice(CardChoice):
    """Choice of a card in the manner of a style."""

    def __init__(self, view: View, weights: Weights, manner: Manner) -> None:
        super().__init__(view, weights)
        self._manner = manner
        self._view = view

    @cached_property
    def shooting(self) -> bool:
        if not self._manner.daring:
            return super().shooting
        if self.rules.moon.moon is MoonRule.OFF or not may_shoot(self.deal, self.seat):
            return False
        failing = sum(1 for _ in losers(self.deal, self.seat, self.odds.unseen))
        return failing * self.rules.hand_size <= self._manner.daring * self.hand.bit_count()

    def worth(self, bit: int) -> int:
        manner = self._manner
        worth = super().worth(bit) + height(bit) * manner.high
        if manner.hearts and self.deal.led is None and bit & HEARTS:
            worth += manner.hearts
        if manner.hunts and self.deal.led is None and self._queen_above & ABOVE[bit]:
            worth += manner.hunts
        own = max(0, self.values.get(bit, 0))
        if manner.leader and own and self._leaders and self.best:
            worth += own * (manner.leader if self.winner in self._leaders else -manner.leader)
        return worth

    @property
    def _queen_above(self) -> int:
        """Mask of the queens of spades in other hands."""
        return QUEENS & self.odds.unseen

    @cached_property
    def _leaders(self) -> tuple[int, ...]:
        """The opponents who lead the match; none where all are level."""
        totals, side = self._view.state.totals, self.rules.side(self.seat)
        least = min(totals)
        ahead = tuple(seat for seat, total in enumerate(totals) if total == least)
        return tuple(seat for seat in ahead if seat not in side) if max(totals) > least else ()


@dataclass(frozen=True, repr=False)
class HazyView(View):
    """A view that remembers the cards of the last tricks only, and no voids."""

    remembers: int  # tricks

    @classmethod
    def of_view(cls, view: View, remembers: int) -> HazyView:
        """Return a view that forgets all but the last `remembers` tricks."""
        deal = replace(view.deal, excluded=(0,) * view.deal.rules.players)
        return cls(view.seat, replace(view.state, deal=deal), remembers)

    @cached_property
    def unseen(self) -> int:
        deal = self.deal
        forgotten = mask_of(
            card
            for trick in deal.tricks[: -self.remembers]
            for place, card in enumerate(trick.cards)
            if (trick.leader + place) % deal.rules.players != self.seat
        )
        return super().unseen | forgotten


class Styled:
    """A bot that plays in the manner of a character, by the sums of `casual`."""

    def __init__(self, character: Character, seed: int = 0) -> None:
        self._weights, self._manner = character.weights, character.manner
        self._seed = read_seed(seed)

    def choose(self, view: View, clock: Clock) -> SeatAction:
        moon = chosen_moon(view)
        if moon is not None:
            return moon
        if view.state.phase is Phase.PASSING:
            likes = likes_of(view, self._weights, self._manner)
            return Pass(view.seat, cards_to_pass(view, self._weights, self._seed, likes))
        draws, slips = draws_of(self._seed, view), self._manner.slips
        if slips and not draws.below(slips):
            return Play(view.seat, draws.choice(tuple(view.legal)))
        return self.choice(view).play()

    def choice(self, view: View) -> StyledChoice:
        """Return the weighing of legal cards by which the bot plays."""
        if self._manner.remembers:
            view = HazyView.of_view(view, self._manner.remembers)
        return StyledChoice(view, self._weights, self._manner)


class StyledSearch:
    """A bot that searches, and chooses by its style among cards nearly as good as the best.

    Args:
        search: the bot that searches.
    """

    def __init__(self, search: Bot, character: Character, seed: int = 0) -> None:
        self._search = search
        self._styled = Styled(character, seed)

    def choose(self, view: View, clock: Clock) -> SeatAction:
        return self.think(view, clock).action

    def think(self, view: View, clock: Clock) -> Thought:
        """Return the choice, with an estimate of each candidate."""
        thought = think(self._search, view, clock)
        if view.state.phase is not Phase.PLAYING or not thought.estimates:
            return thought
        best = thought.estimates[0]
        near = [
            each.action
            for each in thought.estimates
            if isinstance(each.action, Play) and each.margin <= best.margin + NEARLY
        ]
        if len(near) < 2:
            return thought
        choice = self._styled.choice(view)
        return replace(thought, action=max(near, key=lambda play: choice.worth(play.card.bit)))


def likes_of(view: View, weights: Weights, manner: Manner) -> dict[int, int]:
    """Return by bit the extra worth, in a manner, of keeping a card from the pass."""
    hand, likes = view.hand.mask, dict[int, int]()
    if manner.daring:
        failing = list(losers(view.deal, view.seat or 0, view.unseen))
        if len(failing) - view.deal.pass_size <= manner.daring:
            return {bit: -MUCH + BY_BIT[bit].index for bit in failing}
    for card in cards_in(hand & SPADES):
        likes[card.bit] = manner.spades
        if card.rank and card.rank < Rank.QUEEN:
            likes[card.bit] += manner.hunts
    shortest = min(
        (suit & hand for suit in SUIT_MASKS if suit & hand and suit != SPADES),
        key=int.bit_count,
        default=0,
    )
    for card in cards_in(shortest if manner.short else 0):
        likes[card.bit] = -manner.short
    return likes


def make_character(key: str, seed: int = 0, threads: int = 1) -> Bot:
    """Make the bot of a character; without the extra it searches in plain Python, if at all."""
    character = CHARACTERS[key]
    if character.level != "strong":
        return Styled(character, seed)
    if not strong_installed():
        return StyledSearch(RoughSearch(seed), character, seed)
    from volte.bots.search import STRONG, Search  # here, as NumPy takes a while to come

    style = dataclasses.replace(STRONG, guesses=character.manner.weighs)
    return StyledSearch(Search(style, seed, threads), character, seed)
