"""What was kept before there were referees, or the wider family, is read as ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from table.acting import ANNE
from table.people import done, room, until

from volte.referee import codec
from volte.table import commands as cmd
from volte.table import fold
from volte.table.happenings import decode_happening
from volte.table.stored import listing_of, read_table

LOG: Final = (Path(__file__).parent / "old_log.jsonl").read_bytes().splitlines()
"""A match of two deals at a table of three: passes and plays taken back, a stand-in, somebody who
sits down in the middle, lots, a settlement by average."""


def test_a_log_of_old_is_written_as_it_was_read() -> None:
    """But for what has been added since, with values that change nothing."""
    for line in LOG:
        happening = decode_happening(line)
        written = codec.encode(happening)
        assert holds(json.loads(written), json.loads(line))
        assert decode_happening(written) == happening


def holds(now: Any, then: Any) -> bool:
    """Whether all that there was is there, in its place."""
    if isinstance(then, dict):
        return all(key in now and holds(now[key], value) for key, value in then.items())
    if isinstance(then, list):
        return len(now) == len(then) and all(map(holds, now, then))
    return bool(now == then)


async def test_a_table_of_old_loads_and_plays_on(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        then = fold(map(decode_happening, LOG))
        await lobby.store.append("old", 0, LOG, listing=listing_of("old", then, ""))
        kept = await read_table(lobby.store, "old")
        assert kept is not None
        assert kept.state == then
        assert then.setup.grace is None  # as long as the playroom says, as then
        table = await lobby.find("old")
        assert table is not None
        match = table.state.match
        assert match is not None
        assert (match.totals, match.net, match.winners) == ((18, 14, 16), (-2, 2, 0), (1,))
        await done(table, ANNE, cmd.Start(), cmd.Away())
        await until(lambda: table.state.matches == 2)
