"""Score sheets of real cards in the store of a browser."""

from __future__ import annotations

import pytest
from kit.sheets import NAMES, done, hearts, rules_of
from kit.solo import OpenRoom, SlowKeeper, begun

from volte.alone.sheets import KeptSheets
from volte.fair import Verdict
from volte.scorekeeper import model
from volte.scorekeeper.web.sheets import Moved, Sheets
from volte.solo.kept import KeptStore, key_of, written
from volte.solo.room import ME
from volte.store import Listing
from volte.web.refused import Refused

OPEN = model.Open(rules_of("coeurs-moyenne"), NAMES[:4], stake="0.25", currency="EUR")
DEAL = model.Enter(hearts("3 4 6 -", queen=1))


async def test_what_is_written_is_kept_once_and_of_two_windows_the_second_learns_of_it() -> None:
    keeper = SlowKeeper()
    here, there = Sheets(KeptStore(keeper)), Sheets(KeptStore(keeper))
    for _ in range(2):  # the same form comes twice
        stored = await here.open(ME, OPEN, key="0123456789abcdef")
    seen = await there.find(stored.id)
    for _ in range(2):
        after = await here.do(stored, stored.version, "me:1", DEAL)
        stored = await here.find(stored.id)
    assert after.sheet.table.totals == (3, 17, 6, 0)
    with pytest.raises(Moved) as moved:
        await there.do(seen, seen.version, "me:2", DEAL)
    assert moved.value.stored.sheet == after.sheet
    assert (await there.do(seen, seen.version, "me:1", DEAL)).sheet == after.sheet
    assert [each.id for each in await there.listed(ME)] == [stored.id]


async def test_a_sheet_of_a_file_is_kept_once_and_its_lots_are_drawn_and_proved() -> None:
    """Without the secret in the file, too: another seal is made, as nothing was drawn by it."""
    away = Sheets(KeptStore(SlowKeeper()))
    stored = await away.open(ME, OPEN)
    stored = await away.do(stored, stored.version, "me:1", model.Share(0, b"Anne"), DEAL)
    stored = await away.do(stored, stored.version, "me:2", model.Undo())
    record = model.parse_sheet(model.to_record(stored.sheet))
    for master in (stored.house.master, b""):
        here = Sheets(KeptStore(SlowKeeper()))
        for _ in range(2):
            taken = await here.take_in(ME, record, master)
        assert len(await here.listed(ME)) == 1
        assert (taken.sheet == record) is bool(master)
        drawn = await here.draw(taken, taken.version, "me:3")
        assert [each.verdict for each in model.prove(drawn.sheet)] == [Verdict.PROVED]
        assert model.parse_sheet(model.to_record(drawn.sheet)) == drawn.sheet
        after = await here.do(drawn, drawn.version, "me:4", DEAL)
        assert after.sheet.table.totals == (3, 17, 6, 0)
    acts = model.Draw(drawn.sheet.draws[0].rounds, 1), DEAL
    with pytest.raises(model.SheetFault, match="secret that proves them"):
        await here.take_in(ME, done(record, *acts), b"")


async def test_a_sheet_is_no_table_and_one_that_cannot_be_read_leaves_the_others(
    room_over: OpenRoom,
) -> None:
    room = room_over(keeper := SlowKeeper())
    table, sheets = await begun(room), KeptSheets(room.store)
    await room.lobby.close()
    *lost, other = [(await sheets.open(ME, OPEN)).id for _ in range(4)]
    assert [each.table for each in await room.tables()] == [table.id]
    unfolded = Listing(f"sheet/{lost[1]}", "", ME, "private", "sheet")  # without a summary
    texts = keeper.all | {
        f"listing/sheet/{lost[0]}/": "{",
        key_of(unfolded): written(unfolded),
        f"entry/sheet/{lost[2]}/000002/": '{"data": {"entry": "Won"}, "cause": "", "at": 1}',
    }
    room = room_over(keeper := SlowKeeper(texts))
    sheets = KeptSheets(room.store)
    with pytest.raises(Refused):
        await sheets.find(lost[2])
    assert [each.id for each in await sheets.listed(ME)] == [other]
    for each in lost:
        with pytest.raises(Refused):
            await sheets.find(each)
    assert (await sheets.find(other)).sheet.names == OPEN.names
    assert await room.find(table.id) is not None
    await room.store.try_again("another version")
    assert keeper.all == texts | {"version": "another version"}
