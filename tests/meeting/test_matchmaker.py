"""The matchmaker: people who press come together, at one node or two, whatever goes wrong."""

from __future__ import annotations

import pytest
from kit.meeting import Stranger, parted, people_at
from kit.sites import Site, SiteWith


@pytest.fixture
async def node(site_with: SiteWith, database: str) -> Site:
    """A single node, over each kind of database in turn."""
    return await site_with(database)


async def test_whoever_presses_second_is_seated_with_the_first_at_once(node: Site) -> None:
    anne, bert = await Stranger.come([node], "Anne", "Bert")
    table = await anne.press(levels=(), begin=False)
    assert await bert.press() == table
    assert bert.opened == []
    await bert.at(table)
    assert people_at([node], table) == ["anne", "bert"]
    await parted(anne, bert)
