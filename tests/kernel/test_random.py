"""Deals and matches at random: the same from a seed in both engines, however the work is cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit import after, deal_of, dealt, recounted, rulesets, seeds, start
from kit.kernels import KNOWN, Result, any_table
from numba import types

from volte import game
from volte.bots import chosen_moon
from volte.cards import Card, cards_in
from volte.fair import SplitMix64, split
from volte.fair.chance import GAMMA, MASK, mix
from volte.kernel import (
    RANDOM_POLICY,
    Records,
    choices,
    play_deals,
    play_matches,
    play_on,
    position,
)
from volte.kernel.batch import Batch
from volte.kernel.compiler import INTERPRETED, U, entry, nth
from volte.kernel.deals import undealt
from volte.rules import Ending, EndKind, MatchEnd, Ruleset, Stakes, check_books, make_ruleset
from volte.view import View

FEW: Final = 6
"""Number of deals that both engines play."""

MATCHES: Final = 3
"""Number of matches that both engines play."""

MANY: Final = 60 if INTERPRETED else 20_000
"""Deals that the kernel plays alone: more than a thread takes at a time."""

REDRAWN: Final = {
    "the shuffle": (9_087_047, 3),
    "a pass": (55_663_046, 3),
    "a play": (631_297_853, 0),
}
"""Deals of seed 0 at a table of four, by number of cards passed."""

tables = pytest.mark.parametrize(("preset", "players"), KNOWN)
any_rules = any_table() | recounted(rulesets())
firsts = st.integers(0, 2**62 - FEW)


# Deals


@tables
def test_deals_at_every_table_are_those_of_the_readable_engine(preset: str, players: int) -> None:
    check_deals(make_ruleset(preset, {"players": players}), seed=players)


@given(any_rules, seeds)
def test_deals_at_any_table_are_those_of_the_readable_engine(rules: Ruleset, seed: int) -> None:
    check_deals(rules, seed)


def check_deals(rules: Ruleset, seed: int) -> None:
    """Check that the deals of a seed are those of a match, as long as it does not end."""
    state = start_of(replace(rules, ending=Ending(MatchEnd(EndKind.DEALS, FEW))), dealer=0)
    for number, result in enumerate(results(play_deals(rules, seed, FEW), rules)):
        state = play_deal(state, split(seed, number))
        assert result == Result.alone(deal_of(state))


@pytest.mark.parametrize(
    ("deal", "pass_count"), REDRAWN.values(), ids=[f"in {what}" for what in REDRAWN]
)
def test_a_number_that_is_drawn_again_shifts_those_that_follow(deal: int, pass_count: int) -> None:
    """The fair draw does so in about one deal in four million."""
    rules, word = make_ruleset("coeurs", {"pass_count": pass_count}), split(0, deal)
    *_, (end, chance) = steps_of_deal(start_of(rules, dealer=deal % 4), SplitMix64(word))
    numbers = 51 + 4 * pass_count + 52
    assert chance == (word + (numbers + 1) * GAMMA) % 2**64
    expected = Result.of(deal_of(end), end.deals[-1])
    assert results(play_deals(rules, 0, 2, first=deal - 1), rules)[1] == expected
    assert results(play_deals(rules, 0, 2, first=deal), rules)[0] == expected
    assert results(play_on(rules, undealt(rules, 0, range(deal, deal + 1))), rules) == [expected]


@given(any_rules, seeds)
def test_a_deal_is_played_on_from_any_step_to_the_same_end(rules: Ruleset, seed: int) -> None:
    *on_the_way, (end, _) = steps_of_deal(start_of(rules, dealer=0), SplitMix64(seed))
    rows = [position(deal_of(state), chance) for state, chance in on_the_way]
    ends = set(results(play_on(rules, np.concatenate(rows)), rules))
    assert ends == {Result.alone(deal_of(end))}


@tables
def test_S6_the_points_add_up(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players})
    for result in results(play_deals(rules, players, MANY // 20), rules):
        check_books(rules, result.score)


# However the work is cut


@given(any_rules, seeds, firsts, st.lists(st.integers(0, FEW), max_size=3))
def test_a_deal_does_not_depend_on_the_others_of_its_call(
    rules: Ruleset, seed: int, first: int, cuts: list[int]
) -> None:
    whole = play_deals(rules, seed, FEW, first=first)
    edges = pairwise([0, *sorted(cuts), FEW])
    parts = [play_deals(rules, seed, end - begin, first=first + begin) for begin, end in edges]
    assert np.concatenate(parts).tobytes() == whole.tobytes()
    assert whole["dealer"].tolist() == [(first + deal) % rules.players for deal in range(FEW)]


@given(any_rules, seeds, firsts)
def test_both_loops_play_the_same_deals(rules: Ruleset, seed: int, first: int) -> None:
    """One loop is for random players alone, the other asks each seat's policy."""
    outcomes = play_on(rules, undealt(rules, seed, range(first, first + FEW)))
    assert outcomes.tobytes() == play_deals(rules, seed, FEW, first=first).tobytes()


