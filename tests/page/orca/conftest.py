"""Stories by ear, each in a playroom of its own where every match is the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import pytest
from kit.orca.desk import Desk, missing
from kit.orca.playroom import Guest, stacked
from kit.sites import Playroom, open_playroom

ByEar: TypeAlias = Callable[..., Any]
"""Lives through a story; its other arguments are those of `Guest`."""

SEED: Final = 7


@pytest.fixture(autouse=True)
def everything_is_there() -> None:
    if missing():
        pytest.skip(f"missing for Orca: {missing()}")


@pytest.fixture(params=["fr", "en"])
def lang(request: pytest.FixtureRequest) -> str:
    language: str = request.param
    return language


@pytest.fixture
def by_ear(tmp_path_factory: pytest.TempPathFactory, lang: str) -> ByEar:
    def live(story: Callable[[Playroom, Guest, Desk], Any], name: str = "Zoé", **more: Any) -> Any:
        with (
            open_playroom(tmp_path_factory.mktemp("playroom")) as playroom,
            stacked(playroom, SEED),
            Guest(playroom, lang, name, **more) as guest,
            Desk(lang) as desk,
        ):
            return story(playroom, guest, desk)

    return live
