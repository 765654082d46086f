"""A server, and people who visit its pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.browsing import Visitor, visitor
from kit.sites import Playroom, playroom, shared_site, site, site_with
from kit.stores import other, store

__all__ = [
    "other",
    "playroom",
    "shared_site",
    "site",
    "site_with",
    "store",
    "visitor",
]


@pytest.fixture
def zoé(visitor: Visitor) -> Visitor:
    """A visitor who has come in as the guest Zoé."""
    visitor.come_in("Zoé")
    return visitor


@pytest.fixture
def another(playroom: Playroom) -> Iterator[Visitor]:
    """Another browser, with a user agent, and without a session."""
    with Visitor(playroom.address, "fr") as somebody:
        agent = "Mozilla/5.0 (X11; Linux x86_64; rv:1.0) Gecko Firefox/140.0"
        somebody.client.headers["user-agent"] = agent
        yield somebody
