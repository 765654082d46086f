"""Commands judged, so that nobody else has to wait for one that takes long."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from volte.game import Claim
from volte.table.commands import Act, Command, Someone
from volte.table.decide import Outcome, decide
from volte.table.state import TableState

_CLAIMS: Final = ThreadPoolExecutor(1, "claims")
"""A claim (C1) may take a second to search: off the loop, and one at a time for all tables."""


async def judged(state: TableState, who: Someone, command: Command, seen: int) -> Outcome:
    """What `decide` says."""
    if isinstance(command, Act) and isinstance(command.action, Claim):
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_CLAIMS, decide, state, who, command, seen)
    return decide(state, who, command, seen)
