"""May this person know this now? All code that discloses a match or a table asks here.

- The outcome of a match (record, results, replay, proof, review) may be known once it is over, and
  at an evening once its round is through at all tables: `EveningDisclosure.withheld`.
- Then people who played there, could have watched, or come to that evening may look at it:
  `EveningDisclosure.may_see`.
- People who have not come in to a table may know only its `outlines`.
- Nobody who plays in a match may read others' talk about it from elsewhere: `plays_on`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from volte.evenings.conducting import Evenings
from volte.evenings.evening import Evening
from volte.evenings.openings import Openings
from volte.store import Listing, MatchRow
from volte.store.store import Store
from volte.table import Access, Watching
from volte.table.stored import TableSummary, WayIn, read_summary, seats_to_take, ways_in
from volte.web.disclosure import Disclosure


class EveningDisclosure(Disclosure):
    """Rule for a playroom with evenings: what may be shown of a match, and to whom."""

    def __init__(self, evenings: Evenings) -> None:
        self._evenings = evenings

    async def withheld(self, matches: Collection[MatchRow]) -> dict[str, str]:
        """Ids of the matches whose outcome nobody may know yet, with the reasons.

        Reasons are `match_goes_on`, and `evening_goes_on` while its cards are played elsewhere.
        """
        found, evenings = await super().withheld(matches), self._evenings
        over = [row for row in matches if row.id not in found]
        listings = await evenings.store.listings_at({row.table for row in over})
        keys = {table: read_summary(listing).evening for table, listing in listings.items()}
        known = {key: await evenings.find(key) for key in {*keys.values()} - {""}}
        for row in over:
            evening = known.get(keys.get(row.table, ""))
            if evening is not None and not evening.through(row.table):
                found[row.id] = "evening_goes_on"
        return found

    async def may_see(self, row: MatchRow, person: str) -> bool:
        """Whether somebody may look at a match once it is no longer withheld."""
        if row.played(person):
            return True
        evenings = self._evenings
        listing = await evenings.store.listing(row.table)
        if listing is None or not person:
            return False
        if person == listing.host:
            return True
        summary = read_summary(listing)
        if summary.evening:
            evening = await evenings.find(summary.evening)
            return evening is not None and compares(evening, person)
        if summary.watching is Watching.NOBODY or listing.access == Access.PRIVATE:
            return False
        locked = listing.access == Access.PASSWORD
        return not locked or await evenings.store.admitted(row.table, person)

    async def note_opened(self, row: MatchRow, person: str) -> None:
        """Note that a person is shown a match in which they had no seat."""
        if person and not row.played(person):
            await self._evenings.store[Openings].note(row.id, person)


def compares(evening: Evening, person: str) -> bool:
    """Whether somebody comes to an evening, and so may compare results with the others."""
    comer = evening.comer(person)
    return comer is not None and bool(comer.comes)


async def plays_on(evenings: Evenings, table: str, person: str) -> bool:
    """Whether somebody plays in the match that goes on at a table, or in its round elsewhere."""
    rows = await evenings.store.matches_at(table)
    if any(row.ended is None and row.played(person) for row in rows):
        return True
    listing = await evenings.store.listing(table)
    key = read_summary(listing).evening if listing is not None else ""
    evening = await evenings.find(key) if key else None
    going = evening.round if evening is not None and not evening.through(table) else None
    return going is not None and going.place_of(person) is not None


class Outline(NamedTuple):
    """The facts of a table that somebody may know before they have come in."""

    listing: Listing
    needs_password: bool
    inside: bool  # whether they are its host, or play there
    # without totals for people who may not watch; None where they may know its name alone
    summary: TableSummary | None
    full: bool = False  # whether it looks full to them, whoever sits there

    def ways(self, invited: bool = False) -> tuple[WayIn, ...]:
        """The ways in for them, as far as one can know. `invited`: by the host."""
        if self.summary is None:
            return ()
        return ways_in(self.listing, self.summary, invited, self.full and not invited)

    def seats(self, invited: bool = False) -> int:
        """The number of seats that they could take, or ask for. `invited`: by the host."""
        if self.summary is None or (self.full and not invited):
            return 0
        return seats_to_take(self.listing, self.summary, invited)


async def outlines(
    store: Store, listings: Sequence[Listing], person: str = "", apart: Collection[str] = ()
) -> list[Outline]:
    """The outlines of some tables for a person; an empty id stands for a stranger.

    Args:
        apart: ids of the people who are not brought together with the person: where they are, an
            open table looks full.
    """
    hosted = {each.table for each in listings if person and each.host == person}
    others = [each for each in listings if each.table not in hosted]
    locked = {each.table for each in others if each.access == Access.PASSWORD}
    unseen = {each.table for each in others if read_summary(each).watching is Watching.NOBODY}
    inside, admitted = hosted, frozenset[str]()
    if person and (locked or unseen):
        inside = hosted | {each.table for each in await store.played_by(person)}
        admitted = await store.admitted_to(locked, person)
    found = (
        _outline(each, each.table in locked - inside - admitted, each.table in inside)
        for each in listings
    )
    return [as_seen(each, person, apart) for each in found]


def as_seen(outline: Outline, person: str, apart: Collection[str]) -> Outline:
    """The outline of a table for a person who is not brought together with some people."""
    summary = outline.summary
    if summary is None or outline.inside or person in summary.company:
        return outline
    return outline._replace(full=any(each in apart for each in summary.company))


def _outline(listing: Listing, needs_password: bool, inside: bool) -> Outline:
    summary = read_summary(listing)
    if needs_password or (summary.evening and not inside):
        return Outline(listing, needs_password, inside, None)
    if summary.watching is Watching.NOBODY and not inside:
        seats = tuple(replace(seat, total=0) for seat in summary.seats)
        summary = replace(summary, seats=seats, deal=0, totals=False)
    return Outline(listing, needs_password, inside, summary)
