"""Whole matches at live tables, with the real store and real bots."""

from __future__ import annotations

from pathlib import Path

import pytest
from table.people import ANNE, BERT, CARA, Player, done, room, setup, until

from volte import game
from volte.game import Phase
from volte.table import commands as cmd
from volte.table import fold
from volte.table.happenings import decode_happening


@pytest.mark.parametrize(
    ("preset", "players", "people"),
    [
        ("coeurs", 3, 2),
        ("dame-de-pique", 4, 1),
        ("coeurs-moyenne", 4, 1),  # lots may be drawn for the stakes
        ("coeurs-cagnotte", 4, 2),
        ("salon-six-jokers", 6, 2),
        ("coeurs", 7, 3),
    ],
)
async def test_a_match_of_people_and_bots_is_played_to_its_end(
    preset: str, players: int, people: int, tmp_path: Path
) -> None:
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
        entries = await lobby.store.read(table.id)
        assert fold(decode_happening(entry.data) for entry in entries) == table.state
        (row,) = await lobby.store.matches_at(table.id)
        assert row.last == table.state.version
        assert row.players == (*[guest.who.id for guest in guests], *[""] * (players - people))
        for guest in guests:
            await guest.leave()


async def test_M6_what_is_left_in_the_pot_goes_on_to_the_next_match(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup("coeurs-cagnotte", match_end="deals:1"), ANNE)
        anne = Player(table, ANNE)
        await done(table, ANNE, cmd.Sit(0))
        pots = []
        for played in range(1, 4):
            await done(table, ANNE, cmd.Start())
            await until(lambda: not table.state.under_way)
            assert table.state.matches == played
            assert table.state.match is not None
            pots.append(table.state.match.pot)
        await until(lambda: anne.state.version == table.state.version)
        begun = [e for e in anne.heard.values() if isinstance(e, game.MatchStarted)]
        assert [event.pot for event in begun] == [0, *pots[:2]]
        await anne.leave()
