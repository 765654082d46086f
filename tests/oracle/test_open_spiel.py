"""An oracle that is not ours: OpenSpiel's hearts beside our engine.

Every combination of the parameters that both have is played with the same cards, in all directions
of the pass. Legal passes and plays agree at every decision, and so do the points.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, product
from typing import Any, Final, NamedTuple

import pyspiel
import pytest
from kit.deals import anything, deal_of, helping_the_moon, keeping_points, take
from kit.strategies import few

from volte.cards import QUEEN, Card, cards_in, mask_of
from volte.game import (
    DealCards,
    DealState,
    MatchStarted,
    MatchState,
    Pass,
    Phase,
    PlainChance,
    Play,
    Player,
    legal_actions,
    legal_cards,
    replay,
)
from volte.rules import Direction, Ruleset, Score, Value, make_ruleset

DEALS: Final = 32
"""Number of deals in a match."""

OPTION_OF: Final[Mapping[str, tuple[str, Value, Value]]] = {
    "pass_cards": ("pass_count", 0, 3),
    "no_pts_on_first_trick": ("first_trick_points", "allowed", "barred"),
    "must_break_hearts": ("hearts_lead", "free", "once_broken"),
    "qs_breaks_hearts": ("queen_breaks_hearts", False, True),
    "jd_bonus": ("jack_points", 0, -10),
}
"""Our option for a parameter of OpenSpiel, and its values with the parameter off and on."""

WIDER_OPTION_OF: Final[Mapping[str, tuple[str, Value, Value]]] = {
    "can_lead_any_club": ("opening", "lowest_club", "any_club"),
    "avoid_all_tricks_bonus": ("no_tricks", 0, -5),
}
"""Our options of the wider family for parameters of OpenSpiel, likewise."""

CARDS: Final = tuple(Card(rank + suit) for rank in "23456789TJQKA" for suit in "CDHS")
DIRECTIONS: Final = (Direction.HOLD, Direction.LEFT, Direction.ACROSS, Direction.RIGHT)
"""Directions, and above them cards, in the order of OpenSpiel's numbers."""

Extra = Callable[[DealState], int]
"""Mask of cards that OpenSpiel lets the seat on turn play, whether or not they are legal here."""


class Finished(NamedTuple):
    """A deal that has been played in both engines."""

    deal: DealState  # as it ended here
    score: Score  # here
    points: tuple[int, ...]  # per seat, there


def play(
    parameters: Mapping[str, bool], seed: int, counts: Counter[str], extra: Extra | None = None
) -> Iterator[Finished]:
    """Play a match in both, and compare the legal passes and plays at every decision.

    Args:
        counts: gets the `decisions`, and the number of them that `extra` has `touched`.
    """
    rng, rules = random.Random(seed), ruleset(parameters)
    game = pyspiel.load_game("hearts", dict(parameters))
    state = replay([MatchStarted(rules, tuple(Player(name) for name in "NESW"))])
    lots = PlainChance(seed).act(state)
    assert lots is not None
    state = take(state, lots).after
    while state.phase is not Phase.ENDED:
        state = take(state, DealCards(stacked(rules, rng))).after
        twin, style = Twin(game, deal_of(state)), rng.choice(STYLES)
        while state.phase is Phase.PASSING:
            given = pass_both(state, twin, rng)
            counts["decisions"] += len(given.cards)
            state = take(state, given).after
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
            state = take(state, Play(deal.turn, card)).after
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
        """The seat to deal to, to pass or to play next."""
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
        """Deal, pass or play the card."""
        self._state.apply_action(CARDS.index(card))


def pass_both(state: MatchState, twin: Twin, rng: random.Random) -> Pass:
    """Pass at random; OpenSpiel asks for the cards one by one."""
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


# Stacked decks and styles of play, so that rare things happen often


def stacked(rules: Ruleset, rng: random.Random) -> tuple[Card, ...]:
    """A deck shuffled more or less well, and dealt in hands that are more or less lopsided."""
    spread = rng.choice((0, 1, 4, 52))
    by_suit = sorted(rules.cards, key=lambda card: card.index + spread * 13 * rng.random())
    hands = [by_suit[place : place + 13] for place in range(0, 52, 13)]
    return tuple(card for row in zip(*hands, strict=True) for card in row)


