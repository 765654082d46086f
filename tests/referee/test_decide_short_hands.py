"""I8: real cards of which some are missing, and the records of such deals."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from kit.records import read_back
from kit.refereed import (
    after,
    by_hand,
    refused,
    start,
    take,
    waiting,
    wild_action,
)
from kit.strategies import any_rulesets, seeds

from volte import referee
from volte.cards import Card, mask_of, read_cards, union
from volte.fair import House
from volte.game import DealCards, Dealt, NameDealer, Phase, PlainChance, ProvedChance
from volte.game.actions import Refusal
from volte.rules import Irregularities, Ruleset, make_ruleset
from volte.rules.scoring import expected_sum
from volte.view import View, project

# Short hands; more in `laws.txt`


def test_a_whole_pack_dealt_by_hand_is_dealt_as_ever() -> None:
    hands = "C: 2 H: 4", "C: 3 H: 6", "C: 4 H: 5"
    table = waiting(*hands)
    deck = DealCards(read_cards("2C 3C 4C 4H 6H 5H"))
    assert take(table, by_hand(*hands)).events == take(table, deck).events


def test_D3_proved_cards_are_not_dealt_by_hand() -> None:
    state = referee.replay([start(make_ruleset("coeurs-table"))])
    chance = ProvedChance(House.from_seed(1))
    while state.phase is not Phase.DEALING:
        action = chance.act(state)
        assert action is not None
        state = after(state, action)
    assert refused(state, by_hand("2C", "3C", "4C")).reason == "not_dealing_now"


# At random


def with_gaps(state: referee.RefereedMatch, deal: DealCards, rng: random.Random) -> referee.Action:
    """Return that deal as it is or with cards missing from the pack, or a misdeal."""
    rules = state.rules
    lost = rng.sample(deal.deck, rng.randint(0, 4))
    hands = [list[Card]() for _ in range(rules.players)]
    for place, card in enumerate(deal.deck[: rules.players * rules.hand_size]):
        if card not in lost:
            hands[(state.dealer + 1 + place) % rules.players].append(card)
    kitty = tuple(card for card in deal.deck[rules.players * rules.hand_size :] if card not in lost)
    gaps = referee.DealByHand(tuple(map(tuple, hands)), kitty)
    misdeal = referee.DeclareMisdeal(rng.choice(list(referee.Misdeal)))
    some: list[referee.Action] = [deal, gaps, gaps, gaps, misdeal]
    return rng.choice(some)


def evening(rules: Ruleset, seed: int) -> list[tuple[referee.Event, ...]]:
    """Return the events of a match with real cards, by action."""
    rng, chance = random.Random(seed), PlainChance(seed)
    log: list[tuple[referee.Event, ...]] = [(start(rules),)]
    state = referee.replay(log[0])
    while True:
        assert isinstance(state, referee.RefereedMatch)
        seats = referee.to_act(state)
        usual = rng.choice(referee.legal_actions(state, seats[0])) if seats else chance.act(state)
        if usual is None:
            return log
        other: referee.Action = usual
        if isinstance(usual, DealCards):
            other = with_gaps(state, usual, rng)
        elif seats and rng.random() < 0.2:
            other = wild_action(state, rng)
        outcome = referee.decide(state, other)
        if isinstance(outcome, Refusal):
            outcome = referee.decide(state, usual)
        assert not isinstance(outcome, Refusal)
        log.append(outcome)
        for each in outcome:
            state = referee.evolve(state, each)


tables = st.builds(
    lambda players, settlement: make_ruleset(
        "coeurs-table", {"players": players, "settlement": settlement, "match_end": "deals:2"}
    ),
    st.integers(3, 7),
    st.sampled_from(["difference", "average", "pot"]),
)


@given(tables, st.integers(0, 2**32))
@settings(max_examples=settings().max_examples // 3)
def test_I8_everybody_sees_how_many_cards_every_hand_has(rules: Ruleset, seed: int) -> None:
    log = [each for events in evening(rules, seed) for each in events]
    state = referee.replay(log[:1])
    views = [View.of(seat, [referee.visible(log[0], seat)]) for seat in range(rules.players)]
    for each in log[1:]:
        state = referee.evolve(state, each)
        views = [view.see(referee.visible(each, seat)) for seat, view in enumerate(views)]
        if state.deal is not None and state.phase is Phase.PLAYING:
            sizes = tuple(hand.bit_count() for hand in state.deal.hands)
            assert state.deal.hand_sizes() == sizes
        for seat, view in enumerate(views):
            assert view.state == project(state, seat)


@given(tables, st.integers(0, 2**32))
@settings(max_examples=settings().max_examples // 3)
def test_I8_the_cards_that_are_there_are_all_taken_and_all_counted(
    rules: Ruleset, seed: int
) -> None:
    log = [each for events in evening(rules, seed) for each in events]
    state = referee.replay(log[:1])
    there, longest = 0, 0
    for each in log[1:]:
        state = referee.evolve(state, each)
        if isinstance(each, Dealt):
            sizes = [len(hand or ()) for hand in each.hands]
            there, longest = sum(sizes) + len(each.kitty or ()), max(sizes)
        if isinstance(each, referee.Reckoned) and not each.offenders:
            deal = state.deal
            assert deal is not None
            taken = [deal.captured(seat) for seat in range(rules.players)]
            assert sum(mask.bit_count() for mask in taken) == there
            assert sum(deal.won) == longest
            if each.moon is None:
                assert sum(each.points) == deal.rules.penalty_total


@given(any_rulesets(), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_W11_I8_the_books_add_up_whatever_is_missing(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    with_referee = replace(rules, irregularities=Irregularities.REFEREED)
    state = after(referee.replay([start(with_referee)]), NameDealer(0))
    deck = rng.sample(rules.cards, len(rules.cards) - rng.randint(1, 3))
    pile, kitty = deck[rules.kitty_size :], deck[: rules.kitty_size]
    hands = tuple(tuple(pile[seat :: rules.players]) for seat in range(rules.players))
    action = referee.DealByHand(hands, tuple(kitty))
    if isinstance(referee.decide(state, action), Refusal):  # nothing is left that counts, or opens
        return
    state = after(state, action)
    while state.reckoned is None:
        seat = rng.choice(referee.to_act(state))
        state = after(state, rng.choice(referee.legal_actions(state, seat)))
    everything = union(state.lying.taken) | state.lying.kitty
    assert everything == mask_of(deck)
    assert sum(state.reckoned.points) == expected_sum(state.lying.rules, state.reckoned)


# On record


@given(tables, st.integers(0, 2**32), st.integers(0, 10**6))
@settings(max_examples=settings().max_examples // 3)
def test_I8_an_evening_with_real_cards_is_read_back(rules: Ruleset, seed: int, place: int) -> None:
    actions = evening(rules, seed)
    for stop in (len(actions), 1 + place % len(actions)):
        log = [each for events in actions[:stop] for each in events]
        read_back(log)
