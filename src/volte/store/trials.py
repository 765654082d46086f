"""Trials of the pages by volunteers with their screen readers; nobody's name is kept."""

from __future__ import annotations

import msgspec
from msgspec.structs import asdict
from sqlalchemy import select

from volte.store.part import Part
from volte.store.schema import TRIALS
from volte.store.writer import Change


class Trial(msgspec.Struct, frozen=True):
    """A volunteer has followed a script, and says how it went.

    Attributes:
        at: in seconds since 1970.
        lang: in which the pages were heard.
        browser: and system, in the volunteer's words.
        reader: the screen reader, or whatever else was used, in their words.
        script: its name.
        outcome: `worked` or `failed`.
        remarks: in their words; may be empty.
    """

    id: str
    at: float
    lang: str
    browser: str
    reader: str
    script: str
    outcome: str
    remarks: str


class Trials(Part):
    """All trials."""

    async def add(self, trial: Trial) -> None:
        """Keeps a trial."""
        await self._write(Change("trial", (trial.id,), asdict(trial)))

    async def latest(self, limit: int = 200) -> list[Trial]:
        """The last trials, the latest first."""
        query = select(TRIALS).order_by(TRIALS.c.at.desc()).limit(limit)
        return [Trial(*row) for row in await self._reader.rows(query)]
