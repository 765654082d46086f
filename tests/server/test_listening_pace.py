"""Bots wait for those who listen, where they want that: by the words told, and a rate they set."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.people import Player
from kit.sites import serving
from server.test_faces import choose

from volte.game import Dealt, Passed
from volte.game.codec import encode
from volte.server.live import session
from volte.table.commands import Start
from volte.wire.messages import Heard, Question


def passed_by_bots(player: Player) -> int:
    return sum(isinstance(each.happening, Passed) for each in player.told)


@pytest.mark.parametrize("waits", [True, False])
async def test_bots_wait_until_all_has_been_heard_or_somebody_has_heard_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    monkeypatch.setattr(session, "LONGEST_TO_HEAR", 600.0)
    monkeypatch.setattr(session, "USUAL_READER_RATE", 80)

    async with serving(tmp_path) as site:
        zoé = await Player.come(site.address)
        chosen = {"reader_rate": "80", "bot_pace": "0", "trick_pace": "0"}
        if waits:
            chosen["bots_wait"] = "on"
        assert (await choose(site, zoé, **chosen)).status == 303
        await zoé.join(await zoé.open_table(), told=True)
        assert (await zoé.do(Start())).ok
        await zoé.until(lambda: any(isinstance(each.happening, Dealt) for each in zoé.told))
        if not waits:
            await zoé.until(lambda: passed_by_bots(zoé) == 3)
            await zoé.leave()
            return
        # Thirty words and more, at eighty a minute: three questions are answered meanwhile.
        for _ in range(3):
            assert (await zoé.ask(Question.TURN)).ok
        assert passed_by_bots(zoé) == 0
        asking = zoé.next_id()
        assert (await zoé.say(asking, encode(Heard(asking)).decode())).ok
        await zoé.until(lambda: passed_by_bots(zoé) == 3)
        await zoé.leave()
