"""A match in two engines at once: ours, and OpenSpiel's hearts with the same cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import pyspiel
from rulesets import anything, helping_the_moon, keeping_points

from volte.cards import Card, cards_in, mask_of
from volte.game import (
    Action,
    DealCards,
    DealState,
    MatchStarted,
    MatchState,
    Pass,
    Phase,
    PlainChance,
    Play,
    Player,
    Refusal,
    decide,
    evolve,
    legal_actions,
)
from volte.rules import Direction, Ruleset, Score, Value, make_ruleset

DEALS: Final = 32
"""In a match."""

OPTION_OF: Final[Mapping[str, tuple[str, Value, Value]]] = {
    "pass_cards": ("pass_count", 0, 3),
    "no_pts_on_first_trick": ("first_trick_points", "allowed", "barred"),
    "must_break_hearts": ("hearts_lead", "free", "once_broken"),
    "qs_breaks_hearts": ("queen_breaks_hearts", False, True),
    "jd_bonus": ("jack_points", 0, -10),
}
"""For a parameter of OpenSpiel our option, and its values with the parameter off and on."""

WIDER_OPTION_OF: Final[Mapping[str, tuple[str, Value, Value]]] = {
    "can_lead_any_club": ("opening", "lowest_club", "any_club"),
    "avoid_all_tricks_bonus": ("no_tricks", 0, -5),
}
"""The same for the wider family."""

CARDS: Final = tuple(Card(rank + suit) for rank in "23456789TJQKA" for suit in "CDHS")
DIRECTIONS: Final = (Direction.HOLD, Direction.LEFT, Direction.ACROSS, Direction.RIGHT)
"""Cards and directions in the order of OpenSpiel's numbers."""

Extra = Callable[[DealState], int]
"""Mask of cards that OpenSpiel lets the seat on turn play, whether or not they are legal here."""


class Finished(NamedTuple):
    """Attributes:
    deal: as it ended here.
    score: here.
    points: per seat, there.
    """

    deal: DealState
    score: Score
    points: tuple[int, ...]


def play(
    parameters: Mapping[str, bool], seed: int, counts: Counter[str], extra: Extra | None = None
) -> Iterator[Finished]:
    """Plays a match in both, and compares what may be passed and played at every decision.

    Args:
        counts: gets the `decisions`, and how many of them were `touched` by `extra`.
    """
    rng, rules = random.Random(seed), ruleset(parameters)
    game = pyspiel.load_game("hearts", dict(parameters))
    state = evolve(None, MatchStarted(rules, tuple(Player(name) for name in "NESW")))
    state = after(state, PlainChance(seed).act(state))
    while state.phase is not Phase.ENDED:
        state = after(state, DealCards(stacked(rules, rng)))
        twin, style = Twin(game, deal_of(state)), rng.choice(STYLES)
        while state.phase is Phase.PASSING:
            given = pass_both(state, twin, rng)
            counts["decisions"] += len(given.cards)
            state = after(state, given)
        while state.phase is Phase.PLAYING:
            deal = deal_of(state)
            legal = mask_of(
                action.card
                for action in legal_actions(state, deal.turn)
                if isinstance(action, Play)
            )
            there = legal | extra(deal) if extra else legal
            assert (twin.seat, twin.legal) == (deal.turn, there), deal
            counts.update(decisions=1, touched=there != legal)
            card = rng.choice(cards_in(style(deal, legal)))
            twin.take(card)
            state = after(state, Play(deal.turn, card))
        yield Finished(deal_of(state), state.deals[-1], twin.points)


class Twin:
    """A deal in OpenSpiel, with the hands and the direction of ours."""

    def __init__(self, game: Any, deal: DealState) -> None:
        self._state = game.new_initial_state()
        self._state.apply_action(DIRECTIONS.index(deal.direction))
        for row in zip(*map(cards_in, deal.hands), strict=True):
            for card in row:
                self.take(card)

    @property
    def seat(self) -> int:
        """Who is next."""
        return int(self._state.current_player())

    @property
    def legal(self) -> int:
        """Mask of the cards that may be passed or played next."""
        return mask_of(CARDS[number] for number in self._state.legal_actions())

    @property
    def points(self) -> tuple[int, ...]:
        """OpenSpiel returns 26 less the points."""
        return tuple(26 - int(value) for value in self._state.returns())

    def take(self, card: Card) -> None:
        """The card is dealt, passed or played."""
        self._state.apply_action(CARDS.index(card))


def pass_both(state: MatchState, twin: Twin, rng: random.Random) -> Pass:
    """A random pass; OpenSpiel asks for its cards one by one."""
    seat, given = twin.seat, 0
    passes = [
        mask_of(action.cards) for action in legal_actions(state, seat) if isinstance(action, Pass)
    ]
    while given not in passes:
        left = 0
        for mask in passes:
            if mask & given == given:
                left |= mask & ~given
        assert (twin.seat, twin.legal) == (seat, left), state.deal
        card = rng.choice(cards_in(left))
        twin.take(card)
        given |= card.bit
    return Pass(seat, cards_in(given))


# How a deal is made and played, so that rare things happen often


def stacked(rules: Ruleset, rng: random.Random) -> tuple[Card, ...]:
    """A deck shuffled more or less well, and dealt in hands that are the more lopsided."""
    spread = rng.choice((0, 1, 4, 52))
    by_suit = sorted(rules.cards, key=lambda card: card.index + spread * 13 * rng.random())
    hands = [by_suit[place : place + 13] for place in range(0, 52, 13)]
    return tuple(card for row in zip(*hands, strict=True) for card in row)


STYLES: Final = (anything, keeping_points, helping_the_moon)


def after(state: MatchState, action: Action | None) -> MatchState:
    """The state after a lawful action."""
    assert action is not None
    outcome = decide(state, action)
    assert not isinstance(outcome, Refusal)
    for event in outcome:
        state = evolve(state, event)
    return state


def deal_of(state: MatchState) -> DealState:
    assert state.deal is not None
    return state.deal


def ruleset(parameters: Mapping[str, bool]) -> Ruleset:
    """What those parameters come to; those that are no option of ours change nothing."""
    known = {**OPTION_OF, **WIDER_OPTION_OF}
    settings = {
        option: on if parameters.get(name) else off for name, (option, off, on) in known.items()
    }
    return make_ruleset("microsoft", {**settings, "match_end": f"deals:{DEALS}"})
