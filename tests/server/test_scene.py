"""Scenes: what one keeps of the last is what would be made anew."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from server.guests import Player
from server.harness import run, serving

from volte.rules import make_ruleset
from volte.server.scene import Scenes
from volte.table import Setup
from volte.table.commands import Away, Back, Pause, Sit, Start, Unpause

KEEP = Scenes.once


def begun(player: Player, cards: int) -> bool:
    """Whether so many cards have been played."""
    match = player.match
    deal = match.deal if match is not None else None
    return deal is not None and len(deal.tricks) * deal.rules.players + len(deal.trick) >= cards


@pytest.mark.parametrize("irregularities", ["enforced", "refereed"])
def test_what_is_kept_of_a_scene_is_what_would_be_made_anew(
    irregularities: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, made = Counter[str](), Counter[str]()

    def checked(self: Scenes, name: str, key: object, make: Callable[[], Iterable[Any]]) -> Any:
        fresh = tuple(make())
        parts: tuple[Any, ...] = KEEP(self, name, key, lambda: made.update([name]) or fresh)
        assert parts == fresh, (name, parts, fresh)
        kept[name] += 1
        return parts

    async def story() -> None:
        settings = {"match_end": "deals:2", "irregularities": irregularities}
        setup = Setup("Table", make_ruleset("dame-de-pique", settings), clock=40)
        async with serving(tmp_path) as site:
            people = [await Player.come(site.address, name) for name in ("Zoé", "Max", "Lou")]
            host = people[0]
            table = await host.open_table(("", "", "casual"), setup)
            for seat, person in enumerate(people):
                await person.join(table, told=True)
                await person.prefer(bot_pace=0, trick_pace=0, lang=("en", "fr")[seat % 2])
                if seat:
                    assert (await person.do(Sit(seat))).ok
            assert (await host.do(Start())).ok
            reached = partial(begun, host, 12)
            await asyncio.gather(*(person.play(reached) for person in people))
            for command in (Pause(), Unpause(), Away(), Back()):
                assert (await host.do(command)).ok
            await asyncio.gather(*(person.play() for person in people))
            for person in people:
                assert person.closed is None
                await person.leave()

    monkeypatch.setattr(Scenes, "once", checked)
    run(story())
    for name in ("hand", "commands", "last"):
        assert 0 < made[name] < kept[name]
