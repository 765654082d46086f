"""Luck at a playroom of tests, where it is otherwise left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from kit.matches import played
from kit.sites import Playroom

from volte.bots.reviewing import luck_of
from volte.history.luck_reckoner import LuckReckoner
from volte.rules import make_ruleset


@contextmanager
def telling_luck(playroom: Playroom) -> Iterator[None]:
    """Inside the context, luck is worked out in a playroom, as at any server with the extra
    `strong`."""
    luck = playroom.site.room[LuckReckoner]
    luck_of(played(make_ruleset("coeurs"), 1))  # compiles what people would wait for

    async def begin() -> None:
        luck.begin()

    playroom.do(begin())
    try:
        yield
    finally:
        playroom.do(luck.close())


@pytest.fixture
def luck_is_told(playroom: Playroom) -> Iterator[None]:
    """Luck is worked out in this playroom."""
    with telling_luck(playroom):
        yield
