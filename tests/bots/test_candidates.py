"""The candidates of a search: cards that differ in effect, and sets of cards to pass."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import deal_of, dealt, few, match, recounted, rulesets, seeds, view_of
from kit.bots import choices, one_deal, worlds
from kit.kernels import Result, every_play
from kit.stanzas import read_stanza, stanzas
from msgspec.structs import replace

from volte.bots import Clock
from volte.bots.candidates import passes, unlike
from volte.bots.casual import Casual
from volte.cards import mask_of
from volte.game import DealState, MatchState, Pass, Phase
from volte.rules import Ruleset

MOST_WAYS = 3000

small_rulesets = st.sampled_from([(3, 15), (4, 12), (5, 15), (6, 13), (7, 15)]).flatmap(
    lambda size: rulesets(st.just(size[0]), most_cards=size[1])
)


# Cards


@given(rulesets() | recounted(rulesets()), seeds)
def test_every_legal_card_is_in_one_group_and_those_together_count_the_same(
    rules: Ruleset, seed: int
) -> None:
    for moment in choices(one_deal(rules), seed, 5):
        view = moment.view
        sets = unlike(view)
        assert [card for cards in sets.values() for card in cards] == list(view.legal)
        for bit, cards in sets.items():
            assert bit == cards[0].bit
            assert len({rules.values.get(card, 0) for card in cards}) == 1
            assert len({card.suit for card in cards}) == 1


@given(small_rulesets | recounted(small_rulesets), seeds)
@settings(max_examples=few(5, 150))
def test_with_cards_that_are_alike_the_same_can_come_of_a_deal(rules: Ruleset, seed: int) -> None:
    """Equally many continuations lead to each result, in two worlds that the view allows."""
    for deal in endings(rules, seed):
        state = replace(last_state(rules, seed), deal=deal)
        view = view_of(state, deal.turn)
        alike = [cards for cards in unlike(view).values() if len(cards) > 1]
        for world in worlds(view, 2, seed).tolist() if alike else ():
            other = replace(deal, hands=tuple(world[:-1]), kitty=world[-1])
            results = results_by_card(other)
            for first, *others in alike:
                assert all(results[card.index] == results[first.index] for card in others)


def last_state(rules: Ruleset, seed: int) -> MatchState:
    return [step.after for step in match(rules, seed) if step.after.phase is Phase.PLAYING][-1]


def endings(rules: Ruleset, seed: int) -> list[DealState]:
    """Positions near the end of a deal, from which there are not too many ways to play on."""
    steps = match(one_deal(rules), seed)
    states = [step.before for step in steps if step.before.phase is Phase.PLAYING]
    deals = [deal_of(state) for state in states if len(deal_of(state).trick) < rules.players]
    few = [deal for deal in deals if sum(hand.bit_count() for hand in deal.hands) <= 8]
    return random.Random(seed).sample(few, min(3, len(few)))


def results_by_card(deal: DealState) -> dict[int, Counter[Result]]:
    """Count the results of all continuations, by the index of the card that is played first."""
    results: dict[int, Counter[Result]] = {}
    for plays, result in every_play(deal).items():
        results.setdefault(plays[0], Counter())[result] += 1
    return results


@pytest.mark.parametrize("text", stanzas(__file__, "alike.txt"))
def test_which_cards_are_alike(text: str) -> None:
    stanza = read_stanza(text)
    sets = unlike(view_of(stanza.state, deal_of(stanza.state).turn)).values()
    groups = " | ".join(" ".join(card.text for card in cards) for cards in sets)
    assert [f"alike {groups}"] == stanza.lines


# Passes


@given(rulesets() | recounted(rulesets()), seeds, st.integers(0, 400))
def test_sets_are_of_the_hand_and_not_too_many(rules: Ruleset, seed: int, most: int) -> None:
    for moment in choices(one_deal(rules), seed, 12):
        if moment.state.phase is Phase.PASSING:
            view = moment.view
            count = rules.passing.count
            sets = passes(view, most)
            assert len(set(sets)) == len(sets) <= max(most, 1) + count + 2
            assert all(each.bit_count() == count for each in sets)
            assert all(not each & ~view.hand.mask for each in sets)
            assert len(sets) >= min(most, comb(len(view.hand), count)) / 20


@given(rulesets() | recounted(rulesets()), seeds, st.integers(0, 400))
def test_what_casual_passes_is_one_of_them(rules: Ruleset, seed: int, most: int) -> None:
    for moment in choices(one_deal(rules), seed, 12):
        if moment.state.phase is Phase.PASSING:
            view = moment.view
            action = Casual().choose(view, Clock())
            assert isinstance(action, Pass)
            assert mask_of(action.cards) in passes(view, most)


def test_with_room_for_all_every_set_is_looked_at() -> None:
    state = dealt("coeurs", "S: A2 C: 5 H: 3", "S: 34 C: 2 H: 2", "D: 2345", pass_count=2)
    view = view_of(state, 1)
    every = {mask_of(pair) for pair in combinations(view.hand, 2)}
    assert set(passes(view, 6)) == every
    assert set(passes(view, 1000)) == every
