"""`volte play --connect` to the address of a deal: it is played once, and its results are told."""

from __future__ import annotations

import pytest
from kit import Playroom
from kit.terminals import Stubborn, Volte

from volte.boards.keeper import BoardKeeper
from volte.boards.store import Boards


@pytest.mark.usefixtures("one_day")
def test_the_deal_of_the_day_is_played_and_its_results_are_told_before_and_after(
    volte: Volte, playroom: Playroom
) -> None:
    address = f"{playroom.address}/deals/today"
    first = volte("play", "--connect", address, "--name", "Zoé", answer=Stubborn())
    assert (first.status, first.err) == (0, "")
    told = first.out.index("You have played this deal.")
    assert "You took" not in first.out[:told]
    assert "You took" in first.out[told:]
    assert "First tries of guests" in first.out[told:]
    today = playroom.site.room[BoardKeeper].today().isoformat()
    boards = playroom.site.room.store[Boards]
    assert playroom.do(boards.number(today)) >= 1
    again = volte("play", "--connect", address, "--name", "Zoé", answer=lambda printed: "q")
    assert "You took" in again.out
    unknown = f"{playroom.address}/deals/{'0' * 32}"
    none = volte("play", "--connect", unknown, "--name", "Zoé")
    assert none.status == 1
    assert "no longer works" in none.err