@given(any_rules, seeds)
def test_a_batch_that_goes_on_plays_the_same_deals(rules: Ruleset, seed: int) -> None:
    """Every card is drawn from its deal's own generator."""
    size = 2
    batch = Batch(rules, size, seed, again=True)
    chances = [SplitMix64(int(word)) for word in batch.deals["chance"]]
    ends: list[list[Result]] = [[] for _ in range(size)]
    while min(map(len, ends)) < FEW // size:
        hands = [cards_in(int(mask)) for mask in batch.legal]
        drawn = [chance.choice(hand) for chance, hand in zip(chances, hands, strict=True)]
        batch.step(np.array([card.index for card in drawn]))
        for row in np.flatnonzero(batch.finished):
            ends[row].append(Result.read(batch.outcomes[row], rules.players))
            chances[row] = SplitMix64(int(batch.deals["chance"][row]))
    expected = results(play_deals(rules, seed, FEW), rules)
    assert [row[: FEW // size] for row in ends] == [expected[row::size] for row in range(size)]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_change_nothing(threads: int) -> None:
    """The place where a long call is cut for them does not matter either."""
    rules = make_ruleset("salon", {"players": 5})
    parts = [play_deals(rules, 7, FEW), play_deals(rules, 7, MANY - FEW, first=FEW)]
    whole = np.concatenate(parts).tobytes()
    assert play_deals(rules, 7, MANY, threads=threads).tobytes() == whole
    assert play_deals(rules, 7, MANY, [RANDOM_POLICY] * 5, threads=threads).tobytes() == whole


# Matches


@tables
def test_matches_at_every_table_are_those_of_the_readable_engine(preset: str, players: int) -> None:
    check_matches(make_ruleset(preset, {"players": players}), seed=players)


@given(any_rules, seeds, firsts)
def test_matches_at_any_table_are_those_of_the_readable_engine(
    rules: Ruleset, seed: int, first: int
) -> None:
    check_matches(rules, seed, first)


def check_matches(rules: Ruleset, seed: int, first: int = 0) -> None:
    """Compare matches without stakes: with a pot, a shooter would choose otherwise (W7)."""
    rules = replace(rules, stakes=Stakes())
    played = play_matches(rules, seed, MATCHES, first=first)
    told = iter(results(played.outcomes, rules))
    for place in range(MATCHES):
        word = split(seed, first + place)
        state = start_of(rules, dealer=SplitMix64(split(word, 0)).below(rules.players))
        while state.phase is not game.Phase.ENDED:
            state = play_deal(state, split(word, len(state.deals) + 1))
            assert next(told) == Result.of(deal_of(state), state.deals[-1])
        assert played.lengths[place] == len(state.deals)
        assert played.totals[place].tolist() == list(state.totals)
    assert next(told, None) is None


@pytest.mark.parametrize("threads", [1, 3])
def test_a_match_does_not_depend_on_the_others_of_its_call(threads: int) -> None:
    """Threads, and the number of matches side by side, do not matter either."""
    rules = make_ruleset("coeurs", {"match_end": "deals:2"})
    whole = play_matches(rules, 7, MANY)
    cut = MANY // 3
    parts = (
        play_matches(rules, 7, cut, threads=threads),
        play_matches(rules, 7, MANY - cut, first=cut, threads=threads),
    )
    for name in whole._fields:
        joined = np.concatenate([getattr(part, name) for part in parts])
        assert joined.tobytes() == getattr(whole, name).tobytes()


def test_no_deals_and_no_matches() -> None:
    rules = make_ruleset("coeurs")
    assert play_deals(rules, 7, 0).shape == (0,)
    assert [part.shape for part in play_matches(rules, 7, 0)] == [(0,), (0,), (0, 4)]


# Equal chances

HANDS: Final = ("C: 2 S: A H: 37", "C: 35 D: 23", "C: 46 D: 45")


def test_every_legal_card_is_equally_likely() -> None:
    check_even(dealt("coeurs", *HANDS), ways=4, most=16.27)


def test_every_pass_is_equally_likely() -> None:
    check_even(dealt("coeurs", *HANDS, pass_count=2), ways=6, most=20.52)


def check_even(state: game.MatchState, ways: int, most: float) -> None:
    """Draw by a thousand generators for each way; chi-square exceeds `most` once in 1,000 times."""
    rows = np.repeat(position(deal_of(state)), 1000 * ways)
    rows["chance"] = np.arange(len(rows))
    counts = Counter(choices(state.rules, rows).tolist())
    assert len(counts) == ways
    assert sum((count - 1000) ** 2 for count in counts.values()) / 1000 < most


# The readable engine


def start_of(rules: Ruleset, dealer: int) -> game.MatchState:
    """A match before its first deal, without stakes."""
    return after(game.replay([start(replace(rules, stakes=Stakes()))]), game.NameDealer(dealer))


def play_deal(state: game.MatchState, word: int) -> game.MatchState:
    """The state after the next deal, played at random from that state of the generator."""
    *_, (state, _) = steps_of_deal(state, SplitMix64(word))
    return state


def steps_of_deal(
    state: game.MatchState, chance: SplitMix64
) -> Iterator[tuple[game.MatchState, int]]:
    """Yield each state, and the generator's: dealt, passed in the order of seats, and played."""
    order = chance.permutation(len(state.rules.cards))
    state = after(state, game.DealCards(tuple(state.rules.cards[place] for place in order)))
    yield state, chance.state
    while state.phase is game.Phase.PASSING:
        seat = game.to_act(state)[0]
        state = after(state, game.Pass(seat, draw_pass(state, seat, chance)))
        yield state, chance.state
    while state.phase is game.Phase.PLAYING:
        deal = deal_of(state)
        state = after(state, game.Play(deal.turn, chance.choice(cards_in(game.legal_cards(deal)))))
        yield state, chance.state
    if state.phase is game.Phase.CHOOSING:
        assert state.shooter is not None
        choice = chosen_moon(View(state.shooter, state))
        assert choice is not None
        yield after(state, choice), chance.state


def draw_pass(state: game.MatchState, seat: int, chance: SplitMix64) -> tuple[Card, ...]:
    """Draw a pass card by card from the rest of the hand, in that order."""
    left = list(cards_in(deal_of(state).hands[seat]))
    drawn = []
    for _ in range(deal_of(state).pass_size):
        drawn.append(chance.choice(left))
        left.remove(drawn[-1])
    return tuple(drawn)


def results(outcomes: Records, rules: Ruleset) -> list[Result]:
    return [Result.read(outcome, rules.players) for outcome in outcomes]


MOST_DRAWN: Final = 125
"""Most numbers that any of these deals draws."""


def unmix(word: int) -> int:
    """The word that `mix` turns into this one."""
    word = unshift(word, 31) * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    word = unshift(word, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return unshift(word, 30)


def unshift(word: int, by: int) -> int:
    """The word whose exclusive-or with itself, shifted, is this one."""
    found = word
    for _ in range(64 // by):
        found = word ^ found >> by
    return found


def seed_whose_deal_draws_zero(number: int) -> int:
    """A seed whose first deal draws 32 zero bits at that place (from 0), as most counts refuse."""
    start = -(number + 1) * GAMMA & MASK  # `mix` makes 0 of 0
    return unmix(start) - GAMMA & MASK


@given(word=st.integers(0, MASK))
def test_unmix_takes_mix_back(word: int) -> None:
    assert unmix(mix(word)) == word


@pytest.mark.parametrize(
    ("preset", "players"),
    [("microsoft", 4), ("salon", 3), ("coeurs", 5), ("salon-six-jokers", 6), ("coeurs", 7)],
)
def test_number_that_is_drawn_again_shifts_all_that_follow(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players})
    for number in range(0, MOST_DRAWN, 25 if INTERPRETED else 1):
        seed = seed_whose_deal_draws_zero(number)
        drawn_one_by_one = play_on(rules, undealt(rules, seed, range(3)))
        assert (play_deals(rules, seed, 3) == drawn_one_by_one).all()


@entry(types.uint64(types.uint64, types.uint64))
def chosen(mask: U, number: U) -> U:
    """Call `nth`, as only entry points can be called from here."""
    return nth(mask, number)


compiled_chosen = chosen()


@given(mask=st.integers(1, 2**54 - 1), data=st.data())
def test_nth_card_of_a_mask(mask: int, data: st.DataObject) -> None:
    bits = [1 << place for place in range(54) if mask >> place & 1]
    number = data.draw(st.integers(0, len(bits) - 1))
    assert int(compiled_chosen(U(mask), U(number))) == bits[number]
