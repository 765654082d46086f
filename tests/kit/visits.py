"""Several people who visit the pages of one server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Protocol

import pytest
from kit.browsing import Visitor
from kit.sites import Playroom


class Visit(Protocol):
    """Opens a browser; somebody without a name has no session."""

    def __call__(self, name: str = "", lang: str = "en") -> Visitor: ...


@pytest.fixture
def visit(playroom: Playroom) -> Iterator[Visit]:
    with ExitStack() as browsers:

        def come(name: str = "", lang: str = "en") -> Visitor:
            visitor = browsers.enter_context(Visitor(playroom.address, lang))
            if name:
                visitor.come_in(name)
            return visitor

        yield come
