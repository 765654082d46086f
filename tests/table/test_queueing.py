"""Who is next, of those that wait for a bot to think."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from volte.table.workers import FairQueue

waiting = st.lists(st.integers(0, 5), max_size=40)
"""Owners, in the order in which they put something."""


def line_of(owners: list[int]) -> FairQueue[tuple[int, int]]:
    """What is put bears its owner and its place."""
    line = FairQueue[tuple[int, int]]()
    for place, owner in enumerate(owners):
        line.put(owner, (owner, place))
    return line


@given(waiting)
def test_everything_is_taken_once_and_in_order_for_each_owner(owners: list[int]) -> None:
    line = line_of(owners)
    taken = [line.take() for _ in range(len(line))]
    assert not line
    for owner in set(owners):
        places = [place for each, place in taken if each == owner]
        assert places == [place for place, each in enumerate(owners) if each == owner]


@given(waiting)
def test_nobody_has_two_turns_more_than_another_who_waits(owners: list[int]) -> None:
    line = line_of(owners)
    left, turns = Counter(owners), Counter[int]()
    while line:
        owner, _ = line.take()
        left[owner] -= 1
        turns[owner] += 1
        assert all(turns[owner] <= turns[other] + 1 for other in +left)


@given(waiting, st.data())
def test_what_is_dropped_is_never_taken(owners: list[int], data: st.DataObject) -> None:
    line = line_of(owners)
    items = [(owner, place) for place, owner in enumerate(owners)]
    dropped = data.draw(st.lists(st.sampled_from(items), unique=True)) if items else []
    for owner, place in dropped:
        assert line.drop(owner, (owner, place))
        assert not line.drop(owner, (owner, place))
    taken = {line.take() for _ in range(len(line))}
    assert taken == set(items) - set(dropped)
