"""Second looks: a thing due by the wall clock is done then, if it was due at the first look."""

from __future__ import annotations

import pytest
from kit.postgres import on_both, on_sqlite

from volte.store.second_look import DUE, SecondLook
from volte.store.store import Store

TEN = 600.0
DAY = 86_400.0
START = 1e9


class Clocks:
    """The two clocks of a node: one that can be set, and one that cannot."""

    def __init__(self) -> None:
        self.wall, self.steady = START, 50.0

    def go_by(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


def node(store: Store, clocks: Clocks) -> SecondLook:
    """A node that has just been started."""
    writer = store.second_look._writer
    return SecondLook(store._reader, writer, lambda: clocks.wall, lambda: clocks.steady)


async def notes(store: Store) -> dict[str, float]:
    return {row.what: row.noted for row in await store._reader.rows(DUE.select())}


async def test_what_is_due_is_noted_and_done_after_ten_minutes(
    store: Store, clocks: Clocks
) -> None:
    looks = node(store, clocks)
    assert await looks.past("friday") == 0
    assert await notes(store) == {"friday": START}
    for _ in range(9):
        clocks.go_by(TEN / 10)
        await looks.look()
        assert await looks.past("friday") == 0
    clocks.go_by(TEN / 10)
    assert await looks.past("friday") == START  # and nothing that has become due since
    assert await notes(store) == {}
    assert await looks.past("friday") == 0


@on_sqlite
async def test_a_clock_that_is_wrong_for_a_moment_makes_nothing_due(
    store: Store, clocks: Clocks
) -> None:
    """Nor does a second wrong moment later."""
    looks = node(store, clocks)
    for _ in range(2):
        clocks.wall += 2 * DAY
        assert await looks.past("friday") == 0
        assert await notes(store) == {"friday": clocks.wall}
        clocks.go_by(5)
        assert await looks.past("friday") == 0
        clocks.wall -= 2 * DAY
        await looks.look()
        assert await notes(store) == {}
        clocks.go_by(TEN)


@on_sqlite
async def test_a_note_of_the_future_is_none_though_nobody_has_looked_since(
    store: Store, clocks: Clocks
) -> None:
    looks = node(store, clocks)
    clocks.wall += DAY
    await looks.past("friday")
    clocks.go_by(TEN)
    clocks.wall -= DAY
    assert await looks.past("friday") == 0
    assert await notes(store) == {"friday": clocks.wall}


@on_sqlite
async def test_what_was_found_due_before_the_clock_was_set_back_is_not_noted(
    store: Store, clocks: Clocks
) -> None:
    looks = node(store, clocks)
    assert await looks.past("friday", at=START + DAY) == 0
    assert await notes(store) == {}
    assert await looks.past("friday", at=START) == 0
    assert await notes(store) == {"friday": START}


@on_sqlite
async def test_the_ten_minutes_are_those_of_the_clock_that_nobody_sets(
    store: Store, clocks: Clocks
) -> None:
    looks = node(store, clocks)
    await looks.past("friday")
    clocks.wall += TEN
    assert await looks.past("friday") == 0
    clocks.steady += TEN
    assert await looks.past("friday") == START


@on_sqlite
async def test_a_restart_begins_the_ten_minutes_anew(store: Store, clocks: Clocks) -> None:
    await node(store, clocks).past("friday")
    clocks.go_by(TEN)
    again = node(store, clocks)
    assert await again.past("friday") == 0
    clocks.go_by(TEN)
    assert await again.past("friday") == START


@on_both
async def test_of_two_nodes_the_clock_that_is_behind_decides(store: Store, clocks: Clocks) -> None:
    wrong = Clocks()
    wrong.wall += DAY
    right, ahead = node(store, clocks), node(store, wrong)
    for _ in range(3):
        await ahead.past("friday")
        await right.look()
        assert await notes(store) == {}
        wrong.go_by(TEN)
        clocks.go_by(TEN)


async def test_a_note_that_nobody_asks_about_any_more_goes_after_a_day(
    store: Store, clocks: Clocks
) -> None:
    looks = node(store, clocks)
    await looks.past("friday")
    clocks.go_by(DAY + 1)
    await looks.look()
    assert await notes(store) == {}


@on_sqlite
async def test_without_a_second_look_all_is_done_at_the_first(store: Store, clocks: Clocks) -> None:
    looks = node(store, clocks)
    looks.seconds = 0.0
    clocks.wall += DAY
    assert await looks.past("friday") == looks.now() == clocks.wall
    assert await notes(store) == {}


@on_sqlite
async def test_a_clock_that_is_set_ahead_is_believed_after_ten_minutes(
    store: Store, clocks: Clocks
) -> None:
    looks = node(store, clocks)
    clocks.go_by(3 * DAY)
    assert looks.now() == clocks.wall
    clocks.wall += DAY
    assert (looks.now(), looks.ahead) == (clocks.wall - DAY, DAY)
    clocks.go_by(TEN - 1)
    assert looks.now() == clocks.wall - DAY
    clocks.go_by(1)
    assert (looks.now(), looks.ahead) == (clocks.wall, 0)


@on_sqlite
async def test_a_clock_that_is_set_back_is_believed_at_once(store: Store, clocks: Clocks) -> None:
    looks = node(store, clocks)
    clocks.wall -= DAY
    assert (looks.now(), looks.ahead) == (clocks.wall, 0)
    clocks.wall += DAY + 30  # less than a minute away from what it was
    assert looks.now() == clocks.wall - DAY - 30
