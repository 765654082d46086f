"""What moderators see beside a report: what was said then, frozen when it was reported."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.store import Store
from volte.store.talk import Said

AROUND: Final = 20
"""Sayings before and after those that are reported."""


class Evidence(msgspec.Struct, frozen=True):
    """What goes with a report.

    Attributes:
        table: its name.
        match: id of the match that was played last; empty where there was none.
        by: name of whoever reports.
        against: name of whom they report.
        reported: the numbers of the sayings that it is about.
        sayings: those, and what was said before and after, in every room.
        whole: whether nothing is to be added: it has been decided on.
    """

    table: str = ""
    match: str = ""
    by: str = ""
    against: str = ""
    reported: tuple[int, ...] = ()
    sayings: tuple[Said, ...] = ()
    whole: bool = False

    @property
    def last(self) -> int:
        """The number of the last saying that it is about, or of the last there was."""
        return max(self.reported, default=max((each.number for each in self.sayings), default=0))


async def gather(
    store: Store, table: str, reported: Collection[int], *, name: str, by: str, against: str
) -> Evidence:
    """The evidence as it is at this moment.

    Args:
        reported: numbers of sayings at that table.
        name: of the table.
    """
    last = await store.talk.last(table)
    first = min(reported, default=last + 1)
    sayings = await store.talk.from_on(table, max(first - AROUND - 1, 0), AROUND)
    if reported:
        upto = max(reported) - first + 1 + AROUND
        sayings = [
            *(each for each in sayings if each.number < first),
            *await store.talk.from_on(table, first - 1, upto),
        ]
    matches = await store.matches_at(table)
    match = matches[-1].id if matches else ""
    numbers = tuple(sorted(reported))
    return Evidence(name, match, by, against, numbers, tuple(sayings))


async def completed(store: Store, table: str, evidence: Evidence) -> Evidence:
    """With what has been said since, up to as much as belongs to it."""
    if evidence.whole:
        return evidence
    known = {each.number for each in evidence.sayings}
    after = await store.talk.from_on(table, evidence.last, AROUND)
    more = [each for each in after if each.number not in known]
    return replace(evidence, sayings=(*evidence.sayings, *more))


def frozen(evidence: Evidence) -> bytes:
    """As it is kept."""
    return msgspec.json.encode(evidence)


def thawed(data: bytes) -> Evidence:
    """As it was kept; nothing is left of what is too old."""
    return msgspec.json.decode(data, type=Evidence) if data else Evidence(whole=True)


def marked(evidence: Evidence) -> Sequence[tuple[Said, bool]]:
    """The sayings, each with whether it is one of those reported."""
    return [(each, each.number in evidence.reported) for each in evidence.sayings]
