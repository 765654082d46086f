"""`decide` answers any action whatever, and a refusal changes nothing."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from kit.deals import dealt, match, play, refused, start
from kit.strategies import any_rulesets, seeds

from volte import game
from volte.cards import CARDS, Card, cards_in
from volte.rules import Ruleset


def of_nobody(players: int) -> Iterator[game.Action]:
    """Yield acts of seats that are not at the table."""
    for seat in (-1, -players, players, 2**70):
        yield game.Pass(seat, (Card("2C"),))
        yield game.TakeBackPass(seat)
        yield game.Play(seat, Card("2C"))
        yield game.Claim(seat)
        yield game.AskUndo(seat)
        yield game.AnswerUndo(seat, allow=True)
        yield game.Contribute(seat, b"")


NEVER: tuple[game.Action, ...] = (
    game.DrawDealer(()),
    game.DrawDealer(((),)),
    game.DrawDealer((((0, Card("2C")),),)),
    game.DrawLots(()),
    game.DrawLots((((99, Card("2C")),),)),
    game.DealCards(()),
    game.DealCards((Card("2C"),) * 52),
    game.DealCards(CARDS),
    game.NameDealer(-1),
    game.NameDealer(99),
    game.Commit(0, b""),
    game.Commit(-1, b""),
    game.Commit(2, b""),
    game.Contribute(0, b"bytes"),
    game.Contribute(0, None),
    game.Reveal(0, b""),
    game.Reveal(1, b""),
    game.Reveal(-1, b""),
)
"""Actions refused at any moment of a match without proofs."""


@given(any_rulesets(), seeds)
def test_what_can_never_be_done_is_refused(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    states = [game.replay([start(rules)]), *(step.after for step in match(rules, seed))]
    for state in rng.sample(states, min(len(states), 5)):
        before = copy.deepcopy(state)
        for action in (*NEVER, *of_nobody(rules.players)):
            assert refused(state, action).reason
        for seat in range(rules.players):
            for cards in (CARDS[:52], CARDS, (CARDS[0],) * 4, (CARDS[0],) * 52):
                assert refused(state, game.Pass(seat, cards)).clause == "P1"
        assert state == before


card_lists = st.lists(st.sampled_from(CARDS), max_size=5).map(tuple)
any_seat = st.integers(-2, 11)
rounds = st.lists(
    st.lists(st.tuples(any_seat, st.sampled_from(CARDS)), max_size=4).map(tuple), max_size=3
).map(tuple)
actions: st.SearchStrategy[game.Action] = st.one_of(
    st.builds(game.Pass, any_seat, card_lists),
    st.builds(game.Play, any_seat, st.sampled_from(CARDS)),
    st.builds(game.Claim, any_seat),
    st.builds(game.AskUndo, any_seat),
    st.builds(game.AnswerUndo, any_seat, st.booleans()),
    st.builds(game.TakeBackPass, any_seat),
    st.builds(game.NameDealer, any_seat),
    st.builds(game.DealCards, card_lists),
    st.builds(game.DrawDealer, rounds),
    st.builds(game.DrawLots, rounds),
    st.builds(game.Commit, st.integers(-1, 3), st.binary(max_size=33)),
    st.builds(game.Contribute, any_seat, st.none() | st.binary(max_size=17)),
    st.builds(game.Reveal, st.integers(-1, 3), st.binary(max_size=33)),
)


@given(any_rulesets(most_cards=20), seeds, st.lists(actions, max_size=20))
def test_any_action_is_judged_and_none_changes_the_state(
    rules: Ruleset, seed: int, tried: list[game.Action]
) -> None:
    rng = random.Random(seed)
    state = rng.choice(list(match(rules, seed, people=(0, 1)))).before
    before = copy.deepcopy(state)
    for action in tried:
        outcome = game.decide(state, action)
        assert isinstance(outcome, tuple | game.Refusal)
        assert state == before


@given(any_rulesets(), seeds)
def test_a_refusal_shows_no_cards_but_to_the_seat_that_asked(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    for step in match(rules, seed):
        state = step.before
        deal = state.deal
        if deal is None or rng.random() < 0.8:
            continue
        for seat in range(rules.players):
            for action in (
                game.Play(seat, rng.choice(CARDS)),
                game.Pass(seat, tuple(rng.sample(CARDS, 5))),
            ):
                outcome = game.decide(state, action)
                if isinstance(outcome, game.Refusal):
                    assert set(outcome.legal) <= set(cards_in(deal.hands[seat]))
                    assert not named(outcome) - asked_cards(action)


def asked_cards(action: game.Play | game.Pass) -> set[str]:
    cards = (action.card,) if isinstance(action, game.Play) else action.cards
    return {card.text for card in cards}


def named(refusal: game.Refusal) -> set[str]:
    """Cards named in the parameters of a refusal, beside its legal cards."""
    return {value for value in refusal.params.values() if value in {card.text for card in CARDS}}


def test_after_the_end_nothing_more_is_done() -> None:
    state = ended()
    assert state.phase is game.Phase.ENDED
    for action in (
        *NEVER,
        game.Play(0, Card("AC")),
        game.Pass(0, ()),
        game.Claim(0),
        game.AskUndo(0),
    ):
        assert isinstance(game.decide(state, action), game.Refusal)


def ended() -> game.MatchState:
    return play(dealt("coeurs", "C: A", "C: 2", "H: 2"), "AC 2C 2H")
