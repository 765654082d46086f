"""Trials of the pages by volunteers with their screen readers; nobody's name is stored."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import Index, select

from volte.store.part import Part
from volte.store.schema import table
from volte.store.writer import insert


class Trial(msgspec.Struct, frozen=True):
    """A volunteer's report of how it went to follow a script."""

    id: str
    at: float  # seconds since 1970
    lang: str  # of the pages
    browser: str  # and system, in the volunteer's words
    reader: str  # the screen reader, or whatever else was used, in their words
    script: str  # its name
    outcome: str  # `worked` or `failed`
    remarks: str  # in their words; may be empty


TRIALS: Final = table("trials", Trial, "id", Index("trials_by_time", "at"))


class Trials(Part):
    """What the database holds of the trials."""

    async def add(self, trial: Trial) -> None:
        """Stores the report of a volunteer."""
        await self._write(insert(TRIALS, trial))

    async def latest(self, limit: int = 200) -> list[Trial]:
        """The last trials, the latest first."""
        return await self._all(Trial, select(TRIALS).order_by(TRIALS.c.at.desc()).limit(limit))
