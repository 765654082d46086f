"""A search that several threads share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bots.moments import choices, seen_by
from bots.searching import one_deal, untimed

from volte.bots import Clock, make_bot, think
from volte.bots.search import STYLES, Search
from volte.bots.spread import spread
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


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_part_raises_passes_through(threads: int) -> None:
    def work(part: int) -> None:
        if part == 3:
            raise ValueError("three")

    with pytest.raises(ValueError, match="three"):
        spread(threads, work, range(6))
