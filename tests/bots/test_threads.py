"""A search that several threads share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bots.moments import choices, seen_by
from bots.searching import one_deal, untimed
from hypothesis import given
from hypothesis import strategies as st

from volte.bots import Clock, make_bot, think
from volte.bots.search import STYLES, Search
from volte.bots.worlds import spread
from volte.rules import make_ruleset
from volte.view import View

SOME = Clock(simulations=900)


def views() -> Iterator[View]:
    """Of seats that have to act, at two tables."""
    for preset, players in (("microsoft", 4), ("coeurs", 5)):
        rules = one_deal(make_ruleset(preset, {"players": players}))
        for moment in choices(rules, 7, 4):
            yield seen_by(moment.seat, moment.state)


@pytest.mark.parametrize("threads", [2, 3])
def test_a_search_finds_the_same_on_any_number_of_threads(threads: int) -> None:
    for view in views():
        for style in STYLES.values():
            alone = Search(style, 5).think(view, SOME)
            together = Search(style, 5, threads).think(view, SOME)
            assert untimed(together) == untimed(alone)


def test_the_number_of_threads_does_not_matter_to_levels_that_do_not_search() -> None:
    for view in views():
        assert (
            think(make_bot("casual", threads=4), view, SOME).action
            == think(make_bot("casual"), view, SOME).action
        )


@given(st.integers(1, 5), st.integers(1, 60), st.integers(1, 20))
def test_every_row_is_done_once_in_slices_as_even_as_steps_allow(
    threads: int, count: int, step: int
) -> None:
    done: list[slice] = []
    spread(threads, done.append, count, step)
    done.sort(key=lambda some: some.start)
    assert [row for some in done for row in range(some.start, some.stop)] == list(range(count))
    assert all(some.start % step == 0 for some in done)
    sizes = [-(-(some.stop - some.start) // step) for some in done]
    assert len(done) <= threads
    assert max(sizes) <= min(sizes) + 1


@pytest.mark.parametrize("row", [0, 5])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_slice_raises_passes_through_once_all_have_ended(threads: int, row: int) -> None:
    done: list[int] = []

    def work(some: slice) -> None:
        done.extend(range(some.start, some.stop))
        if row in done[-(some.stop - some.start) :]:
            raise ValueError("that one")

    with pytest.raises(ValueError, match="that one"):
        spread(threads, work, 6)
    assert sorted(done) == list(range(6))
