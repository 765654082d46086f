"""Both engines play the same at every step, in every possible way, and in as many ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations, product, takewhile
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from kit.deals import Step, after, deal_of, deck_of, match, start
from kit.kernels import KNOWN, Plays, Result, Twin, any_table, every_play, first_deal, tiny, told
from kit.perft import PATHS, read_counts
from kit.strategies import few, recounted, rulesets, seeds

from volte import game
from volte.cards import mask_of, read_cards
from volte.kernel import DEAL, encode, position
from volte.kernel.compiler import INTERPRETED
from volte.kernel.startup import code
from volte.rules import Ruleset, Value, make_ruleset, minus_is_open

DEALS = 10
"""Deals played at every table."""


@given(any_table() | recounted(rulesets()), seeds)
def test_both_engines_agree_at_every_step(rules: Ruleset, seed: int) -> None:
    check_match(match(rules, seed))


@pytest.mark.parametrize(("preset", "players"), KNOWN)
def test_both_engines_agree_at_every_table(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players})
    check_match(takewhile(lambda step: len(step.before.deals) < DEALS, match(rules, seed=players)))


def check_match(steps: Iterable[Step]) -> None:
    """Play every card of the readable engine in the kernel too.

    There, passes come in any order, here in the order of the seats; a twin is made of every
    position on the way, and goes on from it.
    """
    twins: list[Twin] = []
    for step in steps:
        passing = step.after.phase is game.Phase.PASSING
        if isinstance(step.action, game.DealCards):
            twins = [Twin.of(deal_of(step.after))]
        elif isinstance(step.action, game.Pass) and passing:
            twins.append(Twin.of(deal_of(step.after)))
        elif isinstance(step.action, game.Pass):
            for twin in twins:
                twin.give(deal_of(step.after).passes)
        elif isinstance(step.action, game.Play):
            del twins[1:]
            twins[0].play(step.action.card)
        else:
            continue
        for twin in twins[-1:] if passing else twins:
            check_step(twin, step.after)


def check_step(twin: Twin, state: game.MatchState) -> None:
    """Compare turn, legal cards, cards, and everything known about the deal."""
    deal, legal = deal_of(state), int(twin.legal[0])
    assert told(twin.rows) == told(position(deal))
    if state.phase is game.Phase.PASSING:
        assert int(twin.rows["turn"][0]) == game.to_act(state)[0]
        assert legal == deal.hands[game.to_act(state)[0]]
    elif state.phase is game.Phase.PLAYING:
        assert (int(twin.rows["turn"][0]),) == game.to_act(state)
        assert legal == game.legal_cards(deal)
    else:
        assert legal == 0
        result = Result.read(twin.outcomes[0], len(deal.hands))
        assert result == Result.alone(deal)
        if minus_is_open(deal.rules, result.score) is None:
            assert result.score == state.deals[-1]
    assert twin.finished[0] == (len(deal.tricks) == deal.rules.hand_size)


TRICKS: Final = {3: 4 - INTERPRETED, 4: 3 - INTERPRETED, 5: 2, 6: 2, 7: 2}
"""Tricks at the end of a deal that are played in every way, by number of seats."""

tiny_rulesets, tiny_and_wider = tiny(TRICKS)

DUTIES: Final[dict[str, tuple[Value, ...]]] = {
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


@pytest.mark.parametrize(
    "places",
    [
        pytest.param(places, marks=pytest.mark.full if sum(places) % 2 else ())
        for places in product(*(range(len(values)) for values in DUTIES.values()))
    ],
    ids=repr,
)
def test_all_duties_together_leave_the_same_ways_to_play(places: tuple[int, ...]) -> None:
    """Three seats have four cards each, and there is a kitty of two.

    In the gate they are half of all ways to combine duties: any five of them are still combined in
    every way.
    """
    values = [each[place] for each, place in zip(DUTIES.values(), places, strict=True)]
    duties = dict(zip(DUTIES, values, strict=True))
    rules = table("salon-valet", "C: 259 D: J4 S: QK3 H: 26JA RJ BJ", duties)
    for seed in range(few(1, 2)):
        check_last_tricks(first_deal(rules, seed))


@pytest.mark.parametrize("cards", ["C: 23 D: J S: Q H: 2A", "C: 2 S: Q H: 34 RJ BJ"])
@pytest.mark.parametrize("preset", ["coeurs", "salon-valet"])
def test_all_deals_of_six_cards_can_be_played_in_the_same_ways(preset: str, cards: str) -> None:
    state = after(game.replay([start(table(preset, cards))]), game.NameDealer(0))
    dealt = {
        tuple(map(mask_of, (deck[::3], deck[1::3], deck[2::3]))): after(state, game.DealCards(deck))
        for deck in permutations(read_cards(cards))
    }
    assert len(dealt) == 90
    for each in dealt.values():
        check_plays(each)


def table(preset: str, cards: str, options: dict[str, Value] | None = None) -> Ruleset:
    """Three seats with exactly those cards, and no pass."""
    usual: dict[str, Value] = {"players": 3, "kitty": "first_trick", "pass_count": 0}
    one_way: dict[str, Value] = {"pass_cycle": ["left"]}
    return make_ruleset(preset, {**deck_of(cards), **usual, **one_way, **(options or {})})


def check_last_tricks(steps: Iterable[Step]) -> None:
    for step in steps:
        state, rules = step.after, step.after.rules
        if state.phase is game.Phase.PLAYING and not deal_of(state).trick:
            left = rules.hand_size - len(deal_of(state).tricks)
            if left == min(rules.hand_size, TRICKS[rules.players]):
                check_plays(state)


def check_plays(state: game.MatchState) -> None:
    plays: Plays = {}
    play_out(state, (), plays)
    assert every_play(deal_of(state)) == plays


def play_out(state: game.MatchState, played: tuple[int, ...], plays: Plays) -> None:
    """Add every way to play the deal out in the readable engine, and its result."""
    deal = deal_of(state)
    if state.phase is not game.Phase.PLAYING:
        plays[played] = Result.alone(deal)
        return
    for action in game.legal_actions(state, deal.turn):
        assert isinstance(action, game.Play)
        play_out(after(state, action), (*played, action.card.index), plays)


MOST_PLAYS: Final = 3000 if INTERPRETED else 10**9
"""Largest number of ways to play that is counted."""

ONE_PACK: Final = [path for path in PATHS if read_counts(path).state.rules.deck.packs == 1]
PLAYED_OUT: Final = [path for path in ONE_PACK if read_counts(path).ends]


@pytest.mark.parametrize("path", ONE_PACK[:: few(6, 1)], ids=lambda path: path.stem)
def test_the_kernel_counts_as_many_ways_to_play(path: Path) -> None:
    expected = read_counts(path)
    plays = [ways for ways in expected.plays if ways <= MOST_PLAYS]
    assert count_plays(deal_of(expected.state), len(plays)) == plays


@pytest.mark.parametrize("path", PLAYED_OUT, ids=lambda path: path.stem)
def test_the_kernel_counts_as_many_ways_to_end(path: Path) -> None:
    expected = read_counts(path)
    plays = every_play(deal_of(expected.state))
    assert Counter(result.points for result in plays.values()) == expected.ends


def count_plays(deal: game.DealState, depth: int) -> list[int]:
    """Number of ways to play one card, two, and so on."""
    rows = np.zeros(depth, DEAL)
    rows[:1] = position(deal)
    ways = np.zeros(depth, np.int64)
    code("stepping.count_plays")(encode(deal.rules), rows, ways)
    return [int(number) for number in ways]
