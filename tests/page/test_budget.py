"""How little the page of a table costs on the line: files are compressed and kept."""

from __future__ import annotations

import pytest
from kit.browser.line import Weighed
from kit.browser.players import Player

FIRST = 150_000
NEXT = 20_000
"""Bytes that may come at the first visit, and at one that finds all files kept."""

REQUESTS = 12
"""Before anything is opened or touched."""


def begun(player: Player) -> Weighed:
    """What a table at which cards are dealt has cost."""
    session = player.context.new_cdp_session(player.page)
    weighed = Weighed(session)
    player.begin("microsoft")
    player.page.wait_for_load_state("networkidle")
    session.detach()
    return weighed


def test_a_table_is_light_on_the_line_and_lighter_the_next_time(
    player: Player, request: pytest.FixtureRequest
) -> None:
    """As a newcomer has it, with all help; what comes when something is opened is not counted."""
    player.come_in(helped=False)
    first = begun(player)
    again = begun(player)
    for name, weighed in (("first", first), ("next", again)):
        request.node.user_properties.append((f"bytes at the {name} visit", weighed.total))
    assert first.total < FIRST, first.bytes
    assert len(first.bytes) <= REQUESTS, first.bytes
    assert not any("referee" in address for address in first.bytes)
    assert again.total < NEXT, again.bytes
    assert len(again.bytes) == 1, again.bytes
