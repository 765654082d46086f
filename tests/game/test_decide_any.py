"""Whatever is asked of `decide`, it answers; and a refusal leaves everything as it was."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from kit.deals import dealt, match, play, refused, start
from kit.strategies import any_rulesets, seeds

from volte.cards import CARDS, Card, cards_in
from volte.game import (
    Action,
    AnswerUndo,
    AskUndo,
    Claim,
    Commit,
    Contribute,
    DealCards,
    DrawDealer,
    DrawLots,
    MatchState,
    NameDealer,
    Pass,
    Phase,
    Play,
    Refusal,
    Reveal,
    TakeBackPass,
    decide,
    replay,
)
from volte.rules import Ruleset


def of_nobody(players: int) -> Iterator[Action]:
    """The acts of seats that are not at the table."""
    for seat in (-1, -players, players, 2**70):
        yield Pass(seat, (Card("2C"),))
        yield TakeBackPass(seat)
        yield Play(seat, Card("2C"))
        yield Claim(seat)
        yield AskUndo(seat)
        yield AnswerUndo(seat, allow=True)
        yield Contribute(seat, b"")


NEVER: tuple[Action, ...] = (
    DrawDealer(()),
    DrawDealer(((),)),
    DrawDealer((((0, Card("2C")),),)),
    DrawLots(()),
    DrawLots((((99, Card("2C")),),)),
    DealCards(()),
    DealCards((Card("2C"),) * 52),
    DealCards(CARDS),
    NameDealer(-1),
    NameDealer(99),
    Commit(0, b""),
    Commit(-1, b""),
    Commit(2, b""),
    Contribute(0, b"bytes"),
    Contribute(0, None),
    Reveal(0, b""),
    Reveal(1, b""),
    Reveal(-1, b""),
)
"""What no match that proves nothing allows at any moment."""


@given(any_rulesets(), seeds)
def test_what_can_never_be_done_is_refused(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    states = [replay([start(rules)]), *(step.after for step in match(rules, seed))]
    for state in rng.sample(states, min(len(states), 5)):
        before = copy.deepcopy(state)
        for action in (*NEVER, *of_nobody(rules.players)):
            assert refused(state, action).reason
        for seat in range(rules.players):
            for cards in (CARDS[:52], CARDS, (CARDS[0],) * 4, (CARDS[0],) * 52):
                assert refused(state, Pass(seat, cards)).clause == "P1"
        assert state == before


card_lists = st.lists(st.sampled_from(CARDS), max_size=5).map(tuple)
any_seat = st.integers(-2, 11)
rounds = st.lists(
    st.lists(st.tuples(any_seat, st.sampled_from(CARDS)), max_size=4).map(tuple), max_size=3
).map(tuple)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Pass, any_seat, card_lists),
    st.builds(Play, any_seat, st.sampled_from(CARDS)),
    st.builds(Claim, any_seat),
    st.builds(AskUndo, any_seat),
    st.builds(AnswerUndo, any_seat, st.booleans()),
    st.builds(TakeBackPass, any_seat),
    st.builds(NameDealer, any_seat),
    st.builds(DealCards, card_lists),
    st.builds(DrawDealer, rounds),
    st.builds(DrawLots, rounds),
    st.builds(Commit, st.integers(-1, 3), st.binary(max_size=33)),
    st.builds(Contribute, any_seat, st.none() | st.binary(max_size=17)),
    st.builds(Reveal, st.integers(-1, 3), st.binary(max_size=33)),
)


@given(any_rulesets(most_cards=20), seeds, st.lists(actions, max_size=20))
def test_any_action_is_judged_and_none_changes_the_state(
    rules: Ruleset, seed: int, tried: list[Action]
) -> None:
    rng = random.Random(seed)
    state = rng.choice(list(match(rules, seed, people=(0, 1)))).before
    before = copy.deepcopy(state)
    for action in tried:
        outcome = decide(state, action)
        assert isinstance(outcome, tuple | Refusal)
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
            for action in (Play(seat, rng.choice(CARDS)), Pass(seat, tuple(rng.sample(CARDS, 5)))):
                outcome = decide(state, action)
                if isinstance(outcome, Refusal):
                    assert set(outcome.legal) <= set(cards_in(deal.hands[seat]))
                    assert not named(outcome) - asked(action)


def asked(action: Play | Pass) -> set[str]:
    cards = (action.card,) if isinstance(action, Play) else action.cards
    return {card.text for card in cards}


def named(refusal: Refusal) -> set[str]:
    """The cards that a refusal speaks of, besides those that are legal."""
    return {value for value in refusal.params.values() if value in {card.text for card in CARDS}}


def test_after_the_end_nothing_more_is_done() -> None:
    state = ended()
    assert state.phase is Phase.ENDED
    for action in (*NEVER, Play(0, Card("AC")), Pass(0, ()), Claim(0), AskUndo(0)):
        assert isinstance(decide(state, action), Refusal)


def ended() -> MatchState:
    return play(dealt("coeurs", "C: A", "C: 2", "H: 2"), "AC 2C 2H")
