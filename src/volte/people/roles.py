"""Who may do more than play: moderators, and administrators, who may all that moderators may."""

from __future__ import annotations

from typing import Final

from volte.people.store import Accounts
from volte.table import Someone
from volte.web.refused import Refused
from volte.web.visit import Visit

MODERATOR: Final = "moderator"
ADMINISTRATOR: Final = "administrator"
ROLES: Final = (MODERATOR, ADMINISTRATOR)


async def moderator(visit: Visit) -> Someone:
    """Who asks, if they are a moderator. Raises `Refused`: 401 for nobody, 403 for others."""
    who = visit.someone()
    if await visit.room.store[Accounts].role(who.id) not in ROLES:
        raise Refused(403, "forbidden")
    return who
