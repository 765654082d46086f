"""The random loop draws beforehand, and cards are chosen by their number in a mask."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import types

from volte.fair.chance import GAMMA, MASK, mix
from volte.kernel import play_deals, play_on
from volte.kernel.compiler import INTERPRETED, U, entry, nth
from volte.kernel.deals import undealt
from volte.rules import make_ruleset

MOST_DRAWN: Final = 125
"""More numbers than any of these deals draws."""


def unmix(word: int) -> int:
    """The word that `mix` makes this one of."""
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
    """A seed whose first deal draws 32 zero bits there (from 0), which most counts refuse."""
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
    """Only entry points can be called from here."""
    return nth(mask, number)


compiled_chosen = chosen()


@given(mask=st.integers(1, 2**54 - 1), data=st.data())
def test_nth_card_of_a_mask(mask: int, data: st.DataObject) -> None:
    bits = [1 << place for place in range(54) if mask >> place & 1]
    number = data.draw(st.integers(0, len(bits) - 1))
    assert int(compiled_chosen(U(mask), U(number))) == bits[number]
