"""I8: real cards of which some are missing, and the records of such deals."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.records import read_back
from kit.refereed import after, by_hand, event, play, refused, start, take, turned, wild_action
from kit.refereed import waiting as waiting_at

from volte import referee
from volte.cards import Card, read_cards
from volte.fair import House
from volte.game import DealCards, Dealt, KittyTaken, Phase, PlainChance, ProvedChance
from volte.game.actions import Refusal
from volte.rules import Ruleset, Score, Value, make_ruleset
from volte.view import View, project


def waiting(*piles: str, **options: Value) -> referee.RefereedMatch:
    """A table for three, whose pack is those cards."""
    usual: dict[str, Value] = {"match_end": "deals:1"}
    return waiting_at(*piles, preset="coeurs-table", players=3, options={**usual, **options})


def short(*hands: str, missing: str, **options: Value) -> referee.RefereedMatch:
    """The same once those hands have been dealt without the missing cards."""
    return after(waiting(*hands, missing, **options), by_hand(*hands))


# What is short


def test_I8_a_hand_one_card_short_takes_the_last_trick() -> None:
    state = short("C: 2 D: 2 H: 4", "C: 3 D: 3", "C: 4 D: 4 H: 5", missing="5S")
    assert state.lying.hand_sizes() == (3, 2, 3)
    last = play(state, "2C 3C 4C 4D 2D 3D")
    assert event(last, referee.TurnDown(2), referee.RestTaken) == referee.RestTaken(
        1, read_cards("4H 5H"), 1
    )
    assert event(last, referee.TurnDown(2), referee.Reckoned).points == (0, 2, 0)
    over = after(last, referee.TurnDown(2)).lying
    assert over.hand_sizes() == (0, 0, 0)
    assert over.won == (0, 1, 2)


def test_I8_a_hand_several_short_takes_every_trick_it_cannot_play_to() -> None:
    state = short("C: 2 D: 2 H: 4", "C: 3", "C: 4 D: 4 H: 5", missing="5S 6S")
    last = play(state, "2C 3C 4C")
    assert event(last, referee.TurnDown(2), referee.RestTaken) == referee.RestTaken(
        1, read_cards("2D 4D 4H 5H"), 2
    )
    assert event(last, referee.TurnDown(2), referee.Reckoned).points == (0, 2, 0)


@pytest.mark.parametrize(("lead", "taker"), [("2C 3C 4C", 0), ("5C 3C 4C", 0), ("2C 6C 4C", 1)])
def test_I8_of_two_that_run_out_it_is_the_leaders_or_the_next_one_clockwise(
    lead: str, taker: int
) -> None:
    first, second, _ = lead.split()
    state = play(short(first, second, "C: 4 H: 5", missing="5S 6S"), lead)
    assert event(state, referee.TurnDown(state.lying.turner), referee.RestTaken).seat == taker


def test_I8_penalty_cards_that_are_missing_are_left_out_of_the_check() -> None:
    hands = "C: 2 D: 2 H: 4", "C: 3 D: 3", "C: 4 D: 4 H: 5"
    whole, lacking = (short(*hands, missing=card) for card in ("5S", "6H"))
    assert (whole.lying.rules.penalty_total, lacking.lying.rules.penalty_total) == (2, 2)
    assert lacking.rules.penalty_total == 3
    over = turned(play(lacking, "2C 3C 4C 4D 2D 3D"))
    assert over.reckoned == Score((0, 2, 0))


def test_I8_all_the_hearts_there_are_shoot_the_moon_and_are_paid_for() -> None:
    options: dict[str, Value] = {"moon": "others_plus", "settlement": "difference"}
    hands = "C: 2 D: 2 H: 4", "C: 3 D: 3", "C: 4 D: 4 H: 5"
    state = turned(play(short(*hands, missing="6H", **options), "2C 3C 4C 4D 2D 3D"))
    assert state.reckoned == Score((2, 0, 2), moon=1)
    for seat in range(3):
        state = after(state, referee.legal_actions(state, seat)[0])
    assert state.net == (-2, 4, -2)


def test_I8_the_lowest_club_that_a_hand_holds_opens() -> None:
    state = short("C: 5 H: 4", "C: 3", "C: 4 H: 5", missing="2C", opening="lowest_club")
    assert (state.lying.leader, state.lying.opening) == (1, Card("3C"))


def test_I8_a_missing_card_may_be_one_of_the_kitty() -> None:
    hands = "C: 2 H: 4", "C: 3 H: 6", "C: 4 H: 5"
    table = waiting(*hands, "5S 6S", kitty="first_trick")
    one = after(table, by_hand(*hands, kitty="5S"))
    assert one.lying.hand_sizes() == (2, 2, 2)
    taken = take(play(one, "2C 3C 4C"), referee.TurnDown(2)).events
    assert KittyTaken(2, read_cards("5S")) in taken
    none = play(after(waiting(*hands, "5S", kitty="first_trick"), by_hand(*hands)), "2C 3C 4C")
    assert not [
        each for each in take(none, referee.TurnDown(2)).events if isinstance(each, KittyTaken)
    ]


def test_a_whole_pack_dealt_by_hand_is_dealt_as_ever() -> None:
    hands = "C: 2 H: 4", "C: 3 H: 6", "C: 4 H: 5"
    table = waiting(*hands)
    deck = DealCards(read_cards("2C 3C 4C 4H 6H 5H"))
    assert take(table, by_hand(*hands)).events == take(table, deck).events


@pytest.mark.parametrize(
    "hands",
    [
        ("C: 2 H: 4", "C: 3", "C: 4 H: 5 6"),
        ("C: 2 H: 4", "C: 3"),
        ("C: 2 H: 4", "C: 3", "C: 4 H: 4"),
        ("C: 2 H: 4", "C: 3", "C: 4 S: A"),
        ("C: 2 H: 4", "C: 3 S: 6", "C: 4 S: 5"),
    ],
    ids=["one too long", "one too few", "a card twice", "a strange card", "too short to pass"],
)
def test_hands_that_cannot_be_are_refused(hands: tuple[str, ...]) -> None:
    table = waiting("C: 2 H: 4", "C: 3 S: 6", "C: 4 H: 5", pass_count=2)
    assert refused(table, by_hand(*hands)).reason == "not_the_deck"


def test_hands_without_a_club_to_open_or_a_card_that_counts_are_refused() -> None:
    table = waiting("C: 2 H: 4", "S: 3 6", "S: 4 5", opening="lowest_club")
    assert refused(table, by_hand("4H", "S: 3 6", "S: 4 5")).reason == "not_the_deck"
    assert refused(table, by_hand("2C", "S: 3 6", "S: 4 5")).reason == "not_the_deck"


def test_only_real_cards_are_dealt_by_hand() -> None:
    hands = by_hand("2C", "3C", "4C")
    lawful = referee.replay([start(make_ruleset("coeurs", {"players": 3}))])
    assert referee.decide(lawful, hands) == Refusal("no_referee")
    state, chance = (
        referee.replay([start(make_ruleset("coeurs-table"))]),
        ProvedChance(House.from_seed(1)),
    )
    while state.phase is not Phase.DEALING:
        action = chance.act(state)
        assert action is not None
        state = after(state, action)
    assert refused(state, hands).reason == "not_dealing_now"


def test_I1_a_misdeal_may_come_before_anybody_knows_a_hand() -> None:
    table = waiting("C: 2 H: 4", "C: 3 H: 6", "C: 4 H: 5")
    assert event(
        table, referee.DeclareMisdeal(referee.Misdeal.EXPOSED), referee.Misdealt
    ) == referee.Misdealt(2, referee.Misdeal.EXPOSED)
    again = after(table, referee.DeclareMisdeal(referee.Misdeal.EXPOSED))
    assert (again.phase, again.dealer) == (Phase.DEALING, 0)


# At random


def with_gaps(state: referee.RefereedMatch, deal: DealCards, rng: random.Random) -> referee.Action:
    """That deal, of a pack that lacks some cards; or a misdeal."""
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
    """A match with real cards, by action."""
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


# On record


@given(tables, st.integers(0, 2**32), st.integers(0, 10**6))
@settings(max_examples=settings().max_examples // 3)
def test_I8_an_evening_with_real_cards_is_read_back(rules: Ruleset, seed: int, place: int) -> None:
    actions = evening(rules, seed)
    for stop in (len(actions), 1 + place % len(actions)):
        log = [each for events in actions[:stop] for each in events]
        read_back(log)
