"""Score sheets in the store of a browser, where one that cannot be read harms no other."""

from __future__ import annotations

import logging
from typing import Final

from volte import __version__
from volte.scorekeeper.web.sheets import (
    MOST_SHEETS,
    STATE,
    ListedSheet,
    Sheets,
    StoredSheet,
    stream_of,
)
from volte.solo.kept import UNREADABLE, KeptStore
from volte.store import Unavailable
from volte.web.refused import Refused

log: Final = logging.getLogger(__name__)


class KeptSheets(Sheets):
    """The sheets of a browser; those that cannot be read are set aside."""

    def __init__(self, store: KeptStore) -> None:
        super().__init__(store)
        self._kept = store

    async def find(self, key: str) -> StoredSheet:
        await self._kept.try_again(__version__)
        try:
            return await super().find(key)
        except (Refused, Unavailable):
            raise
        except Exception as error:
            await self._set_aside(stream_of(key), error)
            raise Refused(404, "no_sheet") from error

    async def listed(self, person: str) -> list[ListedSheet]:
        sound = list[ListedSheet]()
        await self._kept.try_again(__version__)
        for each in await self._kept.listings((STATE,), host=person, limit=MOST_SHEETS):
            try:
                sound.append(ListedSheet.of(each))
            except UNREADABLE as error:
                await self._set_aside(each.table, error)
        return sound

    async def _set_aside(self, stream: str, error: Exception) -> None:
        log.error("sheet_set_aside", extra={"sheet": stream}, exc_info=error)
        self._at_hand.pop(stream.rpartition("/")[2], None)
        await self._kept.set_aside(stream)
