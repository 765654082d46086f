"""The room of a browser: one person, one lobby, and the tables that are kept."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from itertools import count
from typing import Final

from volte import __version__
from volte.bots.levels import check_level, make_bot
from volte.cards import VolteError
from volte.fair import House
from volte.game import Refusal
from volte.referee.codec import encode
from volte.say import N_, words_of
from volte.say.catalogue import LANGUAGES
from volte.solo.kept import KeptStore
from volte.store import AT_TABLES, Listing, Person, Unavailable
from volte.table import Setup, Someone
from volte.table.commands import SeatBot, Sit
from volte.table.decide import decide, open_table
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.table.pacing import Timing
from volte.table.state import states
from volte.table.stored import listing_of

ME: Final = "me"
"""Id of the person, the same in every browser: a match is theirs wherever it is taken."""

NEWCOMERS: Final = frozenset(words_of(lang).t(N_("South")) for lang in LANGUAGES)
"""Names of people who have given none."""

log: Final = logging.getLogger(__name__)


class SoloRoom:
    """One person with their tables against bots.

    Args:
        lang: language of the page, and of a newcomer.
        timing: waits of the tables.
        house: makes the dealer of a match.
    """

    def __init__(
        self,
        store: KeptStore,
        lang: str,
        timing: Timing | None = None,
        house: Callable[[], House] = House.fresh,
    ) -> None:
        self.store = store
        self.lang = lang
        self.lobby = Lobby(store, make_bot, timing=timing, house=house)

    async def person(self) -> Person:
        """The person of this browser, as they are kept; a newcomer is kept from now on."""
        person = await self.store.person(ME)
        if person is None:
            person = Person(ME, words_of(self.lang).t(N_("South")), self.lang, {}, time.time())
            await self.store.put_person(person)
        return person

    async def open(self, setup: Setup, levels: Sequence[str], table: str = "") -> str:
        """Open a table with the person on seat 0 and bots of these levels on the others.

        Returns its id. All of it is kept, or nothing. Raises `VolteError` for what is not allowed,
        `Conflict` for an id that a table has already, and `Unavailable`.

        Args:
            table: its id, 20 hexadecimal digits; empty for a new one.
        """
        for level in levels:
            check_level(level)
        person = await self.person()
        who, here = Someone(ME, person.name), frozenset({ME})
        happenings = list(open_table(setup, who))
        *_, state = states(None, happenings)
        commands: list[Sit | SeatBot] = [Sit(0), *map(SeatBot, count(1), levels)]
        for command in commands:
            outcome = decide(state, who, command, state.version, here)
            if isinstance(outcome, Refusal):
                raise VolteError(outcome.reason)
            happenings += outcome
            *_, state = states(state, outcome)
        table = table or secrets.token_hex(10)
        entries = [encode(happening) for happening in happenings]
        await self.store.append(table, 0, entries, listing=listing_of(table, state, ""))
        return table

    async def find(self, table: str) -> LiveTable | None:
        """The table of an id; None where there is none, or its log cannot be read.

        Raises `Unavailable`.
        """
        try:
            await self.store.try_again(__version__)
            return await self.lobby.find(table)
        except Unavailable:
            raise
        except Exception as error:
            log.error("table_set_aside", extra={"table": table}, exc_info=error)
            await self.store.set_aside(table)
            return None

    async def tables(self) -> list[Listing]:
        """The tables that are kept, the latest change first."""
        return await self.store.listings(AT_TABLES)

    async def drop(self, table: str) -> None:
        """Ends a table, if it is live, and forgets it with its matches. Raises `Unavailable`."""
        live = self.lobby.living(table)
        if live is not None:
            live.lose()
        await self.store.forget(table)
