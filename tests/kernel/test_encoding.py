"""Rulesets as rows of the kernel, and the ones that it refuses."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import few
from kit.kernels import any_table
from numpy.typing import NDArray

from volte.cards import CARDS, PACK_SIZE, SUIT_MASKS, Card, Suit, cards_in
from volte.kernel import KernelFault, encode
from volte.kernel.layout import MOST_STEPS, SCATTERED
from volte.rules import (
    Deck,
    Direction,
    Duties,
    Duty,
    Ruleset,
    excluded_beside,
    legal_mask,
    make_ruleset,
)

ONE_PACK: Final = (1 << PACK_SIZE) - 1


@given(any_table(), st.integers(0, 2**64 - 1))
def test_the_duties_leave_what_those_of_the_ruleset_leave(rules: Ruleset, seed: int) -> None:
    """They also prove as much; a duty that changes nothing has no place in the kernel."""
    (row,), rng = encode(rules), random.Random(seed)
    for gathered, broken in product(range(rules.hand_size), (0, 1)):
        check_duties(
            rules.leader_duties[gathered][broken],
            row["leader"][gathered, broken],
            rules.deck_mask,
            rng,
        )
        for led, had_chance in product(Suit, (0, 1)):
            follow, *due = rules.follower_duties[gathered][led][broken][had_chance]
            assert follow == Duty("T1", SUIT_MASKS[led])
            kept = row["discard"][gathered, led, broken, had_chance]
            check_duties(due, kept, rules.deck_mask & ~SUIT_MASKS[led], rng)
            assert not (row["plain"][gathered] and any(mask != ONE_PACK for mask in kept))


def check_duties(
    due: Sequence[Duty], kept: NDArray[np.uint64], cards: int, rng: random.Random
) -> None:
    """Check the duties with a random hand of those cards."""
    hand = cards & rng.getrandbits(PACK_SIZE) & rng.choice((-1, rng.getrandbits(PACK_SIZE)))
    mine, theirs = tuple(Duty("", mask) for mask in kept.tolist()), tuple(due)
    assert legal_mask(hand, mine) == legal_mask(hand, theirs)
    for card in cards_in(hand):
        assert excluded_beside(card, mine) & cards == excluded_beside(card, theirs) & cards


@given(any_table(), st.integers(0, ONE_PACK))
@settings(max_examples=few(5, 40))
def test_cards_count_what_the_ruleset_says(rules: Ruleset, mask: int) -> None:
    (row,) = encode(rules)
    kinds = zip(row["kind_masks"].tolist(), row["kind_values"].tolist(), strict=True)
    assert sum(points * (kind & mask).bit_count() for kind, points in kinds) == rules.points_in(
        mask
    )
    assert row["values"].tolist() == [rules.values.get(card, 0) for card in CARDS[:PACK_SIZE]]


@given(any_table(), st.integers(1, 1000))
@settings(max_examples=few(5, 40))
def test_passes_go_where_the_ruleset_says(rules: Ruleset, deal: int) -> None:
    (row,) = encode(rules)
    step = int(row["steps"][(deal - 1) % row["cycle_length"]])
    assert (step == SCATTERED) == (rules.direction(deal) is Direction.SCATTER)
    for seat in range(rules.players) if step != SCATTERED else ():
        taker = rules.direction(deal).target(seat, rules.players)
        assert (seat + step) % rules.players == taker


def test_a_table_is_made_once_and_does_not_change() -> None:
    table = encode(make_ruleset("salon"))
    assert encode(make_ruleset("salon")) is table
    with pytest.raises(ValueError, match="read-only"):
        table["players"] = 5


# Rulesets that do not fit


def test_a_cycle_of_passes_may_be_so_long_and_no_longer() -> None:
    encode(with_cycle(MOST_STEPS))
    assert refusal(with_cycle(MOST_STEPS + 1)) == ("kernel_cycle", {"most": MOST_STEPS})


def test_a_cycle_in_which_nothing_is_passed_may_have_any_length() -> None:
    (row,) = encode(with_cycle(MOST_STEPS + 1, pass_count=0))
    assert (row["cycle_length"], row["steps"][0]) == (1, 0)


def test_two_packs_do_not_fit() -> None:
    assert refusal(Ruleset(deck=TwoPacks())) == ("kernel_packs", {})


def test_eight_players_do_not_fit() -> None:
    assert refusal(Eight()) == ("kernel_seats", {"players": 8, "most": 7})


def test_duties_that_the_kernel_has_no_place_for_do_not_fit() -> None:
    assert refusal(MoreForLeaders()) == ("kernel_duties", {"clause": "T9"})
    assert refusal(MoreForFollowers()) == ("kernel_duties", {"clause": "T9"})


def test_whoever_need_not_follow_suit_does_not_fit() -> None:
    assert refusal(AnySuit()) == ("kernel_duties", {"clause": "T9"})


def with_cycle(length: int, pass_count: int = 3) -> Ruleset:
    return make_ruleset("salon", {"pass_cycle": ["left"] * length, "pass_count": pass_count})


def refusal(rules: Ruleset) -> tuple[str, dict[str, object]]:
    with pytest.raises(KernelFault) as caught:
        encode(rules)
    return caught.value.reason, caught.value.params


# Rulesets of a wider family, as `volte.rules` may have them one day

NEW: Final = Duty("T9", SUIT_MASKS[Suit.SPADES])
MANY: Final = tuple(Duty("T9", card.bit) for card in CARDS[10:18])
"""More duties than there is room for, whichever suit is led."""


class TwoPacks(Deck):
    @cached_property
    def cards(self) -> tuple[Card, ...]:
        return CARDS


class Eight(Ruleset):
    @cached_property
    def players(self) -> int:
        return 8


class MoreForLeaders(Ruleset):
    @cached_property
    def leader_duties(self) -> tuple[tuple[Duties, ...], ...]:
        return ((MANY[:3],) * 2,) * self.hand_size


class MoreForFollowers(Ruleset):
    @cached_property
    def follower_duties(self) -> tuple[tuple[tuple[tuple[Duties, ...], ...], ...], ...]:
        follow = [Duty("T1", suit) for suit in SUIT_MASKS]
        return (tuple((((first, *MANY),) * 2,) * 2 for first in follow),) * self.hand_size


class AnySuit(Ruleset):
    @cached_property
    def follower_duties(self) -> tuple[tuple[tuple[tuple[Duties, ...], ...], ...], ...]:
        return (((((NEW,),) * 2,) * 2,) * 4,) * self.hand_size
