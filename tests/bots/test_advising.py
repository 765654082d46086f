"""What `expert` advises, and what it says of the rest."""

from __future__ import annotations

from typing import Final

import pytest
from bots.moments import choices, seen_by
from hypothesis import given, settings
from kit.deals import deal_of, dealt, play
from kit.strategies import any_rulesets, few, seeds

from volte.bots import Clock, Hint, Reason, hint
from volte.bots.search import Search, advise
from volte.cards import Card
from volte.game import MatchState, Pass, Phase, Play, legal_actions
from volte.rules import Ruleset
from volte.view import View

LITTLE: Final = Clock(simulations=400)
DUCKING: Final = ("C: 52 H: 29", "C: K3 H: AQ", "C: 49 H: 4T", "C: AT H: 38")
"""The second seat has the king and the 3 of clubs, and hearts above all others."""


def advised(state: MatchState, clock: Clock = LITTLE) -> Hint:
    """To the seat whose turn it is."""
    return advise(on_turn(state), clock)


def on_turn(state: MatchState) -> View:
    return seen_by(deal_of(state).turn, state)


def card(hint: Hint) -> str:
    assert isinstance(hint.action, Play)
    return hint.action.card.text


@given(any_rulesets(), seeds)
@settings(max_examples=few(15, 200))
def test_what_is_advised_is_legal_and_so_is_the_rest(rules: Ruleset, seed: int) -> None:
    for moment in choices(rules, seed, 2):
        told = advise(seen_by(moment.seat, moment.state), Clock(simulations=60))
        legal = {_as_set(action) for action in legal_actions(moment.state, moment.seat)}
        actions = [told.action, *(other.action for other in told.others)]
        assert {_as_set(action) for action in actions} <= legal
        assert len({_as_set(action) for action in actions}) == len(actions)
        assert told.tempting is None or _as_set(told.tempting) in legal


def _as_set(action: object) -> frozenset[Card]:
    assert isinstance(action, Play | Pass)
    return frozenset((action.card,) if isinstance(action, Play) else action.cards)


def test_it_is_what_expert_does_and_what_it_costs_to_do_something_else() -> None:
    state = play(dealt("microsoft", *DUCKING, opening="eldest"), "5C")
    told, thought = advised(state), Search().think(on_turn(state), LITTLE)
    assert told.action == thought.action
    assert [other.action for other in told.others] == [
        estimate.action for estimate in thought.estimates[1:]
    ]
    assert [other.points for other in told.others] == pytest.approx(
        [estimate.margin - thought.estimates[0].margin for estimate in thought.estimates[1:]]
    )


def test_where_the_match_goes_on_the_chance_of_winning_is_told() -> None:
    told = advised(play(dealt("microsoft", *DUCKING, opening="eldest"), "5C"))
    assert told.wins
    assert all(other.worth is not None for other in told.others)


def test_M1_where_stakes_are_played_for_they_are_told() -> None:
    told = advised(play(dealt("coeurs", *DUCKING, settlement="difference"), "5C"))
    assert not told.wins
    assert all(other.worth is not None for other in told.others)


def test_what_looks_good_for_one_trick_is_remembered() -> None:
    state = play(dealt("microsoft", *DUCKING, opening="eldest"), "5C")
    assert advised(state).tempting == hint(on_turn(state)).action


def test_a_forced_card_needs_no_thought() -> None:
    told = advised(play(dealt("coeurs", "C: A2", "C: 3 H: 2", "C: 45", "C: 67"), "AC"))
    assert (card(told), told.reason, told.others) == ("3C", Reason.FORCED, ())


def test_cards_without_a_difference_are_told_as_such() -> None:
    state = play(dealt("coeurs", "C: A2 H: 2", "C: 45 H: 3", "C: 67 H: 4", "C: 89 H: 5"), "AC")
    told = advised(state)
    assert (told.reason, told.others) == (Reason.ALIKE, ())


def test_so_are_cards_that_come_to_the_same_whatever_happens() -> None:
    hands = "H: A C: A S: 2", "H: 2 D: 5 S: 3", "H: 3 C: 6 S: 4", "H: 4 C: 8 S: 5"
    told = advised(play(dealt("coeurs", *hands, slam="off"), "AH 2H 3H 4H AC"))
    assert told.reason is Reason.ALIKE
    assert [other.points for other in told.others] == [0]


def test_cards_to_pass_are_advised_too() -> None:
    hands = "S: AK5 C: 62", "S: Q43 H: 73", "S: 62 H: 845", "S: 79 H: T9J"
    state = dealt("microsoft", *hands, pass_count=2)
    assert state.phase is Phase.PASSING
    told = advise(seen_by(0, state), LITTLE)
    assert isinstance(told.action, Pass)
    assert told.others
