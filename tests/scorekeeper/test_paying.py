"""Payments between players, as few as possible."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.reasons import because

from volte.scorekeeper.model import SheetFault, StakeTransfer, payments


@st.composite
def nets(draw: st.DrawFn, most: int = 7) -> tuple[int, ...]:
    """Net stakes of players; small numbers, so that some groups of players cancel out."""
    stakes = draw(st.lists(st.integers(-6, 6), min_size=2, max_size=most - 1))
    return (*stakes, -sum(stakes))


def fewest(net: tuple[int, ...]) -> int:
    """The fewest payments, by trying every way to part the players into groups that cancel out."""
    owed = tuple(stakes for stakes in net if stakes)
    if not owed:
        return 0
    first, *rest = range(len(owed))
    sizes = []
    for count in range(len(rest) + 1):
        for others in combinations(rest, count):
            if owed[first] + sum(owed[place] for place in others) == 0:
                left = tuple(owed[place] for place in rest if place not in others)
                sizes.append(count + fewest(left))
    return min(sizes)


@given(nets())
def test_the_payments_are_exact_and_as_few_as_can_be(net: tuple[int, ...]) -> None:
    balance = list(net)
    found = payments(net)
    for each in found:
        assert each.giver is not None
        assert each.taker is not None
        assert each.stakes > 0
        balance[each.giver] += each.stakes
        balance[each.taker] -= each.stakes
    assert not any(balance)
    assert len(found) == fewest(net)
    assert payments(net) == found


@given(nets(most=8))
def test_the_pot_is_paid_like_a_player(net: tuple[int, ...]) -> None:
    *players, pot = net
    found = payments(players, pot)
    assert sum(each.stakes for each in found if each.taker is None) == max(0, pot)
    assert sum(each.stakes for each in found if each.giver is None) == max(0, -pot)
    assert len(found) == fewest(net)


def test_two_pairs_pay_among_themselves() -> None:
    assert payments((5, -3, 3, -5)) == (StakeTransfer(3, 0, 5), StakeTransfer(1, 2, 3))


def test_nobody_pays_where_nobody_has_won() -> None:
    assert payments((0, 0, 0)) == ()


def test_what_does_not_add_up_is_not_paid() -> None:
    with pytest.raises(SheetFault, check=because("does_not_add_up")):
        payments((1, 0, 0))
