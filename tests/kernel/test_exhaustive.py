"""Every way to play out a few cards, in both engines: the same plays, and the same ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product, takewhile
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel.lockstep import Plays, Result, every_play
from kernel.tables import KNOWN, any_table, one_pack
from kit.deals import Step, after, deal_of, match, start
from kit.strategies import PACK, few, recounted, rulesets, seeds

from volte.cards import JOKERS, mask_of, read_cards
from volte.game import DealCards, MatchState, NameDealer, Phase, Play, legal_actions, replay
from volte.kernel.compiler import INTERPRETED
from volte.rules import Ruleset, Value, make_ruleset

TRICKS: Final = {3: 4 - INTERPRETED, 4: 3 - INTERPRETED, 5: 2, 6: 2, 7: 2}
"""Played in every way at the end of a deal, by seats."""

MOST_CARDS: Final = {seats: seats * (tricks + 1) - 1 for seats, tricks in TRICKS.items()}
"""In a tiny deck, whose deals are played in every way from the first card on."""

tiny_rulesets = st.sampled_from(sorted(TRICKS)).flatmap(
    lambda seats: rulesets(st.just(seats), MOST_CARDS[seats])
)

tiny_and_wider = st.sampled_from(sorted(TRICKS)).flatmap(
    lambda seats: one_pack(st.just(seats), MOST_CARDS[seats])
)

DUTIES: Final = {
    "opening": ("eldest", "lowest_club"),
    "first_trick_points": ("allowed", "barred"),
    "hearts_lead": ("free", "once_broken"),
    "queen_breaks_hearts": (False, True),
    "hearts_from_trick": (1, 3),
    "queen_discard": ("free", "forced", "barred"),
}


@given(tiny_rulesets | recounted(tiny_rulesets) | tiny_and_wider, seeds)
def test_tiny_deals_can_be_played_in_the_same_ways(rules: Ruleset, seed: int) -> None:
    check_last_tricks(match(rules, seed))


@given(any_table() | recounted(rulesets()), seeds)
def test_any_deal_can_end_in_the_same_ways(rules: Ruleset, seed: int) -> None:
    check_last_tricks(first_deal(rules, seed))


@pytest.mark.parametrize(("preset", "players"), KNOWN)
def test_deals_of_every_table_can_end_in_the_same_ways(preset: str, players: int) -> None:
    check_last_tricks(first_deal(make_ruleset(preset, {"players": players}), seed=players))


@pytest.mark.parametrize("values", tuple(product(*DUTIES.values())), ids=repr)
def test_all_duties_together_leave_the_same_ways_to_play(values: tuple[Value, ...]) -> None:
    """Three seats with four cards each, and a kitty of two."""
    duties = dict(zip(DUTIES, values, strict=True))
    rules = table("salon-valet", "C: 259 D: J4 S: QK3 H: 26JA RJ BJ", duties)
    for seed in range(few(1, 2)):
        check_last_tricks(first_deal(rules, seed))


@pytest.mark.parametrize("cards", ["C: 23 D: J S: Q H: 2A", "C: 2 S: Q H: 34 RJ BJ"])
@pytest.mark.parametrize("preset", ["coeurs", "salon-valet"])
def test_all_deals_of_six_cards_can_be_played_in_the_same_ways(preset: str, cards: str) -> None:
    state = after(replay([start(table(preset, cards))]), NameDealer(0))
    dealt = {
        tuple(map(mask_of, (deck[::3], deck[1::3], deck[2::3]))): after(state, DealCards(deck))
        for deck in permutations(read_cards(cards))
    }
    assert len(dealt) == 90
    for each in dealt.values():
        check_plays(each)


def table(preset: str, cards: str, options: dict[str, Value] | None = None) -> Ruleset:
    """Three seats with just those cards, and no pass."""
    deck = read_cards(cards)
    usual: dict[str, Value] = {
        "players": 3,
        "removed": [str(card) for card in PACK if card not in deck],
        "jokers": 2 if mask_of(deck) & JOKERS else 0,
        "kitty": "first_trick",
        "pass_count": 0,
        "pass_cycle": ["left"],
    }
    return make_ruleset(preset, {**usual, **(options or {})})


def first_deal(rules: Ruleset, seed: int) -> Iterator[Step]:
    return takewhile(lambda step: not step.before.deals, match(rules, seed))


def check_last_tricks(steps: Iterable[Step]) -> None:
    for step in steps:
        state, rules = step.after, step.after.rules
        if state.phase is Phase.PLAYING and not deal_of(state).trick:
            left = rules.hand_size - len(deal_of(state).tricks)
            if left == min(rules.hand_size, TRICKS[rules.players]):
                check_plays(state)


def check_plays(state: MatchState) -> None:
    plays: Plays = {}
    play_out(state, (), plays)
    assert every_play(deal_of(state)) == plays


def play_out(state: MatchState, played: tuple[int, ...], plays: Plays) -> None:
    """Adds every way to play the deal out in the readable engine, and how it ends."""
    deal = deal_of(state)
    if state.phase is not Phase.PLAYING:
        plays[played] = Result.alone(deal)
        return
    for action in legal_actions(state, deal.turn):
        assert isinstance(action, Play)
        play_out(after(state, action), (*played, action.card.index), plays)
