"""Whatever the first versions kept in a browser, or wrote to a file, is read by this one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
from kit.live import Player, over
from kit.solo import SOUTH, OpenRoom, SlowKeeper

from volte.alone.file import unpacked
from volte.alone.sheets import KeptSheets
from volte.fair import Verdict
from volte.scorekeeper import model
from volte.solo.kept import KeptStore
from volte.solo.requests import respond
from volte.solo.room import ME
from volte.table.live import LiveTable

HERE: Final = Path(__file__).parent
TEXTS: Final[dict[str, str]] = json.loads((HERE / "first_texts.json").read_text("utf-8"))
FILE: Final = (HERE / "first.matches").read_bytes()
TABLE: Final = "57f49c89532f844f7de4"

# The first version with score sheets
SHEET_TEXTS: Final[dict[str, str]] = json.loads(
    (HERE / "first_sheet_texts.json").read_text("utf-8")
)
SHEET_FILE: Final = (HERE / "first_sheet.matches").read_bytes()
SHEET: Final = "f00d5afe00000001"


async def played_on(live: LiveTable | None, version: int) -> None:
    """Check that the second match of the table is under way, and play it to the end."""
    assert live is not None
    assert (live.state.version, live.state.matches, live.state.under_way) == (version, 2, True)
    Player(live, SOUTH)
    await over(live)


async def test_texts_of_the_first_version_are_read_and_their_match_goes_on(
    room_over: OpenRoom,
) -> None:
    told = list[None]()
    keeper = SlowKeeper(TEXTS)
    room = room_over(keeper)
    room.store.aside = lambda: told.append(None)
    (listing,) = await room.tables()
    assert (listing.table, listing.state) == (TABLE, "playing")
    person = await room.person()
    assert (person.name, person.settings) == ("Zoé", {"sounds": "names", "theme": "dark"})
    answer = await respond(room, "GET", "/me", {})
    assert answer is not None
    assert answer.status == 200
    assert [row.ended is None for row in await room.store.matches_at(TABLE)] == [False, True]
    version = sum(key.startswith("entry/") for key in TEXTS)
    await played_on(await room.find(TABLE), version)
    assert told == []
    assert {
        key: keeper.all[key] for key in TEXTS if key.startswith("entry/")
    }.items() <= TEXTS.items()


async def test_a_file_of_the_first_version_is_taken_in_and_its_match_goes_on(
    room_over: OpenRoom,
) -> None:
    room = room_over(SlowKeeper())
    carried = await unpacked(FILE)
    assert carried.person is not None
    assert carried.person.name == "Zoé"
    assert await room.store.add(carried.streams, carried.person) == 1
    await played_on(await room.find(TABLE), len(carried.streams[0].log))


@pytest.mark.parametrize("texts", [SHEET_TEXTS, {}], ids=["texts", "file"])
async def test_a_sheet_of_the_first_version_with_sheets_is_read_and_goes_on(
    texts: dict[str, str],
) -> None:
    store = KeptStore(SlowKeeper(texts))
    if not texts:
        assert await store.add((await unpacked(SHEET_FILE)).streams) == 1
    sheets = KeptSheets(store)
    (listed,) = await sheets.listed(ME)
    assert (listed.id, listed.title, listed.summary.totals) == (SHEET, "Samedi", (12, 13, 0, 0))
    stored = await sheets.find(SHEET)
    assert stored.sheet.table.net == (-12, -13, 12, 13)
    assert [each.verdict for each in model.prove(stored.sheet)] == [Verdict.PROVED] * 2
    settled = await sheets.do(stored, stored.version, "me:settled", model.Settle())
    assert settled.sheet.accepted
