"""Tables to which nobody comes back: rated matches are broken off, so that leaving one costs, and
tables where no match goes on are cleared away. All other matches wait for their people.
"""

from __future__ import annotations

from collections.abc import Callable

from volte.fair import House
from volte.game import Refusal
from volte.referee.codec import encode
from volte.store import Store
from volte.table.evolve import evolve
from volte.table.house import close_table
from volte.table.kept import read_table
from volte.table.listing import listing_of, row_after
from volte.table.live import LiveTable
from volte.table.pacing import concerned
from volte.table.state import TableState


def attended(live: LiveTable) -> bool:
    """Whether somebody is there for whom the match goes on, or it has not been paused yet."""
    return not live.state.paused or bool(concerned(live.state) & live.present)


async def break_off(store: Store, table: str, since: float) -> bool:
    """Closes a table at whose rated match nothing has happened since then; whether it did.

    Whoever goes on there at the same moment is first, or finds it closed.

    Args:
        since: in seconds since 1970.

    Raises `Unavailable`, and `Conflict` where somebody goes on.
    """
    return await _close(store, table, since, lambda state: state.setup.rated and state.under_way)


async def clear_away(store: Store, table: str, since: float) -> bool:
    """The same for a table where no match goes on."""
    return await _close(store, table, since, lambda state: not state.under_way)


async def _close(
    store: Store, table: str, since: float, where: Callable[[TableState], bool]
) -> bool:
    kept, listing = await read_table(store, table), await store.listing(table)
    if kept is None or listing is None or not where(kept.state):
        return False
    version = kept.state.version
    (last,) = await store.read(table, version - 1, version)
    happenings = close_table(kept.state)
    if last.at > since or isinstance(happenings, Refusal):
        return False
    state = kept.state
    for happening in happenings:
        state = evolve(state, happening)
    row = row_after(kept.row, table, happenings, state, House.fresh)
    await store.append(
        table,
        version,
        [encode(happening) for happening in happenings],
        listing=listing_of(table, state, listing.password),
        matches=() if row is None else (row,),
    )
    return True
