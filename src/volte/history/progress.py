"""Progress of a person from match to match, as their reviews show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Final, NamedTuple

from volte.bots import Reason
from volte.history.reviewer import found_by
from volte.history.rows import StoredReview
from volte.say import N_, Words
from volte.say.telling import Lines

LATELY: Final = 5  # last matches, compared with the ones before
BEFORE: Final = 3  # least number of matches before them
TIMES: Final = 8  # least number of times that a reason must have held, before and lately
SURE: Final = 2.0  # least improvement, in standard errors

HABITS: Final = {
    (Reason.GUARD,): N_("You now keep low spades to protect the high ones."),
    (Reason.DUCK, Reason.HIGHEST_UNDER): N_("You now stay under the winning card."),
    (Reason.LOW_LEAD, Reason.SAFE_EXIT): N_(
        "You now lead cards that leave the trick to somebody else."
    ),
    (Reason.FLUSH_QUEEN,): N_("You now lead low spades, which drive the queen out."),
    (Reason.DUMP_QUEEN, Reason.DUMP_POINTS, Reason.DROP_COVER): N_(
        "You now throw costly cards away in time."
    ),
    (Reason.SHED_HIGH, Reason.TAKE_HIGH): N_(
        "You now get rid of high cards while they cost little."
    ),
    (Reason.STOP_MOON, Reason.NO_POINT, Reason.KEEP_STOPPER): N_(
        "You now watch out for players who may shoot the moon."
    ),
    (Reason.PASS_DANGER, Reason.PASS_QUEEN, Reason.PASS_VOID, Reason.PASS_LOW): N_(
        "You now choose better cards to pass."
    ),
}
"""Reasons for a choice → the habit of a person who follows them."""


class Missed(NamedTuple):
    """Number of times that reasons spoke for the best choice, and of costly choices against it."""

    times: int
    missed: int

    @property
    def share(self) -> float:
        return self.missed / self.times

    @property
    def error(self) -> float:
        """Standard error of the share; above zero even for a share of 0 or 1."""
        share = (self.missed + 1) / (self.times + 2)
        return sqrt(share * (1 - share) / self.times)


def progress(words: Words, reviews: Sequence[StoredReview]) -> Lines:
    """Lines on habits that a person used to miss and now has, unless it may be chance.

    Args:
        reviews: the finished reviews of a person, in the order of their matches.
    """
    return tuple(_lines(words, reviews)) if len(reviews) >= LATELY + BEFORE else ()


def _lines(words: Words, reviews: Sequence[StoredReview]) -> Iterator[str]:
    found = [found_by(each).reasons for each in reviews]
    for reasons, habit in HABITS.items():
        before, lately = (_missed(some, reasons) for some in (found[:-LATELY], found[-LATELY:]))
        if min(before.times, lately.times) < TIMES:
            continue
        if before.share - lately.share > SURE * sqrt(before.error**2 + lately.error**2):
            counts = words.t(
                "You used to miss this {missed} times out of {times}; lately, {fewer} out of "
                "{most}.",
                missed=before.missed,
                times=before.times,
                fewer=lately.missed,
                most=lately.times,
            )
            yield f"{words.t(habit)} {counts}"


def _missed(found: Sequence[dict[str, tuple[int, int]]], reasons: Sequence[Reason]) -> Missed:
    some = [each[reason] for each in found for reason in reasons if reason in each]
    return Missed(sum(times for times, _ in some), sum(missed for _, missed in some))
