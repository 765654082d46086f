"""A page plays over the line to its worker as over one to a server."""

from __future__ import annotations

import pytest
from kit.alone import Page, PlayerAlone
from kit.live import QUICK
from kit.people import Lost
from kit.solo import SlowKeeper
from kit.tables import setup

from volte.solo.kept import KeptStore
from volte.solo.room import SoloRoom
from volte.wire.messages import Closing, Question


async def opened(keeper: SlowKeeper) -> str:
    """The id of a table at which nobody has been yet."""
    return await SoloRoom(KeptStore(keeper), "en", QUICK).open(setup(), ["casual"] * 3)


async def test_a_match_begins_by_itself_and_goes_on_in_the_next_window() -> None:
    keeper = SlowKeeper()
    table = await opened(keeper)
    player = PlayerAlone(Page(keeper))
    await player.join(table, told=True)
    await player.hurry()
    await player.play(player.view_is_mine)
    assert player.scenes[-1].may
    assert (await player.ask(Question.HAND)).lines
    number = player.number
    again = PlayerAlone(Page(keeper))
    await again.join(table)
    assert again.number >= number
    await again.hurry()
    await again.play()
    assert again.over()
    assert (await again.ask(Question.SHEET)).lines
    await again.leave()
    await player.leave()


async def test_a_line_that_cannot_be_served_says_why() -> None:
    keeper = SlowKeeper()
    player = PlayerAlone(Page(keeper))
    with pytest.raises(Lost):
        await player.join("nowhere")
    assert (player.closed, player.notices[-1].reason) == (Closing.NO_TABLE, "no_table")

    async def away(beginning: str) -> str:
        return ""

    player.page.texts = away  # type: ignore[method-assign]
    with pytest.raises(Lost):
        await player.join("nowhere")
    assert (player.closed, player.notices[-1].reason) == (Closing.MOVED_AWAY, "unavailable")
