"""Two people at one table."""

from __future__ import annotations

from typing import Any

from page.means import action, press
from page.players import Player


def sit_together(host: Player, friend: Player, name: str = "microsoft", **rules: Any) -> None:
    """Both at a table of the host's, with two bots; the match begins."""
    table = host.open_table(name, levels=["", "casual", "casual"], **rules)
    host.sit_down(table)
    friend.sit_down(table)
    press(friend, "Sit 1")
    action(friend, "Stand").wait_for()
    press(host, "Start")
    for each in (host, friend):
        each.page.wait_for_selector("#hand [role=option]")
        each.take_focus()


def asked(*players: Player) -> Player | None:
    """Whose turn it is; None where the deal is over."""
    while True:
        for each in players:
            may = each.scene["may"]
            if "Pass" in may or "Play" in may:
                return each
            if each.scene["phase"] in ("between", "ended"):
                return None
        players[0].page.wait_for_timeout(20)
