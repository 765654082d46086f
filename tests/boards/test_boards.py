"""Deals that are played again by a link: the same for everybody, and results only afterwards."""

from __future__ import annotations

from kit import SiteWith
from kit.boards import board_page, deal_log, dealt, shared, tried


async def test_whoever_plays_alike_meets_the_same_deal_card_by_card(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, row = await dealt(site)
    board = await shared(zoe, row)
    assert len(board) == 32
    max_, eve = [await tried(site, board, name, 1) for name in ("Max", "Eve")]
    other = await tried(site, board, "Lou", 2)
    logs = [await deal_log(site, each) for each in (max_, eve, other)]
    assert logs[0] == logs[1]
    assert logs[0][0] == logs[2][0]
    assert logs[0] != logs[2]
    page = await board_page(max_, board)
    assert page.wrong == []
    assert "The same plays as yours." in page.text
