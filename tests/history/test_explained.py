"""What is told of a card or a pass that somebody asks about, beside the hint for it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from kit import any_rulesets, deal_of, seeds, view_of
from kit.bots import choices, drawn_estimates
from kit.deals import dealt, play
from kit.sentences import ENGLISH, FRENCH, plain
from kit.stanzas import rest_of_pack

from volte.bots import Reason
from volte.bots.advice import advise, hint_from
from volte.bots.judged import Judged
from volte.bots.odds import TWIN
from volte.bots.protocol import Clock, Estimate
from volte.cards import Card, read_cards
from volte.extras import strong_installed
from volte.game import MatchState, Pass, Play
from volte.history.review import answer
from volte.history.turning import explained
from volte.rules import Ruleset
from volte.say.telling import Telling
from volte.view import View

HANDS = "C: A2 H: 9 D: 6", "S: Q7 D: K3", "C: 34 H: 86", "C: 5 D: 9T H: 2"
"""The second seat is void in clubs, and nobody else has a spade."""


@pytest.fixture
def state() -> MatchState:
    return play(dealt("coeurs", *HANDS, moon="off", queen_discard="free"), "AC")


@pytest.fixture
def view(state: MatchState) -> View:
    return view_of(state, deal_of(state).turn)


def estimate(card: str, margin: float) -> Estimate:
    return Estimate(Play(1, Card(card)), margin, margin, 0.1)


WEIGHED = [estimate("KD", 0), estimate("7S", 0.5), estimate("3D", 1.5), estimate("QS", 2)]


def test_what_was_played_is_told_with_its_cost(view: View) -> None:
    hint = hint_from(view, WEIGHED, Play(1, Card("QS")))
    lines = explained(ENGLISH, view, None, Play(1, Card("3D")), hint)
    assert lines[0].endswith("played the 3 of diamonds.")
    assert lines[-1].endswith("the 3 of diamonds, about 2 points.")


@given(any_rulesets(), seeds)
def test_whatever_was_played_is_named_beside_the_hint(rules: Ruleset, seed: int) -> None:
    draws = random.Random(seed)
    for moment in choices(rules, seed, 12):
        found = drawn_estimates(moment, draws)
        done = draws.choice(found).action
        if not isinstance(done, Play):
            continue
        hint = hint_from(moment.view, found, done)
        if hint.reason is Reason.ALIKE:
            continue
        lines = explained(ENGLISH, moment.view, None, done, hint)
        rank = ENGLISH.the_card(done.card).partition(" of ")[0]
        same = isinstance(hint.action, Play) and hint.action.card.bit in (
            done.card.bit,
            TWIN[done.card.bit],
        )
        assert same or rank in " ".join(lines[2:]).lower(), lines


def test_the_queen_held_back_is_explained_in_a_sentence_of_its_own(view: View) -> None:
    hint = hint_from(view, WEIGHED, Play(1, Card("QS")))
    assert "You keep the queen of spades: nobody else has a spade." in ENGLISH.hint(hint, view)
    assert "the queen of spades, about 2 points." in ENGLISH.hint(hint, view)
    asked = explained(FRENCH, view, None, Play(1, Card("KD")), hint)
    assert "Vous gardez la dame de pique : les autres n’ont plus de pique." in plain(asked[1])


def test_a_review_says_why_the_queen_should_have_been_held_back(view: View) -> None:
    best, *_, done = WEIGHED
    judged = Judged(1, 1, 1, 1, view, done, best, tuple(WEIGHED))
    better = answer(Telling(ENGLISH, view), judged)[1]
    assert better.endswith("You keep the queen of spades: nobody else has a spade.")


def test_where_any_card_is_as_good_nothing_more_is_said(view: View) -> None:
    hint = hint_from(view, [estimate(card, 0) for card in ("KD", "7S", "QS")], Play(1, Card("QS")))
    lines = explained(ENGLISH, view, None, Play(1, Card("7S")), hint)
    assert len(lines) == 2
    assert lines[1].endswith("all the cards you may play are worth the same here.")


@pytest.mark.skipif(not strong_installed(), reason="judges passes only with compiled code")
def test_the_cost_of_a_pass_that_was_made_is_told() -> None:
    hand = "S: AKQ2 H: AK2 C: 234 D: 345"
    view = view_of(dealt("microsoft", hand, *rest_of_pack(hand), pass_count=3), 0)
    done = Pass(0, read_cards("2S 3C 4C"))
    hint = advise(view, Clock(simulations=2_000), done)
    assert done in [each.action for each in hint.others]
    assert done not in [each.action for each in advise(view, Clock(simulations=2_000)).others]
    told = explained(ENGLISH, view, 0, done, hint)[-1]
    assert told.startswith("Passing the 4 of clubs, the 3 of clubs and the 2 of spades would cost")
