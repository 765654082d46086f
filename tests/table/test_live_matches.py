"""Whole matches at live tables, with the real store and real bots."""

from __future__ import annotations

from pathlib import Path

import pytest
from table.people import ANNE, BERT, CARA, Player, done, room, run, setup, until

from volte import game
from volte.game import Phase
from volte.table import commands as cmd
from volte.table import fold
from volte.table.happenings import decode_happening


@pytest.mark.parametrize(
    ("preset", "players", "people"),
    [("coeurs", 3, 2), ("dame-de-pique", 4, 1), ("salon-six-jokers", 6, 2), ("coeurs", 7, 3)],
)
def test_a_match_of_people_and_bots_is_played_to_its_end(
    preset: str, players: int, people: int, tmp_path: Path
) -> None:
    async def story() -> None:
        async with room(tmp_path) as lobby:
            chosen = setup(preset, players=players, match_end="deals:2")
            table = await lobby.open(chosen, ANNE)
            guests = [Player(table, who) for who in (ANNE, BERT, CARA)[:people]]
            for seat, guest in enumerate(guests):
                await done(table, guest.who, cmd.Sit(seat))
            await done(table, ANNE, cmd.SeatBot(players - 1, "beginner"), cmd.Start())
            await until(lambda: table.state.match and not table.state.under_way)
            match = table.state.match
            assert match is not None
            assert match.phase is Phase.ENDED
            await until(lambda: all(g.state.version == table.state.version for g in guests))
            for guest in guests:
                assert guest.match.totals == match.totals
                added = [
                    event
                    for event in guest.heard.values()
                    if isinstance(event, game.Contributed) and event.seat == guest.seat
                ]
                assert [event.data for event in added] == [guest.data] * 2
            entries = await lobby._store.read(table.id)
            assert fold(decode_happening(entry.data) for entry in entries) == table.state
            (row,) = await lobby._store.matches_at(table.id)
            assert row.last == table.state.version
            assert row.players == (*[guest.who.id for guest in guests], *[""] * (players - people))
            for guest in guests:
                await guest.leave()

    run(story())