STYLES: Final = (anything, keeping_points, helping_the_moon)


def ruleset(parameters: Mapping[str, bool]) -> Ruleset:
    """The ruleset of those parameters; those without an option of ours change nothing."""
    known = {**OPTION_OF, **WIDER_OPTION_OF}
    settings = {
        option: on if parameters.get(name) else off for name, (option, off, on) in known.items()
    }
    return make_ruleset("microsoft", {**settings, "match_end": f"deals:{DEALS}"})


BY_DESIGN: Mapping[str, str] = {
    "can_lead_hearts_instead_of_qs": "T4 is waived for hearts alone, not for the queen and hearts",
    "avoid_all_tricks_bonus": "W6 holds after a moon too",
}
"""The parameters that no option of RULES answers to, or not quite, each with its reason."""

COMBINATIONS = [
    dict(zip(OPTION_OF, switches, strict=True))
    for switches in product((False, True), repeat=len(OPTION_OF))
]


@pytest.mark.parametrize("seed", range(1, few(2, 11)))
@pytest.mark.parametrize(
    "parameters", COMBINATIONS[:: few(3, 1)], ids=lambda each: "+".join(filter(each.get, each))
)
def test_plays_and_scores_as_open_spiel_does(
    parameters: dict[str, bool], seed: int, request: pytest.FixtureRequest
) -> None:
    counts: Counter[str] = Counter()
    for deal, ours, theirs in play(parameters, seed, counts):
        assert ours.points == theirs, deal.tricks
        counts.update(deals=1, moons=ours.moon is not None)
    for name in ("deals", "decisions", "moons"):
        request.node.user_properties.append((f"{name} that OpenSpiel agrees on", counts[name]))


def test_W2_any_club_opens_as_in_open_spiel(request: pytest.FixtureRequest) -> None:
    counts: Counter[str] = Counter()
    parameters = {**dict.fromkeys(OPTION_OF, True), "can_lead_any_club": True}
    for seed in range(1, 5):
        for deal, ours, theirs in play(parameters, seed, counts):
            assert ours.points == theirs, deal.tricks
            counts["other clubs"] += deal.tricks[0].cards[0] is not deal.opening
    assert counts["other clubs"]
    request.node.user_properties.append(("decisions that OpenSpiel agrees on", counts["decisions"]))


def test_T4_open_spiel_may_let_hearts_be_led_instead_of_the_queen(
    request: pytest.FixtureRequest,
) -> None:
    def the_whole_hand(deal: DealState) -> int:
        only_the_queen = deal.led is None and legal_cards(deal) == QUEEN.bit
        return deal.hands[deal.turn] if only_the_queen else 0

    differs_by_design("can_lead_hearts_instead_of_qs", request, extra=the_whole_hand)


def test_W6_open_spiel_rewards_taking_no_trick_but_not_after_a_moon(
    request: pytest.FixtureRequest,
) -> None:
    differs_by_design("avoid_all_tricks_bonus", request)


def differs_by_design(
    name: str, request: pytest.FixtureRequest, extra: Extra | None = None
) -> None:
    """Check that a parameter of `BY_DESIGN` changes just that one thing, and all else agrees."""
    counts: Counter[str] = Counter()
    parameters = {**dict.fromkeys(OPTION_OF, True), "qs_breaks_hearts": False, name: True}
    matches = (play(parameters, seed, counts, extra) for seed in range(1, 9))
    for deal, ours, theirs in chain.from_iterable(matches):
        after_moon = ours.trickless if ours.moon is not None else ()
        bonus = [-5 if seat in after_moon else 0 for seat in range(4)]
        assert tuple(map(sum, zip(theirs, bonus, strict=True))) == ours.points, deal.tricks
        counts["touched"] += any(bonus)
    assert counts["touched"]
    what = "decisions" if extra else "scores"
    line = f"{what} that OpenSpiel's {name} touches: {BY_DESIGN[name]}"
    request.node.user_properties.append((line, counts["touched"]))
