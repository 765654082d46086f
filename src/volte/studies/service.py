"""Reviews together in the store: found, changed and waited for, at any node.

No node owns a review: whatever happens is one optimistic write of its row, after which all nodes
are told to look at it again. So any process may be killed at any moment.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import Task
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from contextvars import Context
from functools import partial
from hmac import digest
from time import monotonic
from typing import Final, NamedTuple

from msgspec.structs import replace

from volte.game import Refusal
from volte.store import Conflict, MatchRow, Unavailable
from volte.store.changes import Changes
from volte.store.recent import Recent
from volte.store.store import Store
from volte.studies.store import StudyStore, talk_of
from volte.studies.study import (
    LASTS,
    MOST_HERE,
    Attendee,
    Outcome,
    Study,
    by_stay,
    is_here,
    kept_up,
)
from volte.talk.store import TalkStore
from volte.web.refused import Refused

CHANGED: Final = "study"  # the topic of hints that a review has changed
REMEMBERED: Final = 1000  # matches whose people and steps are remembered
SIGNS: Final = 100_000  # attendees whose last sign of life is remembered
EVERY: Final = 8.0  # seconds between two signs of life of an attendee
ID_SIGNS: Final = 32  # hexadecimal, so 128 bits
MOST_MADE: Final = 20  # reviews of one person at the same time
MOST_TRIES: Final = 50  # attempts to change a review that others change at the same time

Judge = Callable[[Study, Sequence[Attendee]], Outcome]
"""A function that decides what becomes of a review; it is given the attendees present."""


class Look(NamedTuple):
    """A review together with its attendees, as the store had them at one moment."""

    study: Study
    attendees: Sequence[Attendee]  # everybody who has come, here or gone
    here: Sequence[Attendee]  # the one who has been here longest first
    said: int  # the number of the last saying


class Studies(Changes):
    """The reviews together of the store."""

    def __init__(self, store: Store) -> None:
        super().__init__(store.bus, CHANGED)
        self._store = store
        self._rows = store[StudyStore]
        # By match, the people of each seat: what `sight.sitters` finds in its log
        self.sitters = Recent[str, Sequence[frozenset[str]]](REMEMBERED)
        # By match, the numbers of steps of its deals: what `moments.steps_by_deal` finds in its log
        self.steps = Recent[str, Mapping[int, int]](REMEMBERED)
        # By review and person, the last sign of life, and when it was noticed by a steady clock
        self._signs = Recent[tuple[str, str], tuple[float, float]](SIGNS)
        self._looking: dict[str, Task[Look]] = {}

    # Reviews

    async def find(self, study: str) -> Study:
        """The review with an id. Raises `Refused` 404 where there is none, or it has ended."""
        plausible = study.isascii() and len(study) == ID_SIGNS
        found = await self._rows.study(study) if plausible else None
        # A clock that was set ahead ends nothing
        if found is None or found.ends <= self._store.second_look.now():
            raise Refused(404, "no_study")
        return found

    async def made_by(self, person: str) -> list[Study]:
        """The reviews that a person has made and that go on, the latest first."""
        return await self._rows.made_by(person, self._store.second_look.now())

    async def make(self, row: MatchRow, maker: str, key: str) -> Study:
        """Make a review of a match, once for a key. Raises `Refused` where there are too many.

        Args:
            key: of the form that was sent.
        """
        # The secret of the match makes it 128 bits that nobody can guess from the form
        name = digest(row.master, f"volte study 1 {key}".encode(), "sha256").hex()[:ID_SIGNS]
        others = [each for each in await self.made_by(maker) if each.id != name]
        if len(others) >= MOST_MADE:
            raise Refused(429, "too_many_studies", most=MOST_MADE)
        now = time.time()
        study = Study(name, row.id, maker, now, now + LASTS, 1, maker)
        with suppress(Conflict):  # the same form has come before
            await self._rows.put(study)
        return study

    async def end(self, study: Study) -> None:
        """End a review for good, with its talk."""
        await self._rows.end(study.id)
        await self.changed(study.id)

    async def do(self, study: str, judge: Judge) -> Study:
        """Change a review as `judge` decides, anew where others were first; the review after.

        Raises `Refused`, 409 where the rules of the review do not allow it; and `Unavailable`.
        """
        for _ in range(MOST_TRIES):
            before = await self.find(study)
            outcome = judge(before, await self.here(study))
            if isinstance(outcome, Refusal):
                raise Refused(409, outcome.reason, **outcome.params)
            if outcome == before:
                return before
            after = replace(outcome, version=before.version + 1)
            with suppress(Conflict):
                await self._rows.change(before, after)
                await self.changed(study)
                return after
        raise Unavailable("too many change one review")

    # Attendees

    async def attendees(self, study: str) -> list[Attendee]:
        """Everybody who has come to a review, here or gone."""
        return await self._rows.attendees(study)

    async def here(self, study: str) -> list[Attendee]:
        """The attendees who are here, the one who has been here longest first."""
        return self.among(study, await self.attendees(study))

    def among(self, study: str, attendees: Sequence[Attendee]) -> list[Attendee]:
        """The attendees of a review who are here, the one who has been here longest first."""
        now = time.time()
        return by_stay(each for each in attendees if is_here(each, now, self._silent(study, each)))

    def _silent(self, study: str, attendee: Attendee) -> float:
        """Seconds for which this node has known the last sign of life of an attendee."""
        seen, noticed = self._signs.get((study, attendee.person), (0.0, 0.0))
        if seen != attendee.seen:
            noticed = monotonic()
            self._signs[study, attendee.person] = attendee.seen, noticed
        return monotonic() - noticed

    async def attend(self, study: str, person: str) -> None:
        """Note that a person is in a review; others are told if they have just come.

        Raises `Refused` where there are too many already.
        """
        now, here = time.time(), await self.here(study)
        own = next((each for each in here if each.person == person), None)
        if own is None and len(here) >= MOST_HERE:
            raise Refused(429, "study_full", most=MOST_HERE)
        try:
            await self._rows.attend(study, person, own.since if own is not None else now, now)
        except Conflict:
            raise Refused(404, "no_study") from None
        if own is None:
            await self.changed(study)

    async def look(self, study: str) -> Look:
        """The review as it is now. Where its leader is gone, somebody else leads from now on; a
        line whose person is gone ends. Raises `Refused` and `Unavailable`.

        Those who look at the same time share one look. If it was begun before a change, they are
        woken by that change, and look again.
        """
        looking = self._looking.get(study)
        if looking is None:
            # In nobody's name: what is written concerns all who look
            looking = asyncio.create_task(self._look(study), name="study", context=Context())
            self._looking[study] = looking
            looking.add_done_callback(partial(self._looked, study))
        return await asyncio.shield(looking)

    def _looked(self, study: str, looking: Task[Look]) -> None:
        del self._looking[study]
        if not looking.cancelled():
            looking.exception()  # whoever waited has it; perhaps nobody waits any more

    async def _look(self, study: str) -> Look:
        found, attendees = await self.find(study), await self.attendees(study)
        if kept_up(found, self.among(study, attendees)) != found:
            found = await self.do(study, kept_up)
        said = await self._store[TalkStore].last(talk_of(study))
        return Look(found, attendees, self.among(study, attendees), said)

    async def show(self, study: str, person: str, shows: bool) -> None:
        """Note whether an attendee agrees to be shown, and tell the others."""
        await self._rows.show(study, person, shows)
        await self.changed(study)
