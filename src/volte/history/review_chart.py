"""What the picture of a match shows, for those who do not see it; and what stands in it."""

from __future__ import annotations

from typing import NamedTuple

from volte.bots.reviewing import MOST_TOLD, Judged
from volte.history.review import LookedBack, heading
from volte.say.language import N_
from volte.say.measures import decimal
from volte.say.telling import Lines, Telling
from volte.say.words import Words
from volte.view import View


class Course(NamedTuple):
    """The totals of a side, deal by deal, from 0 before the first."""

    name: str  # of whoever plays on it
    seat: int  # one of them
    totals: tuple[float, ...]


def courses(words: Words, looked: LookedBack) -> list[Course]:
    """A line for each side, that of whoever is spoken to first."""
    telling = _telling(words, looked)
    return [
        Course(
            words.sentence(telling.names(side)),
            side[0],
            (0, *(deal.totals[side[0]] for deal in looked.review.deals)),
        )
        for side in telling.sides()
    ]


def course_of_cards(words: Words, looked: LookedBack) -> Course | None:
    """What the cards of the one seat looked at were worth, added up; None where that is unknown."""
    seat, deals = looked.only, looked.review.deals
    if seat is None or any(deal.cards is None for deal in deals):
        return None
    own, other = N_("What your cards were worth"), N_("What {player:of} cards were worth")
    sums = [0.0]
    for deal in deals:
        assert deal.cards is not None
        sums.append(sums[-1] + deal.cards[seat])
    return Course(_telling(words, looked).by(seat, own, other), seat, tuple(sums))


def marks(looked: LookedBack) -> list[Judged]:
    """The choices that are marked, in the order in which the review tells them."""
    most = MOST_TOLD if looked.only is not None else 1
    return [each for seat in looked.seats for each in looked.review.costliest(seat, most)]


def chart_told(words: Words, looked: LookedBack) -> Lines:
    """The picture described in sentences."""
    telling, cards = _telling(words, looked), course_of_cards(words, looked)
    lines = [
        words.t("The picture: {title}.", title=heading(words, looked)),
        words.t(
            "It shows the totals after every deal, a line for each: {ends}.",
            ends=telling.series(
                words.t("{name} {count}", name=course.name, count=int(course.totals[-1]))
                for course in courses(words, looked)
            ),
        ),
    ]
    if cards is not None:
        lines.append(
            words.t(
                "A dotted line: {name}; it ends at {count}.",
                name=cards.name[:1].lower() + cards.name[1:],
                count=decimal(words, cards.totals[-1], 1),
            )
        )
    stars = telling.series(
        words.t("{place} in deal {deal}", place=place, deal=judged.deal)
        for place, judged in enumerate(marks(looked), start=1)
    )
    if stars:
        lines.append(words.t("Stars mark what cost most: {stars}.", stars=stars))
    return tuple(lines)


def _telling(words: Words, looked: LookedBack) -> Telling:
    return Telling(words, View(looked.me, looked.state))
