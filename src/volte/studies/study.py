"""A review together and its attendees, and the rules about who leads and who tries a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.game import Refusal

LASTS: Final = 30 * 24 * 3600.0  # seconds until a review ends by itself
GONE: Final = 30.0  # seconds without a sign of life after which an attendee counts as gone
SKEW: Final = 60.0  # seconds by which the clocks of nodes may differ
MOST_HERE: Final = 50  # attendees at the same time
LONGEST_LINE: Final = 120  # cards of a line that is tried

MOST_DEALS: Final = 100_000
MOST_STEPS: Final = 10_000


class Study(msgspec.Struct, frozen=True):
    """A replay of a match that several people follow at the same step."""

    id: str  # 128 random bits in hexadecimal
    match: str  # id of the match
    maker: str  # id of the person who made it
    made: float  # seconds since 1970
    ends: float  # seconds since 1970
    version: int  # counts its changes
    leader: str  # id of the person whose steps everybody follows
    deal: int = 1
    step: int = 0  # of the deal, from 0
    trier: str = ""  # id of the person who tries a line from that step; empty for none
    cards: str = ""  # the cards of that line, such as "QS 4H"

    @property
    def line(self) -> tuple[str, ...]:
        """The cards that have been tried, in their order."""
        return tuple(self.cards.split())


class Attendee(msgspec.Struct, frozen=True):
    """A person in a review."""

    person: str
    name: str
    since: float  # time from which they have been here without a long break
    seen: float  # time of the last sign of life
    shows: bool  # whether they agree that everybody there sees their name and hand


Outcome = Study | Refusal
"""The review after an action, or why it is refused."""


def is_here(attendee: Attendee, now: float, silent: float) -> bool:
    """Whether an attendee is here.

    Args:
        now: the time by the clock of this node; the sign may have been noted by another's.
        silent: seconds for which this node has known the last sign of life, and no newer one.
    """
    return silent < GONE and now - attendee.seen < GONE + SKEW


def by_stay(here: Iterable[Attendee]) -> list[Attendee]:
    """The attendees in the order in which they came, the one who has been here longest first."""
    return sorted(here, key=lambda each: (each.since, each.person))


def agreed(study: Study, attendees: Sequence[Attendee]) -> frozenset[str]:
    """Ids of those who agree to be shown; whoever makes a review agrees by that."""
    return frozenset(each.person for each in attendees if each.shows) | {study.maker}


def kept_up(study: Study, here: Sequence[Attendee]) -> Study:
    """The review without those who are gone: somebody else leads, and their line is over.

    Args:
        here: the attendees present, in the order of `by_stay`.
    """
    if not here:
        return study
    ids = [each.person for each in here]
    if study.leader not in ids:
        study = replace(study, leader=ids[0])
    return study if not study.trier or study.trier in ids else without_line(study)


def without_line(study: Study) -> Study:
    """The review back at its step of the match."""
    return replace(study, trier="", cards="")


def lead(study: Study, person: str, deal: int, step: int) -> Outcome:
    """Take everybody to a step. This ends a line that is tried."""
    if person != study.leader:
        return Refusal("not_leader")
    if not (1 <= deal <= MOST_DEALS and 0 <= step <= MOST_STEPS):
        return Refusal("no_such_step")
    return replace(without_line(study), deal=deal, step=step)


def hand_over(study: Study, person: str, to: str, here: Sequence[Attendee]) -> Outcome:
    """Let another attendee lead."""
    if person != study.leader:
        return Refusal("not_leader")
    if to not in [each.person for each in here]:
        return Refusal("not_in_study")
    return replace(study, leader=to)


def begin_line(study: Study, person: str, deal: int, step: int) -> Outcome:
    """Begin to try a line from the present step."""
    if study.trier == person:
        return study
    if study.trier:
        return Refusal("line_tried")
    if (study.deal, study.step) != (deal, step):
        return Refusal("study_moved_on")
    return replace(study, trier=person)


def add_card(study: Study, person: str, card: str, place: int, judged: Study) -> Outcome:
    """Play one more card of a line. The same card at the same place is played once.

    Args:
        place: the number of cards before it.
        judged: the review in which the card is known to be lawful after those cards.
    """
    if study.trier != person:
        return Refusal("line_over")
    line = study.line
    if place < len(line) and line[place] == card:
        return study
    if place != len(line) or place >= LONGEST_LINE or not _same_line(study, judged, place):
        return Refusal("study_moved_on")
    return replace(study, cards=" ".join((*line, card)))


def _same_line(one: Study, other: Study, place: int) -> bool:
    """Whether two lines begin at the same step, with the same cards up to a place."""
    steps = [(each.deal, each.step, each.line[:place]) for each in (one, other)]
    return steps[0] == steps[1]


def take_card_back(study: Study, person: str, place: int) -> Outcome:
    """Take back the last card of a line.

    Args:
        place: the number of cards before it.
    """
    if study.trier != person:
        return Refusal("line_over")
    return replace(study, cards=" ".join(study.line[:place]))


def end_line(study: Study, person: str) -> Outcome:
    """Go back to the match: whoever tries a line may, and the leader."""
    if not study.trier:
        return study
    if person not in (study.trier, study.leader):
        return Refusal("not_leader")
    return without_line(study)
