"""How long a seat is kept for somebody whose connection is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

from kit.people import Guest, Player
from kit.sites import Site, serving

from volte.rules import make_ruleset
from volte.table import OpenSeats, Setup, Why
from volte.table.commands import Sit, Start
from volte.table.happenings import CameBack, StoodIn

RULES = make_ruleset("coeurs", {"match_end": "deals:1"})


async def begun(site: Site, grace: int) -> tuple[Player, Player]:
    """Two people at a table whose match has begun, the first the host."""
    zoé, max_ = [await Player.come(site.address, name) for name in ("Zoé", "Max")]
    setup = Setup("Table", RULES, open_seats=OpenSeats.ALL, grace=grace)
    table = await zoé.open_table(("", "casual", "casual"), setup)
    for player in (zoé, max_):
        await player.join(table, told=True)
        await player.prefer(bot_pace=0, trick_pace=0)
    assert (await max_.do(Sit(1))).ok
    assert (await zoé.do(Start())).ok
    return zoé, max_


def heard(guest: Guest, *kinds: type) -> list[object]:
    return [each.happening for each in guest.told if isinstance(each.happening, kinds)]


def shown(guest: Guest, seat: int) -> str:
    return guest.scenes[-1].seats[seat].state


async def test_a_table_may_have_a_bot_stand_in_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path, grace=600.0) as site:
        zoé, max_ = await begun(site, grace=0)
        max_.drop()
        await zoé.until(lambda: heard(zoé, StoodIn) == [StoodIn(1, Why.CONNECTION)])
        (lines,) = [each.told for each in zoé.told if isinstance(each.happening, StoodIn)]
        assert lines is not None
        assert lines["normal"] == ("The connection to Max is lost; a bot plays there meanwhile.",)
        await max_.join()
        await zoé.until(lambda: heard(zoé, CameBack) == [CameBack(1)])
        await zoé.leave()
        await max_.leave()


async def test_a_table_may_keep_the_seat_longer_than_the_playroom_does(tmp_path: Path) -> None:
    async with serving(tmp_path, grace=0.05) as site:
        zoé, max_ = await begun(site, grace=600)
        waits = asyncio.create_task(zoé.play())
        for _ in range(2):  # the match waits for him each time, and for nobody else
            await max_.play(max_.view_is_mine)
            max_.drop()
            await zoé.until(lambda: shown(zoé, 1) == "gone")
            await max_.join(told=True)
            assert max_.view_is_mine()
            command = max_.next_command()
            assert command is not None
            assert (await max_.do(command)).ok
        await asyncio.gather(waits, max_.play())
        assert heard(zoé, StoodIn, CameBack) == []
        await zoé.leave()
        await max_.leave()
