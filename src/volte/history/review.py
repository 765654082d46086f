"""What a look back on a match tells: how it went, what the cards were worth, and what cost most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from volte.bots.reviewing import MOST_TOLD, DealLuck, Parts, Review
from volte.game import MatchEnded, MatchState
from volte.history.review_costs import about, costly
from volte.referee import Event
from volte.rules import described
from volte.say import outcome
from volte.say.language import N_
from volte.say.measures import Row, decimal, fits, in_columns
from volte.say.rulesheet.options import preset_title, rules_played
from volte.say.telling import Lines, Telling
from volte.say.words import Words
from volte.view import View


class LookedBack(NamedTuple):
    """A match that has been looked back on.

    Attributes:
        log: of the match.
        state: where it leads.
        seats: whose choices were judged.
        review: what was found.
        me: the seat of the one person at that table, who is spoken to; None where there is none,
            or several.
    """

    log: Sequence[Event]
    state: MatchState
    seats: tuple[int, ...]
    review: Review
    me: int | None = None

    @property
    def only(self) -> int | None:
        """The seat that is looked at closely, where it is one."""
        return self.seats[0] if len(self.seats) == 1 else None


def heading(words: Words, looked: LookedBack) -> str:
    """Which game, and who played it: "Les Cœurs (coeurs players=5): Anne, Luc and Zoé"."""
    rules = looked.state.rules
    return words.t(
        "{title} ({rules}): {players}",
        title=preset_title(words, described(rules)[0]),
        rules=rules_played(rules, True),
        players=looked.state.players,
    )


class ReviewReport:
    """A match that has been looked back on, in one person's words."""

    def __init__(self, words: Words, looked: LookedBack) -> None:
        self._words = words
        self._looked = looked
        self._review = looked.review
        self._view = View(looked.me, looked.state)
        self._telling = Telling(words, self._view)

    def lines(self, width: int | None) -> Lines:
        """All of it.

        Args:
            width: columns; a table that would be wider is told in sentences. None for no limit,
                0 for sentences in any case.
        """
        return (
            *self._head(),
            *self._deals(width),
            *self._parts(width),
            *self._costliest(width != 0),
        )

    # The match

    def _head(self) -> Iterator[str]:
        words, review = self._words, self._review
        yield heading(words, self._looked) + "."
        ends = [event for event in self._looked.log if isinstance(event, MatchEnded)]
        for end in ends:
            yield from outcome.tell(self._telling, end)
        if self._looked.state.deals:
            yield from words.scores(self._view)
        if not ends:
            yield words.t("The match is not over: what has been played is looked at.")
        only = self._looked.only
        if only is not None:
            own = N_("Your choices are weighed by what you knew then: {choices}.")
            other = N_("{player:of} choices are weighed by what was known in that seat: {choices}.")
            yield self._telling.by(only, own, other, choices=self._choices(len(review.judged)))
        if review.left_out:
            yield words.n(
                "{count} choice is left out: out of turn, against the rules, or more than can be"
                " searched in this game.",
                "{count} choices are left out: out of turn, against the rules, or more than can be"
                " searched in this game.",
                review.left_out,
            )

    def _choices(self, count: int) -> str:
        return self._words.n("{count} choice", "{count} choices", count)

    # Deal by deal

    def _deals(self, width: int | None) -> Lines:
        only, deals = self._looked.only, self._review.deals
        if not deals:
            return (self._words.t("No deal has been scored yet."),)
        if only is None:
            return ("", *self._words.score_sheet(self._view, width))
        columns = in_columns(self._deal_rows(only), left=0)
        if not fits(columns, width):
            return ("", *(self._deal_sentence(only, deal) for deal in deals))
        own = N_("Points of each deal, and what your cards were worth; then the totals:")
        other = N_("Points of each deal, and what {player:of} cards were worth; then the totals:")
        return ("", self._telling.by(only, own, other), "", *columns)

    def _deal_rows(self, seat: int) -> Iterator[Row]:
        sides = self._telling.sides()
        _ = self._words.t
        names = [self._words.sentence(self._telling.names(side)) for side in sides]
        yield [_("Deal"), _("Points"), _("Cards"), *names]
        for deal in self._review.deals:
            cards = "–" if deal.cards is None else decimal(self._words, deal.cards[seat], 1)
            counts = [deal.number, deal.points[seat]]
            totals = [deal.totals[side[0]] for side in sides]
            told = [self._words.number(count) for count in (*counts, *totals)]
            yield [*told[:2], cards, *told[2:]]

    def _deal_sentence(self, seat: int, deal: DealLuck) -> str:
        telling = self._telling
        number, points = deal.number, telling.points(deal.points[seat])
        if deal.cards is None:
            own = N_("Deal {deal}: you end with {points}.")
            other = N_("Deal {deal}: {player} ends with {points}.")
            told = telling.by(seat, own, other, deal=number, points=points)
        else:
            own = N_("Deal {deal}: your cards were worth about {cards}, and you end with {points}.")
            other = N_(
                "Deal {deal}: {player:of} cards were worth about {cards}, and {player} ends with"
                " {points}."
            )
            cards = about(self._words, deal.cards[seat])
            told = telling.by(seat, own, other, deal=number, cards=cards, points=points)
        if deal.number == 1:
            return told
        return f"{told} " + telling.t("Totals: {totals}.", totals=telling.scores(deal.totals))

    # Luck and play

    def _parts(self, width: int | None) -> Lines:
        words, deals = self._words, self._review.deals
        lost = sum(deal.cards is None for deal in deals)
        notes = (
            [
                words.n(
                    "In {count} deal nobody can say here what the cards were worth.",
                    "In {count} deals nobody can say here what the cards were worth.",
                    lost,
                )
            ]
            if lost
            else []
        )
        told = [
            (seat, parts)
            for seat in self._telling.seats
            if (parts := self._review.parts(seat)) is not None
        ]
        if not told:
            return ("", *notes) if notes else ()
        meaning = words.t(
            "The share is what an average hand was worth. Luck and play, that of the others"
            " included, add points to it, or spare some (−)."
        )
        columns = in_columns(self._part_rows(told), left=1)
        if fits(columns, width):
            return ("", *columns, "", meaning, *notes)
        sentences = [self._part_sentence(seat, parts) for seat, parts in told]
        return ("", *sentences, meaning, *notes)

    def _part_rows(self, told: Sequence[tuple[int, Parts]]) -> Iterator[Row]:
        words = self._words
        _ = words.t
        yield [_("Player"), _("Points"), _("Share"), _("Due to luck"), _("Due to play")]
        for seat, parts in told:
            yield [
                words.sentence(self._telling.who(seat)),
                words.number(round(parts.points)),
                decimal(words, parts.share, 1),
                signed(words, parts.luck),
                signed(words, parts.play),
            ]

    def _part_sentence(self, seat: int, parts: Parts) -> str:
        words = self._words
        luck = about(words, abs(parts.luck))
        play = about(words, abs(parts.play))
        return words.t(
            "{name}: {points}. The share: {share}; {luck}; {play}.",
            name=words.sentence(self._telling.who(seat)),
            points=words.points(round(parts.points)),
            share=about(words, parts.share),
            luck=words.t(LUCK[parts.luck > 0], points=luck),
            play=words.t(PLAY[parts.play > 0], points=play),
        )

    # What cost most

    def _costliest(self, by_eye: bool) -> Iterator[str]:
        telling, place = self._telling, 0
        most = MOST_TOLD if self._looked.only is not None else 1
        for seat in self._looked.seats:
            found = self._review.costliest(seat, most)
            yield ""
            yield self._title(seat, bool(found))
            for each in found:
                place += 1
                if by_eye:
                    yield ""
                yield from costly(self._words, self._looked.me, place, each)
        if self._looked.only is None:
            yield ""
            yield telling.t("With --seat you see more of one player.")

    def _title(self, seat: int, costly: bool) -> str:
        if costly:
            own, other = N_("What cost you most:"), N_("What cost {player} most:")
        elif any(each.seat == seat for each in self._review.judged):
            own = N_("You did nothing that cost much.")
            other = N_("{player} did nothing that cost much.")
        else:
            own = N_("You made no choice that can be judged.")
            other = N_("{player} made no choice that can be judged.")
        return self._telling.by(seat, own, other)


LUCK = {True: N_("luck adds {points}"), False: N_("luck spares {points}")}
PLAY = {True: N_("play adds {points}"), False: N_("play spares {points}")}


def signed(words: Words, points: float) -> str:
    """More or fewer points: "+3.2", "−0.4"."""
    told = decimal(words, points, 1)
    return f"+{told}" if round(points, 1) > 0 else told
