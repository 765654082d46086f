"""The duties of play against a second reading of T1 to T8, W2, W3 and W11 that shares nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit import any_rulesets, deal_of, match, seeds
from kit.clauses import Moment, first_breach, lawful, winning_place

from volte.cards import CLUBS, Card, CardSet, Suit, cards_in, mask_of, read_cards
from volte.game import DealState, Event, Play, TrickHeld, TrickTaken, legal_cards
from volte.rules import (
    Duties,
    Ruleset,
    breach,
    duties_of_follower,
    duties_of_leader,
    excluded_beside,
    legal_mask,
    options_of,
    trick_winner,
)


@st.composite
def moments(draw: st.DrawFn) -> tuple[Ruleset, Moment, Duties]:
    """Any moment of play, as the second reading has it, and as duties."""
    rules = draw(any_rulesets())
    trick = draw(st.integers(1, 4))
    led = draw(st.none() | st.sampled_from(Suit))
    broken, had_chance = draw(st.booleans()), draw(st.booleans())
    clubs = cards_in(rules.deck_mask & CLUBS)
    opening = draw(st.none() | st.sampled_from(clubs)) if clubs and trick == 1 else None
    now = Moment(options_of(rules), trick, led, broken, had_chance, opening)
    if led is None:
        return rules, now, duties_of_leader(rules.play, trick, broken, opening)
    duties = duties_of_follower(rules.play, rules.penalty_mask, trick, led, broken, had_chance)
    return rules, now, duties


@given(moments(), seeds)
def test_T8_the_legal_cards_are_those_of_the_second_reading(
    at: tuple[Ruleset, Moment, Duties], seed: int
) -> None:
    rules, now, duties = at
    rng = random.Random(seed)
    for _ in range(20):
        hand = frozenset(rng.sample(rules.cards, rng.randint(1, min(17, len(rules.cards)))))
        legal = legal_mask(mask_of(hand), duties)
        assert frozenset(cards_in(legal)) == lawful(hand, now)
        for card in hand:
            assert breach(mask_of(hand), card, duties) == first_breach(hand, card, now)


@given(moments(), seeds)
def test_T8_what_a_play_proves_is_exact(at: tuple[Ruleset, Moment, Duties], seed: int) -> None:
    """A card is lawful in a hand just where the hand holds none of the cards it excludes."""
    rules, now, duties = at
    rng = random.Random(seed)
    some = rng.sample(rules.cards, min(9, len(rules.cards)))
    for card in some[:3]:
        excluded = CardSet(excluded_beside(card, duties))
        assert card not in excluded
        others = [other for other in some if other is not card]
        for size in range(4):
            for beside in combinations(others, size):
                may = card in lawful(frozenset({card, *beside}), now)
                assert may == (not excluded & CardSet(beside))
        for other in rules.cards:
            pair = frozenset({card, other})
            assert (other in excluded) == (card not in lawful(pair, now))


@given(any_rulesets(), seeds)
def test_T8_in_whole_matches_too(rules: Ruleset, seed: int) -> None:
    options, hearts = options_of(rules), False
    chances: set[int] = set()
    for before, action, events, _ in match(rules, seed):
        if not isinstance(action, Play):
            hearts, chances = False, set()
            continue
        deal = deal_of(before)
        if not deal.trick:
            hearts = any(broke(card, rules) for trick in deal.tricks for card in trick.cards)
        hearts = hearts or any(broke(card, rules) for card in deal.trick)
        opening = None if deal.tricks or deal.trick else deal.opening
        number = len(deal.tricks) + 1
        now = Moment(options, number, deal.led, hearts, deal.turn in chances, opening)
        hand = frozenset(cards_in(deal.hands[deal.turn]))
        assert frozenset(cards_in(legal_cards(deal))) == lawful(hand, now)
        assert deal.led is led_suit(deal.trick)
        if len(deal.trick) + 1 == rules.players:
            check_winner(deal, (*deal.trick, action.card), events)
        if deal.led is not None and action.card.suit is not deal.led:
            chances.add(deal.turn)


def broke(card: Card, rules: Ruleset) -> bool:
    queen = rules.play.queen_breaks_hearts and card.text.startswith("QS")
    return card.suit is Suit.HEARTS or queen


def led_suit(trick: Sequence[Card]) -> Suit | None:
    return next((card.suit for card in trick if card.joker is None), None)


def check_winner(deal: DealState, trick: Sequence[Card], events: Sequence[Event]) -> None:
    """The highest card of the suit led wins, unless it is cancelled (T2, D7, W11)."""
    place = winning_place(trick)
    if place is None and len(deal.tricks) + 1 == deal.rules.hand_size:
        place = 0  # the last trick goes to whoever led it
    gathered = TrickHeld() if place is None else TrickTaken((deal.leader + place) % len(trick))
    assert gathered in events


# T2


@pytest.mark.parametrize(
    ("leader", "cards", "winner"),
    [
        (0, "5C 9C 2C", 1),
        (2, "5C 9C 2C", 0),
        (0, "5C AD AS", 0),
        (1, "QS KS AS JS", 3),
        (3, "2H AD 3H AC TH 9H 8H", 0),
        (0, "RJ 5C AD BJ 6C", 4),
        (1, "RJ BJ 2D AS", 3),
        (1, "RJ BJ 2D", 0),
    ],
)
def test_T2_the_highest_of_the_suit_led(leader: int, cards: str, winner: int) -> None:
    assert trick_winner(leader, read_cards(cards)) == winner


# W11


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("AC KC AC' 2C 3C 4C", 1),  # two aces cancel, and the king wins
        ("AC KC AC' KC' 3C 2C", 4),
        ("2C AD 2C' KC AD' KC'", None),
        ("RJ 2C 2C' AD BJ KS", None),
        ("2C 3D 3D' 4D 4D' 5H", 0),  # what does not follow cancels nothing
        ("QS' KS KS' 2H 2H' AC", 0),
    ],
)
def test_W11_equal_cards_cancel_each_other(cards: str, winner: int | None) -> None:
    assert trick_winner(0, read_cards(cards)) == winner
    assert winning_place(read_cards(cards)) == winner
