"""Secrecy at a live table: hidden cards are dealt anew, and those who may not know see no change.

The house deals as it is told to, below its commitments, which stay the same. Until the first card
is played, every other seat, and whoever watches, is told the same to the byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from table.people import (
    ANNE,
    BERT,
    CARA,
    DORA,
    Guest,
    Player,
    done,
    room,
    seated,
    setup,
    until,
)

from volte import game
from volte.fair import House
from volte.game.codec import encode
from volte.referee import SeatAction
from volte.table import Someone, Watching
from volte.table import commands as cmd

EMMA = Someone("emma", "Emma")
WATCHER = 4
"""The place of the lines of somebody without a seat, after the four seats."""


class Arranging(House):
    """Deals with two cards of the deck changed over."""

    swapped: tuple[int, int] = (0, 0)

    def order(self, number: int, contributions: Mapping[int, bytes], cards: int) -> tuple[int, ...]:
        order = list(super().order(number, contributions, cards))
        one, other = self.swapped
        order[one], order[other] = order[other], order[one]
        return tuple(order)


class Passing(Player):
    """Passes, and plays no card."""

    def chosen(self, seat: int, match: game.MatchState) -> SeatAction | None:
        return super().chosen(seat, match) if match.phase is game.Phase.PASSING else None


async def told(
    folder: Path, watching: Watching, swapped: tuple[int, int]
) -> tuple[int, list[list[bytes]]]:
    """Who deals, and what everybody is told, in no order, until it is time to play."""

    def house() -> House:
        arranging = Arranging(bytes(range(32)))
        object.__setattr__(arranging, "swapped", swapped)
        return arranging

    folder.mkdir()
    async with room(folder, house=house) as lobby:
        chosen = setup(watching=watching, opening="eldest", pass_cycle=["left"])
        table = await lobby.open(chosen, ANNE)
        players = [Passing(table, who) for who in (ANNE, BERT, CARA, DORA)]
        guests: list[Guest] = [*players, Guest(table, EMMA)]
        await seated(table, *players)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.match and table.state.match.phase is game.Phase.PLAYING)
        await until(lambda: all(player.state.version == table.state.version for player in players))
        assert table.state.match is not None
        dealer = table.state.match.dealer
        lines = [
            sorted(encode(each) for each in guest.heard.values())  # who is quicker says nothing
            for guest in guests
        ]
        for guest in guests:
            await guest.leave()
    return dealer, lines


@pytest.mark.parametrize("watching", [Watching.HIDDEN, Watching.AFTERWARDS])
async def test_nothing_told_depends_on_cards_that_may_not_be_known(
    watching: Watching, tmp_path: Path
) -> None:
    dealer, usual = await told(tmp_path / "usual", watching, (0, 0))
    for place in range(3):
        folder = tmp_path / f"place-{place}"
        _, other = await told(folder, watching, (place, place + 1))
        one = (dealer + 1 + place) % 4
        two, three, four = ((one + step) % 4 for step in (1, 2, 3))
        assert other[one] != usual[one]
        assert other[two] != usual[two]
        assert before_exchange(other[three]) == before_exchange(usual[three])
        assert other[four] == usual[four]
        assert other[WATCHER] == usual[WATCHER]


def before_exchange(lines: list[bytes]) -> list[bytes]:
    """All but what the seat was passed, by somebody whose cards are others."""
    return [line for line in lines if b"Exchanged" not in line]
