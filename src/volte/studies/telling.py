"""A review together as one attendee is shown it, in their own language."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from volte.say import Words
from volte.studies.sight import Seats
from volte.studies.study import Attendee, Study


class AttendeeShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """An attendee who is here, with the sentences for when they come and go."""

    person: str
    name: str
    came: str
    gone: str
    me: bool = False
    leads: bool = False


class LineTried(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line that somebody tries."""

    told: str  # by whom, for eyes and ears
    count: int  # number of its cards
    over: str  # the sentence for its end
    mine: bool = False  # whether the attendee tries it


class StudyShown(msgspec.Struct, frozen=True):
    """A review as one attendee is shown it."""

    version: int
    deal: int
    step: int
    leads: bool  # whether the attendee leads
    leading: str  # who leads, as a sentence
    here: tuple[AttendeeShown, ...]
    sight: str  # changes with what the attendee may see
    tried: LineTried | None


def study_shown(
    words: Words, study: Study, here: Sequence[Attendee], seats: Seats, me: str
) -> StudyShown:
    """The review as an attendee is shown it.

    Args:
        here: the attendees present, the one who has been here longest first.
        seats: those that are open to the attendee.
        me: id of the attendee.
    """
    names = {each.person: each.name for each in here}
    if study.leader == me:
        leading = words.t("You lead: everybody follows your steps.")
    elif study.leader in names:
        leading = words.t("{name} leads.", name=names[study.leader])
    else:
        leading = words.t("Nobody leads at the moment.")
    return StudyShown(
        *(study.version, study.deal, study.step, study.leader == me, leading),
        tuple(_attendee(words, each, me, study.leader) for each in here),
        sight_of(seats),
        _tried(words, study, names.get(study.trier, ""), me),
    )


def sight_of(seats: Seats) -> str:
    """A short name for what an attendee sees."""
    return "all" if seats is None else ".".join(map(str, sorted(seats)))


def _attendee(words: Words, each: Attendee, me: str, leader: str) -> AttendeeShown:
    return AttendeeShown(
        *(each.person, each.name),
        words.t("{name} has come.", name=each.name),
        words.t("{name} has gone.", name=each.name),
        each.person == me,
        each.person == leader,
    )


def _tried(words: Words, study: Study, name: str, me: str) -> LineTried | None:
    if not study.trier:
        return None
    over = words.t("Back to the match.")
    if study.trier == me:
        told = words.t("You are trying a line: this is not how the match went.")
    else:
        told = words.t("{name} is trying a line: this is not how the match went.", name=name)
    return LineTried(told, len(study.line), over, study.trier == me)
