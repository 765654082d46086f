"""Luck told at tables over the wire: never before the cards may be shown."""

from __future__ import annotations

from typing import Any, Final

import pytest
from kit import SiteWith
from kit.dealing import Stacker
from kit.playing import Player
from kit.sites import Site
from kit.tables import ANNE, Table, setup
from msgspec.structs import replace

from volte.extras import strong_installed
from volte.history.luck_reckoner import LuckReckoner, told_during
from volte.rules import make_ruleset
from volte.table import commands as cmd
from volte.table import decide

LUCKY: Final = 22
"""A seed whose first deal with a dear queen brings the first seat much bad luck."""

pytestmark = pytest.mark.skipif(not strong_installed(), reason="it needs the extra “strong”")


async def begun(site: Site, **more: Any) -> Player:
    """A person who plays with bots two deals, of which the first is a lucky one."""
    lobby = site.room.lobby
    lobby._services = replace(lobby._services, house=lambda: Stacker.from_seed(LUCKY))
    return await Player.begun(
        site.address, setup=setup("microsoft", match_end="deals:2", queen_points=100, **more)
    )


def told(player: Player, reason: str) -> list[str]:
    return [each.line for each in player.notices if each.reason == reason]


async def test_a_lucky_deal_is_told_after_the_next_cut_and_not_before(
    site_with: SiteWith,
) -> None:
    site = await site_with(luck=True)
    player = await begun(site)
    await player.play(lambda: player.state is not None and player.state.between_deals)
    await site.room[LuckReckoner].idle()
    assert told(player, "lucky_deal") == []
    await player.play(lambda: told(player, "lucky_deal"))
    (line,) = told(player, "lucky_deal")
    assert line.startswith("Deal 1: your cards alone cost you")
    await player.play()
    await player.until(lambda: told(player, "luck"))
    (after,) = told(player, "luck")
    assert after.startswith("In this match, luck ")
    assert line in after
    await player.leave()
    await player.join()  # it is told again to whoever comes back
    await player.until(lambda: len(told(player, "luck")) == 2)


async def test_with_a_referee_nothing_is_told_before_the_settlement(site_with: SiteWith) -> None:
    site = await site_with(luck=True, turn_down=0.01, cut=0.01)
    player = await begun(site, irregularities="refereed")
    await player.play(lambda: player.state is not None and len(player.view.state.deals) == 1)
    await player.play()
    await player.until(lambda: told(player, "luck"))
    assert told(player, "lucky_deal") == []
    (after,) = told(player, "luck")
    assert "Deal 1: your cards alone cost you" in after


def test_nothing_is_told_while_others_may_learn_from_it() -> None:
    table = Table(setup("microsoft", match_end="deals:2"), seat=0)
    table.do(ANNE, cmd.Start())
    state = table.state
    assert told_during(state)
    assert not told_during(replace(state, setup=replace(state.setup, evening="friday")))
    with_referee = make_ruleset("microsoft", {"irregularities": "refereed"})
    assert not told_during(replace(state, setup=replace(state.setup, rules=with_referee)))
    table.play_on()
    assert not told_during(table.state)  # it is over, and told as a whole
    table.take(decide(table.state, ANNE, cmd.DealAgain(), table.state.version, last="5c0ffee5"))
    assert table.state.under_way
    assert not told_during(table.state)  # no secret tells the hands of others


async def test_of_cards_dealt_again_nothing_is_told_before_the_end(site_with: SiteWith) -> None:
    """They do not follow from the secret that is revealed at the next cut."""
    site = await site_with(luck=True)
    player = await begun(site)
    await player.play()
    for _ in range(player.view.state.rules.players):  # until the same seat has them again
        player.notices.clear()
        assert (await player.do(cmd.DealAgain())).ok
        await player.play()
        await site.room[LuckReckoner].idle()
    await player.until(lambda: told(player, "luck"))
    assert "Deal 1: your cards alone cost you" in told(player, "luck")[-1]
    assert told(player, "lucky_deal") == []
