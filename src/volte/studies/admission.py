"""Admission to a review: who may come, and what they see of its match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from volte.history.match_page import chosen_by_players, made_from, seat_of
from volte.history.rows import MatchStore
from volte.people.settings_shown import wishes
from volte.say import Verbosity
from volte.store import MatchRow
from volte.studies.retelling import Eye
from volte.studies.service import Studies
from volte.studies.sight import Seats, open_seats, sitters
from volte.studies.study import Attendee, Study, agreed
from volte.web.disclosure import Disclosure
from volte.web.refused import Refused
from volte.web.visit import Visit


class Admitted(NamedTuple):
    """Somebody who has the address of a review, and the match as they may see it."""

    study: Study
    row: MatchRow
    person: str
    whole: bool  # whether they may open the match themselves, and so see every card

    @property
    def id(self) -> str:
        return self.study.id


async def opened(visit: Visit, name: str) -> MatchRow:
    """The match with an id, for somebody who may open it without a key. Raises `Refused`."""
    room, who = visit.room, visit.someone()
    row = await room[MatchStore].match(name)
    if row is None or not await room[Disclosure].may_see(row, who.id):
        raise Refused(404, "no_match")
    await _check_shown(visit, row)
    return row


async def admitted(visit: Visit) -> Admitted:
    """The visitor at the review of the address. Raises `Refused`."""
    room, who = visit.room, visit.someone()
    study = await room[Studies].find(visit.path_params["study"])
    row = await room[MatchStore].match(study.match)
    if row is None:
        raise Refused(404, "no_study")
    await _check_shown(visit, row)
    await room[Disclosure].note_opened(row, who.id)
    return Admitted(study, row, who.id, await room[Disclosure].may_see(row, who.id))


async def _check_shown(visit: Visit, row: MatchRow) -> None:
    for reason in (await visit.room[Disclosure].withheld([row])).values():
        raise Refused(403, reason)


async def sitters_at(visit: Visit, row: MatchRow) -> Sequence[frozenset[str]]:
    """By seat, ids of the people who sat there during a match; remembered once they are known."""
    studies = visit.room[Studies]
    known = studies.sitters.get(row.id)
    if known is None:
        known = await made_from(visit, row, partial(sitters, beginners=row.beginners))
        studies.sitters[row.id] = known
    return known


async def seats_seen(visit: Visit, at: Admitted, attendees: Sequence[Attendee]) -> Seats:
    """The seats that the visitor sees now; None for all that there is."""
    if at.whole:
        return None
    return open_seats(await sitters_at(visit, at.row), agreed(at.study, attendees))


async def eye_of(visit: Visit, at: Admitted) -> Eye:
    """The way in which the visitor sees and hears the match now."""
    attendees = await visit.room[Studies].attendees(at.id)
    return Eye(
        visit.words,
        Verbosity(wishes(visit)["verbosity"]),
        await seats_seen(visit, at, attendees),
        seat_of(visit, at.row) if at.whole else None,
        await chosen_by_players(visit, at.row),
    )
